// Checks the rules about names and numbers of a well-formed module (SYN002; hlo_text.md 2-4, 8, 10).
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/verify/computation.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/instruction.hpp>
#include <hlolint/verify/module.hpp>

#include <utility>

namespace hlolint {

/// The rules that a module breaks and for which XLA's parser would refuse it, in no order. Shapes are compared as they
/// are declared; none is inferred. Rules about a single value (a layout, a literal, a sharding) are checked while it is
/// read. A template, so that it is compiled where something is verified.
template <class Findings = module_rules::findings>
record_list<diagnostic> verify(const hlo_module& m) {
  Findings out(m);
  module_rules::check_header(m, out);
  module_rules::instruction_rules<Findings> instructions(m, out);
  for (const hlo_computation c : m.computations())
    if (!c.is_synthesized()) module_rules::check_computation(c, instructions, out);
  module_rules::report_name_faults(m, out);
  module_rules::check_entry(m, out);
  return std::move(out).take();
}

}  // namespace hlolint
