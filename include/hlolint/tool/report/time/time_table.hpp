// Many modules in one table, by the time of their steps.
#pragma once

#include <hlolint/lint/helper_module.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/report/small_modules.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>
#include <hlolint/tool/report/time/time_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hlolint::report {

/// A module's row of the table. Times in seconds.
struct time_row {
  std::string module;             ///< its name
  std::string path;               ///< the file of its text
  double step = 0;                ///< of one run
  double compute = 0;             ///< part of the step without waiting for transfers
  double exposed = 0;             ///< part of the step that waits for transfers
  std::size_t instructions = 0;   ///< of the module
  std::size_t unknown_calls = 0;  ///< calls of unknown time
  bool at_least = false;          ///< because of unknown calls, or of loops that are counted once
  std::string costliest;          ///< the line of the program that takes most of the step, with its share
  bool relative = false;          ///< no device is known: only ratios mean anything
  std::size_t equal = 1;          ///< modules of this name, size and time
  bool helper = false;            ///< one operation outside of a program
};

/// A module's row.
inline time_row time_row_of(const context& module, std::string_view path, const timed_module& times,
                            const time_options& options) {
  const exposed_time& time = times.time;
  const work_by_source& sorted = times.by_source;
  time_row out;
  out.module = module.name(), out.path = path;
  out.step = time.step(), out.compute = time.compute(), out.exposed = time.exposed();
  out.instructions = module.hlo()->instruction_count(), out.unknown_calls = sorted.unknown_calls();
  out.at_least = out.unknown_calls + loops_counted_once(time, options.trips) > 0;
  out.relative = time.on().is_relative(), out.helper = is_helper_module(*module.hlo());
  std::map<std::string_view, double> lines;
  for (const source_work& w : sorted.list())
    if (!w.source.empty()) lines[w.source] += w.seconds;
  const auto most =
      std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != lines.end() && out.step > 0)
    out.costliest = std::string(most->first) + " (" + share_text(most->second, out.step) + ")";
  return out;
}

/// Equal modules become one row; longest step first, those without a device last.
inline std::vector<time_row> sorted_time_rows(const std::vector<time_row>& rows) {
  std::vector<time_row> out;
  std::map<std::tuple<std::string, std::size_t, double>, std::size_t> known;
  for (const time_row& row : rows) {
    const auto [found, added] = known.try_emplace({row.module, row.instructions, row.step}, out.size());
    if (added)
      out.push_back(row);
    else
      ++out[found->second].equal;
  }
  std::stable_sort(out.begin(), out.end(), [](const time_row& a, const time_row& b) {
    return std::pair(a.relative, -a.step) < std::pair(b.relative, -b.step);
  });
  return out;
}

/// Writes the table, one line for modules whose step is below a hundredth of the longest, and one for those of one
/// operation each beside programs. Precondition: the rows are sorted. `untimed`: how many modules have no time, by the
/// reason.
inline void write_time_table(std::ostream& out, const std::vector<time_row>& rows,
                             const std::map<std::string, std::size_t>& untimed, const time_options& options) {
  std::size_t count = 0;
  for (const auto& [reason, modules] : untimed) count += modules;
  for (const time_row& row : rows) count += row.equal;
  out << count << " modules, by the time of one run\n";
  text_table table({"#ms/step", "#compute", "#exposed", "#equal", "#unknown calls", "module", "costliest line", "file"},
                   {7, 4});
  const auto milliseconds = [](const time_row& row, double seconds) {
    return row.relative ? std::string("?") : number_text(seconds * 1e3);
  };
  std::size_t large = 0;
  std::vector<std::string_view> small, helpers;
  std::vector<time_row> shown;
  const bool apart = has_both_kinds(rows);
  double helping = 0;  // seconds
  bool all_timed = true;
  const auto first = std::find_if(rows.begin(), rows.end(), [&](const time_row& row) { return !apart || !row.helper; });
  const auto is_small = [&](const time_row& row) {
    return !row.relative && !row.at_least && row.step < first->step / 100;
  };
  for (const time_row& row : rows) {
    if (apart && row.helper) {
      helpers.insert(helpers.end(), row.equal, row.module);
      helping += row.step * static_cast<double>(row.equal), all_timed = all_timed && !row.relative;
    } else if (is_small(row))
      small.insert(small.end(), row.equal, row.module);
    else if (++large <= options.modules)
      shown.push_back(row);
  }
  const std::vector<std::string> files = file_names(shown);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const time_row& row = shown[k];
    table.add({(row.at_least && !row.relative ? ">= " : "") + milliseconds(row, row.step),
               milliseconds(row, row.compute), milliseconds(row, row.exposed), std::to_string(row.equal),
               std::to_string(row.unknown_calls), printable(row.module), printable(row.costliest), files[k]});
  }
  if (!rows.empty()) table.write(out, options.width);
  out << and_more(large, options.modules, "  ", " (--modules)\n");
  if (!small.empty())
    detail::write_remark(out, "and " + modules_text(small) + ", below 1 % of the longest", options.width);
  const std::string if_once = all_timed ? duration_text(helping) + " if each runs once" : "";
  detail::write_remark(out, helpers_text(helpers, if_once), options.width);
  for (const auto& [reason, modules] : untimed)
    detail::write_remark(out, counted(modules, "module") + " without a time: " + reason, options.width);
  if (!rows.empty()) out << "  --module NAME shows what the time of one of them goes to\n";
  out << '\n';
}

}  // namespace hlolint::report
