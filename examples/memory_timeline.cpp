// Writes how many bytes a program uses at each position of its schedule, as memory_timeline.csv and
// memory_timeline.svg: memory_timeline FILE...
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/file.hpp>

#include <fstream>
#include <iostream>
#include <vector>

int main(int count, char** paths) {
  std::vector<hlolint::buffer_dump> parts;  // XLA may spread the dump of one module over several files
  for (int i = 1; i < count; ++i) {
    const auto file = hlolint::load_file(paths[i]);
    if (!file.text) return std::cerr << paths[i] << ": " << file.error << '\n', 2;
    const auto read = hlolint::parse(*file.text);
    if (read.buffers) parts.push_back(*read.buffers);
    for (const auto& unreadable : read.diagnostics) std::cerr << unreadable << '\n';
  }

  const hlolint::occupancy in_use(hlolint::join(parts));
  const hlolint::occupancy_curve curve = in_use.total();
  if (curve.empty()) {
    std::cerr << "no live ranges in these files\n";
    return 1;
  }
  const hlolint::byte_count peak = curve.peak();
  const auto end = curve.steps().back().position;  // the position at which the last value is freed

  std::ofstream csv("memory_timeline.csv"), svg("memory_timeline.svg");
  csv << "position,bytes\n";
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << end << " 100' preserveAspectRatio='none'>\n"
      << "<title>peak " << hlolint::human(peak) << "</title>\n<path fill='steelblue' d='M0 100";
  for (const auto& [position, bytes] : curve) {
    csv << position << ',' << bytes << '\n';
    svg << "H" << position << "V" << 100 - 100.0 * static_cast<double>(bytes) / static_cast<double>(peak);
  }
  svg << "Z'/>\n</svg>\n";

  for (const auto& at : curve.peak_positions())
    std::cout << "peak " << hlolint::human(peak) << " at positions " << at.first << " to " << at.last << '\n';
  return csv && svg ? 0 : 1;
}
