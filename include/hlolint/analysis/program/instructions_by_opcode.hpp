// The instructions of a module by their opcodes, for those who look for a few kinds among many.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/ir/view_range.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace hlolint {

/// A table that a context makes once: a dozen rules would go through a whole module to find its loops or collectives,
/// and most of a big program is arithmetic.
class instructions_by_opcode {
 public:
  /// Linear in the module, which is kept.
  explicit instructions_by_opcode(const hlo_module& module) : module_(module), ids_(module.instruction_count()) {
    const record_list<instruction_record>& records = module.data().instructions;
    for (const instruction_record& record : records) ++first_[static_cast<std::size_t>(record.opcode) + 1];
    for (std::size_t op = 1; op < first_.size(); ++op) first_[op] += first_[op - 1];
    auto next = first_;
    for (std::size_t at = 0; at < records.size(); ++at)
      ids_[next[static_cast<std::size_t>(records[at].opcode)]++] = static_cast<id>(at);
  }

  /// Those with an opcode, in text order.
  auto of(hlo_opcode opcode) const {
    const auto op = static_cast<std::size_t>(opcode);
    return view_range{static_cast<std::size_t>(first_[op + 1] - first_[op]),
                      detail::views_listed<hlo_instruction>{&module_.data(), ids_.data() + first_[op]}};
  }
  /// Those whose opcode `wanted(opcode)` holds for, in text order.
  template <class Predicate>
  record_list<hlo_instruction> where(Predicate&& wanted) const {
    record_list<hlo_instruction> out;
    for (std::size_t op = 0; op + 1 < first_.size(); ++op)
      if (first_[op] != first_[op + 1] && wanted(static_cast<hlo_opcode>(op)))
        for (const hlo_instruction i : of(static_cast<hlo_opcode>(op))) out.push_back(i);
    std::sort(out.begin(), out.end(), [](hlo_instruction a, hlo_instruction b) { return a.id() < b.id(); });
    return out;
  }

 private:
  hlo_module module_;
  std::array<id, hlo_opcode_names.size() + 1> first_{};  // by opcode, into ids_
  record_list<id> ids_;
};

}  // namespace hlolint
