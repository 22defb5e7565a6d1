// BufferAssignmentProto as the text of `-buffer-assignment.txt` (protobuf_dumps.md 11), without
// pages and output shapes, which the message does not have.
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/program.hpp>
#include <hlolint/tool/protobuf/reading.hpp>
#include <hlolint/tool/protobuf/shapes.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

/// Writes the assignment of a module's buffers to `in.out`. Reports broken parts and leaves them out.
class assignment_text {
 public:
  assignment_text(reading& in, const program& whole) : in_(in), out_(in.out), whole_(whole) {}

  void put(std::string_view bytes) {
    in_.guarded([&] { read_values(bytes); });
    instruction_ids_.reserve(whole_.instructions.size());
    for (const instruction_head& i : whole_.instructions) instruction_ids_.add(i.id);
    bool foreign = false;
    in_.attempted([&] { foreign = is_of_another_module(); });
    if (foreign)
      return in_.leave_out("it is that of the optimized module, while this message has the one before",
                           "For the buffers, let XLA dump the program: XLA_FLAGS=--xla_dump_to=FOLDER.");
    find_merging_parameters();
    out_ += "BufferAssignment:\n";
    in_.guarded([&] {
      in_.each_message(bytes, 3, "buffer_allocations", [&](std::string_view one) {
        in_.all_or_nothing([&] { put_allocation(one); });
        in_.check_size();
      });
    });
  }

 private:
  struct logical_buffer {
    std::int64_t id = 0, size = 0, color = 0;
    std::string_view defined_at;
  };

  void read_values(std::string_view bytes) {
    in_.each_message(bytes, 1, "logical_buffers", [&](std::string_view one) {
      const message m(one);
      values_.push_back({m.number(1), m.number(2), m.number(4), m.text(3)});
      if (!value_ids_.add(static_cast<std::uint64_t>(m.number(1))))
        in_.report(str_cat({"the id ", m.number(1), " is that of another buffer, too"}));
    });
  }

  /// Whether the buffers are those of another module: TensorFlow's `optimized_hlo_proto_serialized` and HloSnapshot
  /// have those of the optimized module and the module before (protobuf_dumps.md 12), which has no schedule. A single
  /// buffer that does not fit is a fault instead.
  bool is_of_another_module() const {
    if (whole_.has_schedule) return false;
    const auto misfits =
        std::count_if(values_.begin(), values_.end(), [&](const logical_buffer& v) { return !fits(v); });
    return misfits > 1 && static_cast<std::size_t>(misfits) * 10 >= values_.size();
  }
  /// Whether the module has an instruction with a result of a buffer's size.
  bool fits(const logical_buffer& value) const {
    const message place(value.defined_at);
    const auto instruction = instruction_of(place);
    if (!instruction) return false;
    const shape whole = shape_of(whole_.instructions[*instruction].shape);
    const shape* const part = subshape(whole, place.numbers(3));
    return part && (value.size == byte_size(*part, size_rule::plain) ||
                    value.size == byte_size(*part, size_rule::plain_dynamic));
  }

  /// Finds the parameters of loop computations: XLA calls their values phi, as the values of several rounds merge
  /// there.
  void find_merging_parameters() {
    merging_.assign(whole_.computations.size(), 0);
    for (const computation_head& c : whole_.computations)
      for (const std::uint32_t caller : c.callers) {
        const instruction_head& i = whole_.instructions[c.first + caller];
        if (i.opcode != "while") continue;
        for (std::uint32_t k = 0; k < i.called_count; ++k)
          if (const auto at = whole_.computation_ids.find(whole_.called[i.first_called + k])) merging_[*at] = 1;
      }
  }
  bool merges(std::size_t instruction) const {
    const instruction_head& i = whole_.instructions[instruction];
    if (i.opcode == "while" || i.opcode == "conditional") return true;
    if (i.opcode != "parameter") return false;
    const auto after = std::upper_bound(whole_.computations.begin(), whole_.computations.end(), instruction,
                                        [](std::size_t n, const computation_head& c) { return n < c.first; });
    return after != whole_.computations.begin() &&
           merging_[static_cast<std::size_t>(after - whole_.computations.begin()) - 1] != 0;
  }

  const instruction_head* entry_parameter(std::int64_t number) const {
    const auto entry = whole_.computation_ids.find(whole_.entry_id);
    if (!entry) return nullptr;
    const computation_head& c = whole_.computations[*entry];
    for (std::size_t i = c.first; i < c.first + c.count; ++i)
      if (whole_.instructions[i].opcode == "parameter" && whole_.instructions[i].parameter_number == number)
        return &whole_.instructions[i];
    return nullptr;
  }

  void put_allocation(std::string_view bytes) {
    const message m(bytes);
    if (m.number(1) < 0 || m.number(2) < 0) throw bad_message("a negative index or size");
    append_to(out_, {"allocation ", m.number(1), ": size ", m.number(2)});
    if (m.flag(8)) append_to(out_, {", color ", m.number(8)});
    const bool is_parameter = m.flag(5);
    if (is_parameter) {
      append_to(out_, {", parameter ", m.number(6), ", shape |"});
      const instruction_head* const from = entry_parameter(m.number(6));
      const auto parameter_index = m.numbers(10);
      const shape whole = from ? shape_of(from->shape) : shape();
      const shape* const part = from ? subshape(whole, parameter_index) : nullptr;
      part ? append(out_, *part, {.layout = false}) : void(out_ += "<unknown shape>");
      out_ += "| at ShapeIndex ";
      put_list(out_, parameter_index);
    }
    if (m.flag(12)) out_ += ", constant";
    if (m.flag(3)) out_ += ", thread-local";
    if (m.flag(7)) out_ += ", maybe-live-out";
    if (!is_parameter && !m.flag(12) && !m.flag(3) && !m.flag(7)) out_ += ", preallocated-temp";
    out_ += ":\n";
    std::vector<message> values;
    for (const std::string_view value : m.all(9)) values.emplace_back(value);
    std::stable_sort(values.begin(), values.end(),
                     [](const message& a, const message& b) { return a.number(1) < b.number(1); });
    for (std::size_t i = 0; i < values.size(); ++i) {
      in_.in("assigned", static_cast<std::int64_t>(i), [&] { in_.all_or_nothing([&] { put_value(values[i]); }); });
      in_.check_size();
    }
  }

  void put_value(const message& assigned) {
    const std::int64_t id = assigned.number(1), offset = assigned.number(2), size = assigned.number(3);
    const auto at = value_ids_.find(static_cast<std::uint64_t>(id));
    if (!at) throw bad_message(str_cat({"there is no logical buffer ", id}));
    if (size < 0 || offset < 0) throw bad_message("a negative size or offset");
    const logical_buffer& value = values_[*at];
    const message place(value.defined_at);
    const auto instruction = instruction_of(place);
    if (!instruction)
      throw bad_message(
          str_cat({"the buffer is defined by an instruction that is not in the module (id ", place.number(4), ")"}));
    const instruction_head& i = whole_.instructions[*instruction];
    const shape whole = shape_of(i.shape);
    const auto index = place.numbers(3);
    const shape* const part = subshape(whole, index);
    if (!part) throw bad_message("the shape of '" + std::string(i.name) + "' has no such index");
    append_to(out_, {" value: <", id, " "});
    put_name(out_, i.name);
    if (whole.is_tuple()) put_list(out_, index);
    if (merges(*instruction)) out_ += " (phi)";
    append_to(out_, {" @", value.color, "> (size=", size, ",offset=", offset, "): "});
    append(out_, *part);
    out_ += '\n';
  }

  /// Finds the instruction by its id; in files written before 2023 by its name.
  std::optional<std::size_t> instruction_of(const message& place) const {
    if (place.has(4) || place.text(2).empty())
      return instruction_ids_.find(static_cast<std::uint64_t>(place.number(4)));
    const std::string_view computation = place.text(1), name = place.text(2);
    for (const computation_head& c : whole_.computations) {
      if (c.name != computation) continue;
      for (std::size_t i = c.first; i < c.first + c.count; ++i)
        if (whole_.instructions[i].name == name) return i;
    }
    return std::nullopt;
  }

  reading& in_;
  std::string& out_;
  const program& whole_;
  std::vector<logical_buffer> values_;
  id_index value_ids_, instruction_ids_;
  std::vector<char> merging_;  ///< for each computation whether its parameters merge values
};

/// Writes MemoryUsageReportProto to `in.out` as the text of `-memory-usage-report.txt` since 2026 (buffer_dumps.md 6):
/// the bytes of each memory space. The rows of the tables are left out, as the message has no offsets.
inline void put_memory_report(reading& in, std::string_view bytes) {
  constexpr std::string_view spaces[] = {"default", "vmem", "smem", "hbm", "host", "cmem"};
  in.guarded([&] {
    in.each_message(bytes, 1, "memory_space_allocation_entries", [&](std::string_view one) {
      const message entry(one);
      const std::int64_t total = entry.number(1), color = entry.number(2);
      if (total < 0 || color < 0) throw bad_message("a negative number of bytes or color");
      const std::string space = color < 6 ? std::string(spaces[color]) : str_cat({"color_", color});
      append_to(in.out,
                {"Memory Space: ", space, " (color=", color, ")\nTotal bytes: ", total, " (", human(total), ")\n\n"});
    });
  });
}

}  // namespace hlolint::protobuf
