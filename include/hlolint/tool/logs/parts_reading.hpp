// From a text with many parts to values: what tool/parse_parts.hpp declares.
#pragma once

#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/compiled.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/logs/compiler_messages.hpp>
#include <hlolint/tool/logs/input_parts.hpp>
#include <hlolint/tool/logs/message_parts.hpp>
#include <hlolint/tool/logs/other_producers.hpp>
#include <hlolint/tool/logs/sentences.hpp>
#include <hlolint/tool/logs/whole_lines.hpp>
#include <hlolint/tool/parse_log.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// How many instructions of a fragment are written; its unknown operands are parameters that are not written.
inline std::size_t written_instructions(const hlo_module& fragment) {
  std::size_t count = 0;
  for (const hlo_instruction i : fragment.instructions()) count += !i.is_synthesized();
  return count;
}

/// The first line of a text that is not blank.
inline span first_line_of(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(text.find('\n', begin), text.size()))};
}

/// Adds the modules and messages of a part to those of the text.
inline void add_modules(parsed_file& to, parsed_file&& part) {
  if (to.modules().empty() && to.diagnostics.empty()) {
    to = std::move(part);
    return;
  }
  for (hlo_module& m : part.modules()) to.modules().push_back(std::move(m));
  for (diagnostic& d : part.diagnostics) to.diagnostics.push_back(std::move(d));
  to.status = to.modules().empty()                                               ? parse_status::failed
              : to.status == parse_status::ok && part.status == parse_status::ok ? parse_status::ok
                                                                                 : parse_status::partial;
}

/// Reads the HLO of a text with other parts: modules, fragments, and modules in strings with escapes.
inline parsed_file read_hlo_parts(logs::input_parts& parts, const source& written) {
  parsed_file out;
  out.kind = input_kind::hlo;
  out.text = written;
  if (!parts.hlo.empty())
    add_modules(out, parse_hlo(source(std::move(parts.hlo), written.path()),
                               parts.has_gaps ? hlo_extent::with_gaps : hlo_extent::whole));
  for (std::string& text : parts.escaped) add_modules(out, parse_hlo(source(std::move(text), written.path())));
  if (!parts.fragment.empty()) {
    parsed_file some = parse_hlo(source(std::move(parts.fragment), written.path()), hlo_extent::instruction_list);
    if (some.status == parse_status::ok) {
      const std::size_t count = written_instructions(some.modules().front());
      std::string note =
          count == 1 ? "this instruction is a fragment of a program: its computation and the operands that it does not "
                       "define are not here"
                     : str_cat({"these ", count,
                                " instructions are a fragment of a program: their computation and the operands that "
                                "they do not define are not here"});
      some.diagnostics.push_back(
          reading_problem("DMP014", std::move(note), {some.text, first_line_of(some.text.text())}, severity::note));
    }
    add_modules(out, std::move(some));
  }
  for (const logs::input_parts::passed_over& part : parts.notes) {
    const span where{static_cast<std::uint32_t>(part.at), static_cast<std::uint32_t>(part.at + part.size)};
    // The place is one in the log itself: in the text that was read it is blank.
    out.diagnostics.push_back(reading_problem("DMP006",
                                              "HLO that another process printed at the same time is passed over",
                                              {written, where}, severity::note));
  }
  sort_by_place(out.diagnostics);
  return out;
}

/// Whether HLO was read to the end of its text, though it may break rules of names and shapes: then the text has no
/// other parts.
inline bool is_read_to_end(const parsed_file& read) {
  return std::all_of(read.diagnostics.begin(), read.diagnostics.end(),
                     [](const diagnostic& d) { return d.level != severity::error || d.rule == "SYN002"; });
}

/// Whether the instruction of a value in a dump of buffers holds messages: its end was cut off, and what follows was
/// taken for the rest of it.
inline bool holds_other_text(const parsed_file& read) {
  return read.buffers &&
         std::any_of(read.buffers->used_values().begin(), read.buffers->used_values().end(), [](const used_value& v) {
           return v.from_instruction.find('\n') != std::string_view::npos && logs::mentions_memory(v.from_instruction);
         });
}

}  // namespace detail

HLOLINT_INLINE input_kind kind_of_parts(std::string_view text) {
  const char* const last = text.data() + text.size();
  const char* const head = scan::kind::preamble(text.data(), last);
  const std::string_view rest(head, static_cast<std::size_t>(last - head));
  if (is_text_proto(text) || logs::begins_torch_ir(rest) || logs::is_list_of_findings(text)) return input_kind::unknown;
  // A title in Markdown looks like a comment, so all of the text can be preamble.
  if (rest.empty())
    return logs::mentions_memory(text)                    ? input_kind::oom_report
           : logs::text_splitter(text).read().holds_hlo() ? input_kind::hlo
                                                          : input_kind::unknown;
  if (const input_kind kind = kind_by_beginning(text); kind != input_kind::unknown) return kind;

  // Marks on later lines: reports stand in logs, and the first lines of a dump may be damaged.
  if (logs::holds_any(
          text, {"Ran out of memory in memory space ", "BufferAssignment OOM Debugging.", "BufferAssignment stats:"}))
    return input_kind::oom_report;
  if (rest.substr(0, 4096).find('\0') != rest.npos) return input_kind::unknown;
  if (logs::text_splitter(text).holds_module()) return input_kind::hlo;
  if (const input_kind kind = kind_by_later_lines(text); kind != input_kind::unknown) return kind;
  if (logs::mentions_memory(text)) return input_kind::oom_report;
  // A part of a report, a fragment of HLO, or messages of the compiler.
  if (logs::holds_part_of_report(text) || logs::holds_message(text)) return input_kind::oom_report;
  if (logs::text_splitter(text).read().holds_hlo()) return input_kind::hlo;
  if (const auto plain = logs::plain_text(text); plain && logs::text_splitter(*plain).read().holds_hlo())
    return input_kind::hlo;
  return logs::is_log_of_xla(text) ? input_kind::oom_report : input_kind::unknown;
}

HLOLINT_INLINE parsed_file parse_parts(source text) {
  const input_kind kind = kind_of_parts(text.text());
  const bool is_hlo = begins_like_hlo(text.text());
  const bool is_buffers = kind != input_kind::hlo && kind != input_kind::oom_report;
  parsed_file whole;
  if (is_hlo) whole = parse_hlo(text);
  if (!is_hlo && is_buffers) whole = parse_buffers(text);
  const bool is_read = whole.status == parse_status::ok && !detail::holds_other_text(whole);
  if (kind == input_kind::unknown || is_read || (is_hlo && detail::is_read_to_end(whole))) return whole;

  const std::optional<std::string> plain = logs::plain_text(text.text());
  logs::input_parts parts = logs::text_splitter(plain ? *plain : text.text()).read();
  const bool has_others =
      parts.has_other || parts.has_gaps || plain || !parts.escaped.empty() || !parts.fragment.empty();
  const bool is_whole = !has_others || text.text().find('\0') != std::string_view::npos;
  // If most of a long text is HLO, most of the rest is blank.
  const std::string lines = parts.other_bytes < parts.rest.size() / 4 ? logs::full_lines(parts.rest) : std::string();
  const std::string_view others = lines.empty() ? std::string_view(parts.rest) : lines;
  const bool has_messages = parts.has_other && (logs::mentions_memory(others) || logs::holds_part_of_report(others) ||
                                                logs::holds_message(others));
  if ((is_hlo && (is_whole || !(parts.holds_hlo() || has_messages || !parts.buffers.empty()))) ||
      (is_buffers && !parts.has_other && !parts.holds_hlo() && parts.buffers.size() < 2))
    return whole;
  parsed_file out;
  out.kind = kind;
  out.status = parse_status::ok;
  std::vector<buffer_dump> dumps;
  const auto add = [&](parsed_file&& part) {
    if (part.buffers) dumps.push_back(*part.buffers);
    if (part.status != parse_status::ok) out.status = parse_status::partial;
    for (hlo_module& m : part.modules()) out.modules().push_back(std::move(m));
    for (diagnostic& d : part.diagnostics) out.diagnostics.push_back(std::move(d));
  };
  const bool holds_hlo = parts.holds_hlo();
  if (holds_hlo) add(detail::read_hlo_parts(parts, text));
  for (std::string& dump : parts.buffers) add(parse_buffers(source(std::move(dump), text.path())));
  logs::message_parts messages;
  parsed_file log;
  log.text = source(std::move(parts.rest), text.path());
  if (has_messages || (!holds_hlo && dumps.empty())) log = parse_log(log.text);
  messages.find(log);
  const bool has_mlir = logs::holds_mlir(log.text.text());
  if (log.buffers) {
    // A line that merely resembles a message is no report about the program.
    if (log.buffers->oom()->reports.empty() && (holds_hlo || !dumps.empty())) log.buffers.reset();
    add(std::move(log));
  }
  out.parts = std::move(parts.parts);
  messages.add_to(out.parts);
  if (!dumps.empty()) out.buffers = join(dumps);
  if (!out.modules().empty()) out.kind = input_kind::hlo;
  if (!out.parts.empty())
    if (std::string note = logs::parts_text(out.parts, messages.skipped(), has_mlir); !note.empty()) {
      const span at = out.parts.front().at;
      const std::size_t end = std::min<std::size_t>(text.text().find('\n', at.begin), at.end);
      out.diagnostics.push_back(reading_problem("DMP016", std::move(note),
                                                {text, {at.begin, static_cast<std::uint32_t>(end)}}, severity::note));
    }
  sort_by_place(out.diagnostics);
  out.text = std::move(text);
  return out;
}

}  // namespace hlolint
