// Properties of an instruction that need a schedule or a device: when and how long it runs, and how long its result
// lives.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/assigned_buffers.hpp>
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/match/predicate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace hlolint::match {

/// The schedule positions, both inclusive, between which a result of each instruction is live. Unknown without a
/// schedule.
class instruction_lives {
 public:
  /// From a cache.
  template <analysis_cache Cache>
  explicit instruction_lives(const Cache& cache) : lives_(cache.hlo()->instruction_count()) {
    if (!cache.hlo()->is_scheduled()) return;
    const auto& ranges = cache.template get<live_ranges>();
    const std::vector<hlo_value>& values = ranges.flow().values();
    for (std::size_t v = 0; v < values.size(); ++v) {
      const std::optional<time_span>& range = ranges.of(v);
      if (!range) continue;
      std::optional<time_span>& life = lives_[values[v].defined.instruction];
      life = life ? time_span{std::min(life->start, range->start), std::max(life->end, range->end)} : *range;
    }
  }
  /// The life of an instruction's results; nothing if it defines no value.
  const std::optional<time_span>& of(hlo_instruction i) const { return lives_[i.id()]; }

 private:
  std::vector<std::optional<time_span>> lives_;  // by instruction
};

/// The instructions whose results are in use at a peak of their memory space, by the dumped buffers or, in a scheduled
/// module, by an estimate. Empty without both.
class peak_results {
 public:
  /// From a cache.
  template <analysis_cache Cache>
  explicit peak_results(const Cache& cache) : at_peak_(cache.hlo()->instruction_count()) {
    const hlo_module& module = *cache.hlo();
    if constexpr (requires { cache.target(); }) {
      if (cache.buffers())
        collect(module, with_live_ranges(cache));
      else if (module.is_scheduled())
        collect(module, estimated_buffers(module, cache.target()));
    } else if (module.is_scheduled()) {  // facts of a module alone have neither a target nor a dump
      collect(module, estimated_buffers(module, target::unknown));
    }
  }
  /// Whether a part of the instruction's result is in use at a peak.
  bool holds(hlo_instruction i) const { return at_peak_[i.id()]; }

 private:
  // The dump, with live ranges from the schedule if it has none.
  template <class Cache>
  static buffer_dump with_live_ranges(const Cache& cache) {
    const buffer_dump& dump = *cache.buffers();
    if (dump.live_ranges() || !dump.has_assignment() || !cache.hlo()->is_scheduled()) return dump;
    const buffer_dump* const completed = cache.template get<completed_dump>().dump();
    return completed ? *completed : dump;
  }
  void collect(const hlo_module& module, const buffer_dump& dump) {
    const live_chunks chunks(dump);
    const occupancy in_use(chunks);
    std::unordered_map<std::string_view, id> by_name;
    for (const hlo_instruction i : module.instructions()) by_name.emplace(i.name(), i.id());
    const std::vector<allocation>& all = dump.allocations();
    for (std::size_t space = 0; space < in_use.space_count(); ++space) {
      std::vector<std::size_t> members;
      for (std::size_t a = 0; a < all.size(); ++a)
        if (all[a].color == in_use.color_of_space(space)) members.push_back(a);
      const auto peaks = in_use.of_space(space).peak_positions();
      if (peaks.empty()) continue;
      for (const std::uint32_t v : values_at(chunks, members, peaks.front().first))
        if (const auto at = by_name.find(dump.values()[v].name.instruction); at != by_name.end())
          at_peak_[at->second] = true;
    }
  }
  std::vector<bool> at_peak_;  // by instruction
};

/// The transfers in the schedule. Empty without a schedule.
class scheduled_transfers {
 public:
  /// From a cache.
  template <analysis_cache Cache>
  explicit scheduled_transfers(const Cache& cache) : of_(cache.hlo()->instruction_count()) {
    if (!cache.hlo()->is_scheduled()) return;
    const auto add = [&](hlo_instruction i, const exposed_transfer& t) {
      if (i && !of_[i.id()]) of_[i.id()] = &t;
    };
    const exposed_time& time = cache.template get<exposed_time>();
    for (const exposed_transfer& t : time.transfers()) add(t.start, t);
    // A pattern finds an async-start itself, but the collective inside of a fusion.
    for (const exposed_transfer& t : time.transfers())
      if (t.start.opcode() == hlo_opcode::fusion) add(time.links().sources().transfer_of(t.start), t);
  }
  /// The transfer, or the computation of another thread, that an instruction starts, or that it is inside of a fusion;
  /// null for others.
  const exposed_transfer* of(hlo_instruction i) const { return of_[i.id()]; }

 private:
  std::vector<const exposed_transfer*> of_;  // by instruction; of the analysis in the cache
};

/// Properties, as their texts describe. @{
inline constexpr auto position = number<knowledge::context>(
    "position", unit::count, "its position in the schedule, called computations included",
    [](hlo_instruction i, const auto& facts) {
      return facts.hlo()->is_scheduled() ? facts.template get<flat_schedule>().position_of(i) : std::nullopt;
    });
inline constexpr auto run_ms =
    number<knowledge::context>("ms", unit::time, "estimated time of one run; of a transfer what nothing hides",
                               [](hlo_instruction i, const auto& facts) {
                                 const auto time = facts.template get<instruction_times>().of(i);
                                 return time ? std::optional(1e3 * time->seconds) : std::nullopt;
                               });
inline constexpr auto step_ms = number<knowledge::context>(
    "step ms", unit::time, "the same for all its runs in a step", [](hlo_instruction i, const auto& facts) {
      const auto time = facts.template get<instruction_times>().of(i);
      return time ? std::optional(1e3 * time->seconds * time->runs) : std::nullopt;
    });
inline constexpr auto flops = number<knowledge::context>(
    "flops", unit::count, "floating-point operations of one run",
    [](hlo_instruction i, const auto& facts) { return facts.template get<work_times>().work_of(i).flops; });
inline constexpr auto exposed_ms =
    number<knowledge::context>("exposed", unit::time, "time in which the device waits for a transfer, in one run",
                               [](hlo_instruction i, const auto& facts) {
                                 const exposed_transfer* const t = facts.template get<scheduled_transfers>().of(i);
                                 return t && !t->computes ? std::optional(1e3 * t->exposed_each()) : std::nullopt;
                               });
inline constexpr auto exposed_share = number<knowledge::context>(
    "exposed share", unit::ratio, "part of a transfer's time in which the device waits",
    [](hlo_instruction i, const auto& facts) {
      const exposed_transfer* const t = facts.template get<scheduled_transfers>().of(i);
      return t && t->time.seconds() > 0 ? std::optional(t->exposed_each() / t->time.seconds()) : std::nullopt;
    });
inline constexpr auto overlap = text<knowledge::context>(
    "overlap", "hidden, tight, exposed or synchronous: how well work hides a transfer that begins here",
    [](hlo_instruction i, const auto& facts) {
      const exposed_transfer* const t = facts.template get<scheduled_transfers>().of(i);
      const bool there = t && (t->computes || t->time.path != transfer_path::nothing);
      return there ? name_of(t->overlap()) : std::string_view();
    });
inline constexpr auto asynchronous = flag<knowledge::context>(
    "async", "a transfer that runs beside other work",
    [](hlo_instruction i, const auto& facts) { return facts.template get<async_windows>().is_asynchronous(i); });
inline constexpr auto lifetime =
    number<knowledge::context>("lifetime", unit::count, "positions of the schedule at which its result is live",
                               [](hlo_instruction i, const auto& facts) {
                                 const auto& life = facts.template get<instruction_lives>().of(i);
                                 return life ? std::optional(life->end - life->start + 1) : std::nullopt;
                               });
inline constexpr auto live_until = number<knowledge::context>(
    "live until", unit::count, "last position of the schedule at which its result is live",
    [](hlo_instruction i, const auto& facts) {
      return detail::member_of(facts.template get<instruction_lives>().of(i), &time_span::end);
    });
inline constexpr auto at_peak = flag<knowledge::context>(
    "at peak", "its result is in use at the first peak of its memory space",
    [](hlo_instruction i, const auto& facts) { return facts.template get<peak_results>().holds(i); });
inline constexpr auto backend = text<knowledge::context>(
    "backend", "cpu, gpu or tpu, for which the module was compiled; unknown if nothing shows it",
    [](hlo_instruction, const auto& facts) { return name_of(facts.target()); });
/// @}

/// All context properties, by kind. @{
inline constexpr std::tuple context_texts{backend, overlap};
inline constexpr std::tuple context_numbers{position,      run_ms, step_ms,  exposed_ms,
                                            exposed_share, flops,  lifetime, live_until};
inline constexpr std::tuple context_flags{asynchronous, at_peak};
/// @}

}  // namespace hlolint::match
