// The comparison of ranks, for people.
#pragma once

#include <hlolint/lint/rank_summary.hpp>
#include <hlolint/lint/related_modules.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/text/number_text.hpp>

#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

namespace detail {

class rank_summary_text {
 public:
  rank_summary_text(std::ostream& out, const compare::rank_summary& from) : out_(out), from_(from) {}

  void write(bool concise) {
    std::size_t silent = 0;
    for (const compare::rank_comparison& m : from_.modules) {
      if (m.sides.size() > 1) {
        different_.push_back(m.module + " (" + collectives_text(m) + ")");
      } else if (!m.missing_on.empty()) {
        lonely_.push_back(m.module + " (" + collectives_text(m) + ") only on " + ranks_text(m.sides.front().ranks));
      } else if (m.sides.front().collectives == 0) {
        ++silent;
      } else {
        equal_.push_back(m.module + " (" + collectives_text(m) + ")");
      }
    }
    out_ << counted(from_.modules.size(), "module") << " on " << counted(from_.ranks.size(), "rank") << " ("
         << printable(ranks_text(from_.ranks)) << "): " << equal_.size() + silent << " equal, " << different_.size()
         << " different, " << lonely_.size() << " not on all ranks\n";
    if (concise) return;
    if (silent > 0) equal_.push_back(counted(silent, "module") + " without collectives");
    line("equal", equal_);
    line("different", different_);
    line("not on all ranks", lonely_);
    line("not read in full", from_.unread);
    line("folders without dumps", from_.without_dumps);
  }

 private:
  /// `42 collectives`, or `42 collectives on rank0 and rank1; 41 on rank3`
  static std::string collectives_text(const compare::rank_comparison& m) {
    std::string out = counted(m.sides.front().collectives, "collective");
    if (m.sides.size() == 1) return out;
    for (std::size_t i = 0; i < m.sides.size(); ++i) {
      if (i > 0) out += "; " + std::to_string(m.sides[i].collectives);
      out += " on " + ranks_text(m.sides[i].ranks);
    }
    return m.missing_on.empty() ? out : out + "; not on " + ranks_text(m.missing_on);
  }

  void line(std::string_view title, const std::vector<std::string>& words) {
    constexpr std::size_t most = 12;
    if (words.empty()) return;
    out_ << "  " << title << ": ";
    for (std::size_t i = 0; i < words.size() && i < most; ++i) out_ << (i ? ", " : "") << printable(words[i]);
    out_ << and_more(words.size(), most);
    out_ << '\n';
  }

  std::ostream& out_;
  const compare::rank_summary& from_;
  std::vector<std::string> equal_, different_, lonely_;
};

}  // namespace detail

/// Writes one line with the numbers and, unless `concise`, one line each for the modules that are equal on all ranks,
/// that differ, and that only some ranks have.
inline void write_rank_summary(std::ostream& out, const compare::rank_summary& summary, bool concise = false) {
  detail::rank_summary_text(out, summary).write(concise);
}

/// The lines of the summary without indentation, for other reports.
inline std::vector<std::string> rank_summary_lines(const compare::rank_summary& summary) {
  std::stringstream text;
  write_rank_summary(text, summary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line.substr(line.find_first_not_of(' ')));
  return lines;
}

}  // namespace hlolint::report
