// What a module's memory is used for, for people.
#pragma once

#include <hlolint/report/explain.hpp>
#include <hlolint/report/memory/memory_chart.hpp>
#include <hlolint/report/memory/memory_facts.hpp>
#include <hlolint/report/memory/oom_text.hpp>
#include <hlolint/report/text_table.hpp>
#include <hlolint/report/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// Peak, memory spaces, allocations, the values at the peak and a chart over time. Positions are those of the schedule.
class memory_text {
 public:
  explicit memory_text(std::ostream& out, memory_options options = {}) : out_(out), options_(options) {}

  /// `path`: of the file that tells about the buffers, or of the module's text.
  void operator()(const context& module, std::string_view path) {
    out_ << printable(path) << ": module "
         << (module.name().empty() ? std::string("without a name") : printable(module.name()));
    if (module.target() != target::unknown) out_ << " (" << name_of(module.target()) << ")";
    out_ << '\n';
    if (module.buffers() && module.buffers()->oom()) write_oom(out_, *module.buffers()->oom(), options_.top);
    if (module.buffers() && module.buffers()->has_assignment()) {
      const memory_profile& facts = module.get<memory_profile>();
      totals(facts, *module.buffers());
      spaces(facts, *module.buffers());
      allocations(facts, *module.buffers());
      values(module, facts);
      timeline(facts, *module.buffers());
    }
    if (const std::string missing = missing_for_memory(module); !missing.empty())
      detail::write_wrapped(out_, missing, "  ", 100);
    out_ << '\n';
  }

 private:
  static std::string bytes_text(byte_count bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + (bytes >= 1024 ? " (" + human(bytes) + ")" : "");
  }
  static std::string position_text(const buffer_dump& dump, std::int64_t position) {
    const std::string_view by = instruction_at(dump, position);
    return std::to_string(position) + (by.empty() ? "" : " (" + printable(by) + ")");
  }
  // `158-163, 165 and 166`: no more than three, the first with its instruction.
  static std::string positions_text(const buffer_dump& dump, const std::vector<position_range>& ranges) {
    if (ranges.empty()) return {};
    std::string out = position_text(dump, ranges.front().first);
    if (ranges.front().last > ranges.front().first) out += " to " + std::to_string(ranges.front().last);
    for (std::size_t i = 1; i < ranges.size() && i < 3; ++i) {
      out += ", " + std::to_string(ranges[i].first);
      if (ranges[i].last > ranges[i].first) out += " to " + std::to_string(ranges[i].last);
    }
    return out + (ranges.size() > 3 ? " and more" : "");
  }

  void totals(const memory_profile& facts, const buffer_dump& dump) {
    std::optional<byte_count> sum = 0;
    for (const allocation& a : dump.allocations()) sum = sum ? checked_add(*sum, a.size) : std::nullopt;
    const std::size_t count = dump.allocations().size();
    out_ << "  allocated  " << (sum ? bytes_text(*sum) : "more than an int64") << " in " << count
         << (count == 1 ? " allocation\n" : " allocations\n");
    const occupancy_curve total = facts.in_use.total();
    if (total.empty()) return;
    out_ << "  peak       " << bytes_text(total.peak()) << " at position "
         << positions_text(dump, total.peak_positions()) << '\n';
    const live_range_block& block = *dump.live_ranges();
    if (!block.peak_known) return;
    out_ << "  XLA's peak " << bytes_text(total.at(block.peak_position)) << " at position "
         << position_text(dump, block.peak_position) << ", found without padding\n";
  }

  void spaces(const memory_profile& facts, const buffer_dump& dump) {
    text_table table({"memory space", "allocations", "bytes", "peak", "at"}, {false, true, true, true, false});
    for (const memory_space_size& space : memory_space_sizes(dump)) {
      std::vector<std::string> row{"color " + std::to_string(space.color), std::to_string(space.allocations),
                                   space.bytes ? std::to_string(*space.bytes) : "?", "", ""};
      for (std::size_t i = 0; i < facts.in_use.space_count(); ++i)
        if (facts.in_use.color_of_space(i) == space.color) {
          const occupancy_curve curve = facts.in_use.of_space(i);
          row[3] = std::to_string(curve.peak());
          row[4] = position_text(dump, curve.peak_positions().front().first);
        }
      table.add(std::move(row));
    }
    out_ << '\n';
    table.write(out_);
  }

  void allocations(const memory_profile& facts, const buffer_dump& dump) {
    text_table table({"allocation", "kind", "color", "bytes", "bound", "at", "slack", "gaps", "repacked"},
                     {true, false, true, true, true, true, true, true, true});
    const std::vector<std::size_t> order = allocations_in_order(dump);
    for (std::size_t i = 0; i < order.size() && i < options_.top; ++i) {
      const allocation& a = dump.allocations()[order[i]];
      std::vector<std::string> row{std::to_string(a.number), std::string(kind_of(a)), std::to_string(a.color),
                                   std::to_string(a.size), "", "", "", "", ""};
      if (const packed_allocation* const packed = facts.packing.of_allocation(order[i])) {
        row[4] = std::to_string(packed->bound);
        row[5] = std::to_string(packed->position);
        row[6] = std::to_string(packed->slack());
        row[7] = std::to_string(packed->gaps());
      }
      if (const repacked_allocation* const packed = facts.packed.of_allocation(order[i]); packed && dump.live_ranges())
        row[8] = std::to_string(packed->size);
      table.add(std::move(row));
    }
    out_ << '\n';
    table.write(out_);
    if (order.size() > options_.top) out_ << "  and " << order.size() - options_.top << " more\n";
    if (!dump.live_ranges()) return;
    out_ << "  bound: most bytes in use at one position. slack: bytes - bound. gaps: never used by any value.\n"
            "  repacked: a smaller packing of the same values that was found, or the present size.\n";
  }

  void values(const context& module, const memory_profile& facts) {
    const std::optional<std::int64_t> position = shown_position(facts, options_);
    if (!position) return;
    const buffer_dump& dump = *module.buffers();
    const std::vector<std::uint32_t> live = values_at(facts.chunks, *position);
    out_ << "\n  values at position " << position_text(dump, *position) << ", where "
         << bytes_text(facts.in_use.total().at(*position)) << " are in use\n";
    text_table table({"bytes", "value", "live", "allocation", "shape"}, {true, false, true, true, false});
    for (std::size_t i = 0; i < live.size() && i < options_.top; ++i) {
      const assigned_value& v = dump.values()[live[i]];
      const live_range& range = *facts.chunks.table().range(live[i]);
      const bool shared = i > 0 && same_bytes(dump.values()[live[i - 1]], v);
      table.add({shared ? "the same" : std::to_string(v.size), printable(to_string(v.name)),
                 std::to_string(range.start) + "-" + std::to_string(range.end),
                 std::to_string(dump.allocation_of(v).number), printable(to_string(dump.shape(v)))});
      const program_place from = program_place_of(module, v);
      std::string text = from.at ? from.at.file + (from.at.line > 0 ? ":" + std::to_string(from.at.line) : "") : "";
      if (!text.empty() && !from.op_name.empty()) text += ", ";
      text += from.op_name;
      if (!text.empty()) table.add_remark(printable(text));
    }
    table.write(out_);
    if (live.size() > options_.top) out_ << "  and " << live.size() - options_.top << " more\n";
  }
  static bool same_bytes(const assigned_value& a, const assigned_value& b) {
    return a.allocation == b.allocation && a.offset == b.offset && a.size == b.size;
  }

  void timeline(const memory_profile& facts, const buffer_dump& dump) {
    const std::vector<std::string> lines =
        chart_of(facts.in_use.total(), last_position(dump), {80, 10, options_.blocks});
    if (!lines.empty()) out_ << "\n  bytes in use by schedule position\n";
    for (const std::string& line : lines) out_ << "  " << line << '\n';
  }

  std::ostream& out_;
  memory_options options_;
};

}  // namespace hlolint
