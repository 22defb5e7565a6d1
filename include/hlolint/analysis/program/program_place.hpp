// The place in the user's program that an instruction comes from.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/source_positions.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// A place in the user's program and the framework's name of the operation; unknown parts are empty.
struct program_place {
  source_position at;   ///< file, function and line
  std::string op_name;  ///< the framework's name of the operation
  /// Whether anything is known.
  explicit operator bool() const { return at || !op_name.empty(); }
  /// `train.py:9`, or the name of the operation if the line is not known.
  std::string text() const { return at ? file_and_line(at.file, at.line) : op_name; }
  friend bool operator==(const program_place&, const program_place&) = default;
};

namespace detail {

/// The place that most instructions of a computation have, the last of several; nothing if none has one. Linear.
inline source_position commonest_place(hlo_computation body) {
  struct seen {
    std::size_t times = 0, last = 0;
    source_position at;
  };
  std::map<std::pair<std::string, std::int64_t>, seen> places;
  std::size_t number = 0;
  for (const hlo_instruction i : body.instructions()) {
    ++number;
    if (i.opcode() == hlo_opcode::parameter || !i.attribute(attribute_key::metadata)) continue;
    source_position at = resolve(i);
    if (!at) continue;
    seen& known = places[{at.file, at.line}];
    ++known.times, known.last = number, known.at = std::move(at);
  }
  const seen* best = nullptr;
  for (const auto& [place, known] : places)
    if (!best || std::tie(known.times, known.last) > std::tie(best->times, best->last)) best = &known;
  return best ? best->at : source_position{};
}

}  // namespace detail

/// Whether a file belongs to a library or to Python itself, and not to the user's program.
inline bool is_library_file(std::string_view path) {
  constexpr std::string_view parts[] = {"/site-packages/", "/dist-packages/", "/lib/python3", "<frozen ", "<string>"};
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return path.find(part) != path.npos; });
}

/// The innermost function of the user's program on the way to an instruction: behind it there may be functions of
/// libraries. If all are of libraries, the innermost one; a position without a function if the text has no stack
/// frames. As in `program_place_of`, the root of a called computation counts where the instruction has no metadata.
inline source_position user_function_of(hlo_instruction i) {
  return read_here_or_at_root(i, [](hlo_instruction by) {
    const std::vector<source_position> frames = call_stack(by);
    const auto own =
        std::ranges::find_if(frames, [](const source_position& frame) { return !is_library_file(frame.file); });
    return own != frames.end() ? *own : frames.empty() ? resolve(by) : frames.front();
  });
}

/// `loss (train.py)`: a function and its file; empty if the file is not known.
inline std::string function_and_file(const source_position& at) {
  return at.function.empty() ? at.file : at.function + " (" + at.file + ")";
}

/// Splits `jit(f)/while/body/dot[a=(b/c)]` at each `/` outside of brackets.
inline std::vector<std::string_view> scope_parts(std::string_view op_name) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= op_name.size(); ++i) {
    const char c = i < op_name.size() ? op_name[i] : '/';
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c != '/' || (depth > 0 && i < op_name.size())) continue;
    if (i > begin) out.push_back(op_name.substr(begin, i - begin));
    begin = i + 1;
  }
  return out;
}

/// Read from the instruction's metadata or, if that is empty, from the root of a computation that it fuses, wraps or
/// calls. If that has none either, `at` is the place of most instructions that a fusion consists of; the name of one of
/// them would not be its own.
inline program_place program_place_of(hlo_instruction i) {
  program_place out = read_here_or_at_root(i, [](hlo_instruction by) {
    auto metadata = get<op_metadata>(by);
    return metadata ? program_place{resolve(by.data(), *metadata), std::move(metadata->op_name)} : program_place{};
  });
  if (const hlo_computation body = first_called(i); !out && body && i.opcode() == hlo_opcode::fusion)
    out.at = detail::commonest_place(body);
  return out;
}

/// The place of what reads an instruction, else of what makes its operands, directly or through instructions without a
/// place. One with a line comes before one with a name alone; nothing if there is none within a few steps.
inline std::optional<neighboring_place> neighboring_place_of(hlo_instruction i, const users& all) {
  constexpr std::size_t most = 32;             // instructions looked at in each direction
  const auto hides = [](hlo_instruction at) {  // what goes through it belongs to other things, too
    using enum hlo_opcode;
    return at.opcode() == tuple || at.opcode() == while_ || at.opcode() == conditional || at.opcode() == call;
  };
  std::optional<neighboring_place> named;
  for (const bool reads_it : {true, false}) {
    std::vector<hlo_instruction> near{i};
    const auto add = [&](hlo_instruction other) {
      if (other && near.size() < most && std::find(near.begin(), near.end(), other) == near.end())
        near.push_back(other);
    };
    for (std::size_t k = 0; k < near.size(); ++k) {
      if (k > 0) {
        program_place found = program_place_of(near[k]);
        neighboring_place place{std::move(found.at.file), found.at.line, std::move(found.op_name), reads_it};
        if (!place.source_file.empty()) return place;
        if (!place.op_name.empty() && !named) named = std::move(place);
        if (hides(near[k])) continue;
      }
      if (reads_it)
        for (const instruction_use use : all.of(near[k])) add(use.user);
      else
        for (const hlo_instruction operand : near[k].operands()) add(operand);
    }
  }
  return named;
}

/// `train.py:9, jit(f)/sin (reads it)`.
inline std::string text_of(const neighboring_place& near) {
  const std::string line = file_and_line(near.source_file, near.source_line);
  return line + (line.empty() || near.op_name.empty() ? "" : ", ") + near.op_name +
         (near.reads_it ? " (reads it)" : " (makes its operand)");
}

}  // namespace hlolint
