// From HLO text to modules: what parse_hlo.hpp declares.
#pragma once

#include <hlolint/grammar/kind_of.hpp>
#include <hlolint/grammar/logs/hlo_in_log.hpp>
#include <hlolint/grammar/printed/read.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/text/encoding.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/verify/verify.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

namespace detail {

inline bool is_error(const diagnostic& d) { return d.level == severity::error; }

/// Reads the modules of a text that only holds HLO.
template <class Builder>
parsed_file read_modules(source text) {
  parsed_file out;
  out.kind = input_kind::hlo;
  out.text = text;
  if (is_utf16(text.text())) {
    out.diagnostics.push_back(reading_problem("SYN000", utf16_is_not_read, {text, {}}));
    return out;
  }
  grammar::hlo_reading read = grammar::read_hlo<Builder>(text);
  out.diagnostics = std::move(read.diagnostics);
  for (auto& data : read.modules) {
    const hlo_module& m = out.modules().emplace_back(std::move(data));
    record_list<diagnostic> broken = verify(m);
    // A table of the header may hold quoted modules. One message reports what is wrong with each of them.
    for (const span quoted : m.data().embedded_modules) {
      const parsed_file inner = read_modules<Builder>(source(unescape(quoted.of(text.text()))));
      const auto wrong = std::find_if(inner.diagnostics.begin(), inner.diagnostics.end(), is_error);
      if (wrong == inner.diagnostics.end()) continue;
      const line_column at = wrong->where.begin();
      broken.push_back(reading_problem("SYN002",
                                       str_cat({"the module in this string cannot be read; in its line ", at.line,
                                                ", column ", at.column, ": ", wrong->message}),
                                       {text, {quoted.begin, quoted.begin}}));
      broken.back().module = std::string(m.name());
    }
    out.diagnostics.insert(out.diagnostics.end(), std::make_move_iterator(broken.begin()),
                           std::make_move_iterator(broken.end()));
  }
  const bool errors = std::any_of(out.diagnostics.begin(), out.diagnostics.end(), is_error);
  if (out.modules().empty() && !errors)
    out.diagnostics.push_back(reading_problem("SYN000", "there is no HLO module in this text", {text, {}}));
  sort_by_place(out.diagnostics);
  out.status = out.modules().empty() ? parse_status::failed : errors ? parse_status::partial : parse_status::ok;
  return out;
}

inline std::string message_on(logs::log_text::passed_over::what is, std::string_view written) {
  using enum logs::log_text::passed_over::what;
  switch (is) {
    case section: return str_cat({"only HLO is read from a log: ", written, " is passed over"});
    case program: return "only HLO is read: a program in MLIR (StableHLO or another dialect) is passed over";
    case text: return "only HLO is read: other text after it is passed over";
    case process: break;
  }
  return "HLO that another process printed at the same time is passed over";
}

/// Adds notes about parts of a log that were passed over and that a reader may miss.
inline void add_notes(parsed_file& out, const logs::log_text& log, const source& written) {
  for (const logs::log_text::passed_over& part : log.notes) {
    const span where{static_cast<std::uint32_t>(part.at), static_cast<std::uint32_t>(part.at + part.size)};
    // The place is one in the log itself: in the text that was read it is blank.
    out.diagnostics.push_back(reading_problem("DMP006", message_on(part.is, where.of(written.text())), {written, where},
                                              severity::note));
  }
  sort_by_place(out.diagnostics);
}

}  // namespace detail

template <class Builder>
parsed_file parse_hlo(source text) {
  const auto read_log = [&]() -> optional<parsed_file> {
    auto log = logs::log_reader(text.text()).read();
    if (!log) return std::nullopt;
    parsed_file out = detail::read_modules<Builder>(source(std::move(log->text), text.path()));
    detail::add_notes(out, *log, text);
    return out;
  };
  const bool hlo = begins_like_hlo(text.text());
  if (!hlo)
    if (auto out = read_log()) return *std::move(out);
  parsed_file out = detail::read_modules<Builder>(text);
  // The text begins with HLO and goes on with something else, perhaps after a fence of Markdown.
  if (hlo && out.status == parse_status::partial && logs::holds_other_text(text.text()))
    if (auto again = read_log()) return *std::move(again);
  return out;
}

}  // namespace hlolint
