// PRF004: an array that a loop carries and copies in every iteration.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for copies of an element of the body's parameter, or into an element of its root, that do not change the
/// layout (PRF002), also in slices. Those between memory spaces count by their time alone.
struct copy_in_loop {
  static constexpr rule about{
      .id = "PRF004",
      .name = "copy-in-loop",
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what = "A while loop copies a big array that it carries from iteration to iteration.",
      .why =
          "Carried arrays can be updated in place. The copy moves the whole array in every iteration and needs a "
          "second buffer.",
      .advice =
          "XLA inserts the copy when the old value is still read after the new one is written: move that read "
          "before the update, or carry the two values in different elements. If the new value needs all of the old "
          "one, unroll the loop by two (unroll=2 of jax.lax.scan): two buffers then take turns.",
      .example =
          "%old = f32[4096,4096]{1,0} get-tuple-element(%loop_parameter), index=1\n"
          "%copy.1 = f32[4096,4096]{1,0} copy(%old)",
      .source = "XLA: copy_insertion.cc; openxla/xla #45912"};

  byte_count min_bytes = 16_MiB;
  double min_percent = 0.1;
  double much_percent = 5;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &copy_in_loop::min_bytes, "smaller arrays are not reported (one iteration)"},
                 option{"min-percent", &copy_in_loop::min_percent,
                        "percent of the time of a step: copies that take less are not reported"},
                 option{"much-percent", &copy_in_loop::much_percent,
                        "percent of the time of a step: copies that take more are reported, however small the array"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/reassembly.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/layout_order.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

namespace prf004 {

inline constexpr std::size_t max_named = 3, max_followed = 64;

/// A copy from the old value of a carried array, or into its new value.
struct carried_copy {
  hlo_instruction copy;
  byte_count bytes = 0;
  std::optional<std::int64_t> element;  ///< of the carried tuple, if that is what a body carries
  bool of_old = false;
  bool moves = false;                ///< to another memory space
  hlo_instruction again;             ///< copies the new value of the same element
  std::optional<std::int64_t> also;  ///< another element that carries the same value
};

inline std::optional<carried_copy> find(hlo_instruction i, const context& dump) {
  const hlo_instruction copy = dump.get<sole_operations>().of(i);
  if (!copy || copy.opcode() != hlo_opcode::copy || i.operand_count() != 1 || !i.shape() || !i.shape()->is_array())
    return std::nullopt;
  const shape* const from = shape_of_operand(i, 0);
  if (!from || differs_in_order(*i.shape(), *from)) return std::nullopt;
  const bool moves = from->memory_space() != i.shape()->memory_space();
  if (moves && (dump.target() != target::tpu || is_in_host(from) || is_in_host(i.shape()))) return std::nullopt;
  const auto bytes = dense_size(*i.shape());
  if (!bytes) return std::nullopt;
  // A copy that several instructions read spares all but one of them the way to HBM.
  if (moves && detail::readers_of(i, dump.get<users>()).list.size() > 1) return std::nullopt;
  if (const auto slot = dump.get<carried_elements>().of(i.operand(0)))
    return carried_copy{i, *bytes, slot, true, moves, {}, {}};
  const root_element into = dump.get<root_elements>().of(i);
  if (!into.reached) return std::nullopt;
  carried_copy found{i, *bytes, into.element, false, moves, {}, {}};
  hlo_instruction source = i.operand(0);
  for (std::size_t steps = 0; source && into.element && !found.also && steps < max_followed; ++steps) {
    const root_element other = dump.get<root_elements>().of(source);
    if (other.reached && other.element && other.element != into.element) found.also = other.element;
    source =
        source.opcode() == hlo_opcode::bitcast && source.operand_count() == 1 ? source.operand(0) : hlo_instruction{};
  }
  return found;
}

/// Whether a copy is worth a finding.
inline bool counts(const carried_copy& found, const copy_in_loop& limits, const context& dump) {
  constexpr double least_seconds = 50e-6;  // of small arrays
  const double step = dump.get<exposed_time>().step();
  const auto time = dump.get<instruction_times>().of(found.copy);
  if (!time || step <= 0) return found.bytes >= limits.min_bytes && !found.moves;
  const double seconds = time->seconds * time->runs, percent = 100 * seconds / step;
  if (found.bytes >= limits.min_bytes && !found.moves) return percent >= limits.min_percent;
  return percent >= limits.much_percent && seconds >= least_seconds && !dump.device().is_relative();
}

/// ` from HBM to VMEM`
inline std::string moved_text(const carried_copy& c, target on) {
  return str_cat({" from ", memory_space_name(on, shape_of_operand(c.copy, 0)->memory_space()), " to ",
                  memory_space_name(on, c.copy.shape()->memory_space())});
}

inline void report_copy(hlo_instruction loop, const carried_copy& c, const context& dump, sink_ref emit) {
  const hlo_instruction i = c.copy;
  const auto& all_loops = dump.get<loops>();
  finding d = finding_at(
      i,
      str_cat({"the loop copies ", human(c.bytes), " that it carries",
               c.of_old ? str_cat({" in element ", *c.element}) : "", c.moves ? moved_text(c, dump.target()) : "",
               c.again ? " twice, before and after it is updated" : "",
               c.also ? str_cat({" in element ", *c.element, ", and that element ", *c.also, " carries too,"}) : "",
               repetition_text(all_loops, i.computation()), " (", detail::position_text(i), ")"}),
      {.bytes = c.again ? (checked_int64(c.bytes) * 2).clamped() : c.bytes, .saves = {{i}}});
  if (c.again) {
    d.saves.push_back({c.again});
    d.advice =
        "The old value is still read after the array is updated, so that the update goes into a copy, which is copied "
        "back at the end. Read what is needed of the old value before the first update.";
    d.related.push_back(related_at(c.again, "copies its new value"));
  }
  if (c.also)
    d.advice =
        "One value stands twice in what the loop carries, and two elements cannot share a buffer. Carry it once and "
        "read that element at both places.";
  if (c.moves)
    d.advice =
        "The array does not stay where the loop works on it. Unroll the loop (unroll=4 of jax.lax.scan or fori_loop), "
        "so that several iterations work on one copy, or carry less, so that it can stay there.";
  if (std::string other = detail::advice_on_expansion(loop); !other.empty()) d.advice = std::move(other);
  d.related.push_back(related_at(loop, "the loop"));
  if (c.moves) return emit(std::move(d));
  std::size_t named = 0;
  if (const hlo_instruction source = i.operand(0))
    for (const instruction_use use : dump.get<users>().of(source))
      if (!(use.user == i) && (!c.of_old || use.user.id() > i.id()) && named++ < max_named)
        d.related.push_back(related_at(
            use.user, c.of_old ? "reads the old value after it was copied" : "uses the value that is copied"));
  emit(std::move(d));
}

/// Reports an array that the loop takes apart and puts together again.
inline void check_reassembly(hlo_instruction loop, hlo_computation body, std::size_t element,
                             const copy_in_loop& limits, const context& dump, sink_ref emit) {
  const hlo_instruction value = operand_of(body.root(), element);
  const auto bytes = value && value.shape() && value.shape()->is_array() ? dense_size(*value.shape()) : std::nullopt;
  if (!bytes || *bytes < limits.min_bytes) return;
  const auto found = reassembly_of(body, element);
  if (!found) return;
  const double step = dump.get<exposed_time>().step();
  double seconds = 0;
  std::vector<saved_time> saves;
  for (const hlo_instruction i : found->moves) {
    saves.push_back({i});
    if (const auto time = dump.get<instruction_times>().of(i)) seconds += time->seconds * time->runs;
  }
  if (step > 0 && 100 * seconds / step < limits.min_percent) return;
  emit(finding_at(
      found->last,
      str_cat({"the loop takes ", human(*bytes), " that it carries in element ", element, " apart into ", found->parts,
               " slices and puts them together again", repetition_text(dump.get<loops>(), body), " (",
               detail::position_text(found->last), ")"}),
      {.bytes = *bytes,
       .saves = std::move(saves),
       .related = {related_at(loop, "the loop")},
       .advice = "Update the whole array in place (array.at[k, ...].set(...) or jax.lax.dynamic_update_slice, with the "
                 "number of the slice as an index), or carry the slices as arrays of their own, in a list, and stack "
                 "them after the loop."}));
}

inline void check(hlo_instruction loop, hlo_computation body, const copy_in_loop& limits, const context& dump,
                  sink_ref emit) {
  std::vector<carried_copy> found;
  for (const hlo_instruction i : body.instructions())
    if (auto copy = find(i, dump); copy && counts(*copy, limits, dump)) found.push_back(std::move(*copy));
  // An array that is copied at the beginning of an iteration and again at its end is one finding.
  std::map<std::int64_t, std::size_t> of_old;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k].of_old && found[k].element && !found[k].moves) of_old.emplace(*found[k].element, k);
  std::vector<bool> is_second(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const bool can_be_second = !found[k].of_old && !found[k].moves && found[k].element;
    const auto old = can_be_second ? of_old.find(*found[k].element) : of_old.end();
    if (old == of_old.end() || found[old->second].again) continue;
    found[old->second].again = found[k].copy, is_second[k] = true;
  }
  for (std::size_t k = 0; k < found.size(); ++k)
    if (!is_second[k]) report_copy(loop, found[k], dump, emit);
  for (std::size_t k = 0; k < body.root().operand_count(); ++k) check_reassembly(loop, body, k, limits, dump, emit);
}

}  // namespace prf004

HLOLINT_INLINE void copy_in_loop::operator()(const context& dump, sink_ref emit) const {
  for (const auto& [loop, body] : detail::loop_parts(dump, 0))
    if (body.root()) prf004::check(loop, body, *this, dump, emit);
}

}  // namespace hlolint
#endif
