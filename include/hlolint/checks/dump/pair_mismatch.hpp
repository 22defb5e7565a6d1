// DMP001: HLO and a buffer dump that do not belong to one module.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Names, shapes of values, their layouts, and order must agree in both files. At most one finding for each of the
/// four.
struct pair_mismatch {
  static constexpr rule about{
      .id = "DMP001",
      .name = "pair-mismatch",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::hlo | need::buffers,
      .what =
          "The buffer dump names instructions that the HLO does not have, gives their values other shapes or layouts, "
          "or "
          "lists them in another order.",
      .why = "The two files come from different compilations, so every finding that needs both is worthless.",
      .advice =
          "Give the files of one compilation: same folder, same name up to the ending. Dump again into an "
          "empty --xla_dump_to folder.",
      .example =
          "HLO:  %add.1 = f32[8]{0} add(%p.0, %p.1)\n"
          "dump:  value: <2 add.2 @0> (size=32,offset=0): f32[8]{0}",
      .source = "XLA: dump.cc writes all files of a module at once"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/dump/tally.hpp>

#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void pair_mismatch::operator()(const context& dump, sink_ref emit) const {
  if (dump.is_read_in_part() || dump.hlo()->data().fragment) return;  // not all of the program is there
  const buffer_dump& buffers = *dump.buffers();
  const auto& names = dump.get<instruction_names>();
  std::vector<bool> seen(dump.hlo()->instruction_count());  // each instruction counts once
  std::unordered_set<std::string_view> strangers;
  detail::tally unknown, reshaped, laid_out, misplaced;

  const auto look_up = [&](std::string_view name, std::string_view text) {
    const hlo_instruction i = names.find(name);
    if (i ? !seen[i.id()] : strangers.insert(name).second) unknown.add(!i, name, text);
    if (i) seen[i.id()] = true;
    return i;
  };
  for (const assigned_value& value : buffers.values()) {
    const hlo_instruction maker = look_up(value.name.instruction, value.text);
    const shape* const whole = maker ? maker.shape() : nullptr;
    if (!whole) continue;
    const shape* const part = whole->at(value.name.at());
    const bool fits = part && compatible(*part, buffers.shape(value));
    reshaped.add(!fits, value.name.instruction, value.text);
    if (fits && part->layout && buffers.shape(value).layout)
      laid_out.add(*part->layout != *buffers.shape(value).layout, value.name.instruction, value.text);
  }
  if (const live_range_block* const block = buffers.live_ranges()) {
    std::vector<id> last(dump.hlo()->computation_count(), none);  // in each computation, the latest so far
    for (const std::string_view name : block->sequence) {
      const hlo_instruction i = look_up(name, name);
      if (!i || !dump.hlo()->is_scheduled()) continue;
      id& before = last[i.computation().id()];
      misplaced.add(before != none && i.id() < before, name, name);
      if (before == none || i.id() > before) before = i.id();
    }
  }

  const auto add = [&](const detail::tally& t, std::string_view what) {
    std::optional<finding> d = t.finding_about(buffers, what);
    if (!d) return;
    if (const hlo_instruction i = names.find(t.instruction)) d->related.push_back(related_at(i, "in the HLO"));
    emit(std::move(*d));
  };
  add(unknown, "instructions that the buffer dump names are not in the HLO");
  add(reshaped, "values have another shape than in the HLO");
  add(laid_out, "values have another layout than in the HLO");
  add(misplaced, "instructions of the schedule stand in another order in the HLO");
}

}  // namespace hlolint
#endif
