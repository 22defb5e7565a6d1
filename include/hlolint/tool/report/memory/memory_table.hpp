// Many modules in one table, by need.
#pragma once

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/lint/helper_module.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/memory/memory_profile.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/memory/oom_facts.hpp>
#include <hlolint/tool/report/small_modules.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// A module's row of the table. Unknown numbers are 0.
struct memory_row {
  /// Its name and its first file. @{
  std::string module, path;
  /// @}
  /// Bytes: of all allocations, of the temporary ones, and of these in use at the peak. @{
  byte_count need = 0, temporaries = 0, in_use = 0;
  /// @}
  bool estimated = false;  ///< from the schedule, without a buffer assignment
  bool helper = false;     ///< one operation outside of a program
};

/// A module's row. `path`: its first file.
inline memory_row summary_row(const context& module, std::string_view path) {
  memory_row out{module.name(), std::string(path)};
  out.helper = module.hlo() && is_helper_module(*module.hlo());
  const context& with = with_memory(module);
  if (with.buffers() && with.buffers()->oom())
    for (const oom_facts& of : oom_facts_of(*with.buffers()->oom()))
      out.need = std::max(out.need, of.needed.value_or(0));
  if (!with.has(need::buffers)) return out;
  const memory_need sizes(*with.buffers(), with.target());
  out.need = sizes.total;
  out.temporaries = sizes.temporaries;
  if (with.buffers()->live_ranges()) out.in_use = main_curve(with.get<memory_profile>().in_use, with.target()).peak();
  out.estimated = with.memory_is_estimated();
  return out;
}

/// Puts modules of one operation behind the programs, and each kind in the order of its need.
inline bool comes_before(const memory_row& a, const memory_row& b) {
  return a.helper != b.helper ? b.helper : a.need > b.need;
}

/// Writes the table, one line for modules that need less than a hundredth of the largest, and one for those of one
/// operation each beside programs; `~` marks an estimate. Precondition: the rows are sorted by `comes_before`. `width`:
/// of the terminal; 0 = no limit.
inline void write_memory_table(std::ostream& out, const std::vector<memory_row>& rows, std::size_t top,
                               std::size_t width = 0) {
  out << rows.size() << " modules, by need\n";
  const bool apart = has_both_kinds(rows);
  text_table table({"#need", "#in use", "#temporaries", "module", "file"});
  const auto is_small = [&](const memory_row& row) {
    return (apart && row.helper) || (row.need > 0 && row.need < rows.front().need / 100);
  };
  const auto large = static_cast<std::size_t>(std::find_if(rows.begin(), rows.end(), is_small) - rows.begin());
  const std::vector<std::string> files = file_names(rows);
  for (std::size_t i = 0; i < large && i < top; ++i) {
    const memory_row& row = rows[i];
    table.add({row.need > 0 ? (row.estimated ? "~" : "") + human(row.need) : "?",
               row.in_use > 0 ? human(row.in_use) : "?", human(row.temporaries), printable(row.module), files[i]});
  }
  table.write(out, width);
  out << and_more(large, top, "  ", " (--top)\n");
  std::vector<std::string_view> small, helpers;
  byte_count most_helping = 0;
  for (std::size_t i = large; i < rows.size(); ++i) {
    const bool helps = apart && rows[i].helper;
    (helps ? helpers : small).push_back(rows[i].module);
    if (helps) most_helping = std::max(most_helping, rows[i].need);
  }
  if (!small.empty()) detail::write_remark(out, "and " + modules_text(small) + ", below 1 % of the largest", width);
  detail::write_remark(out, helpers_text(helpers, human(most_helping) + " at most"), width);
  out << '\n';
}

}  // namespace hlolint::report
