// What changed between two compilations, for programs.
#pragma once

#include <hlolint/tool/compare/program_diff.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <vector>

namespace hlolint::report {

namespace detail {

/// Times are in milliseconds and have a `unit`.
inline void write_changed_number(json_writer& json, const compare::changed_number& number) {
  json.member("what", number.what);
  if (number.unit == compare::number_unit::bytes) {
    json.members("before", number.before, "after", number.after);
    return;
  }
  json.members("before", static_cast<double>(number.before) / 1e6, "after", static_cast<double>(number.after) / 1e6,
               "unit", "ms");
}

inline void write_texts(json_writer& json, std::string_view name, const std::vector<std::string>& texts) {
  if (!texts.empty()) json.values(name, texts);
}

}  // namespace detail

/// `{"modules", "worse", "better", "changed", "changes": [{"kind", "verdict", "module", "text", ...}], "remarks":
/// [...]}`. `before` and `after` of a change are instructions (or modules), those of a number
/// are bytes or, of a time, milliseconds.
inline void write_diff_json(json_writer& json, const compare::program_diff& found) {
  json.object([&] {
    json.member("modules", found.compared);
    for (const compare::change_verdict verdict :
         {compare::change_verdict::worse, compare::change_verdict::better, compare::change_verdict::neither})
      json.member(name_of(verdict), found.count(verdict));
    json.objects("changes", found.changes, [&](const compare::module_change& change) {
      json.members("kind", name_of(change.kind), "verdict", name_of(change.verdict));
      json.members_if("module", change.module, "file", change.file);
      json.member("text", change.text);
      const auto write = [&](const compare::changed_number& number) { detail::write_changed_number(json, number); };
      if (change.number)
        json.object(change.number->unit == compare::number_unit::bytes ? "bytes" : "time",
                    [&] { write(*change.number); });
      if (!change.with.empty()) json.objects("with", change.with, write);
      if (change.count > 1) json.member("count", change.count);
      detail::write_texts(json, "before", change.before);
      detail::write_texts(json, "after", change.after);
      detail::write_texts(json, "rules", change.rules);
    });
    json.values("remarks", found.remarks);
  });
}

}  // namespace hlolint::report
