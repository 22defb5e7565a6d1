// The comparison of a dump with the results computed from the HLO, for people and for programs.
#pragma once

#include <hlolint/analysis/buffers/assignment_comparison.hpp>
#include <hlolint/tool/memory/verification.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <cstddef>
#include <string>

namespace hlolint::report {

/// One line per section that the dump has, and below them the differences, side by side. `assigned`: null if the
/// assignment cannot be compared. `width`: of the terminal; 0 = no limit.
inline void write_verification(std::ostream& out, const verification& compared, std::string_view module,
                               std::string_view path, const assignment_comparison* assigned = nullptr,
                               std::size_t width = 0) {
  const bool all_equal = compared.all_equal() && (!assigned || assigned->is_equal());
  out << module_heading(path, module, target::unknown, width, all_equal ? ": all equal" : ": not all equal") << '\n';
  text_table counts({"section", "#equal", "#of", "#unknown"});
  text_table different({"#line", "section", "value", "printed", "computed"});
  bool any_different = false;
  const auto add = [&](std::string_view section, const agreement& found) {
    counts.add({std::string(section), std::to_string(found.equal), std::to_string(found.total),
                std::to_string(found.unknown)});
    const auto cell = [](const std::string& text) { return text.empty() ? std::string("-") : printable(text); };
    for (const disagreement& d : found.first) {
      any_different = true;
      different.add({std::to_string(d.where.begin().line), std::string(section), printable(d.what), cell(d.printed),
                     cell(d.computed)});
    }
  };
  for (const verified_section which : verified_sections)
    if (const agreement* const found = compared.section(which)) add(name_of(which), *found);
  if (assigned) add("assignment", assigned->values());
  counts.write(out, width);
  if (any_different) {
    out << "\n  the first that differ in each section\n";
    different.write(out, width);
  }
  if (assigned && assigned->cause() == assignment_cause::order)
    out << "\n  values in unknown places: XLA held the instructions in another order, which no text shows\n";
  else if (assigned && assigned->cause() != assignment_cause::equal)
    out << "\n  the assignment differs; cause: " << name_of(assigned->cause()) << '\n';
  out << '\n';
}

/// `{"path", "module", "verified": {"sizes": {"equal", "total", "unknown"}, ...}}`; a section that the dump does not
/// have is left out. `assigned`: null if the assignment cannot be compared.
inline void write_verification_json(json_writer& json, const verification& compared, std::string_view module,
                                    std::string_view path, const assignment_comparison* assigned = nullptr) {
  json.object([&] {
    json.members("path", path, "module", module);
    json.object("verified", [&] {
      const auto counts = [&](const agreement& found) {
        json.members("equal", found.equal, "total", found.total, "unknown", found.unknown);
      };
      for (const verified_section which : verified_sections)
        if (const agreement* const found = compared.section(which))
          json.object(name_of(which), [&] { counts(*found); });
      if (assigned)
        json.object("assignment", [&] {
          counts(assigned->values());
          json.member_if("cause", name_of(assigned->cause()));
        });
    });
  });
}

}  // namespace hlolint::report
