// The instructions of a module by opcode.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/ir/view_range.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace hlolint {

/// Made once by a context, so that a dozen rules that look for loops or collectives need not scan a whole module, most
/// of which is arithmetic.
class instructions_by_opcode {
 public:
  /// Linear in the module, which is kept.
  explicit instructions_by_opcode(const hlo_module& module)
      : module_(module), ids_(hlo_opcode_names.size(), [&](auto&& add) {
          const std::vector<instruction_record>& records = module.data().instructions;
          for (id at = 0; at < records.size(); ++at) add(static_cast<std::size_t>(records[at].opcode), at);
        }) {}

  /// The instructions with an opcode, in text order.
  auto of(hlo_opcode opcode) const {
    const std::span<const id> listed = ids_.of(static_cast<std::size_t>(opcode));
    return view_range{listed.size(), detail::views_listed<hlo_instruction>{&module_.data(), listed.data()}};
  }
  /// The instructions for whose opcode `wanted(opcode)` is true, in text order.
  std::vector<hlo_instruction> where(auto&& wanted) const {
    std::vector<hlo_instruction> out;
    for (std::size_t op = 0; op < ids_.size(); ++op)
      if (ids_.count(op) > 0 && wanted(static_cast<hlo_opcode>(op)))
        for (const hlo_instruction i : of(static_cast<hlo_opcode>(op))) out.push_back(i);
    std::ranges::stable_sort(out, {}, &hlo_instruction::id);
    return out;
  }

 private:
  hlo_module module_;
  grouped_list<id> ids_;  // by opcode
};

}  // namespace hlolint
