// Checks the rules about names and numbers of a well-formed module (SYN002; hlo_text.md 2-4, 8, 10).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/verify/attributes.hpp>
#include <hlolint/verify/computation.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/instruction.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::module_rules {

/// The header has attributes that belong there, each once.
[[gnu::cold]] inline void check_header(const hlo_module& m, findings& out) {
  const std::string_view text = m.text().text();
  check_repeated(m.attributes(), text, out);
  for (const hlo_attribute a : m.attributes())
    if (a.key != attribute_key::unknown && !grammar::belongs_in_header(a.key))
      out.add(span_of(text, a.name).begin, str_cat({"attribute ", a.name, " does not belong here"}));
}

/// A module has one ENTRY, and aliases only for elements that its result has.
[[gnu::cold]] inline void check_entry(const hlo_module& m, findings& out) {
  hlo_computation entry;
  for (const hlo_computation c : m.computations()) {
    if (!c.is_marked_entry()) continue;
    if (entry)
      out.add(c.where().at.begin, "a module has one ENTRY", entry.where().at.begin, "the other ENTRY");
    else
      entry = c;
  }
  const hlo_instruction root = m.entry() ? m.entry().root() : hlo_instruction{};
  if (!root || !root.shape() || (m.entry().record().damaged && !root.is_marked_root())) return;
  const auto aliases = m.attribute(attribute_key::input_output_alias) ? get<input_output_alias>(m) : std::nullopt;
  if (!aliases) return;
  for (const input_output_alias_entry& entry_alias : aliases->entries)
    if (!root.shape()->at(entry_alias.output))
      out.add(span_of(m.text().text(), entry_alias.text).begin,
              str_cat({"the entry's result has no element ", to_string(entry_alias.output)}));
}

/// Reports a fault of a name.
[[gnu::cold]] inline void report_name_fault(const hlo_module& m, const name_fault& fault, findings& out) {
  const std::string_view name = fault.at.of(m.text().text());
  const std::uint32_t at = fault.at.begin;
  const auto instruction_at = [&](id number) { return m.instruction(number).where().at.begin; };
  switch (fault.what) {
    using enum name_fault::kind;
    case undefined_operand:
      return out.add(at, str_cat({"no instruction '", name, "' stands before this one in its computation"}));
    case undefined_predecessor: return out.add(at, str_cat({"no instruction '", name, "' in this computation"}));
    case undefined_computation: return out.add(at, str_cat({"there is no computation '", name, "' in this module"}));
    case no_element: {
      const shape* const from = fault.other == none ? nullptr : m.instruction(fault.other).shape();
      return out.add(at, from && !from->is_tuple() ? std::string("only a tuple has elements")
                                                   : str_cat({"there is no element ", fault.element}));
    }
    case second_instruction:
      return out.add(at, str_cat({"instruction '", name, "' is defined twice"}), instruction_at(fault.other),
                     "the first definition");
    case second_computation:
      return out.add(at, str_cat({"computation '", name, "' is defined twice"}),
                     m.computation(fault.other).where().at.begin, "the first definition");
    case recursive_call: return out.add(at, "a computation calls itself here");
    case empty_computation: return out.add(at, "a computation holds at least one instruction");
  }
}
[[gnu::cold]] inline void report_name_faults(const hlo_module& m, findings& out) {
  for (const name_fault& fault : m.data().name_faults) {
    out.in_computation(fault.computation == none ? std::string_view{}
                                                 : name_if_written(m.computation(fault.computation)));
    report_name_fault(m, fault, out);
    out.are_of(fault.instruction == none || m.instruction(fault.instruction).is_synthesized()
                   ? std::string_view{}
                   : m.instruction(fault.instruction).name());
  }
}

}  // namespace hlolint::module_rules

namespace hlolint {

/// The rules that a module breaks and for which XLA's parser would refuse it, in no order. Shapes are compared as they
/// are declared; none is inferred. Rules about a single value (a layout, a literal, a sharding) are checked while it is
/// read.
inline std::vector<diagnostic> verify(const hlo_module& m) {
  module_rules::findings out(m);
  if (m.data().fragment) return std::move(out).take();  // a name or a number that is not there proves nothing
  module_rules::check_header(m, out);
  module_rules::instruction_rules instructions(m, out);
  for (const hlo_computation c : m.computations())
    if (!c.is_synthesized()) module_rules::check_computation(c, instructions, out);
  module_rules::report_name_faults(m, out);
  module_rules::check_entry(m, out);
  return std::move(out).take();
}

}  // namespace hlolint
