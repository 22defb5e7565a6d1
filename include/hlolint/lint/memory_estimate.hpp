// The one way to what a module takes: the buffers that were dumped or, without them, those that XLA assigns to the
// schedule.
#pragma once

#include <hlolint/analysis/assignment/likely_rules.hpp>
#include <hlolint/analysis/buffers/assigned_buffers.hpp>
#include <hlolint/lint/context.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// What buffers are that follow from the HLO and the rules of its XLA, in words for people.
inline constexpr std::string_view assigned_words =
    "as XLA assigns it, from the schedule of the HLO: code and what the run time reserves are not in it, and equal "
    "values may have each other's places";
/// What an estimate of buffers is; the reason follows.
inline constexpr std::string_view estimate_words =
    "estimated from the schedule of the HLO alone: the temporary memory that XLA assigns may be larger or smaller, as ";

/// A module with the buffers that follow from its HLO, which a context makes once (`context::get`). Precondition: the
/// module is scheduled.
class memory_estimate {
 public:
  /// Of the module's text alone: what was dumped of its buffers only shows the version of XLA.
  explicit memory_estimate(const context& of) {
    const xla_period period = of.xla_date() ? xla_period{*of.xla_date(), *of.xla_date()}
                                            : period_of(*of.hlo(), of.buffers());
    const buffer_assignment made(*of.hlo(), assignment_rules::of(of.target(), period.likely()));
    const likely_assignment found = assign_likely(made, of.target(), period);
    context::parts parts;
    parts.hlo = *of.hlo();
    parts.buffers = assigned_buffers(made, found.plan);
    parts.target = of.target();
    parts.name = of.name();
    parts.files = of.files();
    parts.device = of.known_device(), parts.device_evidence = of.device_evidence();
    parts.xla_date = of.xla_date();
    if (of.agreed_memory()) parts.compared_with.agreed = *of.agreed_memory();
    parts.memory_from = found.doubt.empty() ? memory_origin::assigned : memory_origin::estimated;
    parts.memory_words =
        found.doubt.empty() ? std::string(assigned_words) : std::string(estimate_words) + found.doubt;
    with_buffers_ = std::make_unique<const context>(std::move(parts));
  }
  /// The module with these buffers.
  const context& module() const { return *with_buffers_; }

 private:
  std::unique_ptr<const context> with_buffers_;
};

/// The module itself if it has a buffer assignment; if it has none and is scheduled, with the one that follows from its
/// HLO (`context::memory_from`); else the module as it is. The reference stays valid as long as the module. What reads
/// memory begins here, so that all of it has the same numbers.
inline const context& with_memory(const context& module) {
  const bool can_be_estimated = !module.has(need::buffers) && module.has(need::memory);
  return can_be_estimated ? module.get<memory_estimate>().module() : module;
}

}  // namespace hlolint
