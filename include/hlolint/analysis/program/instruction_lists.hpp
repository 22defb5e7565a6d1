// Lists of the instructions of a module: those that call computations, and those of each opcode.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/ir/view_range.hpp>
#include <hlolint/text/containers/grouped_list.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <span>

namespace hlolint {

/// All instructions that call computations, by the computation they are in. Most instructions of a big program are in
/// fusions and call nothing, so analyses of calls scan only these.
class calling_instructions {
 public:
  /// Linear in the module, which is kept. Half a dozen analyses make one, so records are read without views, which
  /// would take most of the time.
  explicit calling_instructions(const hlo_module& module) : module_(module), of_(module.computation_count()) {
    const record_list<instruction_record>& records = module.data().instructions;
    const instruction_record* const first = records.data();
    for (const instruction_record *r = first, *const last = first + records.size(); r != last; ++r) {
      if (r->calls.count == 0) continue;
      id_range& own = of_[r->computation];
      if (own.count++ == 0) own.first = static_cast<id>(all_.size());
      all_.push_back(static_cast<id>(r - first));
    }
  }

  /// All ids, in text order.
  const record_list<id>& all() const { return all_; }
  /// The ids in one computation, in text order.
  std::span<const id> in(hlo_computation c) const {
    return std::span(all_).subspan(of_[c.id()].first, of_[c.id()].count);
  }
  /// The module.
  const hlo_module& module() const { return module_; }

 private:
  hlo_module module_;
  record_list<id> all_;
  record_list<id_range> of_;  // by computation, into all_
};

/// Computations in an order in which each comes after all its callers; reversed, callees come first. Computations in a
/// cycle of calls, which no legal module has, are left out, with all that only they call.
inline record_list<hlo_computation> callers_first(const calling_instructions& calling) {
  const hlo_module& module = calling.module();
  record_list<id> open_calls(module.computation_count());
  for (const id at : calling.all())
    for (const hlo_computation called : module.instruction(at).called_computations())
      if (called) ++open_calls[called.id()];
  record_list<hlo_computation> order;
  order.reserve(module.computation_count());
  for (const hlo_computation c : module.computations())
    if (open_calls[c.id()] == 0) order.push_back(c);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const id at : calling.in(order[next]))
      for (const hlo_computation called : module.instruction(at).called_computations())
        if (called && --open_calls[called.id()] == 0) order.push_back(called);
  return order;
}

/// The order, for callers that need no `calling_instructions`.
inline record_list<hlo_computation> callers_first(const hlo_module& module) {
  return callers_first(calling_instructions(module));
}

/// The same in reverse order.
inline record_list<hlo_computation> callees_first(const hlo_module& module) {
  const record_list<hlo_computation> order = callers_first(module);
  return {order.rbegin(), order.rend()};
}

/// Made once by a context, so that a dozen rules that look for loops or collectives need not scan a whole module, most
/// of which is arithmetic.
class instructions_by_opcode {
 public:
  /// Linear in the module, which is kept.
  explicit instructions_by_opcode(const hlo_module& module)
      : module_(module), ids_(hlo_opcode_names.size(), [&](auto&& add) {
          const record_list<instruction_record>& records = module.data().instructions;
          for (id at = 0; at < records.size(); ++at) add(static_cast<std::size_t>(records[at].opcode), at);
        }) {}

  /// The instructions with an opcode, in text order.
  auto of(hlo_opcode opcode) const {
    const std::span<const id> listed = ids_.of(static_cast<std::size_t>(opcode));
    return view_range{listed.size(), detail::views_listed<hlo_instruction>{&module_.data(), listed.data()}};
  }
  /// The instructions for whose opcode `wanted(opcode)` is true, in text order.
  template <class Predicate>
  record_list<hlo_instruction> where(Predicate&& wanted) const {
    record_list<hlo_instruction> out;
    for (std::size_t op = 0; op < ids_.size(); ++op)
      if (ids_.count(op) > 0 && wanted(static_cast<hlo_opcode>(op)))
        for (const hlo_instruction i : of(static_cast<hlo_opcode>(op))) out.push_back(i);
    sort_records(out, [](hlo_instruction a, hlo_instruction b) { return a.id() < b.id(); });
    return out;
  }

 private:
  hlo_module module_;
  grouped_list<id> ids_;  // by opcode
};

}  // namespace hlolint
