#include <hlolint/tool/job_log/oom_buffers.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hlolint;

TEST_CASE("the source of a buffer, and buffers by size") {
  oom_buffer b;
  b.metadata = R"(op_name="jit(f)/dot" source_file="/src/net.py" source_line=41 more)";
  const oom_source from = source_of(b);
  CHECK(from.op_name == "jit(f)/dot");
  CHECK(from.file == "/src/net.py");
  CHECK(from.line == 41);
  b.metadata = R"(op_name="f" source_line=many)";
  CHECK(source_of(b).op_name == "f");
  CHECK(source_of(b).file.empty());
  CHECK(source_of(b).line == 0);
  oom_report r;
  for (const std::int64_t size : {2, 9, 2, 5}) {
    b.size.bytes = size;
    r.buffers.push_back(b);
  }
  std::vector<std::ptrdiff_t> places;
  for (const oom_buffer* const sorted : buffers_by_size(r)) places.push_back(sorted - r.buffers.data());
  CHECK(places == std::vector<std::ptrdiff_t>{1, 3, 0, 2});
}
