#include <hlolint/checks/dump/empty_dump.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const auto outcome_of = [](std::vector<std::string> paths, std::optional<hlo_module> hlo = {}) {
  context::parts parts;
  for (std::string& path : paths) parts.files.push_back({std::move(path), input_kind::hlo});
  parts.hlo = std::move(hlo);
  return outcome(empty_dump{}, context(std::move(parts)));
};

}  // namespace

TEST_CASE("DMP007 catches") {
  CHECK(outcome_of({"d/module_0001.f.before_optimizations.txt", "d/module_0001.f.0001.spmd.after_a.before_b.txt"}) ==
        texts{"warning: no final module in this folder, only 2 files of earlier stages such as "
              "module_0001.f.before_optimizations"});
}

TEST_CASE("DMP007 tells a form that is not read from files without a program") {
  CHECK(outcome_of({"d/module_0001.f.debug_options", "d/module_0001.f.cpu_after_optimizations.riegeli"}) ==
        texts{"warning: no module in this folder in a form that is read: XLA wrote it as "
              "module_0001.f.cpu_after_optimizations.riegeli"});
  CHECK(outcome_of({"d/module_0001.f.debug_options"}) ==
        texts{"warning: no module in this folder, only 1 file that holds no program, such as "
              "module_0001.f.debug_options"});
  CHECK(outcome_of({"d/a.mlir", "d/b.mlir"}) ==
        texts{"warning: no HLO in this folder, only MLIR (StableHLO or another dialect), such as a.mlir"});
}

TEST_CASE("DMP007 does not catch") {
  CHECK(outcome_of({}).empty());
  CHECK(outcome_of({"d/module_0001.f.cpu_after_optimizations.txt"}).empty());
  // The earlier stage was named and read.
  CHECK(outcome_of({"d/module_0001.f.before_optimizations.txt"},
                   module_of("HloModule m\n\nENTRY %main {\n  ROOT %p = f32[16]{0} parameter(0)\n}\n"))
            .empty());
}
