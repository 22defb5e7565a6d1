// How a dump compares with what was computed from the HLO, for people and for programs.
#pragma once

#include <hlolint/analysis/buffers/verification.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/text_table.hpp>
#include <hlolint/report/utf8.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace hlolint::report {

/// One line per section that the dump has, and below them what differs, side by side.
inline void write_verification(std::ostream& out, const verification& compared, std::string_view module,
                               std::string_view path) {
  out << printable(path) << ": module " << printable(module)
      << (compared.all_equal() ? ": all equal\n" : ": not all equal\n");
  text_table counts({"section", "equal", "of", "unknown"}, {false, true, true, true});
  text_table different({"line", "section", "value", "printed", "computed"}, {true, false, false, false, false});
  bool any_different = false;
  for (const verified_section which : verified_sections) {
    const agreement* const found = compared.section(which);
    if (!found) continue;
    counts.add({std::string(name_of(which)), std::to_string(found->equal), std::to_string(found->total),
                std::to_string(found->unknown)});
    const auto cell = [](const std::string& text) { return text.empty() ? std::string("-") : printable(text); };
    for (const disagreement& d : found->first) {
      any_different = true;
      different.add({std::to_string(d.where.begin().line), std::string(name_of(which)), printable(d.what),
                     cell(d.printed), cell(d.computed)});
    }
  }
  counts.write(out);
  if (any_different) {
    out << "\n  the first that differ in each section\n";
    different.write(out);
  }
  out << '\n';
}

/// `{"path", "module", "verified": {"sizes": {"equal", "total", "unknown"}, ...}}`; a section that the dump does not
/// have is left out.
inline void write_verification_json(json_writer& json, const verification& compared, std::string_view module,
                                    std::string_view path) {
  json.object([&] {
    json.member("path", path);
    json.member("module", module);
    json.object("verified", [&] {
      for (const verified_section which : verified_sections)
        if (const agreement* const found = compared.section(which))
          json.object(name_of(which), [&] {
            json.member("equal", found->equal);
            json.member("total", found->total);
            json.member("unknown", found->unknown);
          });
    });
  });
}

}  // namespace hlolint::report
