// One text read twice: with lines read in one go as XLA prints them (grammar/printed/), and by the grammar alone.
#pragma once

#include <hlolint/grammar/printed/read.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// Every member of the records is compared, in the order in which they stand in their pools.
class both_readings {
 public:
  explicit both_readings(const hlolint::source& text)
      : fast_(hlolint::grammar::read_hlo(text, true)), plain_(hlolint::grammar::read_hlo(text, false)) {}

  /// What is not the same; empty if all is.
  std::string difference() const {
    if (plain_.printed_lines != 0) return "the switch is off, but lines are read in one go";
    if (fast_.modules.size() != plain_.modules.size()) return "number of modules";
    if (fast_.diagnostics != plain_.diagnostics) return "diagnostics" + first_message();
    for (std::size_t k = 0; k != fast_.modules.size(); ++k)
      if (const char* const found = difference(*fast_.modules[k], *plain_.modules[k])) return found;
    return {};
  }
  /// Instructions and heads of computations that were read in one go.
  std::size_t taken() const { return fast_.printed_lines; }
  /// Instructions that are written, and heads of computations.
  std::size_t lines() const {
    std::size_t count = 0;
    for (const auto& data : fast_.modules) {
      for (const hlolint::instruction_record& i : data->instructions)
        count += i.origin == hlolint::node_origin::written;
      for (const hlolint::computation_record& c : data->computations)
        count += c.origin == hlolint::node_origin::written;
    }
    return count;
  }
  const hlolint::grammar::hlo_reading& plain() const { return plain_; }

 private:
  static auto members(const hlolint::id_range& r) { return std::tuple(r.first, r.count); }
  static auto members(const hlolint::span& s) { return std::tuple(s.begin, s.end); }
  static auto members(hlolint::id number) { return std::tuple(number); }
  static const hlolint::shape& members(const hlolint::shape& s) { return s; }
  static auto members(const hlolint::operand_record& o) { return std::tuple(o.instruction, o.declared_shape, o.at); }
  static auto members(const hlolint::attribute_record& a) {
    return std::tuple(a.key, a.readable, members(a.name), members(a.value));
  }
  static auto members(const hlolint::instruction_record& i) {
    return std::tuple(members(i.name), members(i.text), members(i.argument), i.shape, i.computation,
                      members(i.operands), members(i.attributes), members(i.calls), i.opcode_at, i.opcode, i.wrapped,
                      i.root, i.odd_name, i.origin);
  }
  static auto members(const hlolint::computation_record& c) {
    return std::tuple(members(c.name), members(c.text), members(c.signature), members(c.instructions),
                      members(c.attributes), c.root, c.declared_result, c.entry, c.complete, c.damaged, c.lacks_names,
                      c.anonymous, c.origin);
  }
  static auto members(const hlolint::name_fault& f) {
    return std::tuple(f.what, members(f.at), f.computation, f.instruction, f.other, f.element);
  }
  template <class Records>
  static bool same(const Records& a, const Records& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return members(x) == members(y); });
  }

  static const char* difference(const hlolint::module_data& a, const hlolint::module_data& b) {
    if (a.extent != b.extent || a.name != b.name || a.implied_name != b.implied_name || a.has_header != b.has_header)
      return "header";
    if (a.complete != b.complete) return "whether the module is complete";
    if (a.entry != b.entry || members(a.attributes) != members(b.attributes)) return "entry or header attributes";
    if (!same(a.computations, b.computations)) return "computations";
    if (!same(a.instructions, b.instructions)) return "instructions";
    if (!same(a.operands, b.operands)) return "operands";
    if (!same(a.attribute_pool, b.attribute_pool)) return "attributes";
    if (!same(a.called, b.called)) return "called computations";
    if (!same(a.shapes, b.shapes)) return "shapes";
    if (a.synthesized_names != b.synthesized_names) return "synthesized names";
    if (a.has_stack_tables != b.has_stack_tables || a.file_locations != b.file_locations ||
        a.stack_frames != b.stack_frames || !same(a.file_names, b.file_names) ||
        !same(a.function_names, b.function_names))
      return "stack tables";
    if (!same(a.name_faults, b.name_faults)) return "faults of names";
    if (!same(a.embedded_modules, b.embedded_modules)) return "embedded modules";
    return nullptr;
  }
  std::string first_message() const {
    const auto message = [](const std::vector<hlolint::diagnostic>& all, std::size_t k) {
      return k < all.size() ? all[k].message : std::string("none");
    };
    for (std::size_t k = 0; k <= fast_.diagnostics.size(); ++k)
      if (message(fast_.diagnostics, k) != message(plain_.diagnostics, k))
        return ": '" + message(fast_.diagnostics, k) + "' instead of '" + message(plain_.diagnostics, k) + "'";
    return {};
  }

  hlolint::grammar::hlo_reading fast_, plain_;
};
