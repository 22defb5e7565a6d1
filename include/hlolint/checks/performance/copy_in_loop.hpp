// PRF004: an array that a loop carries and copies in every iteration.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for copies of an element of the body's parameter, or into an element of its root, that change neither layout
/// (PRF002) nor memory space.
struct copy_in_loop {
  static constexpr rule about{
      .id = "PRF004",
      .name = "copy-in-loop",
      .costs = cost_kind::time,
      .what = "A while loop copies a big array that it carries from iteration to iteration.",
      .why = "Carried arrays can be updated in place. The copy moves the whole array in every iteration and needs a "
             "second buffer.",
      .advice = "XLA inserts the copy when the old value is still read after the new one is written: move that read "
                "before the update, or carry the two values in different elements.",
      .example = "%old = f32[4096,4096]{1,0} get-tuple-element(%loop_parameter), index=1\n"
                 "%copy.1 = f32[4096,4096]{1,0} copy(%old)",
      .source = "XLA: copy_insertion.cc; openxla/xla #45912"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &copy_in_loop::min_bytes, "smaller arrays are not reported (one iteration)"}};

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/checks/program_code.hpp>

namespace hlolint {

struct copy_in_loop::code {
  /// A copy from the old value of a carried array, or into its new value.
  struct carried_copy {
    hlo_instruction copy;
    byte_count bytes = 0;
    optional<std::int64_t> element;  ///< of the carried tuple, if that is what a body carries
    bool of_old = false;
    hlo_instruction again;  ///< copies the new value of the same element
    optional<std::int64_t> also;  ///< another element that carries the same value
  };

  static void check(hlo_instruction loop, hlo_computation body, byte_count min_bytes, const context& dump,
                    sink_ref report) {
    record_list<carried_copy> found;
    for (const hlo_instruction i : body.instructions())
      if (auto copy = find(i, min_bytes, dump)) found.push_back(std::move(*copy));
    // An array that is copied at the beginning of an iteration and again at its end is one finding.
    ordered_map<std::int64_t, std::size_t> of_old;
    for (std::size_t k = 0; k < found.size(); ++k)
      if (found[k].of_old && found[k].element) of_old.emplace(*found[k].element, k);
    record_list<bool> is_second(found.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto old = found[k].of_old || !found[k].element ? of_old.end() : of_old.find(*found[k].element);
      if (old == of_old.end() || found[old->second].again) continue;
      found[old->second].again = found[k].copy, is_second[k] = true;
    }
    for (std::size_t k = 0; k < found.size(); ++k)
      if (!is_second[k]) report_copy(loop, found[k], dump, report);
  }

  static optional<carried_copy> find(hlo_instruction i, byte_count min_bytes, const context& dump) {
    const hlo_instruction copy = dump.get<sole_operations>().of(i);
    if (!copy || copy.opcode() != hlo_opcode::copy || i.operand_count() != 1 || !i.shape() || !i.shape()->is_array())
      return std::nullopt;
    const shape* const from = shape_of_operand(i, 0);
    if (!from || differs_in_order(*i.shape(), *from) || from->memory_space() != i.shape()->memory_space())
      return std::nullopt;
    const auto bytes = dense_size(*i.shape());
    if (!bytes || *bytes < min_bytes) return std::nullopt;
    if (const auto slot = dump.get<carried_elements>().of(i.operand(0)))
      return carried_copy{i, *bytes, slot, true, {}, {}};
    const root_element into = dump.get<root_elements>().of(i);
    if (!into.reached) return std::nullopt;
    carried_copy found{i, *bytes, into.element, false, {}, {}};
    hlo_instruction source = i.operand(0);
    for (std::size_t steps = 0; source && into.element && !found.also && steps < max_followed; ++steps) {
      const root_element other = dump.get<root_elements>().of(source);
      if (other.reached && other.element && other.element != into.element) found.also = other.element;
      source = source.opcode() == hlo_opcode::bitcast && source.operand_count() == 1 ? source.operand(0)
                                                                                   : hlo_instruction{};
    }
    return found;
  }

  static void report_copy(hlo_instruction loop, const carried_copy& c, const context& dump, sink_ref report) {
    const hlo_instruction i = c.copy;
    const auto& all_loops = dump.get<loops>();
    finding d = finding_at(i,
        str_cat({"the loop copies ", human(c.bytes), " that it carries",
                 c.of_old ? str_cat({" in element ", *c.element}) : "",
                 c.again ? " twice, before and after it is updated" : "",
                 c.also ? str_cat({" in element ", *c.element, ", and that element ", *c.also, " carries too,"}) : "",
                 repetition_text(all_loops, i.computation()), " (", detail::position_text(i), ")"}),
        {.bytes = c.again ? (checked_int64(c.bytes) * 2).clamped() : c.bytes, .saves = {{i}}});
    if (c.again) {
      d.saves.push_back({c.again});
      d.advice =
          "The old value is still read after the array is updated, so that the update goes into a copy, "
          "which is copied "
          "back at the end. Read what is needed of the old value before the first update.";
      d.related.push_back(related_at(c.again, "copies its new value"));
    }
    if (c.also)
      d.advice =
          "One value stands twice in what the loop carries, and two elements cannot share a buffer. Carry it once and "
          "read that element at both places.";
    d.related.push_back(related_at(loop, "the loop"));
    std::size_t named = 0;
    if (const hlo_instruction source = i.operand(0))
      for (const instruction_use use : dump.get<users>().of(source))
        if (!(use.user == i) && (!c.of_old || use.user.id() > i.id()) && named++ < max_named)
          d.related.push_back(related_at(use.user, c.of_old ? "reads the old value after it was copied"
                                                            : "uses the value that is copied"));
    report(std::move(d));
  }

  static constexpr std::size_t max_named = 3, max_followed = 64;
};

HLOLINT_INLINE void copy_in_loop::operator()(const context& dump, sink_ref report) const {
  for (const auto& [loop, body] : detail::loop_parts(dump, 0))
    if (body.root()) code::check(loop, body, min_bytes, dump, report);
}

}  // namespace hlolint
#endif
