// What changed between two compilations, for people.
#pragma once

#include <hlolint/report/compare/change_words.hpp>
#include <hlolint/report/explain.hpp>

#include <cstddef>
#include <ostream>
#include <string>

namespace hlolint::report {

/// The changes of each module below its name, and a last line that sums up.
inline void write_diff(std::ostream& out, const compare::program_diff& found) {
  constexpr std::size_t width = 100;
  const compare::module_change* last = nullptr;
  for (const compare::module_change& change : found.changes) {
    if (!last || last->module != change.module || last->file != change.file) {
      out << (last ? "\n" : "") << "module "
          << (change.module.empty() ? std::string("without a name") : printable(change.module));
      if (!change.file.empty()) out << " (" << printable(change.file) << ')';
      out << '\n';
    }
    last = &change;
    std::string text = detail::change_words(change);
    if (change.bytes) text += ": " + detail::change_words(*change.bytes);
    detail::write_beside(out, name_of(change.verdict), printable(text), 11, width);
    const std::string margin(13, ' ');
    for (const compare::changed_bytes& number : change.with)
      out << margin << number.what << ": " << detail::change_words(number) << '\n';
    if (const std::string names = detail::instruction_words(change); !names.empty())
      out << margin << printable(names) << '\n';
  }
  if (last) out << '\n';
  for (const std::string& remark : found.remarks) detail::write_wrapped(out, printable(remark), "", width);
  out << detail::summary_words(found) << '\n';
}

}  // namespace hlolint::report
