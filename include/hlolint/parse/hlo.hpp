// From HLO text to modules: what parse_hlo.hpp declares.
#pragma once

#include <hlolint/grammar/printed/read_rules.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/text/compiled.hpp>
#include <hlolint/text/encoding.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/verify/verify.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

inline bool is_error(const diagnostic& d) { return d.level == severity::error; }

/// Reads the modules of a text.
inline parsed_file read_modules(source text, hlo_extent extent = hlo_extent::whole) {
  parsed_file out;
  out.kind = input_kind::hlo;
  out.text = text;
  if (is_utf16(text.text())) {
    out.diagnostics.push_back(reading_problem("SYN000", utf16_is_not_read, {text, {}}));
    return out;
  }
  grammar::hlo_reading read = grammar::read_hlo(text, true, extent);
  out.diagnostics = std::move(read.diagnostics);
  for (auto& data : read.modules) {
    const hlo_module& m = out.modules().emplace_back(std::move(data));
    std::vector<diagnostic> broken = verify(m);
    // A table of the header may hold quoted modules. One message reports what is wrong with each of them.
    for (const span quoted : m.data().embedded_modules) {
      const parsed_file inner = read_modules(source(unescape(quoted.of(text.text()))));
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

}  // namespace detail

HLOLINT_INLINE parsed_file parse_hlo(source text, hlo_extent extent) {
  return detail::read_modules(std::move(text), extent);
}

}  // namespace hlolint
