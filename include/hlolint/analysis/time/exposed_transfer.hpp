// What the schedule makes of one transfer (time_model.md 6.3).
#pragma once

#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/ir/module.hpp>

#include <cstdint>
#include <string_view>

namespace hlolint {

/// How well work hides a transfer.
enum class exposure_class : std::uint8_t {
  hidden,      ///< by half as much work again as it takes
  tight,       ///< by about as much work as it takes: a slower network exposes it
  exposed,     ///< by less than two thirds of that
  synchronous  ///< nothing can run beside it
};

/// `hidden`, `tight`, `exposed` or `synchronous`.
constexpr std::string_view name_of(exposure_class c) {
  constexpr std::string_view names[] = {"hidden", "tight", "exposed", "synchronous"};
  return names[static_cast<std::size_t>(c)];
}

/// How often loops run whose trip count the text does not give.
struct assumed_trips {
  std::int64_t times = 1;  ///< for each run of such a loop
  friend bool operator==(const assumed_trips&, const assumed_trips&) = default;
};

/// One transfer, or one computation of another thread, over all its runs in a step. Sums are in seconds.
struct exposed_transfer {
  hlo_instruction start;  ///< starts it, or is it
  hlo_instruction done;   ///< waits for it; empty if it is synchronous or never waited for
  transfer_time time;     ///< of one run
  bool computes = false;  ///< a computation of another thread, whose time is `time.latency`
  bool synchronous = false;  ///< one instruction, or marked so by XLA
  bool in_step = false;   ///< false: in a branch that is not the slowest one; the sums are as if it ran
  double runs = 0;  ///< how often, in one step
  double exposed = 0;       ///< waited at the done, or the whole time if synchronous
  double work = 0;          ///< from start to done without waiting
  double queued = 0;        ///< waited for other transfers before it could begin
  hlo_instruction blocker;  ///< the one it waited for longest; empty if it did not wait for long

  /// Seconds of waiting for one run.
  double exposed_each() const { return runs > 0 ? exposed / runs : 0; }
  /// Seconds of work beside one run.
  double work_each() const { return runs > 0 ? work / runs : 0; }

  /// How well its work hides it.
  exposure_class overlap() const {
    if (synchronous) return exposure_class::synchronous;
    const double beside = work_each(), whole = time.seconds();
    return beside >= 1.5 * whole    ? exposure_class::hidden
           : beside >= 0.67 * whole ? exposure_class::tight
                                    : exposure_class::exposed;
  }
  friend bool operator==(const exposed_transfer&, const exposed_transfer&) = default;
};

}  // namespace hlolint
