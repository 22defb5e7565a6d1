// How often a while loop runs (time_model.md 4.2). Analyses, rules, messages and pictures all use this answer.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// Where a trip count comes from, surest first.
enum class trip_basis : std::uint8_t {
  known,    ///< XLA's own `known_trip_count`
  derived,  ///< initial value, step and condition are constants of the text
  assumed,  ///< only the limit is; start 0 and step 1 are assumed where the text does not prove others
  unknown   ///< unknown: at least once
};

/// How often a loop runs.
struct trip_count {
  std::int64_t times = 1;                  ///< iterations each time the loop is reached
  trip_basis basis = trip_basis::unknown;  ///< how sure the count is

  /// Whether the text proves the count.
  bool is_proven() const { return basis <= trip_basis::derived; }
  /// Whether the count may be `least` or more, as far as the text shows.
  bool may_reach(std::int64_t least) const { return basis == trip_basis::unknown || times >= least; }
  friend bool operator==(const trip_count&, const trip_count&) = default;
};

/// `known_trip_count` in a while's `backend_config`; nothing if there is none.
inline std::optional<std::int64_t> known_trip_count(hlo_instruction loop) {
  const auto text = config_value(loop, "known_trip_count", "n");
  const auto count = text ? leading_integer(*text) : std::nullopt;
  return count && *count >= 0 ? count : std::nullopt;
}

namespace detail {

/// A scalar integer: a constant, or the sum of a constant and an element of the tuple that a loop carries.
struct followed_scalar {
  static constexpr std::int64_t whole = -1;  ///< a loop that carries one value, not a tuple
  std::optional<std::int64_t> element;       ///< of the carried tuple
  std::int64_t value = 0;                    ///< the constant
};

/// Follows values back through operations that do not change them, into and out of fusions and calls. An object takes
/// at most `most_steps` steps in total.
class value_follower {
 public:
  /// An instruction, the calls around it, and the path to a tuple element of its result, innermost step last.
  struct place {
    hlo_instruction at;
    std::vector<hlo_instruction> callers;
    std::vector<std::int64_t> elements;
  };

  /// The first instruction on the way back that makes the value; an empty view if the value cannot be followed.
  place source_of(place p) {
    while (left_-- > 0 && p.at) {
      switch (p.at.opcode()) {
        using enum hlo_opcode;
        case copy_start:
          if (!p.elements.empty()) return {};
          [[fallthrough]];
        case copy:
        case copy_done:
        case bitcast:
        case reshape:
        case opt_barrier:
        case add_dependency: p.at = operand_of(p.at, 0); continue;
        case convert:
          if (!widens(p.at)) return {};
          p.at = operand_of(p.at, 0);
          continue;
        case get_tuple_element:
          p.elements.push_back(get_integer(p.at, attribute_key::index).value_or(-1));
          p.at = operand_of(p.at, 0);
          continue;
        case tuple: {
          if (p.elements.empty()) return {};
          const std::int64_t k = p.elements.back();
          p.elements.pop_back();
          p.at = k >= 0 ? operand_of(p.at, static_cast<std::size_t>(k)) : hlo_instruction{};
          continue;
        }
        case fusion:
        case call:
          p.callers.push_back(p.at);
          p.at = root_of(first_called(p.at));
          continue;
        case parameter: {
          if (p.callers.empty()) return p;
          const auto number = parameter_position(p.at);
          const hlo_instruction caller = p.callers.back();
          p.callers.pop_back();
          p.at = number ? operand_of(caller, *number) : hlo_instruction{};
          continue;
        }
        default: return p;
      }
    }
    return {};
  }

  /// Nothing if the value is not such a scalar.
  std::optional<followed_scalar> scalar_of(place from) {
    checked_int64 added = 0;
    for (;;) {
      const place p = source_of(std::move(from));
      if (!p.at) return std::nullopt;
      switch (p.at.opcode()) {
        using enum hlo_opcode;
        case constant: {
          const auto value = p.elements.empty() ? integer_of(p.at) : std::nullopt;
          const auto sum = value ? (added + *value).exact() : std::nullopt;
          if (!sum) return std::nullopt;
          return followed_scalar{std::nullopt, *sum};
        }
        case parameter: {
          if (p.elements.size() > 1 || !added.is_exact()) return std::nullopt;
          return followed_scalar{p.elements.empty() ? followed_scalar::whole : p.elements.back(), added.clamped()};
        }
        case add:
        case subtract: {
          if (!p.elements.empty() || !is_integer(p.at.shape())) return std::nullopt;
          const auto constant_at = [&](std::size_t k) -> std::optional<std::int64_t> {
            const place side = source_of({operand_of(p.at, k), p.callers, {}});
            if (!side.at || side.at.opcode() != constant || !side.elements.empty()) return std::nullopt;
            return integer_of(side.at);
          };
          const bool minus = p.at.opcode() == subtract;
          std::size_t other = 0;
          auto value = constant_at(1);
          if (!value && !minus) value = constant_at(0), other = 1;
          if (!value) return std::nullopt;
          added = minus ? added - *value : added + *value;
          from = {operand_of(p.at, other), p.callers, {}};
          continue;
        }
        default: return std::nullopt;
      }
    }
  }

  static bool is_signed(element_type type) { return type >= element_type::s1 && type <= element_type::s64; }
  static bool is_integer(const shape* s) {
    using enum element_type;
    return s && s->is_array() && s->rank() == 0 && s->type >= s1 && s->type <= u64;
  }

 private:
  static constexpr int most_steps = 512;

  static bool widens(hlo_instruction i) {
    const shape* const from = shape_of_operand(i, 0);
    if (!is_integer(i.shape()) || !is_integer(from)) return false;
    const int more = bit_width(i.shape()->type) - bit_width(from->type);
    return is_signed(i.shape()->type) == is_signed(from->type) ? more >= 0 : is_signed(i.shape()->type) && more > 0;
  }
  static std::optional<std::int64_t> integer_of(hlo_instruction i) {
    return is_integer(i.shape()) ? hlolint::integer_in(i.argument()) : std::nullopt;
  }

  int left_ = most_steps;
};

/// The counter of a while loop, which continues as long as `counter direction limit` holds.
struct counted_loop {
  std::optional<std::int64_t> first;  ///< the counter at the first test of the condition
  std::optional<std::int64_t> step;   ///< added in each iteration
  std::int64_t limit = 0;
  std::string_view direction;  ///< XLA's name, such as `LT`
  element_type type{};
};

/// The iterations of the loop; nothing if it never ends or the counter leaves the range of its type.
inline std::optional<std::int64_t> iterations(const counted_loop& loop, std::int64_t first, std::int64_t step) {
  const bool below = loop.direction == "LT" || loop.direction == "LE";
  const bool above = loop.direction == "GT" || loop.direction == "GE";
  // The first number that ends the loop, on the side to which it counts.
  checked_int64 end = loop.limit;
  if (loop.direction == "LE") end += 1;
  if (loop.direction == "GE") end -= 1;
  if ((below && first >= end.clamped()) || (above && first <= end.clamped())) return 0;
  if (loop.direction == "EQ" && first != loop.limit) return 0;
  if (loop.direction == "EQ") return step != 0 ? std::optional<std::int64_t>(1) : std::nullopt;
  if (loop.direction == "NE" && first == loop.limit) return 0;
  if ((!below && !above && loop.direction != "NE") || step == 0 || !end.is_exact()) return std::nullopt;
  if ((below && step < 0) || (above && step > 0)) return std::nullopt;
  const auto distance = (end - first).exact();
  if (!distance || (*distance < 0) != (step < 0) || step == std::numeric_limits<std::int64_t>::min())
    return std::nullopt;
  const std::int64_t left = *distance % step;
  if (loop.direction == "NE" && left != 0) return std::nullopt;
  const std::int64_t times = *distance / step + (left != 0 ? 1 : 0);
  const auto last = (checked_int64(first) + checked_int64(times) * step).exact();
  const int bits = bit_width(loop.type);
  const bool is_signed = value_follower::is_signed(loop.type);
  const std::int64_t most =
      bits >= 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t least = !is_signed ? 0 : bits >= 64 ? std::numeric_limits<std::int64_t>::min() : -most - 1;
  if (!last || *last > most || *last < least) return std::nullopt;
  return times;
}

/// The counter of a loop; nothing unless the condition compares a carried counter with an unchanging number.
inline std::optional<counted_loop> counted_loop_of(hlo_instruction loop) {
  const while_parts parts = parts_of_while(loop);
  if (!root_of(parts.condition)) return std::nullopt;
  value_follower follow;
  const auto test = follow.source_of({parts.condition.root(), {}, {}});
  if (!test.at || test.at.opcode() != hlo_opcode::compare || !test.elements.empty() || test.at.operand_count() != 2)
    return std::nullopt;
  counted_loop out;
  out.direction = test.at.attribute(attribute_key::direction).value_or(std::string_view{});

  const auto carried = [&](hlo_instruction tuple, std::int64_t element) -> std::optional<followed_scalar> {
    if (!tuple) return std::nullopt;
    std::vector<std::int64_t> path;
    if (element != followed_scalar::whole) path.push_back(element);
    return follow.scalar_of({tuple, {}, std::move(path)});
  };
  const hlo_instruction next = root_of(parts.body);
  const hlo_instruction start = loop.operand_count() == 1 ? loop.operand(0) : hlo_instruction{};
  // The change of an element in an iteration, and its value before the first one.
  const auto step_of = [&](std::int64_t element) -> std::optional<std::int64_t> {
    const auto after = carried(next, element);
    return after && after->element == element ? std::optional(after->value) : std::nullopt;
  };
  const auto start_of = [&](std::int64_t element) -> std::optional<std::int64_t> {
    const auto before = carried(start, element);
    return before && !before->element ? std::optional(before->value) : std::nullopt;
  };
  std::optional<followed_scalar> side[2];
  for (std::size_t k = 0; k < 2; ++k) side[k] = follow.scalar_of({test.at.operand(k), test.callers, {}});
  std::size_t counter = 0;
  if (side[0] && (!side[0]->element || (side[1] && side[1]->element && step_of(*side[0]->element) == 0))) counter = 1;
  const auto &counts = side[counter], &limit = side[1 - counter];
  if (!limit || !counts || !counts->element) return std::nullopt;
  out.limit = limit->value;
  if (limit->element) {  // carried, and unchanged by iterations
    const auto begin = start_of(*limit->element);
    if (!begin || step_of(*limit->element) != 0) return std::nullopt;
    const auto sum = (checked_int64(*begin) + limit->value).exact();
    if (!sum) return std::nullopt;
    out.limit = *sum;
  }
  if (counter == 1)
    out.direction = out.direction == "LT"   ? "GT"
                    : out.direction == "LE" ? "GE"
                    : out.direction == "GT" ? "LT"
                    : out.direction == "GE" ? "LE"
                                            : out.direction;
  const shape* const type = shape_of_operand(test.at, counter);
  out.type = type && type->is_array() ? type->type : element_type::s32;
  out.step = step_of(*counts->element);
  if (const auto begin = start_of(*counts->element)) out.first = (checked_int64(*begin) + counts->value).exact();
  return out;
}

}  // namespace detail

/// The count from `known_trip_count`, else the one that initial value, step and condition prove, else the one that the
/// condition suggests. Precondition: `loop` is a while.
inline trip_count trip_count_of(hlo_instruction loop) {
  if (const auto known = known_trip_count(loop)) return {*known, trip_basis::known};
  const auto counted = detail::counted_loop_of(loop);
  if (!counted) return {};
  const bool down = counted->direction == "GT" || counted->direction == "GE";
  if (down && !counted->first) return {};
  const trip_basis basis = counted->first && counted->step ? trip_basis::derived : trip_basis::assumed;
  const auto times = detail::iterations(*counted, counted->first.value_or(0), counted->step.value_or(down ? -1 : 1));
  return times ? trip_count{*times, basis} : trip_count{};
}

}  // namespace hlolint
