// Bytes against time: what a program needs and takes if it keeps more of what it computes again, as it is, and if it
// computes more again.
#pragma once

#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/lint/kept_results.hpp>
#include <hlolint/lint/option.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// How a program comes to a point of the curve.
enum class curve_step : std::uint8_t {
  keep,     ///< it keeps results that it computes again, with all of the points below
  present,  ///< it stays as it is
  edits,    ///< the edits of the schedule within the limit of time, and the changes of the program
  trade     ///< a higher limit of time
};
/// `keep`, `present`, `edits` or `trade`.
constexpr std::string_view name_of(curve_step step) {
  constexpr std::string_view names[] = {"keep", "present", "edits", "trade"};
  return names[static_cast<std::size_t>(step)];
}

/// A point of the curve.
struct curve_point {
  curve_step by = curve_step::present;  ///< how the program comes there
  byte_count bytes = 0;                 ///< that it needs; if results are kept at most
  double seconds = 0;                   ///< of a step
  std::string what;                     ///< in words
  bool fits = true;                     ///< whether the device has so much, if it is known
};

/// The option that allows a trade: `--max-time 8.8%`.
inline std::string max_time_option(const advise::time_trade& trade) {
  const double percent = std::ceil(trade.most_time * 1e5 - 1e-6) / 1e3;  // at least the limit
  return "--max-time " + option_text(percent) + "%";
}

/// The curve, most bytes first. Empty without times, and if nothing could be kept and nothing be traded. `there`: the
/// memory of the device, 0 if it is not known.
inline std::vector<curve_point> time_curve_of(const advise::schedule_advice& advice, const recomputation& again,
                                              byte_count there) {
  std::vector<curve_point> out;
  if (!advice.step || advice.wanted != advise::objective::memory) return out;
  const auto add = [&](curve_step by, byte_count bytes, double seconds, std::string what) {
    out.push_back({by, bytes, seconds, std::move(what), there <= 0 || bytes <= there});
  };
  add(curve_step::present, advice.need, *advice.step, "the program as it is");
  // What is kept may take the place in fast memory of what lies there now.
  checked_int64 bytes = checked_int64(advice.need) + advice.in_fast_memory;
  double seconds = *advice.step;
  for (const keepable_result& one : again.keeps()) {
    // What a loop stacks, it holds once more while it makes it.
    const double more = one.copies >= 2 ? static_cast<double>(one.bytes) / one.copies : 0;
    bytes += one.bytes, bytes += clamp_to_int64(more), seconds -= one.seconds;
    const bool moves = out.size() == 1 && advice.in_fast_memory > 0;
    add(curve_step::keep, bytes.clamped(), seconds,
        "keep " + kept_text(one) + (moves ? "; what is in fast memory may have to leave it" : ""));
  }
  const byte_count after = advice.changes ? advice.changes->need_after : advice.after;
  if (after < advice.need) {
    double extra = advice.step_after.value_or(*advice.step);
    if (advice.changes)
      for (const advise::program_change& change : advice.changes->list) extra += change.extra_seconds;
    add(curve_step::edits, after, extra, "the edits and changes below");
  }
  for (const advise::time_trade& trade : advice.trades) {
    add(curve_step::trade, trade.need, *advice.step + trade.extra_seconds, max_time_option(trade));
  }
  const bool says_more = std::any_of(out.begin(), out.end(), [](const curve_point& point) {
    return point.by == curve_step::keep || point.by == curve_step::trade;
  });
  if (!says_more) out.clear();
  std::stable_sort(out.begin(), out.end(),
                   [](const curve_point& a, const curve_point& b) { return a.bytes > b.bytes; });
  return out;
}

/// How sure the bytes of a point are.
constexpr certainty certainty_of(const curve_point& point) {
  return point.by == curve_step::keep ? certainty::bound : certainty::proven;
}

/// Writes the curve as a table.
inline void write_curve_table(std::ostream& out, const std::vector<curve_point>& curve, std::size_t width) {
  if (curve.empty()) return;
  out << "\n  bytes against time: what is kept adds up from the program as it is\n";
  text_table table({"#need", "#ms/step", "", "by"});
  for (const curve_point& point : curve) {
    table.add({amount_text(point.bytes, certainty_of(point)), number_text(point.seconds * 1e3, 4),
               point.by == curve_step::present ? "="
               : !point.fits                   ? "(too much)"
                                               : std::string(),
               printable(point.what)});
  }
  table.write(out, width);
}

/// The member `curve`.
inline void write_curve_json(json_writer& json, const std::vector<curve_point>& curve) {
  json.objects("curve", curve, [&](const curve_point& point) {
    json.members("by", name_of(point.by), "need_bytes", point.bytes, "step_ms", point.seconds * 1e3, "fits", point.fits,
                 "certainty", name_of(certainty_of(point)), "what", point.what);
  });
}

}  // namespace hlolint::report
