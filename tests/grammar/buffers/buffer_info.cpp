#include <hlolint/ir/buffer_info.hpp>

#include "grammar/buffers/reading.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using buffer_reading::outcome;
using buffer_reading::read;

namespace {
const std::string head = "buffer_id,buffer_name,offset,size,definition_time,end_time,num_uses,use_times,use_names\n";
}

TEST_CASE("the table of buffers") {
  const parsed_file file = read(head +
                                "4,\"<4 p0{1} @0>\",0,64,0,9,2,\"3;5\",\"add.1, operand 0;fusion, operand 1 {0,1}\"\n"
                                "7,\"<7 add.1 @0>\",64,128,3,3,0,\"\",\"\"\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::buffer_info);
  const buffer_info* const info = file.buffers->buffer_info();
  REQUIRE(info);
  REQUIRE(info->rows.size() == 2);
  const buffer_info_row& row = info->rows[0];
  CHECK(row.id == 4);
  CHECK(row.name == value_name{4, "p0", shape_index{1}, false, 0});
  CHECK(row.size == 64);
  CHECK(row.definition_time == 0);
  CHECK(row.end_time == 9);
  CHECK(row.use_count == 2);
  REQUIRE(row.uses == 2);
  CHECK(info->uses[0] == timed_use{3, {"add.1", 0, std::nullopt}});
  CHECK(info->uses[1] == timed_use{5, {"fusion", 1, shape_index{0, 1}}});
  CHECK(info->rows[1].offset == 64);
  CHECK(info->rows[1].uses == 0);
}

TEST_CASE("a bad row leaves nothing behind") {
  const parsed_file file = read(head +
                                "1,\"<1 a>\",0,4,0,1,1,\"3\",\"b, operand 0;c, operand 0\"\n"
                                "2,\"<2 b>\",0,4,0,1,1,\"3\",\"c, operand 0\"\n"
                                "3,<3 c>,0,4,0,1,0,\"\",\"\"\n");
  CHECK(outcome(file) ==
        "partial 2:51 SYN001 expected as many use times as uses 4:3 SYN001 expected a value's name in quotes");
  REQUIRE(file.buffers->buffer_info()->rows.size() == 1);
  CHECK(file.buffers->buffer_info()->rows[0].first_use == 0);
  CHECK(file.buffers->buffer_info()->uses.size() == 1);
}
