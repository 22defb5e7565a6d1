// The shapes of operations that call computations, and those of what they call (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/compare.hpp>
#include <hlolint/verify/shapes/contraction.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// Whether a computation was read as a whole, so that its parameters and its root are known.
inline bool is_whole(const hlo_computation& c) {
  return c && c.record().complete && !c.record().damaged && !c.record().lacks_names;
}
/// The computation that an attribute names; an empty view if it is not known as a whole. All attributes that name
/// computations name one each, or there is only this one.
inline hlo_computation called_by(const hlo_instruction& i, attribute_key key) {
  std::size_t at = 0;
  for (const hlo_attribute a : i.attributes()) {
    if (!holds_names(a.key) || a.key == attribute_key::control_predecessors) continue;
    if (a.key == key) {
      const hlo_computation called = at < i.called_computation_count() ? i.called_computation(at) : hlo_computation{};
      return is_whole(called) ? called : hlo_computation{};
    }
    ++at;
  }
  return {};
}
/// The shape of the root; null if it is not known.
inline const shape* result_of(const hlo_computation& c) { return c && c.root() ? c.root().shape() : nullptr; }

/// The result is that of the computation. False after a finding.
inline bool check_result_of(const hlo_instruction& i, const hlo_computation& called, std::uint32_t place,
                            findings& out) {
  const shape *const given = result_of(called), *const result = i.shape();
  if (!given || !result || given == result || !certainly_differ(*given, *result)) return true;
  out.add(
      place,
      str_cat({name_of(i.opcode()), " of ", called.name(), " gives ", to_string(*given), ", not ", to_string(*result)}),
      called.root().where().at.begin, "the root");
  return false;
}

/// A fusion and a call have an operand for each parameter of what they call, of its shape, and the shape of its root. A
/// fusion may have more operands.
[[gnu::cold]] inline void check_called_shapes(const hlo_instruction& i, const hlo_computation& called,
                                              std::uint32_t place, findings& out) {
  std::size_t count = 0;
  hlo_instruction other;  // the first parameter of another shape
  for (const hlo_instruction p : called.instructions()) {
    if (p.opcode() != hlo_opcode::parameter) continue;
    ++count;
    if (other || !p.shape()) continue;
    const std::int64_t number = p.parameter_number().value_or(-1);
    const shape* const own = number < 0 ? nullptr : operand_shape(i, static_cast<std::size_t>(number));
    if (own && own != p.shape() && certainly_differ(*own, *p.shape())) other = p;
  }
  if (i.opcode() == hlo_opcode::call ? count != i.operand_count() : count > i.operand_count())
    return out.add(place, str_cat({name_of(i.opcode()), " takes one operand for each parameter of its computation, ",
                                   count, ", but has ", i.operand_count()}));
  if (!other) return void(check_result_of(i, called, place, out));
  const std::int64_t number = other.parameter_number().value_or(0);
  out.add(place,
          str_cat({"operand ", number, " is ", to_string(*operand_shape(i, static_cast<std::size_t>(number))),
                   ", but parameter ", number, " of ", called.name(), " is ", to_string(*other.shape())}),
          other.where().at.begin, "the parameter");
}

/// A computation of a while or conditional takes one parameter, of the shape of an operand. False after a finding.
inline bool check_one_parameter(const hlo_instruction& i, std::size_t operand, const hlo_computation& called,
                                std::uint32_t place, findings& out) {
  const std::size_t count = called.parameter_count();
  const hlo_instruction parameter = count == 1 ? called.parameter(0) : hlo_instruction{};
  if (count != 1) {
    out.add(place,
            str_cat({"a computation of ", name_of(i.opcode()), " takes 1 parameter, but ", called.name(), " takes ",
                     count}),
            called.where().at.begin, "the computation");
    return false;
  }
  const shape *const own = operand_shape(i, operand), *const taken = parameter ? parameter.shape() : nullptr;
  if (!own || !taken || !certainly_differ(*own, *taken)) return true;
  out.add(place,
          str_cat({"operand ", operand, " is ", to_string(*own), ", but the parameter of ", called.name(), " is ",
                   to_string(*taken)}),
          parameter.where().at.begin, "the parameter");
  return false;
}
/// Init and parameters have one shape, as the root of the body and the result have; the condition gives a pred.
[[gnu::cold]] inline void check_while(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const hlo_computation body = called_by(i, attribute_key::body), condition = called_by(i, attribute_key::condition);
  if (body && (!check_one_parameter(i, 0, body, place, out) || !check_result_of(i, body, place, out))) return;
  if (condition && !check_one_parameter(i, 0, condition, place, out)) return;
  if (const shape* const given = result_of(condition); given && is_no_scalar_of(*given, element_type::pred))
    out.add(place,
            str_cat({"the condition of a while gives a scalar of pred, but ", condition.name(), " gives ",
                     to_string(*given)}),
            condition.root().where().at.begin, "the root");
}

/// Each branch takes its operand and gives the result.
[[gnu::cold]] inline void check_branches(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const auto check = [&](std::size_t operand, const hlo_computation& branch) {
    return !is_whole(branch) ||
           (check_one_parameter(i, operand, branch, place, out) && check_result_of(i, branch, place, out));
  };
  if (!i.has(attribute_key::branch_computations)) {
    if (check(1, called_by(i, attribute_key::true_computation)))
      check(2, called_by(i, attribute_key::false_computation));
    return;
  }
  if (i.called_computation_count() + 1 != i.operand_count()) return;
  for (std::size_t k = 0; k < i.called_computation_count(); ++k)
    if (!check(k + 1, i.called_computation(k))) return;
}

/// The part of a result or of a root that belongs to one of `arrays` arrays: the whole, or an element of a tuple; null
/// if there is none.
inline const shape* part_of(const shape* whole, std::size_t k, std::size_t arrays) {
  if (!whole || !whole->is_tuple()) return arrays == 1 ? whole : nullptr;
  return k < whole->elements.size() ? &whole->elements[k] : nullptr;
}

/// The computation of a reduce of some arrays takes an accumulator and an element of each of them, all scalars, and
/// gives the accumulators. False after a finding.
[[gnu::cold]] inline bool check_reducer(const hlo_instruction& i, const hlo_computation& called, std::size_t arrays,
                                        std::uint32_t place, findings& out) {
  const auto report = [&](std::string message) {
    out.add(place, std::move(message), called.where().at.begin, "the computation");
    return false;
  };
  const shape* const given = result_of(called);
  if (!given || given->type == element_type::unknown) return true;
  if ((given->is_tuple() ? given->elements.size() : 1) != arrays)
    return report(str_cat({"the computation of this ", name_of(i.opcode()), " gives ", counted(arrays, "scalar"),
                           ", but ", called.name(), " gives ", to_string(*given)}));
  std::size_t count = 0;
  bool scalars = true;
  for (const hlo_instruction p : called.instructions()) {
    if (p.opcode() != hlo_opcode::parameter) continue;
    ++count;
    const std::int64_t number = p.parameter_number().value_or(-1);
    if (number < 0 || static_cast<std::size_t>(number) >= 2 * arrays || !p.shape()) continue;
    const shape& accumulator = *part_of(given, static_cast<std::size_t>(number) % arrays, arrays);
    scalars =
        scalars && !is_no_scalar_of(accumulator, accumulator.type) && !is_no_scalar_of(*p.shape(), accumulator.type);
  }
  if (count != 2 * arrays)
    return report(str_cat({"the computation of this ", name_of(i.opcode()), " takes ", counted(2 * arrays, "parameter"),
                           ", but ", called.name(), " takes ", count}));
  if (!scalars)
    return report(str_cat({"the computation of ", name_of(i.opcode()), " takes and gives scalars of one type, but ",
                           called.name(), " does not"}));
  for (std::size_t k = 0; k < arrays; ++k) {
    const shape *const init = operand_shape(i, arrays + k), *const own = operand_shape(i, k);
    const shape& accumulator = *part_of(given, k, arrays);
    if (init && is_no_scalar_of(*init, accumulator.type))
      return report(str_cat(
          {"the init value is ", to_string(*init), ", but ", called.name(), " takes ", to_string(accumulator)}));
    if (own && own->is_array() && certainly_differ(own->type, accumulator.type))
      return report(str_cat({name_of(i.opcode()), " of ", to_string(*own), " calls ", called.name(), ", which takes ",
                             to_string(accumulator)}));
  }
  return true;
}

/// Each array of the result has these sizes and the type of its operand.
[[gnu::cold]] inline void check_reduced(const hlo_instruction& i, std::size_t arrays, const dimension_numbers& sizes,
                                        std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  for (std::size_t k = 0; result && k < arrays; ++k) {
    const shape *const part = part_of(result, k, arrays), *const own = operand_shape(i, k);
    if (!own || !own->is_static() || !own->is_array()) return;
    if (!part || part->type == element_type::unknown) continue;
    if (!part->is_array() || (part->is_static() && !has_sizes(*part, sizes)))
      return report_result(i, arrays, *part, sizes, place, out);
    if (certainly_differ(part->type, own->type)) {
      return out.add(place, str_cat({name_of(i.opcode()), " of ", to_string(*own), " cannot be ", to_string(*part),
                                     ": it keeps the element type"}));
    }
  }
}

/// Half of the operands are arrays of the same dimensions, half are init values. False after a finding.
inline bool check_reduced_arrays(const hlo_instruction& i, std::size_t arrays, std::uint32_t place, findings& out) {
  const shape *const first = operand_shape(i, 0), *const result = i.shape();
  for (std::size_t k = 1; first && k < arrays; ++k)
    if (const shape* const own = operand_shape(i, k); own && dimensions_differ(*own, *first)) {
      out.add(place, str_cat({name_of(i.opcode()), " takes arrays of the same dimensions, not ", to_string(*first),
                              " and ", to_string(*own)}));
      return false;
    }
  if (result && result->type != element_type::unknown && arrays > 1 &&
      (!result->is_tuple() || result->elements.size() != arrays)) {
    out.add(place,
            str_cat({name_of(i.opcode()), " of ", arrays, " arrays is a tuple of as many, not ", to_string(*result)}));
    return false;
  }
  if (const hlo_computation called = called_by(i, attribute_key::to_apply))
    return check_reducer(i, called, arrays, place, out);
  return true;
}

/// The named dimensions of the operands vanish.
[[gnu::cold]] inline void check_reduce(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const std::size_t arrays = i.operand_count() / 2;
  const shape* const own = known_operand(i, 0);
  const auto numbers = numbers_of(i, attribute_key::dimensions);
  std::uint64_t set = 0;
  if (!own || !numbers || !add_dimensions(i, attribute_key::dimensions, *numbers, *own, set, out) ||
      !check_reduced_arrays(i, arrays, place, out))
    return;
  dimension_numbers sizes;
  for (std::size_t d = 0; d < own->rank(); ++d)
    if (!(set >> d & 1)) sizes.push_back(own->dimensions[d].size);
  check_reduced(i, arrays, sizes, place, out);
}

/// Each dimension is the number of windows along it.
[[gnu::cold]] inline void check_reduce_window(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const std::size_t arrays = i.operand_count() / 2;
  const shape* const own = known_operand(i, 0);
  if (!own || !check_reduced_arrays(i, arrays, place, out)) return;
  if (const auto sizes = windowed_sizes(i, *own, place, out)) check_reduced(i, arrays, *sizes, place, out);
}

/// The source has an element for each window over the operand, whose shape the result has.
[[gnu::cold]] inline void check_select_and_scatter(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = known_operand(i, 0), *const source = operand_shape(i, 1), *const init = operand_shape(i, 2),
                     *const result = i.shape();
  if (!own || (result && !check_same(i, *own, *result, place, out))) return;
  if (init && is_no_scalar_of(*init, own->type))
    return out.add(place, str_cat({"the init value is ", to_string(*init), ", but the operand ", to_string(*own)}));
  const auto sizes = windowed_sizes(i, *own, place, out);
  if (sizes && source && source->is_array() && source->is_static() && !has_sizes(*source, *sizes))
    out.add(place, str_cat({"the windows over ", to_string(*own), " are ", sizes_text(own->type, *sizes),
                            ", but the source is ", to_string(*source)}));
}

/// The comparator takes two elements of each operand; the result has the shapes of the operands.
[[gnu::cold]] inline void check_sort(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const first = known_operand(i, 0), *const result = i.shape();
  if (!first || !one_dimension(i, attribute_key::dimensions, *first, out)) return;
  const std::size_t arrays = i.operand_count();
  for (std::size_t k = 0; k < arrays; ++k) {
    const shape *const own = operand_shape(i, k), *const part = part_of(result, k, arrays);
    if (own && dimensions_differ(*own, *first))
      return out.add(place, str_cat({"sort takes arrays of the same dimensions, not ", to_string(*first), " and ",
                                     to_string(*own)}));
    if (own && part && !check_same(i, *own, *part, place, out)) return;
  }
  const hlo_computation called = called_by(i, attribute_key::to_apply);
  if (!called) return;
  const std::uint32_t there = called.where().at.begin;
  if (const std::size_t count = called.parameter_count(); count != 2 * arrays)
    return out.add(place,
                   str_cat({"the comparator of this sort takes ", counted(2 * arrays, "parameter"), ", but ",
                            called.name(), " takes ", count}),
                   there, "the comparator");
  if (const shape* const given = result_of(called); given && is_no_scalar_of(*given, element_type::pred))
    return out.add(
        place,
        str_cat({"the comparator of a sort gives a scalar of pred, but ", called.name(), " gives ", to_string(*given)}),
        there, "the comparator");
  for (const hlo_instruction p : called.instructions()) {
    if (p.opcode() != hlo_opcode::parameter || !p.shape()) continue;
    const std::int64_t number = p.parameter_number().value_or(-1);
    const shape* const own = number < 0 ? nullptr : operand_shape(i, static_cast<std::size_t>(number) / 2);
    if (own && own->is_array() && is_no_scalar_of(*p.shape(), own->type))
      return out.add(place,
                     str_cat({"sort of ", to_string(*own), " calls ", called.name(), ", whose parameter ", number,
                              " is ", to_string(*p.shape())}),
                     p.where().at.begin, "the parameter");
  }
}

/// The computation of a map takes an element of each operand and gives one of the result.
[[gnu::cold]] inline void check_map(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  const hlo_computation called = called_by(i, attribute_key::to_apply);
  for (std::size_t k = 0; result && k < i.operand_count(); ++k)
    if (const shape* const own = operand_shape(i, k); own && own->rank() > 0 && dimensions_differ(*own, *result))
      return out.add(place, str_cat({"map of ", to_string(*own), " cannot be ", to_string(*result),
                                     ": its operands and its result have the same dimensions"}));
  if (!called) return;
  if (const std::size_t count = called.parameter_count(); count != i.operand_count())
    return out.add(place,
                   str_cat({"the computation of this map takes ", counted(i.operand_count(), "parameter"), ", but ",
                            called.name(), " takes ", count}),
                   called.where().at.begin, "the computation");
  const shape* const given = result_of(called);
  if (given && result && result->is_array() && is_no_scalar_of(*given, result->type))
    out.add(
        place,
        str_cat({"map by ", called.name(), ", which gives ", to_string(*given), ", cannot be ", to_string(*result)}),
        called.root().where().at.begin, "the root");
}

}  // namespace hlolint::module_rules
