// From an instruction's name to the instruction, or to its text in a buffer dump.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

/// All instructions of a module by the names that XLA gives them when it reads the text, as buffer dumps have them
/// (buffer_dumps.md 5.0): unique in the module. A name that is taken gets the lowest free number of its stem, counted
/// up; of equal names the first one keeps it.
class instruction_names {
 public:
  explicit instruction_names(const hlo_module& module) : module_(module) {
    std::unordered_map<std::string_view, std::int64_t> next;  // by stem: where to look for a free number
    std::unordered_set<std::string_view> zeros;               // stems of names that end in ".0"
    names_.reserve(module.instruction_count());
    found_.reserve(module.instruction_count());
    for (const hlo_instruction i : module.instructions()) {
      const std::string_view given = name_given(i);
      const numbered name = split(given);
      std::int64_t number = name.number;
      std::string made;
      std::string_view unique = given;
      const auto spell = [&] {
        made = name.stem;
        if (number != 0 || name.has_number) made += "." + std::to_string(number);
        unique = made;
      };
      // No number counts as 0.
      const auto is_taken = [&] {
        return found_.count(unique) > 0 ||
               (number == 0 && (zeros.count(name.stem) > 0 || (name.has_number && found_.count(name.stem) > 0)));
      };
      if (!name.canonical) spell();
      while (is_taken()) {
        number = next[name.stem]++;
        spell();
      }
      if (number == 0 && name.has_number) zeros.insert(name.stem);
      if (unique.data() == made.data()) unique = made_.emplace_back(std::move(made));
      names_.push_back(unique);
      found_.emplace(unique, i.id());
    }
  }
  instruction_names(const instruction_names&) = delete;
  instruction_names& operator=(const instruction_names&) = delete;

  /// An empty view if there is none.
  hlo_instruction find(std::string_view name) const {
    const auto found = found_.find(name);
    return found == found_.end() ? hlo_instruction{} : module_.instruction(found->second);
  }
  /// Valid as long as this object.
  std::string_view of(hlo_instruction i) const { return names_[i.id()]; }

 private:
  /// `add.3`, taken apart; no number counts as 0.
  struct numbered {
    std::string_view stem;
    std::int64_t number = 0;
    bool has_number = false;
    bool canonical = true;  ///< the number is written as XLA writes it
  };

  static numbered split(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == 0 || dot == name.npos || dot + 1 == name.size()) return {name, 0, false, true};
    std::string_view digits = name.substr(dot + 1);
    const bool plus = digits.front() == '+';
    if (plus) digits.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size() || (plus && digits.front() == '-'))
      return {name, 0, false, true};
    return {name.substr(0, dot), number, true, !plus && std::to_string(number) == digits};
  }

  /// What XLA calls an instruction before it makes the name unique: the reader of this library tells the parameters of
  /// implied computations and nested operands apart by numbers of its own.
  static std::string_view name_given(hlo_instruction i) {
    const std::string_view name = i.name();
    if (!i.is_synthesized()) return name;
    if (i.computation().is_synthesized())
      return i.opcode() == hlo_opcode::parameter ? name.substr(0, name.find('.')) : name;
    constexpr std::string_view nested = ".anon";
    const std::size_t at = name.rfind(nested);
    return at == name_of(i.opcode()).size() ? name.substr(0, at + nested.size()) : name;
  }

  hlo_module module_;  // keeps what the names point into
  std::deque<std::string> made_;
  std::vector<std::string_view> names_;  // by instruction
  std::unordered_map<std::string_view, id> found_;
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
