#include <hlolint/analysis/measured/measured_times.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

profile_operation ran(const char* name, std::uint64_t count, picoseconds total, picoseconds least) {
  profile_operation o;
  o.instruction = name, o.count = count, o.total = total, o.least = least;
  return o;
}

constexpr const char* measured_text = R"(HloModule m, is_scheduled=true, num_partitions=2

ENTRY %main {
  %p = f32[4194304]{0} parameter(0)
  %s = (f32[4194304]{0}, f32[4194304]{0}) collective-permute-start(%p), channel_id=1, source_target_pairs={{0,1},{1,0}}
  %d = f32[4194304]{0} collective-permute-done(%s)
  ROOT %n = f32[4194304]{0} negate(%d), metadata={op_name="step/neg" source_file="f.py" source_line=7}
}
)";
measured_module two_runs(const record_list<profile_operation>& operations) {
  measured_module out;
  out.name = "m";
  measured_device& d = out.devices.emplace_back();
  d.module.runs.push_back({0, 1000, 0, 0, 0, 0});
  d.module.runs.push_back({2000, 3000, 0, 0, 0, 0});
  d.module.operations = operations;
  return out;
}

}  // namespace

TEST_CASE("measured_times: in one run, and the start of a transfer has the time of its end too") {
  const hlo_module module = module_of(measured_text);
  const measured_module measured =
      two_runs({ran("n", 2, 600, 300), ran("s", 2, 20, 10), ran("d", 2, 100, 50), ran("other", 2, 9, 4)});
  const measured_times times(measured, module);
  const auto of = [&](const char* name) { return times.of(instruction_of(module, name)); };
  REQUIRE(of("n"));
  CHECK(*of("n") == nearly(300e-12));
  CHECK(*of("d") == nearly(50e-12));
  CHECK(*of("s") == nearly(60e-12));
  CHECK_FALSE(of("p"));
}
