// Whether an edit of a schedule adds findings about memory and aliasing (advise.md 2, check f).
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/tool/compiled.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace hlolint {

class memory_estimate;

/// Compares the MEM and ALI findings of a module with those of its edited form, each with the buffers that follow from
/// its HLO. Notes do not count.
class edited_findings {
 public:
  /// Precondition: the module has HLO and is scheduled.
  explicit edited_findings(const context& before);

  /// Rule and message of the first finding that only the edited module has; empty if there is none.
  std::string first_new(const hlo_module& edited) const;

 private:
  using key = std::pair<std::string, std::string>;  // rule, and the instruction (a clone counts as its original)
  struct counted {
    std::size_t count = 0;
    std::string message;
  };
  static std::map<key, counted> found_in(const memory_estimate& assigned);
  std::map<key, counted> found_in(const hlo_module& module) const;

  context::parts like_;
  std::map<key, counted> before_;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/checks/aliasing/alias_duplicate.hpp>
#include <hlolint/checks/aliasing/alias_read_after_write.hpp>
#include <hlolint/checks/aliasing/alias_size_mismatch.hpp>
#include <hlolint/checks/aliasing/donation_defeated.hpp>
#include <hlolint/checks/aliasing/dus_not_in_place.hpp>
#include <hlolint/checks/aliasing/dus_self_overlap.hpp>
#include <hlolint/checks/aliasing/must_alias_not_honoured.hpp>
#include <hlolint/checks/aliasing/operand_alias_invalid.hpp>
#include <hlolint/checks/aliasing/outputs_share_bytes.hpp>
#include <hlolint/checks/memory/async_operand_overwritten.hpp>
#include <hlolint/checks/memory/live_out_clobbered.hpp>
#include <hlolint/checks/memory/live_range_disagreement.hpp>
#include <hlolint/checks/memory/memory_space_mismatch.hpp>
#include <hlolint/checks/memory/misaligned_offset.hpp>
#include <hlolint/checks/memory/overlapping_live_buffers.hpp>
#include <hlolint/checks/memory/partial_overlap_in_place.hpp>
#include <hlolint/checks/memory/size_shape_mismatch.hpp>
#include <hlolint/checks/memory/touching_not_shareable.hpp>
#include <hlolint/checks/memory/use_after_range.hpp>
#include <hlolint/checks/memory/value_exceeds_allocation.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/lint/memory_estimate.hpp>

#include <string_view>

namespace hlolint {

namespace detail {
// The rules that need only the buffers of a module.
inline constexpr auto rules_of_edits =
    catalogue<overlapping_live_buffers, touching_not_shareable, partial_overlap_in_place, value_exceeds_allocation,
              size_shape_mismatch, misaligned_offset, use_after_range, memory_space_mismatch, live_out_clobbered,
              async_operand_overwritten, live_range_disagreement, alias_size_mismatch, alias_duplicate,
              outputs_share_bytes, alias_read_after_write, donation_defeated, must_alias_not_honoured,
              operand_alias_invalid, dus_self_overlap, dus_not_in_place>{};
}  // namespace detail

HLOLINT_INLINE edited_findings::edited_findings(const context& before) {
  like_.target = before.target();
  like_.device = before.known_device(), like_.device_evidence = before.device_evidence();
  like_.flags = before.flags(), like_.xla_date = before.xla_date();
  if (before.buffers()) like_.buffers = *before.buffers();  // they show the version of XLA
  before_ = found_in(before.get<memory_estimate>());        // which others may have asked for
}

HLOLINT_INLINE std::map<edited_findings::key, edited_findings::counted> edited_findings::found_in(
    const hlo_module& module) const {
  context::parts parts;
  parts.hlo = module, parts.buffers = like_.buffers, parts.target = like_.target;
  parts.flags = like_.flags;
  parts.device = like_.device, parts.device_evidence = like_.device_evidence, parts.xla_date = like_.xla_date;
  return found_in(memory_estimate(context(std::move(parts))));
}

HLOLINT_INLINE std::map<edited_findings::key, edited_findings::counted> edited_findings::found_in(
    const memory_estimate& assigned) {
  std::map<key, counted> out;
  for (const diagnostic& d : lint(detail::rules_of_edits, assigned.module())) {
    if (d.level < severity::warning) continue;
    const std::string_view about = d.instruction;
    counted& entry = out[{std::string(d.rule), std::string(about.substr(0, about.find(".remat")))}];
    ++entry.count;
    if (entry.message.empty()) entry.message = d.message;
  }
  return out;
}

HLOLINT_INLINE std::string edited_findings::first_new(const hlo_module& edited) const {
  for (const auto& [about, found] : found_in(edited)) {
    const auto old = before_.find(about);
    if (old == before_.end() || old->second.count < found.count) return about.first + ": " + found.message;
  }
  return {};
}

}  // namespace hlolint
#endif
