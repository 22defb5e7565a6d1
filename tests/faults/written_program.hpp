// HLO as records that a test can change one by one and print as XLA prints them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::testing {

/// Random choices that are the same everywhere for the same seed.
class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  /// 0 to n-1. Precondition: n > 0.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::size_t>(most - least + 1)));
  }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from.at(below(from.size()));
  }

 private:
  std::mt19937_64 engine_;
};

using written_attributes = std::vector<std::pair<std::string, std::string>>;

/// The value of an attribute; throws if there is none. `List` is `written_attributes`, const or not.
template <class List>
auto& attribute_of(List& list, std::string_view key) {
  for (auto& [name, value] : list)
    if (name == key) return value;
  throw std::runtime_error("no attribute " + std::string(key));
}
inline bool has_attribute(const written_attributes& list, std::string_view key) {
  return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry.first == key; });
}

struct written_instruction {
  std::string name, shape, opcode;
  std::vector<std::string> operands{};
  std::string argument{};  ///< of `parameter` and `constant`
  written_attributes attributes{};
  bool root = false;

  std::string text() const {
    std::string out = "%" + name + " = " + shape + " " + opcode + "(" + argument;
    for (std::size_t i = 0; i < operands.size(); ++i) out += (i ? ", %" : "%") + operands[i];
    out += ")";
    for (const auto& [key, value] : attributes) out += ", " + key + "=" + value;
    return out;
  }
};

struct written_computation {
  std::string name;
  std::vector<written_instruction> instructions{};

  std::size_t position_of(std::string_view wanted) const {
    for (std::size_t i = 0; i < instructions.size(); ++i)
      if (instructions[i].name == wanted) return i;
    throw std::runtime_error("no instruction " + std::string(wanted));
  }
  written_instruction& find(std::string_view wanted) { return instructions[position_of(wanted)]; }
  const written_instruction& find(std::string_view wanted) const { return instructions[position_of(wanted)]; }
  /// Names of the instructions with an opcode.
  std::vector<std::string> all_of(std::string_view opcode) const {
    std::vector<std::string> out;
    for (const written_instruction& i : instructions)
      if (i.opcode == opcode) out.push_back(i.name);
    return out;
  }
  const written_instruction& root() const {
    for (const written_instruction& i : instructions)
      if (i.root) return i;
    throw std::runtime_error("no root in " + name);
  }
  /// Everybody who reads `from` reads `to` instead.
  void redirect(std::string_view from, const std::string& to) {
    for (written_instruction& i : instructions)
      std::replace(i.operands.begin(), i.operands.end(), std::string(from), to);
  }
  void remove(std::string_view wanted) {
    instructions.erase(instructions.begin() + static_cast<std::ptrdiff_t>(position_of(wanted)));
  }
  /// Puts instructions after the first `at` ones.
  void insert(std::size_t at, const std::vector<written_instruction>& list) {
    instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(at), list.begin(), list.end());
  }
  /// Takes an instruction out and puts it directly after another one.
  void move_after(std::string_view wanted, std::string_view other) {
    const written_instruction moved = find(wanted);
    remove(wanted);
    insert(position_of(other) + 1, {moved});
  }
};

struct written_module {
  std::string name;
  written_attributes header{};
  std::vector<written_computation> computations{};  ///< the entry last

  written_computation& entry() { return computations.back(); }
  const written_computation& entry() const { return computations.back(); }

  std::string text() const {
    std::string out = "HloModule " + name;
    for (const auto& [key, value] : header) out += ", " + key + "=" + value;
    out += "\n";
    for (const written_computation& c : computations) {
      out += std::string("\n") + (&c == &computations.back() ? "ENTRY " : "") + "%" + c.name + " {\n";
      for (const written_instruction& i : c.instructions) out += (i.root ? "  ROOT " : "  ") + i.text() + "\n";
      out += "}\n";
    }
    return out;
  }
};

}  // namespace hlolint::testing
