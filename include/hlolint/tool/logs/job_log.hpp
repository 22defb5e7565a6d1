// The log of a job as its processes wrote it: without prefixes, colors, escapes and cuts, and sorted by process. Maps
// each byte of this text to its place in the log.
#pragma once

#include <hlolint/tool/logs/whole_lines.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::logs {

/// The text for the grammar of reports. Messages of one process and one logging file are together, JSON lines of a
/// container are unescaped, and sentences that a terminal cut are joined. A line with a form feed and the name of the
/// process separates two writers.
class job_log {
 public:
  explicit job_log(std::string_view log)
      : log_(log), numbers_are_processes_(numbers_repeat(log)), is_json_(is_json(log)) {
    std::size_t blank_lines = 0;
    for (std::size_t at = 0; at < log.size();) {
      const std::size_t newline = log.find('\n', at);
      const std::size_t end = newline == log.npos ? log.size() : newline;
      const std::string_view line = log.substr(at, end - at);
      take(line, at);
      at = newline == log.npos ? log.size() : newline + 1;
      blank_lines = line.find_first_not_of(" \t\r") == line.npos ? blank_lines + 1 : 0;
      if (blank_lines == most_blank_lines) at = past_blank_lines(log, at);
    }
    auto text = std::make_shared<std::string>();
    text->reserve(log.size() + 2 * writers_.size() + 1);
    for (std::size_t w = 0; w < writers_.size(); ++w) write(*text, w);
    if (!log.ends_with('\n') && text->ends_with('\n')) text->pop_back();  // keep the text cut off
    text_ = std::move(text);
    pieces_.clear();
  }

  const std::shared_ptr<const std::string>& text() const { return text_; }

  /// The offset in the log of a place in the text. The end of the text is a place, too.
  std::size_t origin(const char* in_text) const {
    const auto at = static_cast<std::size_t>(in_text - text_->data());
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), at,
                                        [](std::size_t a, const segment& s) { return a < s.begin; });
    if (after == segments_.begin()) return 0;
    const segment& s = *std::prev(after);
    return std::min(s.origin + std::min(at - s.begin, s.size), log_.size());
  }
  const char* place(const char* in_text) const { return log_.data() + origin(in_text); }
  /// The part of a line of the log that a part of the text comes from.
  std::string_view origin(std::string_view part) const {
    const std::size_t begin = origin(part.data());
    const std::string_view line = log_.substr(begin, log_.find_first_of("\r\n", begin) - begin);
    return line.substr(0, std::max<std::size_t>(std::min(part.size(), line.size()), part.empty() ? 0 : 1));
  }
  /// The beginning of the last line of the log if it may be cut, as it has no line end; else null.
  const char* cut_line() const {
    return log_.empty() || log_.ends_with('\n') ? nullptr : log_.data() + (log_.rfind('\n') + 1);
  }
  /// The name in the log of the process that wrote a part of the text; a view of the text.
  std::string_view process(const char* in_text) const {
    const auto at = static_cast<std::size_t>(in_text - text_->data());
    const auto after =
        std::upper_bound(starts_.begin(), starts_.end(), at, [](std::size_t a, const auto& s) { return a < s.first; });
    return after == starts_.begin()
               ? std::string_view{}
               : std::string_view(*text_).substr(std::prev(after)->first + 1, std::prev(after)->second);
  }

 private:
  struct piece {
    std::string_view text;
    std::size_t origin = 0;
    bool goes_on = false;
  };
  struct segment {
    std::size_t begin = 0, origin = 0, size = 0;  // of the text; in the log; of what comes from there byte by byte
  };
  using process_key = std::array<std::string_view, 2>;

  // Whether a number before lines comes again: then the numbers name processes, otherwise they count the lines.
  static bool numbers_repeat(std::string_view log) {
    std::vector<std::string_view> seen;
    for (std::size_t at = past_blank_lines(log, 0); at < log.size() && seen.size() < 2000;
         at = past_blank_lines(log, at)) {
      const std::size_t end = std::min(log.find('\n', at), log.size());
      if (const auto prefix = number_prefix(log.substr(at, end - at)); !prefix.empty())
        seen.push_back(number_of(prefix));
      at = std::min(end + 1, log.size());
    }
    std::sort(seen.begin(), seen.end());
    return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
  }

  // More blank lines than this one after the other have no meaning for the grammar of reports.
  static constexpr std::size_t most_blank_lines = 32;

  /// Whether the whole text is JSON: a notebook, or the export of a cloud service.
  static bool is_json(std::string_view log) {
    const std::size_t first = log.find_first_not_of(" \t\r\n");
    if (first == log.npos || (log[first] != '{' && log[first] != '[')) return false;
    const std::size_t next = log.find_first_not_of(" \t\r\n", first + 1);
    return next != log.npos && (log[next] == '"' || log[next] == '{' || log[next] == '[');
  }

  std::string_view keep(std::string text) { return owned_.emplace_back(std::move(text)); }
  void take(std::string_view line, std::size_t origin) {
    const auto texts = json_texts(line, is_json_);
    if (!texts) return take_line(line, origin);
    for (const std::string& text : *texts) {
      std::string_view rest = keep(text);
      if (rest.ends_with('\n')) rest.remove_suffix(1);
      for (std::size_t end = 0; end != rest.npos; rest.remove_prefix(end == rest.npos ? 0 : end + 1)) {
        end = rest.find('\n');
        take_line(rest.substr(0, end), origin);
      }
    }
  }

  void take_line(std::string_view line, std::size_t origin) {
    if (has_colors(line)) line = keep(without_colors(line));
    const bare_line bare = logs::bare(line, numbers_are_processes_);
    const bool in_log = bare.text.data() >= log_.data() && bare.text.data() <= log_.data() + log_.size();
    const std::size_t at = in_log ? static_cast<std::size_t>(bare.text.data() - log_.data()) : origin;
    if (open_ != nullptr && open_->goes_on && open_process_ == bare.process) {
      open_->text = keep(std::string(open_->text).append(bare.text));
      open_->goes_on = bare.goes_on;
      return;
    }
    std::vector<piece>& to = pieces_[writer_of(bare)];
    to.push_back({bare.text, at, bare.goes_on});
    open_ = bare.goes_on ? &to.back() : nullptr;
    open_process_ = bare.process;
  }

  // Lines without the prefix of a logger continue the message before them.
  std::size_t writer_of(const bare_line& line) {
    const auto [current, is_new] = current_.try_emplace(line.process, 0);
    if (is_new || !line.file.empty()) {
      // Notes of an allocator at level INFO belong to its warning. Those of a compiler are no error.
      const bool apart = line.info && line.file != "bfc_allocator.cc";
      const auto [at, first] = numbers_.try_emplace({line.process, line.file, apart}, writers_.size());
      if (first) {
        writers_.push_back(line.process);
        pieces_.emplace_back();
      }
      current->second = at->second;
    }
    return current->second;
  }

  /// Removes the prefix that an unknown logger puts before every line of a report: the common beginning of the lines.
  static void take_off_prefix(std::vector<piece>& list) {
    std::string_view prefix;
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::string_view& line = list[i].text;
      if (line.find_first_not_of(" \t\r") == line.npos) continue;  // its prefix may have been taken off
      if (prefix.empty()) {
        const auto next = [&](std::size_t at) {
          do ++at;
          while (at < list.size() && list[at].text.find_first_not_of(" \t\r") == line.npos);
          return at;
        };
        const std::size_t second = next(i), third = next(second);
        if (third < list.size()) prefix = prefix_of_report(line, list[second].text, list[third].text);
      }
      if (prefix.empty()) continue;
      const std::string_view rest = after_prefix(line, prefix);
      if (!rest.data()) {
        prefix = {};
        continue;
      }
      list[i].origin += line.size() - rest.size();
      line = rest;
    }
  }

  void write(std::string& out, std::size_t writer) {
    const std::string_view name = writers_[writer][1].empty() ? writers_[writer][0] : writers_[writer][1];
    const std::size_t begin = out.size();
    if (begin > 0 || !name.empty()) out.append("\f").append(name) += '\n';
    starts_.push_back({begin, name.size()});
    std::vector<piece>& list = pieces_[writer];
    take_off_prefix(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::string_view text = list[i].text;
      const std::size_t origin = list[i].origin;
      for (int cuts = 0; cuts < 4 && i + 1 < list.size(); ++cuts, ++i) {
        auto whole = joined(text, list[i + 1].text);
        if (!whole) break;
        text = keep(std::move(*whole));
      }
      if (auto lines = in_lines(text)) text = keep(has_colors(*lines) ? without_colors(*lines) : std::move(*lines));
      segments_.push_back({out.size(), origin, text.size()});
      out += text;
      out += '\n';
    }
    list = {};
  }

  std::string_view log_;
  bool numbers_are_processes_, is_json_;
  std::deque<std::string> owned_;
  std::vector<process_key> writers_;
  std::deque<std::vector<piece>> pieces_;
  std::map<process_key, std::size_t> current_;  // the position of the writer whose message is open
  std::map<std::tuple<process_key, std::string_view, bool>, std::size_t> numbers_;
  piece* open_ = nullptr;
  process_key open_process_;
  std::shared_ptr<const std::string> text_;
  std::vector<segment> segments_;
  std::vector<std::pair<std::size_t, std::size_t>> starts_;  // of a writer in the text: begin, size of its name
};

}  // namespace hlolint::logs
