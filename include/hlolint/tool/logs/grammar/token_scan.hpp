// Where the tokens of messages about missing memory end.
#pragma once

#include <hlolint/tool/logs/sentences.hpp>
#include <hlolint/grammar/buffers/line_scan.hpp>
#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlolint::logs {

namespace lines = scan::lines;
using scan::taken;

constexpr bool starts_with_digit(std::string_view text) { return !text.empty() && is_digit(text.front()); }
/// The rest of the line.
constexpr std::string_view line_at(const char* p, const char* last) {
  return {p, static_cast<std::size_t>(lines::rest(p, last) - p)};
}

/// Up to the end of `text`, which must be on this line at a place where a message may begin.
[[gnu::noinline]] constexpr const char* stated(const char* p, const char* last, std::string_view text) {
  const char* const end = lines::after(p, last, text);
  return end && may_be_stated({p, static_cast<std::size_t>(end - text.size() - p)}) ? end : nullptr;
}
/// A quick test whether a line may begin a report, by the words that every report has.
[[gnu::noinline]] constexpr const char* about_memory(const char* p, const char* last) {
  const bool holds = holds_any(line_at(p, last), {"llocat", "emory", "Memory", "MEMORY", "ttempting", "OutOfM", "vmem",
                                                  "Hbm", "arguments", "OOM", "oom_kill", "xhausted", "EXHAUSTED"});
  return holds ? p : nullptr;
}

/// `HLO temp`, `reserved(Infeed)`, `Max free chunk`: up to the size on the same line, without a colon.
[[gnu::noinline]] constexpr const char* row_label(const char* p, const char* last) {
  const char* const first = p;
  const char* const end = lines::rest(p, last);
  for (int words = 0; words < 8 && p != end; ++words) {
    while (p != end && *p != ' ' && *p != '\t') ++p;
    const char* label_end = p;
    p = lines::blanks(p, end);
    if (p == end) return nullptr;
    const std::string_view next(p, static_cast<std::size_t>(end - p));
    if (!next.starts_with("unknown size") && !starts_with_digit(next) &&
        !(*p == '-' && starts_with_digit(next.substr(1))))
      continue;
    if (label_end - first > 1 && label_end[-1] == ':') --label_end;
    return label_end;
  }
  return nullptr;
}
/// The instruction that needs the stack of a kernel: up to the sentence after it.
[[gnu::noinline]] constexpr const char* instruction_on_stack(const char* p, const char* last) {
  const std::string_view line = line_at(p, last);
  const std::size_t at = line.find(sentences::scoped.begin);
  const char* to = lines::trimmed(p, p + (at == line.npos ? line.size() : at));
  if (to != p && to[-1] == '.') --to;
  return to == p ? nullptr : to;
}
/// Up to `Stop`, on this line; may be empty.
template <char Stop>
[[gnu::noinline]] constexpr const char* before(const char* p, const char* last) {
  while (p != last && *p != Stop && *p != '\n') ++p;
  return p == last || *p != Stop ? nullptr : p;
}
/// `-1.50G`: a size that may be below 0.
[[gnu::noinline]] constexpr const char* signed_size(const char* p, const char* last) {
  return lines::human(p != last && *p == '-' ? p + 1 : p, last);
}

/// `2.00 GiB`, `512 MB`, `1.5GiB`: a size with a unit.
[[gnu::noinline]] constexpr const char* spaced_size(const char* p, const char* last) {
  p = lines::decimal(p, last);
  if (!p) return nullptr;
  if (p != last && *p == ' ') ++p;
  if (p == last || std::string_view("KMGTPE").find(*p) == std::string_view::npos) return nullptr;
  ++p;
  if (p != last && *p == 'i') ++p;
  return p != last && *p == 'B' ? p + 1 : nullptr;
}
/// `[64,2016,9,9] and type float`
[[gnu::noinline]] constexpr const char* tensor(const char* p, const char* last) {
  const std::string_view line = line_at(p, last);
  const std::size_t type = line.find("] and type ");
  if (!line.starts_with('[') || type == line.npos) return nullptr;
  return p + std::min(line.find(' ', type + 11), line.size());
}

/// A line about missing memory in words that no other rule has: it has a status for missing memory, or "out of memory"
/// where a message begins.
[[gnu::noinline]] constexpr const char* vague(const char* p, const char* last) {
  const std::string_view line = line_at(p, last);
  for (const sentence* const s : {&sentences::status, &sentences::old_status, &sentences::exception}) {
    const std::size_t at = line.find(s->begin);
    if (at == line.npos || !may_be_stated(line.substr(0, at))) continue;
    const std::string_view rest = line.substr(at + s->begin.size());
    if (holds_any(rest, {"egister", "Received message", "quota", "Quota", "Object pool"})) continue;
    if (holds_any(rest, {"emory", "llocat", "OOM", "HBM", "hbm", "vmem", "bytes"})) return p;
  }
  for (const sentence* const s : {&sentences::words, &sentences::title_words, &sentences::upper_words,
                                  &sentences::joined_words, &sentences::killer}) {
    const std::size_t at = line.find(s->begin);
    if (at == line.npos) continue;
    const bool has_first = s != &sentences::killer;
    if (at < has_first || !may_be_stated(line.substr(0, at - has_first))) continue;
    const std::string_view rest = line.substr(at + s->begin.size());
    if (rest.starts_with(" (OOM") || rest.starts_with(" errors")) continue;
    if (s == &sentences::upper_words || s == &sentences::joined_words || s == &sentences::killer) return p;
    const std::string_view before = line.substr(0, at - 1);
    const std::size_t end = before.find_last_not_of(" \t*`'\"");
    if (end == before.npos || std::string_view(":.;])>|-").find(before[end]) != std::string_view::npos) return p;
    const std::string_view words = before.substr(0, end + 1), word = words.substr(words.find_last_of(" \t(") + 1);
    for (const std::string_view who : {"ran", "Ran", "CUDA", "HIP", "XPU", "GPU", "TPU", "device", "went"})
      if (word == who) return p;
  }
  return nullptr;
}

}  // namespace hlolint::logs
