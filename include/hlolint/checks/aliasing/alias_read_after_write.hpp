// ALI004: a value that is read after another one has overwritten it.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 5.6. A warning, since XLA's rules on which values share a buffer change.
struct alias_read_after_write {
  static constexpr rule about{
      .id = "ALI004",
      .name = "alias-read-after-write",
      .costs = cost_kind::nothing,
      .needs = need::scheduled,
      .what =
          "An instruction reads a value, or returns it, after another value was written to the same buffer, which the "
          "two share by donation, a loop or an in-place operation.",
      .why =
          "The instruction reads the new bytes. XLA merges such values without looking at their readers and "
          "relies on copies that an earlier pass inserts; one of these copies is missing.",
      .advice =
          "If the module is the final one, keep it and report a bug of copy insertion. Until it is fixed, do "
          "not donate the argument, or copy it before the update.",
      .example =
          "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }\n"
          "  %n = f32[8]{0} negate(%p)\n"
          "  %z = f32[8]{0} sine(%p)\n"
          "  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%n, %z)",
      .source = "jax #39625, #39100; XLA: copy_insertion.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/schedule/clobbers.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <string>

namespace hlolint {

HLOLINT_INLINE void alias_read_after_write::operator()(const context& dump, sink_ref emit) const {
  if (!may_merge_values(*dump.hlo())) return;
  const auto& facts = dump.get<clobbers>();
  const dataflow& flow = facts.ranges().flow();
  const auto text_of = [&](const hlo_value& v) {
    const shape_index index = flow.index(v.defined);
    return str_cat({flow.instruction(v).name(), index.empty() ? "" : to_string(index)});
  };
  for (const clobber& found : facts) {
    const hlo_value &earlier = flow.values()[found.earlier], &later = flow.values()[found.later];
    const std::string written =
        str_cat({text_of(later), " has overwritten it at position ", facts.ranges().untrimmed(found.later)->start});
    emit(finding_at(
        found.reader,
        found.why == value_need::kept
            ? str_cat({text_of(earlier), " has to last, but ", written})
            : str_cat({found.reader.name(), found.why == value_need::returned ? " returns " : " reads ",
                       text_of(earlier), found.why == value_need::in_flight ? " until position " : " at position ",
                       found.position, ", but ", written}),
        {.related = {related_at(flow.instruction(earlier), "the value that is read"),
                     related_at(flow.instruction(later), "overwrites it")}}));
  }
}

}  // namespace hlolint
#endif
