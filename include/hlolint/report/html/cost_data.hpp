// The page's data about the time of a step, and about the instructions that it links.
#pragma once

#include <hlolint/report/html/columns.hpp>
#include <hlolint/report/module_picture.hpp>
#include <hlolint/report/time/time_json.hpp>
#include <hlolint/report/writing.hpp>

namespace hlolint::report::detail {

/// Writes what takes the time of a step, as members of an object.
inline void write_work(html_columns& to, const work_picture& work) {
  json_writer& json = to.json;
  const auto number_of = [&](std::string_view text) { return to.number_of(text); };
  json.member("utilisation", finite(work.utilisation));
  json.member("matrix_bound_ms", finite(work.matrix_bound));
  json.member("unknown_calls", work.unknown_calls);
  json.member("peak_flops", finite(work.peak_flops));
  json.member("memory_rate", finite(work.memory_rate));
  json.objects("sums", work.sums, [&](const work_sums& sums) {
    json.member("by", name_of(sums.by));
    to.column("name", sums.groups, [](const work_group& g) { return printable(g.name); });
    to.column("ms", sums.groups, [](const work_group& g) { return finite(g.seconds * 1e3); });
    to.column("exposed_ms", sums.groups, [](const work_group& g) { return finite(g.exposed * 1e3); });
    to.column("matrix_ms", sums.groups, [](const work_group& g) { return finite(g.matrix_seconds * 1e3); });
    to.column("memory_ms", sums.groups, [](const work_group& g) { return finite(g.memory_seconds * 1e3); });
    to.column("runs", sums.groups, [](const work_group& g) { return finite(g.runs); });
    to.column("instruction", sums.groups, [&](const work_group& g) { return number_of(g.instruction); });
    json.member("more", sums.more);
    json.member("more_ms", finite(sums.more_seconds * 1e3));
  });
  json.object("rows", [&] {
    const auto& all = work.rows;
    to.column("instruction", all, [&](const work_row& r) { return number_of(r.instruction); });
    to.column("category", all, [&](const work_row& r) { return number_of(r.category); });
    to.column("source", all, [&](const work_row& r) { return number_of(r.source); });
    to.column("weight", all, [&](const work_row& r) { return number_of(r.weight); });
    to.column("bound", all, [&](const work_row& r) { return number_of(r.bound); });
    to.column("ms", all, [](const work_row& r) { return finite(r.milliseconds); });
    to.column("exposed_ms", all, [](const work_row& r) { return finite(r.exposed); });
    to.column("us", all, [](const work_row& r) { return finite(r.microseconds); });
    to.column("runs", all, [](const work_row& r) { return finite(r.runs); });
    to.column("flops", all, [](const work_row& r) { return finite(r.flops); });
    to.column("bytes", all, [](const work_row& r) { return finite(r.bytes); });
  });
  json.member("more", work.more);
}

/// Writes the instructions, as members of an object. All operands are in one list; `reads` has their number for each
/// instruction.
inline void write_program(html_columns& to, const program_picture& program) {
  json_writer& json = to.json;
  const auto number_of = [&](std::string_view text) { return to.number_of(text); };
  to.column("computations", program.computations, [&](const std::string& name) { return number_of(name); });
  const auto& all = program.rows;
  to.column("instruction", all, [&](const program_row& r) { return number_of(r.instruction); });
  to.column("opcode", all, [&](const program_row& r) { return number_of(r.opcode); });
  to.column("shape", all, [&](const program_row& r) { return number_of(r.shape); });
  to.column("computation", all, [](const program_row& r) { return r.computation; });
  to.column("line", all, [](const program_row& r) { return r.line; });
  to.column("reads", all, [](const program_row& r) { return r.operands.size(); });
  json.array("operands", [&] {
    for (const program_row& r : all)
      for (const std::size_t operand : r.operands) to.cell(operand);
  });
  to.column("calls", all, [](const program_row& r) {
    return r.calls == program_row::none ? optional<std::size_t>{} : optional(r.calls);
  });
}

}  // namespace hlolint::report::detail
