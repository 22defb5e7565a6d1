// Rows of text in columns.
#pragma once

#include <hlolint/report/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The width for sentences: that of the terminal, but no more than is easy to read. 0 = no terminal.
constexpr std::size_t sentence_width(std::size_t terminal) {
  constexpr std::size_t most = 100;
  return terminal == 0 || terminal > most ? most : terminal;
}

/// Columns as wide as their longest cell, two blanks apart, set in by two.
class text_table {
 public:
  /// `right[i]`: column i is set to the right.
  text_table(std::vector<std::string> head, std::vector<bool> right) : right_(std::move(right)) {
    add(std::move(head));
  }

  /// Precondition: as many cells as the head.
  void add(std::vector<std::string> cells) { rows_.push_back({std::move(cells), {}}); }
  /// A line of its own below the last row.
  void add_remark(std::string text) { rows_.back().remark = std::move(text); }

  /// Fitted to `width` columns, if it is not 0: texts are cut, the longest first, and numbers stay whole as long as
  /// there is room for them.
  void write(std::ostream& out, std::size_t width = 0) const {
    std::vector<std::size_t> widths(right_.size());
    for (const row& r : rows_)
      for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], length(r.cells[i]));
    if (width > 0) fit(widths, width);
    for (const row& r : rows_) {
      std::string line;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string cell = cut(r.cells[i], widths[i]), blanks(widths[i] - length(cell), ' ');
        line += "  " + (right_[i] ? blanks + cell : cell + blanks);
      }
      line.resize(line.find_last_not_of(' ') + 1);
      out << cut(line, width) << '\n';
      if (!r.remark.empty()) out << cut("      " + r.remark, width) << '\n';
    }
  }

 private:
  struct row {
    std::vector<std::string> cells;
    std::string remark;
  };

  static std::size_t length(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) at += utf8_at(text, at).size;
    return count;
  }
  // Takes from the widest column of text until all fit, or none is wider than a short word.
  void fit(std::vector<std::size_t>& widths, std::size_t width) const {
    constexpr std::size_t short_word = 10;
    std::size_t whole = 0;
    for (const std::size_t w : widths) whole += 2 + w;
    while (whole > width) {
      std::size_t widest = widths.size(), second = short_word;
      for (std::size_t i = 0; i < widths.size(); ++i)
        if (!right_[i] && widths[i] > short_word && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
      if (widest == widths.size()) return;
      for (std::size_t i = 0; i < widths.size(); ++i)
        if (!right_[i] && i != widest) second = std::max(second, widths[i]);
      const std::size_t least = second < widths[widest] ? second : widths[widest] - 1;
      const std::size_t less = std::min(widths[widest] - least, whole - width);
      widths[widest] -= less, whole -= less;
    }
  }

  static std::string cut(const std::string& line, std::size_t width) {
    if (width == 0 || length(line) <= width) return line;
    if (width < 4) return line.substr(0, width);
    std::size_t at = 0;
    for (std::size_t count = 3; count < width; ++count) at += utf8_at(line, at).size;
    return line.substr(0, at) + "...";
  }

  std::vector<bool> right_;
  std::vector<row> rows_;
};

}  // namespace hlolint
