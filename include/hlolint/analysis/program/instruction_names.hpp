// Finds an instruction, or its text in a buffer dump, by name.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/flat_index.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/name_table.hpp>

#include <algorithm>
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

/// All instructions of a module by the unique names that XLA gives them when it reads the text, as in buffer dumps
/// (buffer_dumps.md 5.0). Each stem (the name without its last `.NUMBER`) has its own numbers; a name whose number is
/// taken gets the next free one, and the first of several equal names keeps it.
class instruction_names {
 public:
  /// Linear in the instructions, by hashing.
  explicit instruction_names(const hlo_module& module) : module_(module), names_(module.instruction_count()) {
    std::unordered_map<std::string_view, std::int64_t> next;  // by stem: where to look for a free number
    std::unordered_set<std::string_view> zeros;               // stems of names that end in ".0"
    found_.reserve(module.instruction_count());
    const auto add = [&](hlo_instruction i) {
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
      // A missing number counts as 0. `one.1` is number 1 of `one`, not number 0 of `one.1`.
      const auto is_taken = [&] {
        return number_of(unique) != none ||
               (number == 0 && (zeros.count(name.stem) > 0 ||
                                (name.has_number && !split(name.stem).has_number && number_of(name.stem) != none)));
      };
      if (!name.canonical) spell();
      while (is_taken()) {
        number = next[name.stem]++;
        spell();
      }
      if (number == 0 && name.has_number) zeros.insert(name.stem);
      if (unique.data() == made.data()) unique = made_.emplace_back(std::move(made));
      names_[i.id()] = unique;
      found_.insert(detail::hash(unique), i.id(), [](std::uint32_t) { return false; });
    };
    for (const hlo_computation c : in_text_order(module))
      for (const hlo_instruction i : c.instructions()) add(i);
  }
  instruction_names(const instruction_names&) = delete;
  instruction_names& operator=(const instruction_names&) = delete;

  /// The instruction with this name; an empty view if there is none.
  hlo_instruction find(std::string_view name) const {
    const std::uint32_t found = number_of(name);
    return found == none ? hlo_instruction{} : module_.instruction(found);
  }
  /// The unique name, valid as long as this object.
  std::string_view of(hlo_instruction i) const { return names_[i.id()]; }

 private:
  /// `add.3`, taken apart; a missing number counts as 0.
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
    const auto number = integer_in(digits);
    if (!number || (plus && digits.front() == '-')) return {name, 0, false, true};
    return {name.substr(0, dot), *number, true, !plus && std::to_string(*number) == digits};
  }

  /// The order in which XLA creates computations: it creates anonymous bodies and those implied by async sugar at the
  /// end of their text.
  static std::vector<hlo_computation> in_text_order(const hlo_module& module) {
    const auto computations = module.computations();
    std::vector<hlo_computation> out(computations.begin(), computations.end());
    std::ranges::stable_sort(out, {}, [](hlo_computation c) { return c.record().text.end; });
    return out;
  }

  /// XLA's name for an instruction before it is made unique: without the numbers that this library's reader adds to
  /// parameters of implied computations and to nested operands.
  static std::string_view name_given(hlo_instruction i) {
    const std::string_view name = i.name();
    if (!i.is_synthesized()) return name;
    if (i.computation().is_synthesized())
      return i.opcode() == hlo_opcode::parameter ? name.substr(0, name.find('.')) : name;
    constexpr std::string_view nested = ".anon";
    const std::size_t at = name.rfind(nested);
    return at == name_of(i.opcode()).size() ? name.substr(0, at + nested.size()) : name;
  }

  std::uint32_t number_of(std::string_view name) const {
    return found_.find(detail::hash(name), [&](std::uint32_t i) { return detail::same(names_[i], name); });
  }

  hlo_module module_;  // keeps what the names point into
  std::deque<std::string> made_;
  std::vector<std::string_view> names_;  // by instruction
  detail::flat_index found_;             // in names_
};

/// The `from instruction:` texts of a dump by the instruction's name. An instruction that defines no value has none.
class instruction_texts {
 public:
  /// Refers to the texts of the dump, which it keeps alive.
  explicit instruction_texts(const buffer_dump& dump) : dump_(dump) {
    found_.reserve(dump_.used_values().size());
    for (const used_value& v : dump_.used_values()) found_.try_emplace(v.name.instruction, v.from_instruction);
  }
  /// The text of an instruction; empty if there is none.
  std::string_view find(std::string_view name) const {
    const auto found = found_.find(name);
    return found == found_.end() ? std::string_view{} : found->second;
  }

 private:
  buffer_dump dump_;  // keeps what the names and texts point into
  std::unordered_map<std::string_view, std::string_view> found_;
};

}  // namespace hlolint
