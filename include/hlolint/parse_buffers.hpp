// Reads the text dumps that are not HLO: buffer assignments, live ranges, memory reports, thunk sequences.
#pragma once

#include <hlolint/grammar/buffer_dump.hpp>
#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/text/sort_by_place.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace hlolint {

namespace detail {

/// The word at a place, as far as its line goes; empty at the end of the line.
inline span word_at(std::string_view text, const char* where) {
  const char* const last = text.data() + text.size();
  const char* end = where;
  while (end != last && static_cast<unsigned char>(*end) > ' ') ++end;
  return {static_cast<std::uint32_t>(where - text.data()), static_cast<std::uint32_t>(end - text.data())};
}

/// Everything the parse has to say, in text order.
inline std::vector<diagnostic> diagnostics_of(const grammar::dump::dump_state& s, const source& in) {
  std::vector<diagnostic> out;
  const auto add = [&](std::string rule, std::string name, severity level, std::string message, span at) {
    diagnostic& d = out.emplace_back();
    d.rule = std::move(rule);
    d.name = std::move(name);
    d.level = level;
    d.message = std::move(message);
    d.where = {in, at};
  };
  const auto end = static_cast<std::uint32_t>(in.text().size());
  for (const grammar::dump::problem& p : s.problems)
    add("SYN001", "syntax", severity::error,
        p.message + (p.more == 0   ? std::string()
                     : p.more == 1 ? ", and the line behind it cannot be read either"
                                   : ", and the " + std::to_string(p.more) + " lines behind it cannot be read either"),
        word_at(in.text(), p.where));
  for (const grammar::broken_rule& b : s.broken)
    add("SYN002", "name-or-number-rule", severity::error, b.message, word_at(in.text(), b.where));
  // The numbers in a flag may differ from allocation to allocation: its word is what is new.
  std::unordered_set<std::string_view> words;
  for (const grammar::dump::unknown_construct& u : s.unknown) {
    const char* const word_end = scan::dump::flag_word(u.begin, u.end);
    const std::string_view word(u.begin, static_cast<std::size_t>((word_end == u.begin ? u.end : word_end) - u.begin));
    if (!words.insert(word).second) continue;
    add("DMP006", "unknown-construct", severity::note, "unknown flag '" + std::string(word) + "' of an allocation",
        span_of(in.text(), {u.begin, static_cast<std::size_t>(u.end - u.begin)}));
  }
  std::sort(out.begin(), out.end(), [](const diagnostic& a, const diagnostic& b) {
    return a.where.at != b.where.at ? a.where.at < b.where.at : a.message < b.message;
  });
  if (s.cut_off)
    add("SYN001", "syntax", severity::error, "the text is cut off here: the end of the dump is missing", {end, end});
  return out;
}

/// For a text with nothing in it that this library reads.
inline diagnostic unreadable_input(const source& in) {
  const std::string_view text = in.text();
  diagnostic out;
  out.rule = "SYN000";
  out.name = "unreadable-input";
  out.message = text.empty() ? "the input is empty"
                : text.substr(0, 4096).find('\0') != text.npos
                    ? "the input is binary"
                    : "the input is no dump of XLA: neither HLO nor about buffers";
  out.where = {in, {}};
  return out;
}

}  // namespace detail

/// Parses a buffer dump of any form. Whatever can be read is in `buffers`; whatever cannot is a diagnostic.
template <class State = grammar::dump::dump_state>
parsed_file parse_buffers(source text) {
  parsed_file out;
  out.kind = kind_of(text.text());
  auto data = std::make_shared<buffer_data>();
  data->texts.push_back(text);
  const std::string_view all = text.text();

  State state(all, *data);
  // Half of a whole dump is used values, a quarter of it allocations and their values.
  data->values.reserve(all.size() / 400);
  data->positions.reserve(all.size() / 200);
  data->uses.reserve(all.size() / 200);
  const char* first = all.data();
  if (all.starts_with("\xEF\xBB\xBF")) first += 3;
  if (out.kind == input_kind::thunk_sequence)
    grammar::parse_with(grammar::dump::thunk_dump, first, state.end, state);
  else if (out.kind == input_kind::oom_report)
    grammar::parse_with(grammar::dump::oom::log, first, state.end, state);
  else
    grammar::parse_with(grammar::dump::dump, first, state.end, state);
  grammar::dump::finish(state);
  if (text.oversized()) state.cut_off = true;

  data->memory_report = state.report;
  data->buffer_info = state.info;
  data->thunks = state.thunks;
  data->oom = state.oom;
  const bool something = data->has_assignment || data->has_used_values || data->total_bytes_used || data->live_ranges ||
                         data->memory_report || data->buffer_info || data->thunks || data->oom;
  const bool wrong = !state.problems.empty() || !state.broken.empty() || state.cut_off;
  if (something || (wrong && out.kind != input_kind::unknown))
    out.diagnostics = detail::diagnostics_of(state, text);
  else
    out.diagnostics.push_back(detail::unreadable_input(text));
  out.status = !something ? parse_status::failed : wrong ? parse_status::partial : parse_status::ok;
  if (something) out.buffers.emplace(std::move(data));
  out.text = std::move(text);
  return out;
}

}  // namespace hlolint
