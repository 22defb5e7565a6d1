// Many modules in one table, by the time of their steps.
#pragma once

#include <hlolint/report/time/time_facts.hpp>
#include <hlolint/report/time/time_text.hpp>
#include <hlolint/report/writing.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>

#include <tuple>

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
};

/// A module's row. Precondition: `missing_for_time` is empty.
inline time_row time_row_of(const context& module, std::string_view path, const shown_device& on,
                            const time_options& options) {
  const exposed_time time(*module.hlo(), on.device, options.trips);
  const work_by_source sorted(*module.hlo(), time);
  time_row out;
  out.module = module.name(), out.path = path;
  out.step = time.step(), out.compute = time.compute(), out.exposed = time.exposed();
  out.instructions = module.hlo()->instruction_count(), out.unknown_calls = sorted.unknown_calls();
  out.at_least = out.unknown_calls + loops_counted_once(time, options.trips) > 0;
  out.relative = on.device.is_relative();
  ordered_map<std::string_view, double> lines;
  for (const source_work& w : sorted.list())
    if (!w.source.empty()) lines[w.source] += w.seconds;
  const auto most =
      std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != lines.end() && out.step > 0)
    out.costliest = std::string(most->first) + " (" + rounded(100 * most->second / out.step, 2) + " %)";
  return out;
}

/// Equal modules become one row; longest step first, those without a device last.
inline record_list<time_row> sorted_time_rows(const record_list<time_row>& rows) {
  record_list<time_row> out;
  ordered_map<std::tuple<std::string, std::size_t, double>, std::size_t> known;
  for (const time_row& row : rows) {
    const auto [found, added] = known.try_emplace({row.module, row.instructions, row.step}, out.size());
    if (added)
      out.push_back(row);
    else
      ++out[found->second].equal;
  }
  sort_records(out, [](const time_row& a, const time_row& b) {
    return std::pair(a.relative, -a.step) < std::pair(b.relative, -b.step);
  });
  return out;
}

/// Writes the table. Precondition: the rows are sorted. `unread`: modules without a time.
inline void write_time_table(std::ostream& out, const record_list<time_row>& rows, std::size_t unread,
                             const time_options& options) {
  std::size_t count = unread;
  for (const time_row& row : rows) count += row.equal;
  out << count << " modules, by the time of one run\n";
  text_table table({"#ms/step", "#compute", "#exposed", "#equal", "#unknown calls", "module", "costliest line", "file"},
                   {7, 4});
  const auto milliseconds = [](const time_row& row, double seconds) {
    return row.relative ? std::string("?") : rounded(seconds * 1e3, 3);
  };
  for (std::size_t i = 0; i < rows.size() && i < options.modules; ++i) {
    const time_row& row = rows[i];
    const std::string_view path = row.path;
    table.add({(row.at_least && !row.relative ? ">= " : "") + milliseconds(row, row.step),
               milliseconds(row, row.compute), milliseconds(row, row.exposed), std::to_string(row.equal),
               std::to_string(row.unknown_calls), printable(row.module), printable(row.costliest),
               printable(path.substr(path.rfind('/') + 1))});
  }
  if (!rows.empty()) table.write(out, options.width);
  if (rows.size() > options.modules) out << "  and " << rows.size() - options.modules << " more (--modules)\n";
  if (unread > 0) out << "  " << counted(unread, "module") << " without a time\n";
  out << "  --module NAME shows what the time of one of them goes to\n\n";
}

}  // namespace hlolint::report
