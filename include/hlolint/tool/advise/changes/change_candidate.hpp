// A change of a program that may lower its need, and a function that makes it in any state of the module's text.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/advise/changes/program_change.hpp>
#include <hlolint/tool/advise/edited_module.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::advise {

/// A change that refers to instructions by name, so that it can be made in several texts of the module.
struct change_candidate {
  program_change about;  ///< the change, without its savings
  /// Makes the text with the change; nothing if it cannot be made.
  std::function<std::optional<std::string>(const edited_module&)> text;
};

/// The place of an instruction in the user's program: `file:line`, or else the operation's name. For a fusion with
/// several results the place of the first result that has one.
inline std::string source_of(hlo_instruction i) {
  program_place from = program_place_of(i);
  const hlo_computation body = i.called_computation_count() == 1 ? i.called_computation(0) : hlo_computation{};
  if (!from && body && body.root() && body.root().opcode() == hlo_opcode::tuple)
    for (const hlo_instruction result : body.root().operands())
      if (!from && result) from = program_place_of(result);
  return from.text();
}

/// A change of the result of an instruction, without its savings. `maker` is the instruction whose metadata names the
/// place in the program.
inline program_change change_of(change_kind kind, hlo_instruction i, hlo_instruction maker, const shape& now,
                                const shape& becomes, size_rule sizes) {
  program_change out;
  out.kind = kind, out.instruction = i.name(), out.computation = i.computation().name(), out.source = source_of(maker);
  out.shape = to_string(now);
  if (kind != change_kind::split) out.becomes = to_string(becomes);
  const auto bytes_of = [&](const shape& whole) {
    checked_int64 sum = 0;
    for_each_subshape(whole, [&](const shape_index&, const shape& part) {
      if (!part.is_tuple()) sum += byte_size(part, sizes).value_or(0);
    });
    return sum.clamped();
  };
  out.bytes = bytes_of(now), out.bytes_after = bytes_of(becomes);
  return out;
}

/// Sorts candidates by bytes, the largest first.
inline void sort_by_size(std::vector<change_candidate>& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const change_candidate& a, const change_candidate& b) { return a.about.bytes > b.about.bytes; });
}

}  // namespace hlolint::advise
