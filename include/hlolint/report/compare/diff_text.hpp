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
      const bool several = change.kind == compare::change_kind::module && change.module.empty() &&
                           change.before.size() + change.after.size() > 0;
      out << (last ? "\n" : "")
          << (several                  ? std::string("modules on one side only")
              : change.module.empty() ? std::string("module without a name")
                                      : "module " + printable(change.module));
      if (!change.file.empty() && !several) out << " (" << printable(change.file) << ')';
      out << '\n';
    }
    last = &change;
    std::string text = detail::change_words(change);
    if (change.number) text += ": " + detail::change_words(*change.number);
    detail::write_beside(out, name_of(change.verdict), printable(text), 11, width);
    const std::string margin(13, ' ');
    for (const compare::changed_number& number : change.with)
      out << margin << printable(number.what) << ": " << detail::change_words(number) << '\n';
    if (const std::string names = detail::instruction_words(change); !names.empty())
      out << margin << printable(names) << '\n';
  }
  if (last) out << '\n';
  for (const std::string& remark : found.remarks) detail::write_wrapped(out, printable(remark), "", width);
  out << detail::summary_words(found) << '\n';
}

}  // namespace hlolint::report
