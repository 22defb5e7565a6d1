// PRF010: roundings to a narrower type that the program asks for and XLA leaves out.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Pairs of converts, down and back up, whose op_name and source line are left in the final module, but without the
/// narrow type. One finding per module, at the first pair of the earlier one. Where the metadata leaves it open,
/// nothing is reported.
struct elided_narrowing {
  static constexpr rule about{
      .id = "PRF010",
      .name = "elided-narrowing",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .what = "The program converts values to a narrower floating point type and back, and XLA has removed both "
              "converts.",
      .why = "XLA may keep more precision than was asked for (xla_allow_excess_precision, on by default). Then results "
             "differ from those of other devices and of the unoptimized program, and code that relies on the rounding "
             "is without effect.",
      .advice = "Where the rounding matters use jax.lax.reduce_precision, which XLA keeps, or set "
                "--xla_allow_excess_precision=false. Where it does not, leave the converts out of the program.",
      .example = "%n = bf16[8]{0} convert(%x), metadata={op_name=\"jit(f)/round\"}      in "
                 "...before_optimizations.txt\n"
                 "%w = f32[8]{0} convert(%n), metadata={op_name=\"jit(f)/round\"}\n"
                 "(and no bf16 at this op_name in ...after_optimizations.txt)",
      .source = "openxla/xla #41605"};
  static constexpr need needs = need::hlo | need::earlier;

  /// Reports roundings to a narrower type that the program asks for and XLA leaves out.
  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/source_positions.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

struct elided_narrowing::code : elided_narrowing {
  void operator()(const context& dump, sink_ref report) const {
    record_list<rounding> roundings = roundings_of(*dump.earlier());
    if (roundings.empty()) return;
    std::map<std::string, trace> traces;
    for (const rounding& r : roundings)
      for (const hlo_instruction i : r.around) traces.emplace(key(i), trace{});
    // Types and ranks of what converts without metadata make: any of them may be the one that is looked for.
    std::set<std::pair<element_type, std::size_t>> unnamed;
    for (const hlo_instruction i : dump.hlo()->instructions()) {
      const auto written = get<op_metadata>(i);
      if (written && !written->op_name.empty())
        follow(i, written->op_name, traces);
      else if (is_rounding(i.opcode()) && i.shape())
        unnamed.emplace(i.shape()->type, i.shape()->rank());
    }

    const auto is_kept = [&](const rounding& r) {
      const shape& narrow = *r.down.shape();
      const auto touched = [&](hlo_instruction i) {
        const trace& left = traces.at(key(i));
        return left.rounds || std::find(left.types.begin(), left.types.end(), narrow.type) != left.types.end();
      };
      // What is left of neither the converts nor their surroundings was taken out as a whole, or has other names now.
      return touched(r.down) || touched(r.up) ||
             std::none_of(r.around.begin(), r.around.end(),
                          [&](hlo_instruction i) { return traces.at(key(i)).is_there; }) ||
             unnamed.count({narrow.type, narrow.rank()}) > 0;
    };
    roundings.erase(std::remove_if(roundings.begin(), roundings.end(), is_kept), roundings.end());
    if (roundings.empty()) return;
    const auto types = [](const rounding& r) {
      const std::string wide(name_of(r.up.shape()->type));
      return wide + " -> " + std::string(name_of(r.down.shape()->type)) + " -> " + wide;
    };
    const char* const are_gone = roundings.size() == 1 ? " conversion to a narrower type and back is"
                                                       : " conversions to a narrower type and back are";
    finding d =
        finding_at(roundings[0].down, std::to_string(roundings.size()) + are_gone +
                                          " gone in the final module, the first of them " + types(roundings[0]));
    for (std::size_t k = 0; k < roundings.size() && k <= max_named; ++k)
      d.related.push_back(related_at(k == 0 ? roundings[k].up : roundings[k].down,
                                     k == 0 ? "back again here" : types(roundings[k]) + " too"));
    report(std::move(d));
  }

 private:
  struct rounding {
    hlo_instruction down, up;
    record_list<hlo_instruction> around;  // both, what comes in and what reads the result
  };
  // What the final module has of an op_name.
  struct trace {
    bool is_there = false;
    bool rounds = false;  // by reduce-precision
    record_list<element_type> types;
  };

  static constexpr bool is_float(element_type type) {
    using enum element_type;
    return type == f16 || type == bf16 || type == f32 || type == f64 || (type >= f8e5m2 && type <= f6e3m2fn);
  }
  static constexpr bool is_rounding(hlo_opcode opcode) {
    return opcode == hlo_opcode::convert || opcode == hlo_opcode::reduce_precision;
  }

  static record_list<rounding> roundings_of(const hlo_module& module) {
    record_list<rounding> out;
    record_list<std::pair<hlo_instruction, hlo_instruction>> found;
    for (const hlo_instruction up : module.instructions()) {
      if (up.opcode() != hlo_opcode::convert || up.operand_count() != 1) continue;
      const hlo_instruction down = up.operand(0);
      if (!down || down.opcode() != hlo_opcode::convert || down.operand_count() != 1) continue;
      const shape *const narrow = down.shape(), *const wide = up.shape(), *const from = shape_of_operand(down, 0);
      if (!narrow || !wide || !from || from->type != wide->type || !is_float(wide->type) || !is_float(narrow->type))
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

  static std::string key(std::string_view op_name, hlo_instruction i) {
    const source_position at = resolve(i);
    return std::string(op_name) + '\n' + at.file + ':' + std::to_string(at.line);
  }
  static std::string key(hlo_instruction i) {
    const auto written = get<op_metadata>(i);
    return written && !written->op_name.empty() ? key(written->op_name, i) : std::string{};
  }

  // The name as a whole and without its first parts: where calls are inlined, theirs are put before it.
  static void follow(hlo_instruction i, std::string_view op_name, std::map<std::string, trace>& traces) {
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
        std::sort(left.types.begin(), left.types.end());
        left.types.erase(std::unique(left.types.begin(), left.types.end()), left.types.end());
      }
      at = op_name.find('/', at);
      if (at == std::string_view::npos) return;
    }
  }

  static constexpr std::size_t max_named = 3, most_prefixes = 64;
};

HLOLINT_INLINE void elided_narrowing::operator()(const context& dump, sink_ref report) const {
  code{*this}(dump, report);
}

}  // namespace hlolint
#endif
