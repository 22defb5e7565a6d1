#include <hlolint/tool/report/time/time_facts.hpp>

#include "analysis/timed.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("launches_text: command buffers of loops only where they are not on") {
  const timed t = time_of("ENTRY %e {\n%a = f32[8]{0} parameter(0)\nROOT %n = f32[8]{0} negate(%a)\n}\n",
                          find_device("h100-sxm").value());
  const launches found(t.module, *t.time);
  const auto text_with = [&](const char* flags) {
    return report::launches_text(found, *t.time, compiler_flags(source(flags)));
  };
  const std::string unset = text_with("");
  CHECK(unset.find("1 kernel takes at least") == 0);
  CHECK(unset.find("--xla_gpu_enable_command_buffer=+WHILE") != std::string::npos);
  CHECK(text_with("xla_gpu_enable_command_buffer: FUSION\n").find("+WHILE") != std::string::npos);
  CHECK(text_with("xla_gpu_enable_command_buffer: FUSION\nxla_gpu_enable_command_buffer: WHILE\n").find("WHILE") ==
        std::string::npos);
}
