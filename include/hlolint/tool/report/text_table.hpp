// Rows of text in columns.
#pragma once

#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// The width for sentences: that of the terminal, but at most 100 columns. 0 = no terminal.
constexpr std::size_t sentence_width(std::size_t terminal) {
  constexpr std::size_t most = 100;
  return terminal == 0 || terminal > most ? most : terminal;
}

namespace detail {

/// Writes sentences, set in by two. `width`: of the terminal.
inline void write_remark(std::ostream& out, std::string_view text, std::size_t width) {
  write_wrapped(out, text, "  ", sentence_width(width));
}

}  // namespace detail

/// Columns as wide as their longest cell, two blanks apart, set in by two.
class text_table {
 public:
  /// A title that begins with `#` stands above numbers: such a column is aligned to the right. `spare`: columns to
  /// leave out, in this order, if there is no room for all.
  explicit text_table(std::vector<std::string> head, std::vector<std::size_t> spare = {})
      : shown_(head.size(), true), spare_(std::move(spare)) {
    for (std::string& title : head) {
      right_.push_back(title.starts_with('#'));
      if (right_.back()) title.erase(0, 1);
    }
    add(std::move(head));
  }
  /// The most columns of a text, also where there is no terminal.
  static constexpr std::size_t widest_text = 120;

  /// Leaves out a column.
  void hide(std::size_t column) { shown_[column] = false; }

  /// Adds a row. Precondition: it has as many cells as the head.
  void add(std::vector<std::string> cells) { rows_.push_back({std::move(cells), {}}); }
  /// Adds a line below the last row.
  void add_remark(std::string text) { rows_.back().remark = std::move(text); }

  /// Writes the table, fitted to `width` columns unless that is 0: spare columns are left out first, then texts lose
  /// their middle, the longest first; numbers stay whole while there is room. No text is wider than `widest_text`.
  void write(std::ostream& out, std::size_t width = 0) const {
    std::vector<std::size_t> widths(right_.size());
    for (const row& r : rows_)
      for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], columns_of(r.cells[i]));
    for (std::size_t& w : widths) w = std::min(w, widest_text);
    std::vector<bool> shown = shown_;
    if (width > 0) fit(widths, shown, width);
    for (const row& r : rows_) {
      std::string line;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        if (!shown[i]) continue;
        const std::string cell = cut(shortened(r.cells[i], widths[i]), widths[i]),
                          blanks(widths[i] - columns_of(cell), ' ');
        line += "  " + (right_[i] ? blanks + cell : cell + blanks);
      }
      line.resize(line.find_last_not_of(' ') + 1);
      out << cut(line, width) << '\n';
      const std::size_t room = width == 0 ? widest_text : width > 6 ? width - 6 : 1;
      if (!r.remark.empty()) out << cut("      " + shortened(r.remark, room), width) << '\n';
    }
  }

 private:
  struct row {
    std::vector<std::string> cells;
    std::string remark;
  };

  // Leaves out columns until the others fit with texts cut to a few words; then narrows the widest column of text until
  // all fit, or none is wider than a short word.
  void fit(std::vector<std::size_t>& widths, std::vector<bool>& shown, std::size_t width) const {
    constexpr std::size_t few_words = 24, short_word = 10;
    const auto sum = [&](std::size_t most_of_text) {
      std::size_t out = 0;
      for (std::size_t i = 0; i < widths.size(); ++i)
        if (shown[i]) out += 2 + (right_[i] ? widths[i] : std::min(widths[i], most_of_text));
      return out;
    };
    for (std::size_t i = 0; i < spare_.size() && sum(few_words) > width; ++i) shown[spare_[i]] = false;
    for (std::size_t whole = sum(std::string::npos); whole > width;) {
      std::size_t widest = widths.size(), second = short_word;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        if (!shown[i] || right_[i] || widths[i] <= short_word) continue;
        if (widest < widths.size() && widths[i] <= widths[widest]) {
          second = std::max(second, widths[i]);
          continue;
        }
        if (widest < widths.size()) second = widths[widest];
        widest = i;
      }
      if (widest == widths.size()) return;
      const std::size_t least = second < widths[widest] ? second : widths[widest] - 1;
      const std::size_t less = std::min(widths[widest] - least, whole - width);
      widths[widest] -= less, whole -= less;
    }
  }

  static std::string cut(const std::string& line, std::size_t width) {
    if (width == 0 || columns_of(line) <= width) return line;
    if (width < 4) return line.substr(0, width);
    std::size_t at = 0;
    for (std::size_t count = 3; count < width; ++count) at += utf8_at(line, at).size;
    return line.substr(0, at) + "...";
  }

  std::vector<bool> right_, shown_;
  std::vector<std::size_t> spare_;
  std::vector<row> rows_;
};

}  // namespace hlolint::report
