// HloModuleProto as the long form of the text that XLA prints (protobuf_dumps.md 4, 5).
#pragma once

#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/computation_order.hpp>
#include <hlolint/tool/protobuf/instruction_text.hpp>
#include <hlolint/tool/protobuf/metadata.hpp>
#include <hlolint/tool/protobuf/program.hpp>
#include <hlolint/tool/protobuf/reading.hpp>
#include <hlolint/tool/protobuf/shapes.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::protobuf {

/// Writes a module to `in.out`. Reports broken parts and leaves them out.
class module_text {
 public:
  explicit module_text(reading& in) : in_(in), out_(in.out) {}

  void put(std::string_view bytes, int depth = 0) {
    whole_.read(bytes, in_);
    const std::vector<std::size_t> order = computation_order(whole_, in_);
    in_.guarded([&] { put_header(depth); });
    out_ += "\n\n";
    if (const auto at = whole_.computation_ids.find(whole_.entry_id))
      entry_ = *at;
    else if (!whole_.computations.empty())
      find_entry_by_name();
    instruction_text line(in_, whole_);
    for (const std::size_t i : order)
      in_.in("computations", static_cast<std::int64_t>(i), [&] { in_.guarded([&] { put_computation(i, line); }); });
  }

  const program& whole() const { return whole_; }

 private:
  void find_entry_by_name() {
    for (std::size_t i = 0; i < whole_.computations.size(); ++i)
      if (!whole_.entry_name.empty() && whole_.computations[i].name == whole_.entry_name) return void(entry_ = i);
    if (!in_.cut_off())
      in_.in("entry_computation_id", [&] {
        in_.report(str_cat({"there is no computation with the id ", whole_.entry_id}));
      });
  }

  void put_header(int depth) {
    out_ += "HloModule ";
    whole_.name.empty() ? void(out_ += "module") : put_name(out_, whole_.name);
    if (whole_.has_schedule) out_ += ", is_scheduled=true";
    entries(", input_output_alias={ ", whole_.aliases, [&](const message& m) {
      put_list(out_, m.numbers(1));
      append_to(out_, {": (", m.number(2), ", "});
      put_list(out_, m.numbers(3));
      out_ += m.number(4) == 2 ? ", must-alias)" : ", may-alias)";
    });
    entries(", buffer_donor={ ", whole_.donors, [&](const message& m) {
      append_to(out_, {"(", m.number(1), ", "});
      put_list(out_, m.numbers(2));
      out_ += ')';
    });
    if (!whole_.program_shape.empty()) in_.in("host_program_shape", [&] { put_program_shape(); });
    // XLA prints the counts of the configuration. The message lacks it, but the device assignment has equal numbers.
    const message devices(whole_.device_assignment);
    for (const auto& [key, tag] : {std::pair{", replica_count=", 1u}, std::pair{", num_partitions=", 2u}})
      if (const std::int64_t count = devices.number(tag); count > 1) append_to(out_, {key, count});
    in_.in("frontend_attributes", [&] { put_frontend_attributes(out_, whole_.frontend); });
    if (!whole_.recovery.empty()) in_.in("original_value_recovery_table", [&] { put_recovery_table(depth); });
    if (!whole_.debug.empty()) in_.in("debug_attributes", [&] { put_debug_attributes(); });
    in_.in("stack_frame_index", [&] { put_stack_tables(out_, whole_.stack_frames); });
  }
  template <class Put>
  void entries(const char* begin, const std::vector<std::string_view>& list, Put&& put_one) {
    if (list.empty()) return;
    out_ += begin;
    put_each(out_, list, ", ", [&](std::string_view one) { put_one(message(one)); });
    out_ += " }";
  }

  void put_program_shape() {
    const message m(whole_.program_shape);
    std::size_t i = 0;
    out_ += ", entry_computation_layout={(";
    for (const std::string_view parameter : m.all(1)) {
      put_separator(out_, i++);
      append(out_, shape_of(parameter));
    }
    out_ += ")->";
    append(out_, m.all(2).empty() ? shape() : shape_of(m.bytes(2)));
    out_ += '}';
  }

  /// Writes the origins of arrays that the optimizer removed. Some have a module that computes them.
  void put_recovery_table(int depth) {
    if (depth > 0) throw bad_message("a table within the module of another such table");
    out_ += ", origin_recovery_table={\n";
    for (const std::string_view entry : message(whole_.recovery).all(1)) {
      const message m(entry);
      out_ += "  ";
      put_original_array(out_, m.bytes(1));
      out_ += " : ";
      put_original_array(out_, m.bytes(2));
      if (m.has(3)) {
        const std::size_t begin = out_.size();
        module_text(in_).put(m.bytes(3), depth + 1);
        const std::string text = out_.substr(begin);
        out_.resize(begin);
        out_ += ",\n  \"\n";
        bool at_line_begin = true;
        for (const char c : text) {
          if (at_line_begin && c != '\n') out_ += "    ";
          at_line_begin = c == '\n';
          if (c == '"' || c == '\\') out_ += '\\';
          out_ += c;
        }
        out_ += "\n  \"";
      }
      out_ += '\n';
    }
    out_ += "}\n";
  }

  void put_debug_attributes() {
    constexpr std::string_view modes[] = {"", "default", "fusion_debugger"};
    out_ += ",\ndebug_attributes={\n";
    put_each(out_, whole_.debug, ",\n", [&](std::string_view entry) {
      const message m(entry);
      out_ += "  ";
      put_original_array(out_, m.bytes(1));
      out_ += ":(";
      put_each(out_, m.all(2), ",", [&](std::string_view one) {
        const message d(one);
        std::string fields;
        const auto field = [&](std::string_view key, hlolint::detail::text_part value) {
          append_to(fields, {fields.empty() ? "" : ",", key, value});
        };
        if (const std::string_view mode = word_of(modes, d.number(1)); !mode.empty()) field("log_mode=", mode);
        if (d.flag(2)) field("callback_id=", d.number(2));
        if (d.flag(4)) field("partitioned=", "true");
        if (d.flag(3)) field("op_id=", d.number(3));
        append_to(out_, {"{", fields, "}"});
      });
      out_ += ')';
    });
    out_ += "\n}";
  }

  void put_computation(std::size_t at, instruction_text& line) {
    const computation_head& c = whole_.computations[at];
    if (at == entry_) out_ += "ENTRY ";
    out_ += '%';
    put_name(out_, c.name);
    line.enter(c);
    const auto root = line.find(c.root_id);
    if (root)
      put_signature(c, line.head(*root));
    else if (!in_.cut_off())
      in_.in("root_id", [&] {
        in_.report(str_cat({"there is no instruction with the id ", local_id(c.root_id), " in '", c.name, "'"}));
      });
    out_ += " {\n";
    for (std::size_t i = 0; i < c.count; ++i) {
      const std::size_t k = c.printed(i);
      in_.in("instructions", static_cast<std::int64_t>(k),
             [&] { in_.all_or_nothing([&] { line.put(line.head(k), root == k); }); });
    }
    out_ += '}';
    if (!c.thread.empty() && c.thread != "main") out_ += ", execution_thread=", put_quoted(out_, c.thread);
    out_ += "\n\n";
  }

  void put_signature(const computation_head& c, const instruction_head& root) {
    std::vector<const instruction_head*> parameters;
    for (std::size_t i = 0; i < c.count; ++i)
      if (const instruction_head& head = whole_.instructions[c.first + i]; head.opcode == "parameter")
        parameters.push_back(&head);
    std::stable_sort(parameters.begin(), parameters.end(),
                     [](auto* a, auto* b) { return a->parameter_number < b->parameter_number; });
    const std::size_t begin = out_.size();
    const bool whole = in_.attempted([&] {
      out_ += " (";
      put_each(out_, parameters, ", ", [&](const instruction_head* p) {
        put_name(out_, p->name);
        out_ += ": ";
        append(out_, shape_of(p->shape), {.layout = false});
      });
      out_ += ") -> ";
      append(out_, shape_of(root.shape), {.layout = false});
    });
    if (!whole) out_.resize(begin);
  }

  reading& in_;
  std::string& out_;
  program whole_;
  std::size_t entry_ = static_cast<std::size_t>(-1);
};

}  // namespace hlolint::protobuf
