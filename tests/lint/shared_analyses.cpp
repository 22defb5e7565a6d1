// Analyses that are built on others take them from the context.
#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/schedule/clobbers.hpp>
#include <hlolint/lint/context.hpp>

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

hlo_module module() {
  return module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %a = f32[8]{0} parameter(0)\n  %b = f32[8]{0} negate(%a)\n"
      "  ROOT %c = f32[8]{0} sine(%b)\n}\n");
}
buffer_dump buffers() { return dump_of({{", preallocated-temp", {{"b", 0, 32, 1, 2}, {"c", 32, 32, 2, 3}}}}, 3); }

}  // namespace

TEST_CASE("context: an analysis is made once, whoever asks for it") {
  const context both(module(), buffers());
  CHECK(&both.get<value_table>() == &both.get<value_table>());
  CHECK(both.share<value_table>().get() == &both.get<value_table>());
  CHECK(&both.get<buffer_conflicts>().table() == &both.get<value_table>());
  CHECK(&both.get<live_chunks>().table() == &both.get<value_table>());
  CHECK(&both.get<clobbers>().ranges() == &both.get<live_ranges>());
  CHECK(&both.get<matched_values>().ranges() == &both.get<live_ranges>());
  CHECK(&both.get<matched_values>().table() == &both.get<value_table>());
  CHECK(&both.get<hidden_conflicts>().values() == &both.get<matched_values>());
}

TEST_CASE("context: shared analyses have the results of those that are made alone") {
  const hlo_module hlo = module();
  const buffer_dump dump = buffers();
  const context both(hlo, dump), only_hlo(hlo), only_buffers(dump);
  CHECK(both.get<occupancy>().total().peak() == occupancy(dump).total().peak());
  CHECK(only_buffers.get<packing_bound>().of_allocation(0)->bound == packing_bound(dump).of_allocation(0)->bound);
  CHECK(only_buffers.get<buffer_conflicts>().size() == buffer_conflicts(dump).size());
  CHECK(both.get<buffer_conflicts>().size() == buffer_conflicts(hlo, dump).size());
  CHECK(both.get<hidden_conflicts>().size() == hidden_conflicts(hlo, dump).size());
  CHECK(only_hlo.get<clobbers>().size() == clobbers(hlo).size());
  CHECK(only_buffers.get<repack>().offsets() == repack(dump).offsets());
}

TEST_CASE("context: without buffers, clobbers follow no values in fusions, which others may ask for") {
  const context dump(module_of(
      "HloModule m, is_scheduled=true\n\n%f {\n  %x = f32[8]{0} parameter(0)\n  ROOT %n = f32[8]{0} negate(%x)\n}\n\n"
      "ENTRY %e {\n  %a = f32[8]{0} parameter(0)\n  ROOT %c = f32[8]{0} fusion(%a), kind=kLoop, calls=%f\n}\n"));
  CHECK(dump.get<clobbers>().ranges().flow().values().size() == 2);
  CHECK(dump.get<live_ranges>().flow().values().size() == 4);
}

TEST_CASE("context: an analysis that is kept outlives the context") {
  std::shared_ptr<const buffer_conflicts> kept;
  {
    const context dump(buffers());
    kept = dump.share<buffer_conflicts>();
  }
  CHECK(kept->size() == 0);
  CHECK(kept->table().range(0)->start == 1);
}
