// The use of a module's memory, for people.
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/advise/order_room.hpp>
#include <hlolint/tool/report/memory/memory_chart.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/memory/memory_groups.hpp>
#include <hlolint/tool/report/memory/oom_text.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace hlolint::report {

/// Writes peak, memory spaces, allocations, the values at the peak and a chart over time. Positions are those of the
/// schedule.
class memory_text {
 public:
  /// Precondition: `out` outlives it.
  explicit memory_text(std::ostream& out, memory_options options = {}) : out_(out), options_(options) {}

  /// `path`: of the file with the buffers, or of the module's text.
  void operator()(const context& module, std::string_view path) {
    out_ << module_heading(path, module.name(), module.target(), options_.width) << '\n';
    if (module.buffers() && module.buffers()->oom())
      write_oom(out_, *module.buffers()->oom(), options_.top, options_.width);
    const std::string pointer = advise::advice_pointer(module);  // before the estimate, which uses what it made
    const context& with = with_memory(module);
    if (!with.memory_words().empty()) detail::write_remark(out_, with.memory_words(), options_.width);
    if (with.has(need::buffers)) show(with);
    if (!pointer.empty()) {
      out_ << '\n';
      line("advice", pointer);
    }
    if (!with.memory_words().empty()) out_ << '\n';
    if (const std::string missing = missing_for_memory(module); !missing.empty())
      detail::write_remark(out_, missing, options_.width);
    out_ << '\n';
  }

 private:
  void show(const context& module) {
    const memory_profile& facts = module.get<memory_profile>();
    totals(module, facts);
    if (options_.by != memory_by::nothing) return groups(module, facts);
    spaces(module, facts);
    allocations(facts, *module.buffers());
    values(module, facts);
    timeline(module, facts);
  }

  static std::string bytes_text(byte_count bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + (bytes >= 1024 ? " (" + human(bytes) + ")" : "");
  }
  static std::string position_text(const buffer_dump& dump, std::int64_t position) {
    const std::string_view by = instruction_at(dump, position);
    return std::to_string(position) + (by.empty() ? "" : " (" + printable(by) + ")");
  }
  // At most three ranges, the first with its instruction.
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

  void totals(const context& module, const memory_profile& facts) {
    const buffer_dump& dump = *module.buffers();
    const memory_need sizes(dump, module.target());
    const auto counted_ones = static_cast<std::size_t>(
        std::count_if(dump.allocations().begin(), dump.allocations().end(),
                      [&](const allocation& a) { return memory_need::counts(a, module.target()); }));
    line("need", bytes_text(sizes.total) + " in " + counted(counted_ones, "allocation") +
                     ", as long as it is loaded; without code");
    std::string parts = "arguments " + human(sizes.arguments) + " + outputs " + human(sizes.outputs);
    if (sizes.aliased > 0) parts += " - aliased " + human(sizes.aliased);
    parts += " + temporaries " + human(sizes.temporaries);
    if (sizes.constants > 0) parts += " + constants " + human(sizes.constants);
    if (sizes.thread_local_storage > 0) parts += " + thread-local " + human(sizes.thread_local_storage);
    if (sizes.tuple_tables > 0) parts += " + tuple tables " + human(sizes.tuple_tables);
    detail::write_wrapped(out_, "= " + parts, "           ", sentence_width(options_.width));
    if (const byte_count there = usable_memory(module.certain_device()); there > 0) {
      const byte_count left = (checked_int64(there) - bytes_in_space(dump, 0, module.target())).clamped();
      line("device", printable(module.certain_device().name) + " has " + human(there) + " of " +
                         memory_space_name(module.target(), 0) + ": " +
                         human(left < 0 ? (checked_int64(0) - left).clamped() : left) +
                         (left < 0 ? " too much" : " are left"));
    }
    if (const auto peak = detail::peak_of_compiler(module))
      line("JAX's peak", bytes_text(peak->total()) + " (peak_memory_in_bytes, and XProf's memory viewer" +
                             (!peak->has_heap && sizes.temporaries > 0 ? ", without temporary memory)" : ")"));
    const occupancy_curve total = main_curve(facts.in_use, module.target());
    if (total.empty()) return;
    line("in use", bytes_text(total.peak()) + " at most, at position " + positions_text(dump, total.peak_positions()));
    const live_range_block& block = *dump.live_ranges();
    if (!block.peak_known) return;
    const byte_count printed = detail::bytes_at_printed_peak(block, facts);
    line("XLA's peak", bytes_text(printed) + " at position " + position_text(dump, block.peak_position) +
                           (printed == total.peak() ? ""
                            : printed > total.peak()
                                ? "\n(XLA adds up what is live then, also values in one place or in other memory)"
                            : is_any_padded(dump) ? "\n(XLA counts no padding, and ranges that touch as apart)"
                                                  : "\n(XLA counts values whose ranges touch as apart)"));
  }

  /// Whether any value is padded.
  static bool is_any_padded(const buffer_dump& dump) {
    return std::any_of(dump.values().begin(), dump.values().end(), [&](const assigned_value& v) {
      const auto elements = dense_size(dump.shape(v));
      return dump.shape(v).is_array() && elements && v.size > *elements;
    });
  }

  // A title, and a sentence beside it.
  void line(std::string_view title, std::string_view text) {
    constexpr std::size_t beside = 13;
    detail::write_beside(out_, title, text, beside, sentence_width(options_.width));
  }

  void spaces(const context& module, const memory_profile& facts) {
    const buffer_dump& dump = *module.buffers();
    text_table table({"memory space", "#allocations", "#size", "#in use", "at"});
    for (const memory_space_size& space : memory_space_sizes(dump, module.target())) {
      const occupancy_curve curve = facts.in_use.of_color(space.color);
      table.add({memory_space_name(module.target(), space.color), std::to_string(space.allocations),
                 space.bytes ? human(*space.bytes) : "?", curve.empty() ? "" : human(curve.peak()),
                 curve.empty() ? "" : position_text(dump, curve.peak_positions().front().first)});
    }
    out_ << '\n';
    table.write(out_, options_.width);
  }

  void allocations(const memory_profile& facts, const buffer_dump& dump) {
    text_table table({"#allocation", "kind", "#color", "#bytes", "#bound", "#at", "#slack", "#gaps", "#repacked"},
                     {2, 7, 6, 5});  // color, gaps, slack, at
    const std::vector<std::size_t> order = allocations_in_order(dump);
    for (std::size_t i = 0; i < order.size() && i < options_.top; ++i) {
      const allocation& a = dump.allocations()[order[i]];
      std::vector<std::string> row{std::to_string(a.number), std::string(kind_of(a)), std::to_string(a.color),
                                   std::to_string(a.size)};
      row.resize(9);
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
    table.write(out_, options_.width);
    out_ << and_more(order.size(), options_.top, "  ", "\n");
    if (!dump.live_ranges()) return;
    detail::write_remark(
        out_,
        "bound: most bytes in use at one position. slack: bytes - bound. gaps: never used by any value.\n"
        "repacked: a smaller packing of the same values that was found, or the present size.",
        options_.width);
  }

  // The resident items at the shown position.
  std::vector<resident_item> resident(const context& module, const memory_profile& facts) const {
    return resident_at(facts.chunks, shown_position(facts, module.target(), options_), module.target());
  }

  void values(const context& module, const memory_profile& facts) {
    const std::optional<std::int64_t> position = shown_position(facts, module.target(), options_);
    if (!position) return;
    const buffer_dump& dump = *module.buffers();
    const std::int64_t last = last_position(dump);
    const std::vector<resident_item> items = resident(module, facts);
    out_ << '\n';
    detail::write_wrapped(out_,
                          "what takes the need at position " + position_text(dump, *position) +
                              (*position > last ? ", after the end of the schedule at " + std::to_string(last) : "") +
                              ", where " + bytes_text(main_curve(facts.in_use, module.target()).at(*position)) +
                              " are in use",
                          "  ", options_.width == 0 ? std::string::npos : sentence_width(options_.width));
    text_table table({"#size", "kind", "value", "#live", "#allocation", "shape"}, {4});  // the allocation
    for (std::size_t i = 0; i < items.size() && i < options_.top; ++i) {
      const allocation& a = dump.allocations()[items[i].allocation];
      if (!items[i].value) {
        table.add(
            {human(items[i].bytes), std::string(kind_of(a)), "(not in use then)", "", std::to_string(a.number), ""});
        continue;
      }
      const assigned_value& v = dump.values()[*items[i].value];
      const live_range* const range = facts.chunks.table().range(*items[i].value);
      table.add({human(items[i].bytes), std::string(kind_of(a)), printable(to_string(v.name)),
                 range ? std::to_string(range->start) + "-" + std::to_string(range->end) : "always",
                 std::to_string(a.number), printable(to_string(dump.shape(v)))});
      const program_place from = program_place_of(module, v);
      std::string text = file_and_line(from.at.file, from.at.line);
      if (!text.empty() && !from.op_name.empty()) text += ", ";
      text += from.op_name;
      if (!text.empty()) table.add_remark(printable(text));
    }
    table.write(out_, options_.width);
    out_ << and_more(items.size(), options_.top, "  ", "\n");
  }

  void groups(const context& module, const memory_profile& facts) {
    const std::optional<std::int64_t> position = shown_position(facts, module.target(), options_);
    const buffer_dump& dump = *module.buffers();
    const std::vector<memory_group> found = memory_groups(module, resident(module, facts), options_.by, options_.depth);
    const byte_count whole = memory_need(dump, module.target()).total;
    out_ << "\n  what takes the need, by " << name_of(options_.by);
    if (position) out_ << ", at position " << position_text(dump, *position);
    out_ << '\n';
    text_table table({"#size", "#share", "#values", "#forward", "#backward", "#recomputed", "#optimizer",
                      std::string(name_of(options_.by))},
                     {2});
    const bool split = has_gradients(module) && options_.by != memory_by::pass;
    for (std::size_t column = 3; !split && column < 7; ++column) table.hide(column);
    const auto percent = [](byte_count part, byte_count of) {
      return share_text(static_cast<double>(part), static_cast<double>(of));
    };
    std::size_t shown = 0;
    for (const memory_group& group : found) {
      if (++shown > options_.top) break;
      std::vector<std::string> row{human(group.bytes), percent(group.bytes, whole), std::to_string(group.items)};
      for (const program_pass pass : known_passes)
        row.push_back(percent(group.of_pass[static_cast<std::size_t>(pass)], group.bytes));
      row.push_back(std::string(2 * group.depth, ' ') + printable(group.name));
      table.add(std::move(row));
    }
    table.write(out_, options_.width);
    out_ << and_more(found.size(), options_.top, "  ", " (--top)\n");
  }

  // The columns that the axis leaves for the chart.
  std::size_t chart_columns() const {
    constexpr std::size_t most = 80, axis = 15, least = 20;
    return options_.width == 0 ? most : std::clamp(options_.width, least + axis, most + axis) - axis;
  }
  void timeline(const context& module, const memory_profile& facts) {
    const std::vector<std::string> lines =
        chart_of(main_curve(facts.in_use, module.target()), last_position(*module.buffers()),
                 {chart_columns(), 10, options_.blocks});
    if (!lines.empty()) out_ << "\n  bytes in use by schedule position\n";
    for (const std::string& line : lines) out_ << "  " << line << '\n';
  }

  std::ostream& out_;
  memory_options options_;
};

}  // namespace hlolint::report
