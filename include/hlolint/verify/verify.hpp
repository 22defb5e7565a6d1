// Checks the rules about names and numbers of a well-formed module (SYN002; hlo_text.md 2-4, 8, 10).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/verify/attributes.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/instruction.hpp>
#include <hlolint/verify/shapes/entry.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::module_rules {

/// Empty for a computation without a name.
inline std::string_view name_if_written(const hlo_computation& c) {
  return c.is_anonymous() ? std::string_view{} : c.name();
}

/// Whether XLA accepts the name of an instruction: it is no element type and does not begin with `__` unless with
/// `__xla_`.
constexpr bool is_legal_instruction_name(std::string_view name) {
  return find_element_type(name) == element_type::unknown && (!name.starts_with("__") || name.starts_with("__xla_"));
}

/// Checks that the numbers of parameters are 0 to n-1, each once.
class parameter_numbers {
 public:
  /// Adds the next parameter of the text. One without a number (an unknown operand of an instruction without a
  /// computation) gets the next number.
  void add(const hlo_instruction& i, findings& out) {
    const span written = i.data().instructions[i.id()].argument;
    // XLA reads a number that does not fit in 63 bits as a negative one.
    const std::int64_t number = written.empty() ? static_cast<std::int64_t>(count_) : i.parameter_number().value_or(-1);
    ++count_;
    if (number < 0)
      out.add(written.begin, "a parameter number is at least 0");
    else if (!see(number))
      out.add(written.begin, "parameter number ", number, " is taken");
  }
  /// Reports a missing number, unless another number is wrong: that may be a misprint of the missing one.
  void check_gaps(std::uint32_t place, findings& out) const {
    const int few = std::popcount(below_64_);
    if (static_cast<std::size_t>(few + in_order_ - 64) + others_.size() != count_) return;
    std::int64_t k = std::countr_one(below_64_);
    if (k == 64)
      for (k = in_order_; others_.contains(k);) ++k;
    if (static_cast<std::size_t>(k) < count_)
      out.add(place, "parameter ", k, " is missing: the numbers go from 0 to ", count_ - 1);
  }

 private:
  /// Notes a number; false if it was seen before.
  bool see(std::int64_t number) {
    if (number < 64) {
      const std::uint64_t bit = std::uint64_t{1} << number;
      const bool fresh = !(below_64_ & bit);
      below_64_ |= bit;
      return fresh;
    }
    if (number == in_order_ && (others_.empty() || !others_.contains(number))) return ++in_order_, true;
    return number >= in_order_ && others_.insert(number).second;
  }

  std::uint64_t below_64_ = 0;               ///< a bit for each number below 64 that was seen
  std::int64_t in_order_ = 64;               ///< the numbers from 64 to below this one were each seen once
  std::unordered_set<std::int64_t> others_;  ///< larger numbers that were seen
  std::size_t count_ = 0;
};

/// The attributes after the closing brace belong there, each once.
inline void check_computation_attributes(const hlo_computation& c, std::string_view text, findings& out) {
  using enum attribute_key;
  check_repeated(c.attributes(), text, out);
  for (const hlo_attribute a : c.attributes())
    if (a.key != execution_thread && a.key != backend_config && a.key != unknown)
      out.add(span_of(text, a.name).begin, "attribute ", a.name, " does not belong here");
}

/// The result shape in a signature fits the shape of the root.
inline void check_signature(const hlo_computation& c, findings& out) {
  const computation_record& record = c.record();
  const hlo_instruction root = c.root();
  if (record.declared_result == none || !root || !record.complete) return;
  if (record.damaged && !root.is_marked_root()) return;  // the root may be the instruction that could not be read
  const shape &declared = c.data().shapes[record.declared_result], *const own = root.shape();
  if (own && own != &declared && !compatible(declared, *own))
    out.add_beside(record.signature.begin, root.where().at.begin, "the root",
                   "the result shape of the signature differs from that of the root");
}

/// Checks a computation and its instructions.
inline void check_computation(const hlo_computation& c, instruction_rules& instructions, findings& out) {
  const module_data& data = c.data();
  hlo_instruction root;
  parameter_numbers parameters;
  out.in_computation(name_if_written(c));
  const std::string_view text = data.text.text();
  const std::size_t end = c.record().instructions.first + c.record().instructions.count;
  for (const hlo_instruction i : c.instructions()) {
    // Only the numbers of parameters are read from the text itself.
    if (constexpr std::size_t ahead = 8; i.id() + ahead < end)
      __builtin_prefetch(text.data() + data.instructions[i.id() + ahead].argument.begin);
    if (i.opcode() == hlo_opcode::parameter) parameters.add(i, out);
    if (data.instructions[i.id()].opcode_at == 0) continue;  // the reader made it: an element of a tuple, a parameter
    if (!i.is_synthesized()) {
      if (i.is_marked_root() && root)
        out.add_beside(i.where().at.begin, root.where().at.begin, "the other ROOT", "a computation has one ROOT");
      if (i.is_marked_root() && !root) root = i;
      if (data.instructions[i.id()].odd_name && !is_legal_instruction_name(i.name()))
        out.add(i.where().at.begin, "'", i.name(), "' is not a legal instruction name");
    }
    instructions.check(i);
    if (!i.is_synthesized()) out.are_of(i.name());
  }
  // A missing parameter and a missing name are probably one loss, which is reported at the name.
  if (!c.record().damaged && !c.record().lacks_names)
    parameters.check_gaps(c.is_anonymous() ? c.record().text.begin : c.record().name.begin, out);
  out.are_of({});
  check_computation_attributes(c, text, out);
  out.in_computation({});
  check_signature(c, out);
}

/// The header has attributes that belong there, each once.
[[gnu::cold]] inline void check_header(const hlo_module& m, findings& out) {
  const std::string_view text = m.text().text();
  check_repeated(m.attributes(), text, out);
  for (const hlo_attribute a : m.attributes())
    if (a.key != attribute_key::unknown && !grammar::belongs_in_header(a.key))
      out.add(span_of(text, a.name).begin, "attribute ", a.name, " does not belong here");
}

/// A module has one ENTRY, and aliases only for elements that its result has.
[[gnu::cold]] inline void check_entry(const hlo_module& m, findings& out) {
  hlo_computation entry;
  for (const hlo_computation c : m.computations()) {
    if (!c.is_marked_entry()) continue;
    if (entry)
      out.add_beside(c.where().at.begin, entry.where().at.begin, "the other ENTRY", "a module has one ENTRY");
    else
      entry = c;
  }
  const hlo_instruction root = m.entry() ? m.entry().root() : hlo_instruction{};
  if (!root || !root.shape() || (m.entry().record().damaged && !root.is_marked_root())) return;
  const auto aliases = m.attribute(attribute_key::input_output_alias) ? get<input_output_alias>(m) : std::nullopt;
  if (!aliases) return;
  for (const input_output_alias_entry& entry_alias : aliases->entries)
    if (!root.shape()->at(entry_alias.output))
      out.add(span_of(m.text().text(), entry_alias.text).begin, "the entry's result has no element ",
              to_string(entry_alias.output));
}

/// Reports a fault of a name.
[[gnu::cold]] inline void report_name_fault(const hlo_module& m, const name_fault& fault, findings& out) {
  const std::string_view name = fault.at.of(m.text().text());
  const std::uint32_t at = fault.at.begin;
  const auto instruction_at = [&](id number) { return m.instruction(number).where().at.begin; };
  switch (fault.what) {
    using enum name_fault::kind;
    case undefined_operand: return out.add(at, "no instruction '", name, "' stands before this one in its computation");
    case undefined_predecessor: return out.add(at, "no instruction '", name, "' in this computation");
    case later_predecessor:
      if (fault.instruction == fault.other) return out.add(at, "instruction '", name, "' waits for itself");
      return out.add_beside(at, instruction_at(fault.other), "the predecessor", "control predecessor '", name,
                            "' stands after this instruction");
    case undefined_computation: return out.add(at, "there is no computation '", name, "' in this module");
    case no_element: {
      const shape* const from = fault.other == none ? nullptr : m.instruction(fault.other).shape();
      if (from && !from->is_tuple()) return out.add(at, "only a tuple has elements");
      return out.add(at, "there is no element ", fault.element);
    }
    case second_instruction:
      return out.add_beside(at, instruction_at(fault.other), "the first definition", "instruction '", name,
                            "' is defined twice");
    case second_computation:
      return out.add_beside(at, m.computation(fault.other).where().at.begin, "the first definition", "computation '",
                            name, "' is defined twice");
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
  module_rules::check_entry_shapes(m, out);
  return std::move(out).take();
}

}  // namespace hlolint
