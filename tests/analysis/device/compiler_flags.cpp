#include <hlolint/analysis/device/compiler_flags.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("flags as libtpu and XLA write them") {
  compiler_flags flags(
      source("--xla_tpu_fusion=true\r\n--xla_other=false\nxla_dump_to: \"d\"\nxla_tpu_fusion: false\n"
             "--\nno flag at all\nxla_sub { a: 1 }\n--xla_last=1"));
  CHECK(flags.value("xla_dump_to") == "\"d\"");
  CHECK(flags.value("xla_tpu_fusion") == "false");  // the last one counts
  for (const char* const none : {"", "no", "xla_sub", "a", "xla_dump", "xla_tpu_fusion=true", "dump_to"}) {
    CAPTURE(none);
    CHECK_FALSE(flags.value(none));
  }
  CHECK(is_on(flags, "xla_last"));
  CHECK_FALSE(is_on(flags, "xla_other"));
  CHECK_FALSE(is_on(flags, "xla_unknown"));
  CHECK(is_off(flags, "xla_other"));
  CHECK_FALSE(is_off(flags, "xla_last"));
  CHECK_FALSE(is_off(flags, "xla_unknown"));
  flags.add(source("--xla_other=true\n--xla_late=true"));
  CHECK(is_off(flags, "xla_other"));  // the first text counts
  CHECK(is_on(flags, "xla_late"));
  const compiler_flags copy = flags;
  flags.add(source("--xla_later=true"));
  CHECK(is_on(flags, "xla_later"));
  CHECK_FALSE(copy.value("xla_later"));
  CHECK(is_on(copy, "xla_late"));
}

TEST_CASE("flags inside of other messages") {
  const compiler_flags flags(
      source("# xla_a in the current tpu_comp_env has a non-default value. Default flag value: true\nxla_a: false\n"
             "executable_build_options {\n  device_ordinal: -1\n  debug_options {\n    xla_b: true\n  }\n"
             "  num_replicas: 1\n}\nxla_c: AUTO\n}\nxla_d: 1\n"));
  CHECK(flags.value("xla_a") == "false");
  CHECK(flags.value("xla_b") == "true");
  CHECK(flags.value("xla_c") == "AUTO");
  CHECK(flags.value("xla_d") == "1");
  CHECK_FALSE(flags.value("device_ordinal"));
  CHECK_FALSE(flags.value("num_replicas"));
}
