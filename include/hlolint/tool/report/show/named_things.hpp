// Finds the meaning of a name that a user typed: an instruction, a value, an allocation, a line of the program.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/tool/costs/weights_read.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// The kinds of things that a name can mean.
enum class thing_kind : std::uint8_t { instruction, value, allocation, computation, source_line, weight };

/// `instruction`, `value` and so on, as reports write it.
constexpr std::string_view name_of(thing_kind kind) {
  constexpr std::string_view names[] = {"instruction", "value", "allocation", "computation", "source line", "weight"};
  return names[static_cast<std::size_t>(kind)];
}

/// One thing of a module.
struct named_thing {
  thing_kind kind = thing_kind::instruction;  ///< what it is
  std::string name;                           ///< finds only this thing
  id number = none;        ///< id of an instruction, computation or parameter; else a position in the dump
  std::uint32_t part = 0;  ///< of a weight: of the parameter, as `shape_places` counts
  bool exact = true;       ///< false: the asked name is only a beginning of the name
};

/// An entry of `weights_of`.
struct entry_weight {
  std::string name;           ///< of the framework, or of the parameter
  hlo_instruction parameter;  ///< of the entry
  std::uint32_t part = 0;     ///< of its result
};

/// The arrays that the entry of a module takes, by their names in the program.
inline std::vector<entry_weight> weights_of(const context& module) {
  std::vector<entry_weight> out;
  const hlo_computation entry = module.hlo() ? module.hlo()->entry() : hlo_computation{};
  if (!entry) return out;
  const weights_read& weights = module.get<weights_read>();
  const shape_places& places = weights.places();
  for (const hlo_instruction i : entry.instructions())
    if (i.opcode() == hlo_opcode::parameter)
      for (std::uint32_t n = 0; n < places.count(i.id()); ++n)
        if (!places.is_tuple(i.id(), n)) out.push_back({weights.name_of(i, n), i, n});
  return out;
}

namespace detail {

/// `moe.py:48` as a file and a line; nothing for other texts.
inline std::optional<std::pair<std::string_view, std::int64_t>> file_line(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto line = integer_in(text.substr(colon + 1));
  if (!line || *line <= 0) return std::nullopt;
  return std::pair(text.substr(0, colon), *line);
}

/// Whether a path equals the asked one or ends with it: `moe.py` for `/home/me/moe.py`.
inline bool names_file(std::string_view path, std::string_view asked) {
  return path == asked ||
         (path.size() > asked.size() && path.ends_with(asked) && path[path.size() - asked.size() - 1] == '/');
}

/// The text after `prefix`; nothing if it does not begin with it.
inline std::optional<std::string_view> without(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

class thing_finder {
 public:
  thing_finder(const context& module, std::string_view asked) : module_(module), asked_(asked) {}

  std::vector<named_thing> find() {
    if (const auto number = without(asked_, "allocation:")) return find_allocation(*number), found_;
    std::string_view name = asked_;
    if (const auto of = without(name, "computation:")) return find_computations(*of, true), found_;
    if (name.starts_with('%')) name.remove_prefix(1);
    if (name.empty()) return found_;
    find_instructions(name);
    if (found_.empty()) find_computations(name, true);
    if (found_.empty()) find_value(name);
    if (found_.empty()) find_line();
    if (found_.empty()) find_line_of_dump();
    if (found_.empty()) find_weights(true);
    if (!found_.empty()) return found_;
    find_beginnings(name);
    find_computations(name, false);
    find_weights(false);
    return found_;
  }

 private:
  void add(thing_kind kind, std::string name, id number, bool exact = true, std::uint32_t part = 0) {
    found_.push_back({kind, std::move(name), number, part, exact});
  }

  void find_allocation(std::string_view digits) {
    const context& with = with_memory(module_);
    if (!with.buffers()) return;
    const auto& all = with.buffers()->allocations();
    for (std::size_t a = 0; a < all.size(); ++a)
      if (std::to_string(all[a].number) == digits)
        add(thing_kind::allocation, "allocation:" + std::string(digits), static_cast<id>(a));
  }

  // Names are unique only within a computation; COMPUTATION/NAME tells equal names apart.
  void find_instructions(std::string_view name) {
    if (!module_.hlo()) return;
    const std::size_t slash = name.find('/');
    for (const hlo_instruction i : module_.hlo()->instructions()) {
      const bool is_it = i.name() == name || (slash != std::string_view::npos && i.name() == name.substr(slash + 1) &&
                                              i.computation().name() == name.substr(0, slash));
      if (is_it) add(thing_kind::instruction, std::string(i.name()), i.id());
    }
    if (found_.size() < 2) return;
    for (named_thing& one : found_)
      one.name = std::string(module_.hlo()->instruction(one.number).computation().name()) + "/" + one.name;
  }

  void find_beginnings(std::string_view name) {
    if (!module_.hlo()) return;
    for (const hlo_instruction i : module_.hlo()->instructions())
      if (i.name().starts_with(name)) add(thing_kind::instruction, std::string(i.name()), i.id(), false);
  }

  void find_computations(std::string_view name, bool exact) {
    if (!module_.hlo()) return;
    if (name.starts_with('%')) name.remove_prefix(1);
    for (const hlo_computation c : module_.hlo()->computations())
      if (exact ? c.name() == name : c.name().starts_with(name))
        add(thing_kind::computation, exact ? std::string(c.name()) : "computation:" + std::string(c.name()), c.id(),
            exact);
  }

  // `fusion.3{0}`; without HLO also `fusion.3`.
  void find_value(std::string_view name) {
    const bool has_index = name.ends_with('}');
    if (!has_index && module_.hlo()) return;
    const context& with = has_index ? with_memory(module_) : module_;
    if (!with.buffers()) return;
    const auto& all = with.buffers()->values();
    for (std::size_t v = 0; v < all.size(); ++v) {
      const std::string whole = to_string(all[v].name);
      if (whole == name || (!has_index && all[v].name.instruction == name))
        add(thing_kind::value, whole, static_cast<id>(v));
    }
  }

  void find_line() {
    const auto asked = file_line(asked_);
    if (!asked || !module_.hlo()) return;
    std::vector<std::string> files;
    for (const hlo_instruction i : module_.hlo()->instructions()) {
      const program_place from = program_place_of(i);
      if (from.at.line != asked->second || !names_file(from.at.file, asked->first)) continue;
      if (std::find(files.begin(), files.end(), from.at.file) != files.end()) continue;
      files.push_back(from.at.file);
      add(thing_kind::source_line, file_and_line(from.at.file, from.at.line), i.id());
    }
  }

  // Instructions of two modules of one file may have the same names; their lines tell them apart.
  void find_line_of_dump() {
    const auto asked = file_line(asked_);
    if (!asked || !module_.hlo() || !names_file(module_.hlo()->text().path(), asked->first)) return;
    for (const hlo_instruction i : module_.hlo()->instructions())
      if (static_cast<std::int64_t>(i.where().begin().line) == asked->second)
        add(thing_kind::instruction, std::string(i.name()), i.id());
  }

  void find_weights(bool exact) {
    for (const entry_weight& weight : weights_of(module_))
      if (exact ? weight.name == asked_ : weight.name.starts_with(asked_))
        add(thing_kind::weight, weight.name, weight.parameter.id(), exact, weight.part);
  }

  const context& module_;
  std::string_view asked_;
  std::vector<named_thing> found_;
};

}  // namespace detail

/// All meanings of a name in a module; several if it is ambiguous. If nothing has the name, those things whose names
/// begin with it. `%` before an instruction or a computation is optional. Linear in the module.
inline std::vector<named_thing> find_things(const context& module, std::string_view asked) {
  return detail::thing_finder(module, asked).find();
}

}  // namespace hlolint::report
