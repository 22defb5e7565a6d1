#include <hlolint/analysis/device/compiler_flags.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("flags as libtpu and XLA write them") {
  const compiler_flags flags = read_flags(
      "--xla_tpu_fusion=true\r\n--xla_other=false\nxla_dump_to: \"d\"\nxla_tpu_fusion: false\n"
      "--\nno flag at all\nxla_sub { a: 1 }\n--xla_last=1");
  CHECK(flags.size() == 4);
  CHECK(flags.at("xla_dump_to") == "\"d\"");
  CHECK(flags.at("xla_tpu_fusion") == "false");  // the last one counts
  CHECK(is_on(flags, "xla_last"));
  CHECK_FALSE(is_on(flags, "xla_other"));
  CHECK_FALSE(is_on(flags, "xla_unknown"));
  CHECK(read_flags("").empty());
}
