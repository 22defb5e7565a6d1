// The diagnostics of reading a dump that is not HLO.
#pragma once

#include <hlolint/grammar/buffers/state.hpp>
#include <hlolint/grammar/proto/proto_scan.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/encoding.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// The word at a place, to the next blank; empty at the end of a line.
inline span word_at(std::string_view text, const char* where) {
  const char* const last = text.data() + text.size();
  const char* end = where;
  while (end != last && static_cast<unsigned char>(*end) > ' ') ++end;
  return {static_cast<std::uint32_t>(where - text.data()), static_cast<std::uint32_t>(end - text.data())};
}

/// All diagnostics of a parse, in text order.
inline std::vector<diagnostic> diagnostics_of(const grammar::dump::dump_state& s, const source& in) {
  std::vector<diagnostic> out;
  const auto add = [&](const char* rule, std::string message, span at, severity level = severity::error) {
    out.push_back(reading_problem(rule, std::move(message), {in, at}, level));
  };
  for (const grammar::dump::problem& p : s.problems)
    add("SYN001",
        p.more == 0   ? p.message
        : p.more == 1 ? str_cat({p.message, ", and the line after it cannot be read either"})
                      : str_cat({p.message, ", and the ", p.more, " lines after it cannot be read either"}),
        word_at(in.text(), p.where));
  for (const grammar::broken_rule& b : s.small.broken) add("SYN002", b.message, word_at(in.text(), b.where));
  if (s.cut_line)
    add("SYN001", "the log is cut off in this line, which is not read", word_at(in.text(), s.cut_line), severity::note);
  // The numbers in a flag may differ between allocations, so each word is reported once.
  std::set<std::string_view> words;
  for (const grammar::dump::unknown_construct& u : s.unknown) {
    const char* const word_end = scan::lines::flag_word(u.begin, u.end);
    const std::string_view word(u.begin, static_cast<std::size_t>((word_end == u.begin ? u.end : word_end) - u.begin));
    if (!words.insert(word).second) continue;
    add("DMP006", str_cat({"unknown flag '", word, "' of an allocation"}),
        span_of(in.text(), {u.begin, static_cast<std::size_t>(u.end - u.begin)}), severity::note);
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
    add("SYN001", "the text is cut off here: the end of the dump is missing", {end, end});
  }
  return out;
}

/// The diagnostic about a text that holds nothing that this library reads.
inline diagnostic unreadable_input(const source& in) {
  const std::string_view text = in.text();
  const char* const message = text.empty()                                   ? "the input is empty"
                              : is_utf16(text)                               ? utf16_is_not_read
                              : text.substr(0, 4096).find('\0') != text.npos ? "the input is binary"
                              : is_text_proto(text)
                                  ? "the input is a protocol buffer in text form, which is not read as HLO"
                                  : "the input is no dump of XLA: neither HLO nor about buffers";
  return reading_problem("SYN000", message, {in, {}});
}

}  // namespace hlolint::detail
