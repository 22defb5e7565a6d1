// Which XLA compiled a module, as far as its texts show.
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint {

/// The period in which an XLA was built, as year, month, day.
struct xla_period {
  std::int32_t first = 20240101;          ///< the first day; rules before it are not known
  std::int32_t last = xla_rules::newest;  ///< the last day
  /// Whether the period is one day.
  constexpr bool is_known() const { return first == last; }
  /// A day whose rules hold for most builds of the period. The alignment of before June 2025 held for years; the months
  /// after it end in December 2025, since when texts show that they are newer.
  constexpr std::int32_t likely() const {
    constexpr std::int32_t before = assignment_rules::gpu_alignment_doubled - 1;
    return first < before && before < last && last <= tables_of_frames ? before : last;
  }
  /// From this day texts have tables of stack frames instead of source files and lines.
  static constexpr std::int32_t tables_of_frames = 20251201;
  /// From this day operands are printed without shapes.
  static constexpr std::int32_t bare_operands = 20250311;
};

namespace detail {
/// Narrows the period down by the first `window_config` that libtpu printed: the versions that keep temporary values
/// apart print a buffering level there (assignment.md 11).
inline void narrow_by_windows(const hlo_module& module, xla_period& period) {
  for (const hlo_instruction i : module.instructions()) {
    const auto config = i.attribute(attribute_key::backend_config);
    if (!config || config->find("window_config") == std::string_view::npos) continue;  // cheaper than JSON
    const auto window = json_find(*config, "window_config");
    if (!window) continue;
    if (json_find(*window, "buffering_level"))
      period.first = std::max(period.first, assignment_rules::tpu_keeps_apart);
    else
      period.last = std::min(period.last, assignment_rules::tpu_keeps_apart - 1);
    return;
  }
}
}  // namespace detail

/// The period that follows from the form of a text.
inline xla_period period_of(const hlo_module& module) {
  xla_period out;
  if (!module.data().stack_frames.empty()) {
    out.first = xla_period::tables_of_frames;
    detail::narrow_by_windows(module, out);
    return out;
  }
  for (const hlo_instruction i : module.instructions()) {
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (i.operand_shape(k)) out.last = std::min(out.last, xla_period::bare_operands);
    if (out.last == xla_period::bare_operands) break;
    if (out.last == xla_period::tables_of_frames) continue;  // only operands can make it earlier
    const auto metadata = i.attribute(attribute_key::metadata);
    if (metadata && metadata->find("source_file=") != std::string_view::npos) out.last = xla_period::tables_of_frames;
  }
  return out;
}

/// The period in which a module was compiled, from the dump beside it if there is one, which may lack an assignment.
inline xla_period period_of(const hlo_module& module, const buffer_dump* beside) {
  const std::optional<std::int32_t> date = beside ? shown_date(*beside) : std::nullopt;
  if (!date) return period_of(module);
  return {*date, *date};
}

}  // namespace hlolint
