// PRF018: a step that computes values again although its device has memory left to keep them.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One finding per module, at the result that is most worth keeping.
struct recomputed_with_room {
  static constexpr rule about{
      .id = "PRF018",
      .name = "recomputed-with-room",
      .costs = cost_kind::time,
      .needs = need::scheduled | need::target,
      .what =
          "The backward pass computes values again (jax.checkpoint), although the device has memory left in which the "
          "forward pass could keep the costliest of them. It is a note if the device is a guess.",
      .why = "Each value is computed twice in every step, and the memory that this saves is not used.",
      .advice =
          "Keep the results named here, those that cost most time for each byte first: name them with "
          "jax.ad_checkpoint.checkpoint_name, and give jax.checkpoint the policy "
          "jax.checkpoint_policies.save_only_these_names.",
      .example =
          "%dot.7 = bf16[8192,8192]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
          "metadata={op_name=\"jit(step)/transpose(jvp())/while/body/checkpoint/rematted_computation/dot_general\"}",
      .source = "time_model.md 6.4; JAX: jax.checkpoint_policies"};

  double min_percent = 5;
  double min_saved_percent = 2;
  static constexpr auto options = std::tuple{option{"min-percent", &recomputed_with_room::min_percent,
                                                    "steps that compute a smaller share of their time again are fine"},
                                             option{"min-saved-percent", &recomputed_with_room::min_saved_percent,
                                                    "what fits has to save at least this share of a step"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/kept_results.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void recomputed_with_room::operator()(const context& dump, sink_ref emit) const {
  constexpr std::size_t most_named = 4;
  if (!dump.hlo()->entry() || dump.target() == target::cpu || dump.device().is_relative()) return;
  const recomputation& again = dump.get<recomputation>();
  const double step = dump.get<exposed_time>().step();
  if (again.keeps().empty() || again.seconds() * 100 < min_percent * step) return;
  const std::optional<byte_count> room = free_memory(dump);
  if (!room) return;
  const kept_results kept(again, *room);
  if (kept.list.empty() || kept.seconds * 100 < min_saved_percent * step) return;
  const bool is_guess = !dump.device_evidence().empty();
  const keepable_result& first = *kept.list.front();
  finding d = finding_at(
      first.instructions.front(),
      str_cat({"~",
               estimate_text(again.seconds()),
               " of a step of ~",
               estimate_text(step),
               " (",
               share_text(again.seconds(), step),
               ") compute values again, while ",
               human(*room),
               " of ",
               memory_for_programs(dump.device()),
               is_guess ? " (a guess)" : "",
               " stay free: ",
               kept.list.size() == 1 ? std::string("one result") : std::to_string(kept.list.size()) + " results",
               ", ",
               human(kept.bytes),
               ", could be kept, which saves ~",
               estimate_text(kept.seconds),
               " (",
               share_text(kept.seconds, step),
               ")"}));
  if (is_guess) d.level = severity::note;
  d.advice = how_to_keep(kept.list);
  for (std::size_t k = 0; k < kept.list.size(); ++k) {
    const keepable_result& one = *kept.list[k];
    for (const hlo_instruction i : one.saves) d.saves.push_back({i, one.saved_share()});
    if (k < most_named)
      d.related.push_back(related_at(one.instructions.front(), str_cat({"saves ~", estimate_text(one.seconds), " for ",
                                                                        human(one.bytes), ": ", kept_text(one)})));
  }
  emit(std::move(d));
}

}  // namespace hlolint
#endif
