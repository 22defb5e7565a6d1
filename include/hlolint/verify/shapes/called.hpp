// The shapes of operations that call computations, and those of what they call (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/compare.hpp>
#include <hlolint/verify/shapes/contraction.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace hlolint::module_rules {

/// Whether a computation was read as a whole, so that its parameters and its root are known.
inline bool is_whole(const hlo_computation& c) {
  return c && c.record().complete && !c.record().damaged && !c.record().lacks_names;
}
/// The computation that an attribute names; an empty view if it is not known as a whole.
inline hlo_computation whole_called_by(const hlo_instruction& i, attribute_key key) {
  const hlo_computation called = called_by(i, key);
  return is_whole(called) ? called : hlo_computation{};
}
/// The shape of the root; null if it is not known.
inline const shape* result_of(const hlo_computation& c) { return c && c.root() ? c.root().shape() : nullptr; }

/// The result is that of the computation. False after a finding.
inline bool check_result_of(const shape_case& c, const hlo_computation& called) {
  const shape* const given = result_of(called);
  return !given || given == c.result || !c.result || !certainly_differ(*given, *c.result) ||
         c.fail_beside(called.root(), "the root", c.name(), " of ", called.name(), " gives ", *given, ", not ",
                       *c.result);
}

/// Calls f(parameter, number) for the parameters of a computation, with -1 for a number that is not readable, and
/// counts them.
std::size_t for_each_parameter(const hlo_computation& called, auto&& f) {
  std::size_t count = 0;
  for (const hlo_instruction p : called.instructions()) {
    if (p.opcode() != hlo_opcode::parameter) continue;
    ++count;
    f(p, p.parameter_number().value_or(-1));
  }
  return count;
}

/// A fusion and a call have an operand for each parameter of what they call, of its shape, and the shape of its root. A
/// fusion may have more operands.
[[gnu::cold]] inline void check_called_shapes(const shape_case& c, const hlo_computation& called) {
  hlo_instruction other;  // the first parameter of another shape
  std::int64_t number = 0;
  const std::size_t count = for_each_parameter(called, [&](const hlo_instruction& p, std::int64_t n) {
    const shape* const own = other || n < 0 ? nullptr : c.operand(static_cast<std::size_t>(n));
    if (!own || own == p.shape() || !p.shape() || !certainly_differ(*own, *p.shape())) return;
    other = p;
    number = n;
  });
  if (c.i.opcode() == hlo_opcode::call ? count != c.i.operand_count() : count > c.i.operand_count())
    return void(c.fail(c.name(), " takes one operand for each parameter of its computation, ", count, ", but has ",
                       c.i.operand_count()));
  if (!other) return void(check_result_of(c, called));
  c.fail_beside(other, "the parameter", "operand ", number, " is ", *c.operand(static_cast<std::size_t>(number)),
                ", but parameter ", number, " of ", called.name(), " is ", *other.shape());
}

/// A computation of a while or conditional takes one parameter, of the shape of an operand. False after a finding.
inline bool check_one_parameter(const shape_case& c, std::size_t operand, const hlo_computation& called) {
  if (const std::size_t count = called.parameter_count(); count != 1)
    return c.fail_beside(called, "the computation", "a computation of ", c.name(), " takes 1 parameter, but ",
                         called.name(), " takes ", count);
  const hlo_instruction parameter = called.parameter(0);
  const shape *const own = c.operand(operand), *const taken = parameter ? parameter.shape() : nullptr;
  return !own || !taken || !certainly_differ(*own, *taken) ||
         c.fail_beside(parameter, "the parameter", "operand ", operand, " is ", *own, ", but the parameter of ",
                       called.name(), " is ", *taken);
}
/// A condition or a comparator gives a pred. False after a finding.
inline bool check_gives_pred(const shape_case& c, const hlo_computation& called, std::string_view what,
                             const auto& there, std::string_view role) {
  const shape* const given = result_of(called);
  return !given || !is_no_scalar_of(*given, element_type::pred) ||
         c.fail_beside(there, role, "the ", what, " of a ", c.name(), " gives a scalar of pred, but ", called.name(),
                       " gives ", *given);
}
/// Init and parameters have one shape, as the root of the body and the result have; the condition gives a pred.
[[gnu::cold]] inline void check_while(const shape_case& c) {
  const hlo_computation body = whole_called_by(c.i, attribute_key::body),
                        condition = whole_called_by(c.i, attribute_key::condition);
  if (body && (!check_one_parameter(c, 0, body) || !check_result_of(c, body))) return;
  if (condition && check_one_parameter(c, 0, condition))
    check_gives_pred(c, condition, "condition", condition.root(), "the root");
}

/// Each branch takes its operand and gives the result.
[[gnu::cold]] inline void check_branches(const shape_case& c) {
  const auto check = [&](std::size_t operand, const hlo_computation& branch) {
    return !is_whole(branch) || (check_one_parameter(c, operand, branch) && check_result_of(c, branch));
  };
  if (!c.i.has(attribute_key::branch_computations)) {
    if (check(1, called_by(c.i, attribute_key::true_computation)))
      check(2, called_by(c.i, attribute_key::false_computation));
    return;
  }
  if (c.i.called_computation_count() + 1 != c.i.operand_count()) return;
  for (std::size_t k = 0; k < c.i.called_computation_count(); ++k)
    if (!check(k + 1, c.i.called_computation(k))) return;
}

/// The computation of a reduce of some arrays takes an accumulator and an element of each of them, all scalars, and
/// gives the accumulators. False after a finding.
[[gnu::cold]] inline bool check_reducer(const shape_case& c, const hlo_computation& called, std::size_t arrays) {
  const auto report = [&](const auto&... parts) { return c.fail_beside(called, "the computation", parts...); };
  const shape* const given = result_of(called);
  if (!given || given->type == element_type::unknown) return true;
  if ((given->is_tuple() ? given->elements.size() : 1) != arrays)
    return report("the computation of this ", c.name(), " gives ", counted(arrays, "scalar"), ", but ", called.name(),
                  " gives ", *given);
  bool scalars = true;
  const std::size_t count = for_each_parameter(called, [&](const hlo_instruction& p, std::int64_t number) {
    if (number < 0 || static_cast<std::size_t>(number) >= 2 * arrays || !p.shape()) return;
    const shape& accumulator = *part_of(given, static_cast<std::size_t>(number) % arrays, arrays);
    scalars =
        scalars && !is_no_scalar_of(accumulator, accumulator.type) && !is_no_scalar_of(*p.shape(), accumulator.type);
  });
  if (count != 2 * arrays)
    return report("the computation of this ", c.name(), " takes ", counted(2 * arrays, "parameter"), ", but ",
                  called.name(), " takes ", count);
  if (!scalars)
    return report("the computation of ", c.name(), " takes and gives scalars of one type, but ", called.name(),
                  " does not");
  for (std::size_t k = 0; k < arrays; ++k) {
    const shape *const init = c.operand(arrays + k), *const own = c.operand(k);
    const shape& accumulator = *part_of(given, k, arrays);
    if (init && is_no_scalar_of(*init, accumulator.type))
      return report("the init value is ", *init, ", but ", called.name(), " takes ", accumulator);
    if (own && own->is_array() && certainly_differ(own->type, accumulator.type))
      return report(c.name(), " of ", *own, " calls ", called.name(), ", which takes ", accumulator);
  }
  return true;
}

/// Each array of the result has certain sizes and the type of its operand.
[[gnu::cold]] inline void check_reduced(const shape_case& c, const inferred& expected) {
  for (std::size_t k = 0; c.result && k < expected.operands; ++k) {
    const shape *const part = part_of(c.result, k, expected.operands), *const own = c.operand(k);
    if (!own || !own->is_static() || !own->is_array()) return;
    if (part && part->type != element_type::unknown &&
        !(check_sizes(c, expected, *part) && check_type_kept(c, *own, *part)))
      return;
  }
}

/// The operands of a reduce or a sort are arrays of the same dimensions. False after a finding.
inline bool check_same_dimensions(const shape_case& c, std::size_t arrays) {
  const shape* const first = c.operand(0);
  for (std::size_t k = 1; first && k < arrays; ++k)
    if (const shape* const own = c.operand(k); own && dimensions_differ(*own, *first))
      return c.fail(c.name(), " takes arrays of the same dimensions, not ", *first, " and ", *own);
  return true;
}
/// Half of the operands are arrays of the same dimensions, half are init values. False after a finding.
inline bool check_reduced_arrays(const shape_case& c, std::size_t arrays) {
  if (!check_same_dimensions(c, arrays)) return false;
  if (c.result && c.result->type != element_type::unknown && arrays > 1 &&
      (!c.result->is_tuple() || c.result->elements.size() != arrays))
    return c.fail(c.name(), " of ", arrays, " arrays is a tuple of as many, not ", *c.result);
  const hlo_computation called = whole_called_by(c.i, attribute_key::to_apply);
  return !called || check_reducer(c, called, arrays);
}

/// The named dimensions of the operands vanish.
[[gnu::cold]] inline inferred infer_reduce(const shape_case& c) {
  const std::size_t arrays = c.i.operand_count() / 2;
  const shape* const own = c.array(0);
  const auto numbers = c.numbers(attribute_key::dimensions);
  std::uint64_t set = 0;
  if (!own || !numbers || !add_dimensions(c, attribute_key::dimensions, *numbers, *own, set) ||
      !check_reduced_arrays(c, arrays))
    return {};
  dimension_numbers sizes;
  append_others(sizes, *own, set);
  return {std::move(sizes), arrays, arrays == 1 ? own : nullptr};
}

/// Each dimension is the number of windows along it.
[[gnu::cold]] inline inferred infer_reduce_window(const shape_case& c) {
  const std::size_t arrays = c.i.operand_count() / 2;
  const shape* const own = c.array(0);
  if (!own || !check_reduced_arrays(c, arrays)) return {};
  auto sizes = windowed_sizes(c, *own);
  return sizes ? inferred(std::move(*sizes), arrays, arrays == 1 ? own : nullptr) : inferred();
}

/// The source has an element for each window over the operand, whose shape the result has.
[[gnu::cold]] inline void check_select_and_scatter(const shape_case& c) {
  const shape *const own = c.array(0), *const source = c.array(1), *const init = c.operand(2);
  if (!own || !check_result(c, inferred(own))) return;
  if (init && is_no_scalar_of(*init, own->type))
    return void(c.fail("the init value is ", *init, ", but the operand ", *own));
  const auto sizes = windowed_sizes(c, *own);
  if (sizes && source && !has_sizes(*source, *sizes))
    c.fail("the windows over ", *own, " are ", array_of_sizes(own->type, *sizes), ", but the source is ", *source);
}

/// The comparator takes two elements of each operand; the result has the shapes of the operands.
[[gnu::cold]] inline void check_sort(const shape_case& c) {
  const shape* const first = c.array(0);
  if (!first || !one_dimension(c, attribute_key::dimensions, *first)) return;
  const std::size_t arrays = c.i.operand_count();
  if (!check_same_dimensions(c, arrays)) return;
  for (std::size_t k = 0; k < arrays; ++k) {
    const shape *const own = c.operand(k), *const part = part_of(c.result, k, arrays);
    if (own && part && !check_same(c, *own, *part)) return;
  }
  const hlo_computation called = whole_called_by(c.i, attribute_key::to_apply);
  if (!called) return;
  if (const std::size_t count = called.parameter_count(); count != 2 * arrays)
    return void(c.fail_beside(called, "the comparator", "the comparator of this sort takes ",
                              counted(2 * arrays, "parameter"), ", but ", called.name(), " takes ", count));
  bool fits = check_gives_pred(c, called, "comparator", called, "the comparator");
  for_each_parameter(called, [&](const hlo_instruction& p, std::int64_t number) {
    const shape* const own = number < 0 ? nullptr : c.operand(static_cast<std::size_t>(number) / 2);
    if (fits && own && own->is_array() && p.shape() && is_no_scalar_of(*p.shape(), own->type))
      fits = c.fail_beside(p, "the parameter", "sort of ", *own, " calls ", called.name(), ", whose parameter ", number,
                           " is ", *p.shape());
  });
}

/// The computation of a map takes an element of each operand and gives one of the result.
[[gnu::cold]] inline void check_map(const shape_case& c) {
  const hlo_computation called = whole_called_by(c.i, attribute_key::to_apply);
  for (std::size_t k = 0; c.result && k < c.i.operand_count(); ++k)
    if (const shape* const own = c.operand(k); own && own->rank() > 0 && dimensions_differ(*own, *c.result))
      return void(
          c.fail("map of ", *own, " cannot be ", *c.result, ": its operands and its result have the same dimensions"));
  if (!called) return;
  if (const std::size_t count = called.parameter_count(); count != c.i.operand_count())
    return void(c.fail_beside(called, "the computation", "the computation of this map takes ",
                              counted(c.i.operand_count(), "parameter"), ", but ", called.name(), " takes ", count));
  const shape* const given = result_of(called);
  if (given && c.result && c.result->is_array() && is_no_scalar_of(*given, c.result->type))
    c.fail_beside(called.root(), "the root", "map by ", called.name(), ", which gives ", *given, ", cannot be ",
                  *c.result);
}

}  // namespace hlolint::module_rules
