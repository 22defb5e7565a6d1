// Advice on many modules in one table, by what it saves.
#pragma once

#include <hlolint/tool/advise/schedule_edit.hpp>
#include <hlolint/tool/report/advise/advice_json.hpp>
#include <hlolint/tool/report/small_modules.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// A module's row.
struct advice_row {
  /// Its name and the file of its text. @{
  std::string module, path;
  /// @}
  byte_count need = 0;  ///< of the module as it is
  /// What edits of the schedule save, and on top of them donations and changes of the program. @{
  byte_count by_edits = 0, by_donation = 0, by_changes = 0;
  /// @}
  certainty donation = certainty::proven;  ///< how sure `by_donation` is
  std::size_t number = 0;                  ///< its place among the modules that were read
  bool helper = false;                     ///< one operation outside of a program, which is not searched
  std::string missing;                     ///< why there is no advice; empty: there is
  /// What one set of changes saves at most: donations and changes of the program are two of them.
  byte_count saves() const { return by_edits + std::max(by_donation, by_changes); }
  /// How sure that is. A donation is proven on the text without the edits, so that both together are a bound.
  certainty how_sure() const {
    if (by_donation <= by_changes) return certainty::proven;
    return by_edits > 0 && donation != certainty::estimate ? certainty::bound : donation;
  }
};

/// The row of a module's advice.
inline advice_row advice_row_of(const advised_module& module, const advise::schedule_advice& advice) {
  advice_row out;
  out.module = module.name, out.path = module.path, out.missing = module.missing;
  out.need = advice.need, out.by_edits = advice.need - advice.after;
  if (advice.donation) {
    out.by_donation = advice.donation->need_before - advice.donation->need_after;
    out.donation = advice.donation->promise;
  }
  if (advice.changes) out.by_changes = advice.changes->need_before - advice.changes->need_after;
  return out;
}

/// The rows that can save at least `least`, most saved first, come before the others. Sorts the rows.
inline std::size_t rank_advice(std::vector<advice_row>& rows, byte_count least) {
  std::stable_sort(rows.begin(), rows.end(), [](const advice_row& a, const advice_row& b) {
    return a.saves() != b.saves() ? a.saves() > b.saves() : a.need > b.need;
  });
  const auto end = std::find_if(rows.begin(), rows.end(),
                                [&](const advice_row& row) { return row.saves() < std::max<byte_count>(1, least); });
  return static_cast<std::size_t>(end - rows.begin());
}

/// The heads of the columns, and the cells of a row. @{
inline std::vector<std::string> advice_columns() {
  return {"#saves", "#need", "#by edits", "#by donations", "#by changes", "module", "file"};
}
inline std::vector<std::string> advice_cells(const advice_row& row, const std::string& file) {
  const auto bytes = [](byte_count saved, certainty c = certainty::proven) {
    return saved > 0 ? amount_text(saved, c) : std::string("-");
  };
  return {amount_text(row.saves(), row.how_sure()),
          human(row.need),
          bytes(row.by_edits),
          bytes(row.by_donation, row.donation),
          bytes(row.by_changes),
          printable(row.module),
          file};
}
/// @}

/// Sentences about the rows that are not in the table, from `worth` on.
inline std::vector<std::string> advice_remarks(const std::vector<advice_row>& rows, std::size_t worth,
                                               byte_count least) {
  std::vector<std::string_view> others, missing, helpers;
  for (std::size_t k = worth; k < rows.size(); ++k)
    (!rows[k].missing.empty() ? missing : rows[k].helper ? helpers : others).push_back(rows[k].module);
  std::vector<std::string> out;
  if (!others.empty())
    out.push_back(modules_text(others) + (worth > 0 ? ", save" : " can save") + " less than " +
                  human(std::max<byte_count>(1, least)) + (worth > 0 ? " each" : " at most"));
  if (!missing.empty())
    out.push_back(modules_text(missing) + (missing.size() == 1 ? " has" : " have") + " no schedule");
  if (!helpers.empty()) out.push_back(helpers_text(helpers, "not searched"));
  return out;
}

/// What a row saves at least: a hundredth of the largest need in the folder, or 256 MiB if that is less, as BUD011 has
/// it.
inline byte_count least_saving(byte_count largest_need) { return std::min<byte_count>(256_MiB, largest_need / 100); }

/// Writes a table of the modules that can save at least `least`, most saved first, and one line for all others. Sorts
/// the rows. `most`: of the rows. `width`: of the terminal; 0 = no limit.
inline void write_advice_table(std::ostream& out, std::vector<advice_row>& rows, byte_count least, std::size_t most,
                               std::size_t width) {
  const std::size_t worth = rank_advice(rows, least);
  out << rows.size() << " modules, by what can be saved\n";
  text_table table(advice_columns(), {4, 3, 2});
  const std::vector<std::string> files = file_names(rows);
  for (std::size_t k = 0; k < worth && k < most; ++k) table.add(advice_cells(rows[k], files[k]));
  if (worth > 0) table.write(out, width);
  if (worth > most) out << "  and " << worth - most << " more (--modules)\n";
  for (const std::string& remark : advice_remarks(rows, worth, least)) detail::write_remark(out, remark, width);
  out << "  --module NAME shows how to save it in one of them\n\n";
}

}  // namespace hlolint::report
