// From a buffer dump to values: what parse_buffers.hpp declares.
#pragma once

#include <hlolint/grammar/buffers/dump.hpp>
#include <hlolint/grammar/buffers/input_kind.hpp>
#include <hlolint/parse_buffers.hpp>
#include <hlolint/text/encoding.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// The word at a place, as far as its line goes; empty at the end of the line.
inline span word_at(std::string_view text, const char* where) {
  const char* const last = text.data() + text.size();
  const char* end = where;
  while (end != last && static_cast<unsigned char>(*end) > ' ') ++end;
  return {static_cast<std::uint32_t>(where - text.data()), static_cast<std::uint32_t>(end - text.data())};
}

/// What the parse reports about one place.
struct parse_note {
  span at;
  const char* rule = nullptr;
  const char* name = nullptr;
  severity level = severity::error;
  std::string message;
};
/// The order of text; of one place, that of the messages. For qsort, which unlike std::sort costs nothing to compile.
inline int compare_notes(const void* x, const void* y) {
  const parse_note& a = **static_cast<const parse_note* const*>(x);
  const parse_note& b = **static_cast<const parse_note* const*>(y);
  if (a.at.begin != b.at.begin) return a.at.begin < b.at.begin ? -1 : 1;
  if (a.at.end != b.at.end) return a.at.end < b.at.end ? -1 : 1;
  return a.message.compare(b.message);
}

/// Everything the parse reports, in text order.
template <class = void>
[[gnu::noinline, gnu::cold]] std::vector<diagnostic> diagnostics_of(const grammar::dump::dump_state& s,
                                                                    const source& in) {
  std::vector<parse_note> notes(s.problems.size() + s.small.broken.size() + s.unknown.size() + 1);
  const std::unique_ptr<parse_note*[]> order(new parse_note*[notes.size() + 1]);
  std::size_t count = 0;
  const auto add = [&](const char* rule, const char* name, severity level, std::string message, span at) {
    parse_note& note = *(order[count] = &notes[count]);
    ++count;
    note.at = at;
    note.rule = rule;
    note.name = name;
    note.level = level;
    note.message = std::move(message);
  };
  for (const grammar::dump::problem& p : s.problems)
    add("SYN001", "syntax", severity::error,
        p.more == 0   ? p.message
        : p.more == 1 ? str_cat({p.message, ", and the line behind it cannot be read either"})
                      : str_cat({p.message, ", and the ", p.more, " lines behind it cannot be read either"}),
        word_at(in.text(), p.where));
  for (const grammar::broken_rule& b : s.small.broken)
    add("SYN002", "name-or-number-rule", severity::error, b.message, word_at(in.text(), b.where));
  if (s.cut_line)
    add("SYN001", "syntax", severity::note, "the log is cut off in this line, which is not read",
        word_at(in.text(), s.cut_line));
  // The numbers in a flag may differ from allocation to allocation: its word is what is new.
  build::shape_table words;
  for (const grammar::dump::unknown_construct& u : s.unknown) {
    const char* const word_end = scan::lines::flag_word(u.begin, u.end);
    const std::string_view word(u.begin, static_cast<std::size_t>((word_end == u.begin ? u.end : word_end) - u.begin));
    if (std::exchange(words[word], id{0}) != none) continue;
    add("DMP006", "unknown-construct", severity::note, str_cat({"unknown flag '", word, "' of an allocation"}),
        span_of(in.text(), {u.begin, static_cast<std::size_t>(u.end - u.begin)}));
  }
  std::qsort(order.get(), count, sizeof(parse_note*), &compare_notes);
  const std::size_t listed = std::min(count, most_listed), unlisted = count - listed;
  if (unlisted > 0) order[listed]->message = unlisted_text(unlisted), order[listed]->level = severity::error;
  count = listed + (unlisted > 0);
  std::vector<diagnostic> out(count + s.cut_off);
  for (std::size_t i = 0; i < count; ++i) {
    parse_note& from = *order[i];
    out[i].rule = from.rule;
    out[i].name = from.name;
    out[i].level = from.level;
    out[i].message = std::move(from.message);
    out[i].where = {in, from.at};
  }
  if (s.cut_off) {
    const auto end = static_cast<std::uint32_t>(in.text().size());
    out.back().rule = "SYN001";
    out.back().name = "syntax";
    out.back().message = "the text is cut off here: the end of the dump is missing";
    out.back().where = {in, {end, end}};
  }
  return out;
}

/// For a text with nothing in it that this library reads.
template <class = void>
[[gnu::noinline, gnu::cold]] std::vector<diagnostic> unreadable_input(const source& in) {
  const std::string_view text = in.text();
  std::vector<diagnostic> list(1);
  diagnostic& out = list[0];
  out.rule = "SYN000";
  out.name = "unreadable-input";
  out.message = text.empty() ? "the input is empty"
                : is_utf16(text) ? utf16_is_not_read
                : text.substr(0, 4096).find('\0') != text.npos
                    ? "the input is binary"
                    : "the input is no dump of XLA: neither HLO nor about buffers";
  out.where = {in, {}};
  return list;
}

}  // namespace detail

template <class State>
parsed_file parse_buffers(source text) {
  parsed_file out;
  out.kind = kind_of(text.text());
  const std::string_view all = text.text();
  grammar::dump::read_dump read;
  read.texts.push_back(text);
  // Half of a whole dump is used values, a quarter of it allocations and their values.
  read.values.reserve(all.size() / 400);
  read.positions.reserve(all.size() / 200);
  read.uses.reserve(all.size() / 200);

  grammar::parse_state with;
  std::optional<logs::job_log> log;
  if (out.kind == input_kind::oom_report) log.emplace(all);
  State state(log ? std::string_view(*log->text()) : all, with, read);
  grammar::dump::parse(out.kind, state);
  grammar::dump::finish(state);
  if (log) grammar::dump::locate(state, *log);
  if (text.oversized()) state.cut_off = true;

  const bool something = read.has_assignment || read.has_used_values || read.total_bytes_used || read.live_ranges ||
                         read.report || read.info || read.thunk_list || read.log;
  const bool wrong = !state.problems.empty() || !with.broken.empty() || state.cut_off;
  if (something || (wrong && out.kind != input_kind::unknown))
    out.diagnostics = detail::diagnostics_of(state, text);
  else
    out.diagnostics = detail::unreadable_input(text);
  out.status = !something ? parse_status::failed : wrong ? parse_status::partial : parse_status::ok;
  if (something) out.buffers.emplace(grammar::dump::shared(std::move(read)));
  out.text = std::move(text);
  return out;
}

}  // namespace hlolint
