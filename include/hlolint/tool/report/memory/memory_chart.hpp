// Bytes over time as a chart of characters.
#pragma once

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace hlolint::report {

/// How large a chart is and what it is drawn with.
struct chart_options {
  std::size_t columns = 80;  ///< characters of a row, besides 13 for the axis
  std::size_t rows = 10;     ///< lines, besides two for the axis
  bool blocks = false;       ///< U+2581 to U+2588 (eighths of a row) instead of `#`
};

/// One line per row and two for the axis; no line is longer than `columns` plus 13 characters. A column shows the most
/// bytes of its positions; if there are few positions, several columns show one. `^` marks the peak. Empty for an empty
/// curve.
inline std::vector<std::string> chart_of(const occupancy_curve& curve, std::int64_t last_position,
                                         chart_options options = {}) {
  const byte_count peak = curve.peak();
  if (peak == 0 || last_position < 0 || options.columns == 0 || options.rows == 0) return {};
  const double positions = static_cast<double>(last_position) + 1;
  const double wide = static_cast<double>(options.columns);
  const double width =
      positions < wide ? static_cast<double>(static_cast<std::size_t>(wide / positions)) * positions : wide;
  const std::size_t columns = static_cast<std::size_t>(width);
  const auto column_of = [&](std::int64_t p) {  // a fraction where a column stands for several positions
    return std::min(width, std::max(0.0, static_cast<double>(p)) * width / positions);
  };

  std::vector<byte_count> most(columns);
  std::string axis(columns, '-');
  const auto steps = curve.steps();
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const auto begin = static_cast<std::size_t>(column_of(steps[i].position));
    const auto end = static_cast<std::size_t>(std::ceil(column_of(steps[i + 1].position)));
    for (std::size_t c = begin; c < end; ++c) {
      most[c] = std::max(most[c], steps[i].bytes);
      if (steps[i].bytes == peak) axis[c] = '^';
    }
  }

  const auto label = [](std::string text) {
    return std::string(text.size() < 10 ? 10 - text.size() : 0, ' ') + std::move(text);
  };
  const std::size_t parts = options.blocks ? 8 : 1;  // of a row
  std::vector<std::string> lines;
  for (std::size_t row = options.rows; row-- > 0;) {
    std::string line = (row + 1 == options.rows ? label(human(peak)) : std::string(10, ' ')) + " |";
    for (const byte_count bytes : most) {
      const double share = static_cast<double>(bytes) / static_cast<double>(peak);
      // Heights are rounded, but never to nothing.
      const std::size_t height = std::max<std::size_t>(
          bytes > 0, static_cast<std::size_t>(share * static_cast<double>(options.rows * parts) + 0.5));
      const std::size_t filled = height > row * parts ? std::min(parts, height - row * parts) : 0;
      if (filled == 0)
        line += ' ';
      else if (options.blocks)
        line += "\xE2\x96", line += static_cast<char>(0x80 + filled);
      else
        line += '#';
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  lines.push_back(label("0B") + " +" + axis);
  const std::string last = std::to_string(last_position);
  lines.push_back(std::string(12, ' ') + "0" +
                  std::string(columns > last.size() + 1 ? columns - last.size() - 1 : 1, ' ') + last);
  return lines;
}

}  // namespace hlolint::report
