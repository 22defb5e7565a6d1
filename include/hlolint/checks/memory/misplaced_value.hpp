// MEM013: a value that lies in no allocation, or in one of the wrong kind.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 2, 5.1. With HLO every value has an allocation, and the kind of the value decides the kind of
/// allocation. Without HLO only the values under `Used values:` are looked for. A value without an allocation that has
/// a live range is DMP010.
struct misplaced_value {
  static constexpr rule about{
      .id = "MEM013",
      .name = "misplaced-value",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers,
      .what =
          "A value lies in no allocation, or in one of the wrong kind: a parameter outside its own allocation, a "
          "result where results do not stay, a computed value in a constant's or a thread's memory; or the "
          "allocation of a parameter or result is described by another number, index or shape; or the HLO does not "
          "define a value that an allocation has.",
      .why =
          "The runtime fills and returns buffers by these descriptions: the program reads another argument, returns "
          "other bytes, or overwrites a constant that the next call reads.",
      .advice =
          "Check that HLO and dump come from one compilation and that neither was edited. If so, keep both and "
          "report a bug of the compiler.",
      .example =
          "HLO:   %p = f32[8]{0} parameter(1)\n"
          "dump:  allocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}:\n"
          "        value: <1 p @0> (size=32,offset=0): f32[8]{0}",
      .source = "XLA: buffer_assignment.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/checks/aliasing/entry_shapes.hpp>
#include <hlolint/checks/dump/tally.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

namespace mem013 {

using name = std::pair<std::string_view, shape_index>;

/// The names of values that have a printed live range, or use the bytes of an allocation of another memory space.
inline std::set<name> named_elsewhere(const buffer_dump& buffers) {
  std::set<name> out;
  if (const live_range_block* const block = buffers.live_ranges(); block && !block->computed)
    for (const live_range& r : block->ranges) out.emplace(r.instruction, r.index);
  for (const allocation& a : buffers.allocations())
    for (const recolored_value& v : buffers.recolored(a)) out.emplace(v.name.instruction, v.name.at());
  return out;
}

/// Reports values under `Used values:` that no allocation has.
inline void find_unplaced_names(const context& dump, sink_ref emit) {
  const buffer_dump& buffers = *dump.buffers();
  const auto& table = dump.get<value_table>();
  std::size_t known = 0;
  for (std::size_t v = 0; v < buffers.values().size(); ++v) known += table.used(v) != nullptr;
  if (known >= buffers.used_values().size()) return;
  std::set<name> placed;
  for (const assigned_value& v : buffers.values()) placed.emplace(v.name.instruction, v.name.at());
  placed.merge(named_elsewhere(buffers));
  detail::tally unplaced;
  for (const used_value& v : buffers.used_values())
    unplaced.add(!placed.count({v.name.instruction, v.name.at()}), v.name.instruction, v.text);
  if (auto d = unplaced.finding_about(buffers, "used values lie in no allocation")) {
    detail::add_maker(dump, unplaced.instruction, *d);
    emit(std::move(*d));
  }
}

/// Reports values whose instruction the HLO has, but which it does not define: they would keep all other values from
/// being compared with the HLO. Many of them are another dialect of XLA's.
inline void find_surplus(const context& dump, const matched_values& values, sink_ref emit) {
  if (!values.flow().is_complete()) return;
  detail::tally surplus;
  for (std::size_t i = 0; i < values.dump().values().size(); ++i) {
    const assigned_value& v = values.dump().values()[i];
    if (!dump.get<instruction_names>().find(v.name.instruction)) return;  // DMP001
    surplus.add(!values.computed(i), v.name.instruction, v.text);
  }
  if (surplus.wrong * 20 > surplus.all) return;
  if (auto d = surplus.finding_about(values.dump(), "assigned values are not values of the HLO")) emit(std::move(*d));
}

/// The HLO and an assignment that belongs to it.
class comparison {
 public:
  comparison(const context& dump, const matched_values& values, sink_ref emit)
      : dump_(dump), values_(values), emit_(emit) {}

  /// Whether no value lacks an allocation.
  bool run() {
    for (const allocation& a : buffers().allocations())
      if (a.parameter) find_unknown_parameter(a);
    for (std::size_t v = 0; v < flow().values().size(); ++v)
      if (const auto assigned = values_.assigned(v)) check_value(v, buffers().values()[*assigned]);
    for (const allocation& a : buffers().allocations()) {
      if (a.parameter && !wrong_.count(&a)) check_parameter_shape(a);
      if (a.output_shape) check_result_shape(a);
    }
    return !find_unplaced();
  }

 private:
  const buffer_dump& buffers() const { return values_.dump(); }
  const dataflow& flow() const { return values_.flow(); }
  hlo_computation entry() const { return flow().module().entry(); }

  void report(const allocation& a, const std::string& message, hlo_instruction about) {
    finding d = detail::allocation_finding(buffers(), a, str_cat({detail::allocation_text(a), " ", message}));
    if (about) d.subject.instruction = std::string(about.name()), d.related.push_back(related_at(about, "in the HLO"));
    emit_(std::move(d));
  }
  void report(const assigned_value& v, const std::string& message) {
    const allocation& in = buffers().allocation_of(v);
    emit_(detail::value_finding(dump_, v, nullptr, str_cat({to_string(v.name), " ", message}),
                                {.bytes = v.size, .related = {{buffers().where(in.text), {}, {}, "the allocation"}}}));
  }

  static bool is_same(std::string_view printed, const shape* part) {
    return part && printed == to_string(*part, {.layout = false});
  }
  static bool is_known(std::string_view printed) { return !printed.empty() && printed.front() != '<'; }

  hlo_instruction parameter_of(const allocation& a) const {
    return flow().tables().parameters.of(entry(), a.parameter->number);
  }
  static std::string parameter_of_text(const allocation& a) {
    return detail::parameter_text(a.parameter->number, a.parameter->index);
  }

  void find_unknown_parameter(const allocation& a) {
    const hlo_instruction p = parameter_of(a);
    if (p && (!p.shape() || p.shape()->at(a.parameter->index))) return;
    wrong_.insert(&a);
    const auto held = a.value_count > 0 ? values_.computed(a.first_value) : std::nullopt;
    report(a, str_cat({"is for ", parameter_of_text(a), ", which the program does not have"}),
           held ? flow().instruction(flow().values()[*held]) : p);
  }
  void check_parameter_shape(const allocation& a) {
    const hlo_instruction p = parameter_of(a);
    const std::string_view printed = a.parameter->shape;
    if (!p.shape() || !is_known(printed) || is_same(printed, p.shape()) ||
        is_same(printed, p.shape()->at(a.parameter->index)))
      return;
    report(a,
           str_cat({"is for ", parameter_of_text(a), " of shape ", printed, ", but ", p.name(), " is ",
                    to_string(*p.shape(), {.layout = false})}),
           p);
  }
  void check_result_shape(const allocation& a) {
    const hlo_instruction root = root_of(entry());
    if (!root || !root.shape() || !is_known(*a.output_shape) || is_same(*a.output_shape, root.shape())) return;
    report(a,
           str_cat({"is for a result of shape ", *a.output_shape, ", but the program returns ",
                    to_string(*root.shape(), {.layout = false})}),
           root);
  }

  void check_value(std::size_t v, const assigned_value& value) {
    const hlo_value& computed = flow().values()[v];
    const hlo_instruction by = flow().instruction(computed);
    const allocation& in = buffers().allocation_of(value);
    const auto where = [&] { return detail::allocation_text(in); };
    if (by.opcode() == hlo_opcode::parameter && by.computation().is_entry()) {
      const auto number = parameter_position(by);
      const shape_index index = flow().index(computed.defined);
      const bool own = in.parameter && number && in.parameter->number == static_cast<std::int64_t>(*number) &&
                       in.parameter->index == index;
      if (own || !number || (in.parameter && !wrong_.insert(&in).second)) return;
      return report(value,
                    str_cat({"is ", detail::parameter_text(static_cast<std::int64_t>(*number), index), ", but lies in ",
                             where(), ", which is for ", in.parameter ? parameter_of_text(in) : "no parameter"}));
    }
    if (in.thread_local_storage && !flow().tables().is_embedded(by.computation()))
      return report(
          value, str_cat({"is a value of the schedule, but lies in ", where(), ", which each thread has for itself"}));
    if (in.constant && by.opcode() != hlo_opcode::constant)
      if (const auto constant = constant_in(in); !constant || !values_.ranges().sets().same(*constant, v))
        return report(
            value, str_cat({"is written into ", where(), ", which holds ",
                            constant ? str_cat({"the constant ", values_.names().text_of(flow().values()[*constant])})
                                     : "a constant"}));
    if (values_.is_result(v) && !in.maybe_live_out)
      report(value,
             str_cat({"is a result of the program, but lies in ", where(), ", which is not marked maybe-live-out"}));
  }
  /// The first constant of an allocation, by its position in the values of the HLO.
  std::optional<std::size_t> constant_in(const allocation& a) const {
    for (std::size_t i = a.first_value; i < a.first_value + a.value_count; ++i)
      if (const auto v = values_.computed(i))
        if (flow().instruction(flow().values()[*v]).opcode() == hlo_opcode::constant) return v;
    return std::nullopt;
  }

  /// Whether a value has no allocation. A backend may give none to any constant.
  bool find_unplaced() {
    if (!flow().module().is_scheduled()) return false;
    const bool with_constants =
        std::ranges::any_of(buffers().allocations(), [](const allocation& a) { return a.constant; });
    std::optional<std::set<name>> elsewhere;  // filled only if a value has no place
    detail::tally unplaced;
    hlo_instruction first;
    for (std::size_t v = 0; v < flow().values().size(); ++v) {
      const hlo_value& computed = flow().values()[v];
      const hlo_instruction by = flow().instruction(computed);
      if (!flow().is_allocated(computed) || (by.opcode() == hlo_opcode::constant && !with_constants)) continue;
      bool wrong = !values_.assigned(v);
      if (wrong) {
        if (!elsewhere) elsewhere = named_elsewhere(buffers());
        wrong = !elsewhere->count({values_.names().name_of(by), flow().index(computed.defined)});
      }
      if (wrong && unplaced.wrong == 0) first = by;
      unplaced.add(wrong, values_.names().name_of(by), {});
    }
    if (first)
      emit_(
          finding_at(first, str_cat({unplaced.wrong, " of ", unplaced.all,
                                     " values of the HLO lie in no allocation; the first is ", unplaced.instruction})));
    return bool(first);
  }

  const context& dump_;
  const matched_values& values_;
  sink_ref emit_;
  std::set<const allocation*> wrong_;  // of parameters, reported
};

}  // namespace mem013

HLOLINT_INLINE void misplaced_value::operator()(const context& dump, sink_ref emit) const {
  if (dump.is_read_in_part() || !dump.buffers()->has_assignment()) return;
  if (dump.hlo() && !dump.hlo()->data().fragment) {
    const auto& values = dump.get<matched_values>();
    if (!values.same_program()) return mem013::find_surplus(dump, values, emit);  // or DMP001
    if (!mem013::comparison(dump, values, emit).run()) return;
  }
  mem013::find_unplaced_names(dump, emit);
}

}  // namespace hlolint
#endif
