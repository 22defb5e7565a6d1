// From an instruction's name to the instruction, or to its text in a buffer dump.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <string_view>
#include <unordered_map>

namespace hlolint {

/// All instructions of a module by name; of equal names the first.
class instruction_names {
 public:
  explicit instruction_names(const hlo_module& module) : module_(module) {
    names_.reserve(module.instruction_count());
    for (const hlo_instruction i : module.instructions()) names_.emplace(i.name(), i);
  }
  /// An empty view if there is none.
  hlo_instruction find(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? hlo_instruction{} : found->second;
  }

 private:
  hlo_module module_;  // keeps what the names point into
  std::unordered_map<std::string_view, hlo_instruction> names_;
};

/// The `from instruction:` texts of a dump by the instruction's name. An instruction that defines no value has none.
class instruction_texts {
 public:
  explicit instruction_texts(const buffer_dump& dump) : dump_(dump) {
    for (const used_value& v : dump_.used_values()) texts_.emplace(v.name.instruction, v.from_instruction);
  }
  /// Empty if there is none.
  std::string_view find(std::string_view name) const {
    const auto found = texts_.find(name);
    return found == texts_.end() ? std::string_view{} : found->second;
  }

 private:
  buffer_dump dump_;
  std::unordered_map<std::string_view, std::string_view> texts_;
};

}  // namespace hlolint
