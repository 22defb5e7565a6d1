// Many modules in one table, by need.
#pragma once

#include <hlolint/analysis/buffers/memory_profile.hpp>
#include <hlolint/report/memory/memory_facts.hpp>
#include <hlolint/report/writing.hpp>

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
};

/// A module's row. `path`: its first file.
inline memory_row summary_row(const context& module, std::string_view path) {
  memory_row out{module.name(), std::string(path), 0, 0, 0, false};
  const context& with = with_memory(module);
  if (!with.has(need::buffers)) return out;
  const memory_need sizes(*with.buffers(), with.target());
  out.need = sizes.total;
  out.temporaries = sizes.temporaries;
  if (with.buffers()->live_ranges()) out.in_use = with.get<memory_profile>().in_use.total().peak();
  out.estimated = with.memory_is_estimated();
  return out;
}

/// Writes the table; `~` marks an estimate. Precondition: the rows are sorted. `width`: of the terminal; 0 = no limit.
inline void write_memory_table(std::ostream& out, const record_list<memory_row>& rows, std::size_t top,
                               std::size_t width = 0) {
  out << rows.size() << " modules, by need\n";
  text_table table({"#need", "#in use", "#temporaries", "module", "file"});
  for (std::size_t i = 0; i < rows.size() && i < top; ++i) {
    const memory_row& row = rows[i];
    const std::string_view path = row.path;
    table.add({row.need > 0 ? (row.estimated ? "~" : "") + human(row.need) : "?",
               row.in_use > 0 ? human(row.in_use) : "?", human(row.temporaries), printable(row.module),
               printable(path.substr(path.rfind('/') + 1))});
  }
  table.write(out, width);
  if (rows.size() > top) out << "  and " << rows.size() - top << " more (--top)\n";
  out << '\n';
}

}  // namespace hlolint::report
