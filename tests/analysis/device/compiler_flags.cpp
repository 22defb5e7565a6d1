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
  CHECK(is_off(flags, "xla_other"));
  CHECK_FALSE(is_off(flags, "xla_last"));
  CHECK_FALSE(is_off(flags, "xla_unknown"));
}

TEST_CASE("flags inside of other messages") {
  const compiler_flags flags = read_flags(
      "# xla_a in the current tpu_comp_env has a non-default value. Default flag value: true\nxla_a: false\n"
      "executable_build_options {\n  device_ordinal: -1\n  debug_options {\n    xla_b: true\n  }\n"
      "  num_replicas: 1\n}\nxla_c: AUTO\n}\nxla_d: 1\n");
  CHECK(flags == compiler_flags{{"xla_a", "false"}, {"xla_b", "true"}, {"xla_c", "AUTO"}, {"xla_d", "1"}});
}
