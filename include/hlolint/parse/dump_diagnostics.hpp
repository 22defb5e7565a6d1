// What reading a dump that is not HLO reports.
#pragma once

#include <hlolint/grammar/buffers/state.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/encoding.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/sort_by_place.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::detail {

/// The word at a place, as far as its line goes; empty at the end of the line.
inline span word_at(std::string_view text, const char* where) {
  const char* const last = text.data() + text.size();
  const char* end = where;
  while (end != last && static_cast<unsigned char>(*end) > ' ') ++end;
  return {static_cast<std::uint32_t>(where - text.data()), static_cast<std::uint32_t>(end - text.data())};
}

/// Everything the parse reports, in text order.
inline record_list<diagnostic> diagnostics_of(const grammar::dump::dump_state& s, const source& in) {
  record_list<diagnostic> out;
  const auto add = [&](const char* rule, const char* name, severity level, std::string message, span at) {
    diagnostic& d = out.emplace_back();
    d.rule = rule;
    d.name = name;
    d.level = level;
    d.message = std::move(message);
    d.where = {in, at};
  };
  for (const grammar::dump::problem& p : s.problems)
    add("SYN001", "syntax", severity::error,
        p.more == 0   ? p.message
        : p.more == 1 ? str_cat({p.message, ", and the line after it cannot be read either"})
                      : str_cat({p.message, ", and the ", p.more, " lines after it cannot be read either"}),
        word_at(in.text(), p.where));
  for (const grammar::broken_rule& b : s.small.broken)
    add("SYN002", "name-or-number-rule", severity::error, b.message, word_at(in.text(), b.where));
  if (s.cut_line)
    add("SYN001", "syntax", severity::note, "the log is cut off in this line, which is not read",
        word_at(in.text(), s.cut_line));
  // The numbers in a flag may differ from allocation to allocation: its word is what is new.
  build::shape_table words(in.text());
  for (const grammar::dump::unknown_construct& u : s.unknown) {
    const char* const word_end = scan::lines::flag_word(u.begin, u.end);
    const std::string_view word(u.begin, static_cast<std::size_t>((word_end == u.begin ? u.end : word_end) - u.begin));
    if (std::exchange(words[word], id{0}) != none) continue;
    add("DMP006", "unknown-construct", severity::note, str_cat({"unknown flag '", word, "' of an allocation"}),
        span_of(in.text(), {u.begin, static_cast<std::size_t>(u.end - u.begin)}));
  }
  sort_by_place(out);
  if (out.size() > most_listed) {
    const std::size_t unlisted = out.size() - most_listed;
    out.erase(out.begin() + most_listed + 1, out.end());
    out.back().message = unlisted_text(unlisted);
    out.back().level = severity::error;
  }
  if (s.cut_off) {
    const auto end = static_cast<std::uint32_t>(in.text().size());
    add("SYN001", "syntax", severity::error, "the text is cut off here: the end of the dump is missing", {end, end});
  }
  return out;
}

/// For a text with nothing in it that this library reads.
inline record_list<diagnostic> unreadable_input(const source& in) {
  const std::string_view text = in.text();
  record_list<diagnostic> list(1);
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

}  // namespace hlolint::detail
