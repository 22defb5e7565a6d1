// The users of each instruction: reversed operand edges.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/view_range.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace hlolint {

/// `user` reads an instruction as its operand number `operand`.
struct instruction_use {
  hlo_instruction user;     ///< the reader
  std::size_t operand = 0;  ///< number of the operand, 0-based
  friend bool operator==(const instruction_use&, const instruction_use&) = default;
};

/// All uses of all instructions of a module. An instruction that appears twice in an operand list has two uses. Control
/// predecessors are not uses.
class users {
  struct entry {
    id user = none;
    id operand = 0;
  };
  struct uses_from {
    const module_data* data = nullptr;
    const entry* first = nullptr;
    instruction_use operator()(std::size_t i) const { return {{data, first[i].user}, first[i].operand}; }
  };

 public:
  /// Linear in the module.
  explicit users(const hlo_module& module)
      : module_(module), uses_(module.instruction_count(), [&](auto&& add) {
          // Nearly every rule needs the users, so records are read without views, which would double the time.
          const instruction_record* const records = module.data().instructions.data();
          const operand_record* const operands = module.data().operands.data();
          for (id user = 0, count = static_cast<id>(module.instruction_count()); user < count; ++user)
            for (id i = 0; i < records[user].operands.count; ++i)
              if (const id used = operands[records[user].operands.first + i].instruction; used != none)
                add(used, entry{user, i});
        }) {}

  /// The uses of an instruction, in text order of the users, then by operand number.
  auto of(hlo_instruction used) const {
    return view_range{count(used), uses_from{&module_.data(), uses_.of(used.id()).data()}};
  }
  /// The number of uses of an instruction.
  std::size_t count(hlo_instruction used) const { return uses_.count(used.id()); }

 private:
  hlo_module module_;
  grouped_list<entry> uses_;  // by instruction
};

/// Follows a value through its users: calls `visit(use)` for each use of an instruction, and then for those of each
/// instruction that a call returned. A call returns an empty instruction for a use that is not followed, and nothing to
/// end the walk. At most `most_followed` instructions are followed. False if the walk was ended, or was not whole.
bool follow_uses(hlo_instruction first, const users& all_users, auto&& visit) {
  constexpr std::size_t most_followed = 256;
  bool is_whole = true;
  std::vector<hlo_instruction> open{first};
  for (std::size_t at = 0; at < open.size(); ++at)
    for (const instruction_use use : all_users.of(open[at])) {
      const std::optional<hlo_instruction> next = visit(use);
      if (!next) return false;
      if (!*next) continue;
      if (open.size() == most_followed)
        is_whole = false;
      else
        open.push_back(*next);
    }
  return is_whole;
}

}  // namespace hlolint
