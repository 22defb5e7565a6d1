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

/// Columns as wide as their longest cell, two blanks apart, set in by two. Lines are cut at `width` columns.
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

  void write(std::ostream& out, std::size_t width = 100) const {
    std::vector<std::size_t> widths(right_.size());
    for (const row& r : rows_)
      for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], length(r.cells[i]));
    for (const row& r : rows_) {
      std::string line;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string blanks(widths[i] - length(r.cells[i]), ' ');
        line += "  " + (right_[i] ? blanks + r.cells[i] : r.cells[i] + blanks);
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
  static std::string cut(const std::string& line, std::size_t width) {
    if (length(line) <= width) return line;
    std::size_t at = 0;
    for (std::size_t count = 3; count < width; ++count) at += utf8_at(line, at).size;
    return line.substr(0, at) + "...";
  }

  std::vector<bool> right_;
  std::vector<row> rows_;
};

}  // namespace hlolint
