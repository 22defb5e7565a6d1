// Where the messages of a log stand in its text, and how many lines are none.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/logs/compiler_messages.hpp>
#include <hlolint/tool/logs/input_parts.hpp>
#include <hlolint/tool/logs/line_prefix.hpp>
#include <hlolint/tool/logs/oom_report.hpp>
#include <hlolint/tool/logs/sentences.hpp>
#include <hlolint/tool/logs/whole_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::logs {

/// The first words of the lines of an allocator's log (oom_logs.md 3 G3).
inline constexpr auto allocator_lines = listed<std::string_view>(
    "Bin (", "Bin for ", "InUse at ", "Free  at ", "Next region of size ",
    "Limit:", "InUse:", "MaxInUse:", "NumAllocs:", "MaxAllocSize:", "Reserved:", "PeakReserved:", "PeakAllocated:",
    "LargestFreeBlock:", "Stats:", "Sum Total of in-use chunks:", "Summary of in-use Chunks",
    "Total bytes in pool:", "Total size in pool:", "Allocator memory summary:", "Current allocation summary follows",
    "BFCAllocator dump for ", "If the cause is ", "If this is caused by ", "Allocator (", "Size: ", "****", "____",
    "xxxx");

/// The places of the messages of a log.
class message_parts {
 public:
  /// Finds the places of what `parse_log` read, in a text whose lines of dumps are blank; in time proportional to it.
  void find(const parsed_file& log) {
    const std::string_view text = log.text.text();
    struct begin {
      std::size_t at;
      std::string_view what;
    };
    std::vector<begin> begins;
    if (log.buffers && log.buffers->oom())
      for (const oom_report& r : log.buffers->oom()->reports) {
        const location where = log.buffers->where(r.text);
        begins.push_back({where.at.begin, r.outcome == oom_outcome::hint ? part_words::message
                                          : r.allocator.empty()          ? part_words::memory
                                                                         : part_words::allocator});
      }
    for (const diagnostic& d : log.diagnostics)
      if (d.rule == "DMP015") begins.push_back({d.where.at.begin, part_words::message});
    std::stable_sort(begins.begin(), begins.end(), [](const begin& a, const begin& b) { return a.at < b.at; });

    lines_ = 0;
    const bool has_messages =
        std::any_of(begins.begin(), begins.end(), [](const begin& b) { return b.what == part_words::message; });
    auto next = begins.begin();
    std::string_view open;  // the part that the next line may belong to
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t full = past_blank_lines(text, at);
      for (; at < full; at = std::min(text.find('\n', at), text.size()) + 1) ++number;
      if (full == text.size()) break;
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      ++number;
      const span place{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
      if (next != begins.end() && next->at < end) {
        if (found_.empty() || open != next->what || next->what == part_words::memory) {
          found_.push_back({open = next->what, place, number, number});
          const std::string_view second = next_line(text, end), third = next_line(text, end_of(text, second));
          const bool is_known = bare(line, true).text.data() != line.data();
          prefix_ = is_known ? std::string_view() : prefix_of_report(line, second, third);
        }
        found_.back().at.end = place.end, found_.back().last_line = number;
        while (next != begins.end() && next->at < end) ++next;  // one part of a line counts
      } else if (has_messages && holds_message(line)) {         // the same as one before
        if (open != part_words::message) found_.push_back({open = part_words::message, place, number, number});
        found_.back().at.end = place.end, found_.back().last_line = number;
      } else if (is_fence(line)) {
        open = {};
      } else if (is_table(line) && open.empty()) {
        found_.push_back({open = part_words::sizes, place, number, number});
      } else {
        const std::string_view rest = without_prefix(line);
        if (rest.find_first_not_of(" \t\r") == rest.npos && !open.empty()) {
          // A blank line of a process ends no message.
        } else if (goes_on(open, rest)) {
          found_.back().at.end = place.end, found_.back().last_line = number;
        } else {
          open = {};
          ++lines_;
        }
      }
      at = end + 1;
    }
  }
  /// Adds the parts to those of dumps, in order.
  void add_to(std::vector<file_part>& parts) {
    parts.insert(parts.end(), found_.begin(), found_.end());
    std::stable_sort(parts.begin(), parts.end(),
                     [](const file_part& a, const file_part& b) { return a.at.begin < b.at.begin; });
  }
  /// How many lines are neither a part nor blank.
  std::size_t skipped() const { return lines_; }

 private:
  /// Whether a line begins the sizes of a program that fits, which the compilers and JAX's memory_analysis() also
  /// print.
  static bool is_table(std::string_view line) {
    return line.find(sentences::statistics.begin) != line.npos || line.find(" usage >= ") != line.npos ||
           line.find(sentences::program_usage.begin) != line.npos || line.find("CompiledMemoryStats(") != line.npos;
  }
  static bool goes_on(std::string_view open, std::string_view text) {
    if (open != part_words::memory && open != part_words::allocator && open != part_words::sizes) return false;
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    if (first >= 5) return true;  // a field of a list, or the rest of one
    text.remove_prefix(first);
    if (text.starts_with("==")) return text.find_first_not_of("= \t\r") == text.npos;  // no title between them
    const auto begins = [&](std::string_view word) { return text.starts_with(word); };
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    return std::any_of(std::begin(report_lines), std::end(report_lines), begins) ||
           std::any_of(std::begin(allocator_lines), std::end(allocator_lines), begins) ||
           (digits > 0 &&
            (text.substr(digits).starts_with(". Size: ") || text.substr(digits).starts_with(" Chunks of")));
  }

  /// The next line that is not blank; empty at the end.
  static std::string_view next_line(std::string_view text, std::size_t at) {
    at = past_blank_lines(text, at);
    return text.substr(at, text.find('\n', at) - at);
  }
  static std::size_t end_of(std::string_view text, std::string_view part) {
    return static_cast<std::size_t>(part.data() - text.data()) + part.size();
  }
  /// A line without the prefix of its process or logger.
  std::string_view without_prefix(std::string_view line) const {
    if (!prefix_.empty())
      if (const std::string_view rest = after_prefix(line, prefix_); rest.data()) return rest;
    return bare(line, true).text;
  }

  std::size_t lines_ = 0;
  std::string_view prefix_;  // that an unknown logger puts before the lines of the last message
  std::vector<file_part> found_;
};

/// `a module (lines 3 to 18), a memory message (line 20); 12 other lines are skipped`; empty for one part alone.
inline std::string parts_text(const std::vector<file_part>& parts, std::size_t skipped, bool has_mlir) {
  if (parts.size() < 2 && skipped == 0) return {};
  constexpr std::size_t most = 8;
  std::string out = "this text has ";
  for (std::size_t i = 0; i < parts.size() && i < most; ++i) {
    const file_part& p = parts[i];
    if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
    const bool many = p.what == part_words::computations || p.what == part_words::instructions;
    out += str_cat({many                                                                      ? ""
                    : std::string_view("aeio").find(p.what.front()) != std::string_view::npos ? "an "
                                                                                              : "a ",
                    p.what});
    out += p.first_line == p.last_line ? str_cat({" (line ", p.first_line, ")"})
                                       : str_cat({" (lines ", p.first_line, " to ", p.last_line, ")"});
  }
  if (parts.size() > most) out += str_cat({" and ", parts.size() - most, " more"});
  if (skipped > 0)
    out +=
        skipped == 1 ? std::string("; 1 other line is skipped") : str_cat({"; ", skipped, " other lines are skipped"});
  if (has_mlir) out += ", among them a program in MLIR (StableHLO or another dialect)";
  return out;
}

}  // namespace hlolint::logs
