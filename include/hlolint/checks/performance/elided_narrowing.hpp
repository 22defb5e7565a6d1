// PRF010: roundings to a narrower type that XLA removed from the program.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for pairs of converts, down and back up, whose op_name and source line still occur in the final module, but
/// without the narrow type. One finding per module, at the first pair of the unoptimized one; silent if the metadata is
/// not conclusive.
struct elided_narrowing {
  static constexpr rule about{
      .id = "PRF010",
      .name = "elided-narrowing",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .needs = need::hlo | need::earlier,
      .what = "The program converts values to a narrower floating point type and back, and XLA removed both converts.",
      .why =
          "XLA may keep more precision than was asked for (xla_allow_excess_precision, on by default). Results "
          "then differ from those of other devices and of the unoptimized program, and code that relies on the "
          "rounding has no effect.",
      .advice =
          "Where the rounding matters, use jax.lax.reduce_precision, which XLA keeps, or set "
          "--xla_allow_excess_precision=false. Where it does not, remove the converts from the program.",
      .example =
          "%n = bf16[8]{0} convert(%x), metadata={op_name=\"jit(f)/round\"}      in "
          "...before_optimizations.txt\n"
          "%w = f32[8]{0} convert(%n), metadata={op_name=\"jit(f)/round\"}\n"
          "(and no bf16 at this op_name in ...after_optimizations.txt)",
      .source = "openxla/xla #41605"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/source_positions.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace hlolint {

namespace prf010 {

inline constexpr std::size_t max_named = 3, most_prefixes = 64;

struct rounding {
  hlo_instruction down, up;
  std::vector<hlo_instruction> around;  // both converts, their operand and the readers of the result
};
// What the final module has under one op_name.
struct trace {
  bool is_there = false;
  bool rounds = false;  // by reduce-precision
  std::vector<element_type> types;
};

inline constexpr bool is_rounding(hlo_opcode opcode) {
  return opcode == hlo_opcode::convert || opcode == hlo_opcode::reduce_precision;
}

inline std::vector<rounding> roundings_of(const hlo_module& module) {
  std::vector<rounding> out;
  std::vector<std::pair<hlo_instruction, hlo_instruction>> found;
  for (const hlo_instruction up : module.instructions()) {
    if (up.opcode() != hlo_opcode::convert || up.operand_count() != 1) continue;
    const hlo_instruction down = up.operand(0);
    if (!down || down.opcode() != hlo_opcode::convert || down.operand_count() != 1) continue;
    const shape *const narrow = down.shape(), *const wide = up.shape(), *const from = shape_of_operand(down, 0);
    if (!narrow || !wide || !from || from->type != wide->type || !is_floating_point(wide->type) ||
        !is_floating_point(narrow->type))
      continue;
    if (bit_width(narrow->type) < bit_width(wide->type) && down.operand(0).opcode() != hlo_opcode::constant)
      found.emplace_back(down, up);
  }
  if (found.empty()) return out;
  const users readers(module);
  for (const auto& [down, up] : found) {
    if (readers.count(up) == 0 && up.computation().root() != up) continue;  // dead
    rounding& r = out.emplace_back(rounding{down, up, {down, up, down.operand(0)}});
    for (const instruction_use use : readers.of(up)) r.around.push_back(use.user);
  }
  return out;
}

inline std::string key(std::string_view op_name, hlo_instruction i) {
  const source_position at = resolve(i);
  return std::string(op_name) + '\n' + at.file + ':' + std::to_string(at.line);
}
inline std::string key(hlo_instruction i) {
  const auto written = get<op_metadata>(i);
  return written && !written->op_name.empty() ? key(written->op_name, i) : std::string{};
}

// Looks up the whole name and its suffixes: inlining a call puts the name of the call in front.
inline void follow(hlo_instruction i, std::string_view op_name, std::map<std::string, trace>& traces) {
  const std::string line = key({}, i);
  std::size_t prefixes = 0;
  for (std::size_t at = 0; prefixes++ < most_prefixes; ++at) {
    if (const auto found = traces.find(std::string(op_name.substr(at)) + line); found != traces.end()) {
      trace& left = found->second;
      left.is_there = true;
      left.rounds |= i.opcode() == hlo_opcode::reduce_precision;
      const auto add = [&](const shape* whole) {
        if (whole)
          for_each_subshape(*whole, [&](const shape_index&, const shape& part) { left.types.push_back(part.type); });
      };
      add(i.shape());
      for (std::size_t o = 0; o < i.operand_count(); ++o) add(shape_of_operand(i, o));
      sort_unique(left.types);
    }
    at = op_name.find('/', at);
    if (at == std::string_view::npos) return;
  }
}

}  // namespace prf010

HLOLINT_INLINE void elided_narrowing::operator()(const context& dump, sink_ref emit) const {
  std::vector<prf010::rounding> roundings = prf010::roundings_of(*dump.earlier());
  if (roundings.empty()) return;
  std::map<std::string, prf010::trace> traces;
  for (const prf010::rounding& r : roundings)
    for (const hlo_instruction i : r.around) traces.emplace(prf010::key(i), prf010::trace{});
  // Types and ranks of the results of converts without metadata: any of them may be the wanted rounding.
  std::set<std::pair<element_type, std::size_t>> unnamed;
  for (const hlo_instruction i : dump.hlo()->instructions()) {
    const auto written = get<op_metadata>(i);
    if (written && !written->op_name.empty())
      prf010::follow(i, written->op_name, traces);
    else if (prf010::is_rounding(i.opcode()) && i.shape())
      unnamed.emplace(i.shape()->type, i.shape()->rank());
  }

  const auto is_kept = [&](const prf010::rounding& r) {
    const shape& narrow = *r.down.shape();
    const auto touched = [&](hlo_instruction i) {
      const prf010::trace& left = traces.at(prf010::key(i));
      return left.rounds || std::find(left.types.begin(), left.types.end(), narrow.type) != left.types.end();
    };
    // If neither the converts nor their neighbors are left, the whole expression was removed or renamed.
    return touched(r.down) || touched(r.up) ||
           std::none_of(r.around.begin(), r.around.end(),
                        [&](hlo_instruction i) { return traces.at(prf010::key(i)).is_there; }) ||
           unnamed.count({narrow.type, narrow.rank()}) > 0;
  };
  roundings.erase(std::remove_if(roundings.begin(), roundings.end(), is_kept), roundings.end());
  if (roundings.empty()) return;
  const auto types = [](const prf010::rounding& r) {
    const std::string wide(name_of(r.up.shape()->type));
    return wide + " -> " + std::string(name_of(r.down.shape()->type)) + " -> " + wide;
  };
  const char* const are_gone = roundings.size() == 1 ? " conversion to a narrower type and back is"
                                                     : " conversions to a narrower type and back are";
  finding d = finding_at(
      roundings[0].down,
      str_cat({roundings.size(), are_gone, " gone in the final module, the first of them ", types(roundings[0])}));
  for (std::size_t k = 0; k < roundings.size() && k <= prf010::max_named; ++k)
    d.related.push_back(related_at(k == 0 ? roundings[k].up : roundings[k].down,
                                   k == 0 ? "back again here" : types(roundings[k]) + " too"));
  // XLA then removes none, but a pair that changes nothing, or that the program was rewritten around.
  if (is_off(dump.flags(), "xla_allow_excess_precision"))
    d.advice =
        "Where the rounding matters, use jax.lax.reduce_precision, which XLA keeps. Where it does not, remove the "
        "converts from the program.";
  emit(std::move(d));
}

}  // namespace hlolint
#endif
