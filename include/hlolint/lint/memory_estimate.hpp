// A module with its memory: the dumped buffers, with live ranges computed from the HLO if there are none, or, without a
// dump, buffers as XLA assigns them.
#pragma once

#include <hlolint/analysis/assignment/assignment_doubt.hpp>
#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/assignment/buffer_plan.hpp>
#include <hlolint/analysis/assignment/xla_period.hpp>
#include <hlolint/analysis/buffers/assigned_buffers.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_summary.hpp>
#include <hlolint/text/bytes.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Describes buffers computed from the HLO by the rules of its XLA.
inline constexpr std::string_view assigned_words =
    "as XLA assigns it, from the schedule of the HLO: code and what the run time reserves are not in it, and equal "
    "values may have each other's places";
/// Describes estimated buffers; the reason follows.
inline constexpr std::string_view estimate_words =
    "estimated from the schedule of the HLO alone: the temporary memory that XLA assigns may be larger or smaller, as ";

/// Describes computed live ranges.
inline constexpr std::string_view computed_ranges_words =
    "when values live is not in the dump: it follows from the schedule of the HLO";

namespace detail {
/// All parts of a context but its buffers and their description.
inline context::parts parts_beside_memory(const context& of) {
  context::parts parts = of.made_of();
  parts.buffers.reset(), parts.memory_words.clear();
  parts.memory_from = memory_origin::dumped;
  return parts;
}
}  // namespace detail

/// The period of a module's XLA: the given date, else the one that its texts show. Precondition: there is HLO.
inline xla_period xla_period_of(const context& of) {
  return of.xla_date() ? xla_period{*of.xla_date(), *of.xla_date()} : period_of(*of.hlo(), of.buffers());
}

/// The rules by which the XLA that most likely compiled a module assigns its buffers, if there is enough memory
/// (`likely_buffers`). Precondition: there is HLO.
inline assignment_rules rules_of_assignment(const context& of) {
  assignment_rules rules = assignment_rules::of(of.target(), xla_period_of(of).likely());
  const std::string chip = of.certain_device().name;
  if (chip == "tpu-v4" || chip == "tpu-v5e") rules.sizes = size_rule::tpu_tiled_v5e;
  if (chip == "tpu-v2" || chip == "tpu-v3") rules.sizes = size_rule::tpu_tiled_v3;
  return of.is_out_of_memory() ? rules.of_failure() : rules;
}

/// The assignment of a module's buffers by the rules of the XLA that most likely compiled it; an analysis for
/// `context::get`. Precondition: the module is scheduled.
struct likely_buffers {
  /// Uses only the module's text; dumped buffers only show the version of XLA.
  explicit likely_buffers(const context& of) : likely_buffers(of, rules_of_assignment(of)) {}

  std::unique_ptr<const buffer_assignment> made;  ///< the assignment
  buffer_plan plan;                               ///< what it gives for the order of the text

 private:
  likely_buffers(const context& of, const assignment_rules& usual)
      : made(std::make_unique<const buffer_assignment>(
            std::make_shared<const alias_sets>(dataflow(of.share<module_tables>(), usual.values)), usual)),
        plan(made->plan()) {
    // Where libtpu's own packing leaves too little of the memory, it tries two tighter ones (assignment.md 11).
    constexpr byte_count left = 2563_MiB;  // 2.5 GiB, and what is reserved
    const byte_count most = usable_memory(of.certain_device()) - left;
    if (!usual.is_libtpu() || of.is_out_of_memory() || most <= 0) return;
    assignment_rules largest_first = usual;
    largest_first.in_program_order = false;
    for (const assignment_rules& tighter : {largest_first, usual.of_failure()}) {
      if (plan.need <= most) return;
      made = std::make_unique<const buffer_assignment>(made->share_sets(), tighter);
      plan = made->plan();
    }
  }
};

/// A module with buffers computed from its HLO; an analysis for `context::get`. Precondition: the module is scheduled.
class memory_estimate {
 public:
  /// Uses only the module's text; dumped buffers only show the version of XLA.
  explicit memory_estimate(const context& of) {
    if (const likely_buffers* const known = of.known<likely_buffers>()) {
      estimate(of, *known);
      with_buffers_->take(known->made->share_sets());
    } else {
      estimate(of, likely_buffers(of));  // not kept, since it is large
    }
  }
  /// From the module's assignment, which is not referred to afterwards.
  memory_estimate(const context& of, const likely_buffers& likely) { estimate(of, likely); }
  /// The module with computed buffers.
  const context& module() const { return *with_buffers_; }

 private:
  void estimate(const context& of, const likely_buffers& likely) {
    const xla_period period = xla_period_of(of);
    const std::string doubt = assignment_doubt(*likely.made, likely.plan, of.target(), period);
    context::parts parts = detail::parts_beside_memory(of);
    parts.buffers = assigned_buffers(*likely.made, likely.plan, of.get<instruction_names>(), period.likely());
    parts.memory_from = doubt.empty() ? memory_origin::assigned : memory_origin::estimated;
    parts.memory_words = doubt.empty() ? std::string(assigned_words) : std::string(estimate_words) + doubt;
    with_buffers_ = std::make_unique<context>(std::move(parts));
    with_buffers_->take_over<instruction_names>(of);
    with_buffers_->take_over<module_tables>(of);
  }

  std::unique_ptr<context> with_buffers_;
};

/// A module whose dump has no live ranges, completed from the HLO. Precondition: there is an assignment, and the module
/// is scheduled.
class memory_completion {
 public:
  /// Uses the module's text and the assignment.
  explicit memory_completion(const context& of) : made_(of.share<completed_dump>()) {
    if (!made_->dump()) return;
    context::parts parts = detail::parts_beside_memory(of);
    parts.buffers = *made_->dump();
    parts.memory_words = std::string(computed_ranges_words);
    with_ranges_ = std::make_unique<context>(std::move(parts));
    with_ranges_->take_over<live_ranges>(of);
    with_ranges_->take_over<alias_sets>(of);
    with_ranges_->take_over<module_tables>(of);
    with_ranges_->take_over<instruction_names>(of);
  }
  /// The completed module; null if HLO and dump are not of one program.
  const context* module() const { return with_ranges_.get(); }

 private:
  std::shared_ptr<const completed_dump> made_;  // keeps names
  std::unique_ptr<context> with_ranges_;
};

/// Whether a text has its entry: a computation that is marked so, or at least one that was read in full.
inline bool has_whole_entry(const hlo_module& module) {
  const hlo_computation entry = module.entry();
  return entry && (entry.is_marked_entry() ||
                   (entry.is_complete() && !module.attribute(attribute_key::entry_computation_layout)));
}

namespace detail {

inline bool computes_memory(const context& module) {
  return module.has(need::scheduled) && !module.has(need::buffers | need::live_ranges) &&
         has_whole_entry(*module.hlo());
}

}  // namespace detail

/// The module with memory: unchanged if it has an assignment with live ranges or is not scheduled; otherwise with live
/// ranges, or also an assignment (`context::memory_from`), computed from its HLO. The reference stays valid as long as
/// the module. All readers of memory use this, so that their numbers agree.
inline const context& with_memory(const context& module) {
  if (!detail::computes_memory(module)) return module;
  if (!module.has(need::buffers)) return module.get<memory_estimate>().module();
  const context* const completed = module.get<memory_completion>().module();
  return completed ? *completed : module;
}

/// `with_memory(module)`; null if it would have to be computed first.
inline const context* known_memory(const context& module) {
  const bool is_computed = detail::computes_memory(module);
  const bool is_known = module.has(need::buffers) ? module.known<memory_completion>() != nullptr
                                                  : module.known<memory_estimate>() != nullptr;
  return is_computed && !is_known ? nullptr : &with_memory(module);
}

/// The total of the `memory_need` of `with_memory(module)`, without its values and live ranges if they are not known
/// yet; nothing if it has no buffers.
inline std::optional<byte_count> needed_memory(const context& module) {
  const bool is_planned = detail::computes_memory(module) && !module.has(need::buffers);
  if (is_planned && !module.known<memory_estimate>()) return likely_buffers(module).plan.need;
  const context& with = is_planned ? with_memory(module) : module;
  return with.has(need::buffers) ? std::optional(memory_need(*with.buffers(), module.target()).total) : std::nullopt;
}

/// The memory of a module for baselines and comparisons (buffer_dumps.md 9): what counts in its need, so on a TPU that
/// of HBM. For an estimate pass `with_memory(dump)`.
inline memory_summary memory_summary_of(const context& dump) {
  memory_summary out;
  out.module = std::string(module_without_number(dump.name()));
  if (!dump.buffers()) return out;
  for (const allocation& a : dump.buffers()->allocations())
    if (a.preallocated_temp && memory_need::counts(a, dump.target()))
      out.temp = (checked_int64(out.temp) + a.size).clamped();
  out.total = memory_need(*dump.buffers(), dump.target()).total;
  if (dump.buffers()->live_ranges()) out.peak = main_curve(dump.get<occupancy>(), dump.target()).peak();
  return out;
}

}  // namespace hlolint
