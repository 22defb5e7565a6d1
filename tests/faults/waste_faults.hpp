// Programs that take too much memory or time: valid, with the buffers that go with them.
#pragma once

#include "padding_faults.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

inline std::optional<mutation> over_capacity(fixture from, dice& random) {
  mutation out = mutant(from, "BUD001", severity::error, {{}, {}, "Total bytes used: "});
  auto need = from.dump.total;  // without thread-local allocations, which take no memory on a TPU
  for (const auto& allocation : from.dump.allocations)
    if (allocation.flags == ", thread-local") need -= allocation.size;
  return detail::with_option(std::move(out), "capacity", std::to_string(need - random.between(1, 4096)));
}
inline std::optional<mutation> one_big_value(fixture from, dice& random) {
  detail::put(from, somewhere(from, random),
              {detail::kernel("big", detail::dense_array(from, 32768 * random.between(1, 3), 1024), "param.0")});
  return detail::valid_mutant(from, "BUD003", severity::note, "big");
}
/// Made first and read last.
inline std::optional<mutation> waits_long(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  entry.insert(entry.instructions.size() - 1, {detail::kernel("late", detail::dense_array(from, 8, 1024), "early")});
  detail::put(from, 1,
              {detail::kernel("early", detail::dense_array(from, 16384 * random.between(1, 3), 1024), "param.0")});
  return detail::valid_mutant(from, "BUD004", severity::note, "early");
}
/// Steps of an unrolled loop, all kept for one reader.
inline std::optional<mutation> many_of_a_kind(fixture from, dice& random) {
  const std::string shape = detail::dense_array(from, 4104, 1024);  // as no fixture has
  std::vector<written_instruction> list;
  written_instruction reader = detail::kernel("reader", detail::dense_array(from, 8, 1024), "kept.0");
  for (int n = 0; n < 18; ++n) {
    list.push_back(detail::kernel("kept." + std::to_string(n), shape, "param.0"));
    if (n) reader.operands.push_back("kept." + std::to_string(n));
  }
  list.push_back(reader);
  detail::put(from, somewhere(from, random), list);
  return mutant(from, "BUD005", severity::warning, {"kept.*", {}, " value: ", {}});
}
inline std::optional<mutation> one_giant_allocation(fixture from, dice& random) {
  detail::put(from, somewhere(from, random),
              {detail::kernel("giant", detail::dense_array(from, 1 << 22, 1024), "param.0")});
  return mutant(from, "BUD006", severity::note,
                {{}, {}, "allocation " + std::to_string(detail::temporaries(from).number) + ":", {}});
}

inline std::optional<mutation> constant_in_program(fixture from, dice& random) {
  detail::put(from, somewhere(from, random),
              {{"table", detail::dense_array(from, 512 * random.between(1, 8), 1024), "constant", {}, "{...}"}});
  return detail::valid_mutant(from, "PRF001", severity::warning, "table");
}
inline std::optional<mutation> copied_to_another_order(fixture from, dice& random) {
  const std::int64_t rows = 8192 * random.between(2, 4);
  detail::put(from, somewhere(from, random),
              {detail::kernel("rows", detail::dense_array(from, rows, 1024), "param.0"),
               {"columns",
                detail::array_text("f32", rows, 1024, from.backend == target::tpu ? "0,1:T(8,128)" : "0,1"),
                "copy",
                {"rows"}},
               {"read",
                detail::array_text("f32", rows, 1024, from.backend == target::tpu ? "0,1:T(8,128)" : "0,1"),
                "negate",
                {"columns"}}});
  return detail::valid_mutant(from, "PRF002", severity::warning, "columns");
}
inline std::optional<mutation> in_double_precision(fixture from, dice& random) {
  if (from.backend == target::cpu) return std::nullopt;
  detail::put(
      from, somewhere(from, random),
      {detail::kernel(
          "double", from.backend == target::tpu ? "f64[2048,1024]{1,0}" : detail::dense_array(from, 2048, 1024, "f64"),
          "param.0")});
  return detail::valid_mutant(from, "PRF007", severity::warning, "double");
}
inline std::optional<mutation> calls_python(fixture from, dice& random) {
  if (from.backend == target::cpu) return std::nullopt;
  written_instruction call = detail::kernel("callback", detail::dense_array(from, 8, 1024), "param.0");
  call.attributes = {{"custom_call_target", "\"xla_ffi_python_gpu_callback\""}};
  detail::put(from, somewhere(from, random), {call});
  return detail::valid_mutant(from, "PRF012", severity::warning, "callback");
}
inline std::optional<mutation> broadcast_to_memory(fixture from, dice& random) {
  const std::string shape = detail::dense_array(from, 4096 * random.between(1, 4), 1024);
  const std::string scalar = detail::scalar_text(from, "f32");
  detail::put(from, somewhere(from, random),
              {{"one", scalar, "constant", {}, "1"},
               {"ones", shape, "broadcast", {"one"}, {}, {{"dimensions", "{}"}}},
               {"read", shape, "negate", {"ones"}}});
  return detail::valid_mutant(from, "PRF013", severity::warning, "ones");
}

inline std::optional<mutation> loop_copies(fixture from, dice&) {
  written_computation* const body = detail::body_of_loop(from);
  if (!body) return std::nullopt;
  const written_instruction held = detail::held_by(*body);
  body->redirect(held.name, "copied");
  detail::insert_after(*body, held.name, {{"copied", held.shape, "copy", {held.name}}});
  from.dump = written_dump(from.program.text(), from.backend, from.combined);
  const mutation copied =
      detail::with_option(detail::valid_mutant(from, "PRF004", severity::warning, "copied"), "min-bytes", "1MiB");
  return detail::with_option(copied, "min-percent", "0");
}
inline std::optional<mutation> loop_asks_the_host(fixture from, dice&) {
  written_computation* const body = detail::body_of_loop(from);
  if (!body || from.backend == target::cpu) return std::nullopt;
  const written_instruction held = detail::held_by(*body);
  std::string on_host = held.shape;
  on_host.replace(on_host.find('}'), 1, from.backend == target::tpu ? "S(5)}" : ":S(5)}");
  detail::insert_after(*body, held.name, {{"offloaded", on_host, "copy", {held.name}}});
  return detail::with_option(program_mutant(from, "PRF005", severity::warning, {"offloaded", {}, {}}), "min-bytes",
                             "1MiB");
}
inline std::optional<mutation> loop_gathers_the_same(fixture from, dice&) {
  written_computation* const body = detail::body_of_loop(from);
  if (!body) return std::nullopt;
  const written_instruction held = detail::held_by(*body);
  const std::string scalar = detail::scalar_text(from, "f32");
  detail::insert_after(*body, held.name,
                       {{"one", scalar, "constant", {}, "1"},
                        {"ones", held.shape, "broadcast", {"one"}, {}, {{"dimensions", "{}"}}},
                        {"same-start", held.shape, "all-reduce-start", {"ones"}, {}, detail::sum_over_all(from)},
                        {"beside", held.shape, "negate", {held.name}},
                        {"same-done", held.shape, "all-reduce-done", {"same-start"}}});
  return program_mutant(from, "COL013", severity::warning, {"same-start", {}, {}});
}
inline std::optional<mutation> loop_reduces_every_time(fixture from, dice&) {
  written_computation* const body = detail::body_of_loop(from);
  if (!body) return std::nullopt;
  const written_instruction held = detail::held_by(*body);
  written_instruction& root = body->instructions.back();
  const std::string term = root.operands.at(1);
  root.operands[1] = "accumulated";
  detail::insert_after(*body, term,
                       {{"reduce-start", held.shape, "all-reduce-start", {term}, {}, detail::sum_over_all(from)},
                        {"beside", held.shape, "negate", {held.name}},
                        {"reduce-done", held.shape, "all-reduce-done", {"reduce-start"}},
                        {"accumulated", held.shape, "add", {held.name, "reduce-done"}}});
  return program_mutant(from, "COL014", severity::note, {"reduce-start", {}, {}});
}
inline std::optional<mutation> trip_count_unknown(fixture from, dice&) {
  written_computation* const body = detail::body_of_loop(from);
  if (!body || body->all_of("collective-permute-start").empty()) return std::nullopt;
  written_instruction& loop = from.program.entry().find(from.program.entry().all_of("while")[0]);
  loop.attributes.pop_back();
  // Nor does the text show where the counter begins.
  written_computation& entry = from.program.entry();
  entry.find(entry.find(loop.operands.at(0)).operands.at(0)).opcode = "negate";
  return mutant(from, "PRF015", severity::note, {loop.name, {}, {}});
}

/// All of an array is reduced, and each device keeps a part.
inline std::optional<mutation> reduced_and_thrown_away(fixture from, dice& random) {
  const std::string whole = detail::dense_array(from, 8192, 1024),
                    part = detail::dense_array(from, 8192 / from.devices, 1024);
  const std::string index = detail::scalar_text(from, "u32");
  detail::put(from, somewhere(from, random),
              {detail::kernel("gradient", whole, "param.0"),
               {"device", index, "partition-id", {}},
               {"whole-start", whole, "all-reduce-start", {"gradient"}, {}, detail::sum_over_all(from)},
               detail::kernel("beside", part, "param.0"),
               {"whole-done", whole, "all-reduce-done", {"whole-start"}},
               {"mine",
                part,
                "dynamic-slice",
                {"whole-done", "device", "device"},
                {},
                {{"dynamic_slice_sizes", "{" + std::to_string(8192 / from.devices) + ",1024}"}}}});
  return detail::valid_mutant(from, "COL016", severity::warning, "whole-start");
}

/// The same array is reduced twice, for two readers.
inline std::optional<mutation> brought_twice(fixture from, dice& random) {
  const std::string whole = detail::dense_array(from, 8192, 1024);
  detail::put(from, somewhere(from, random),
              {detail::kernel("gradient", whole, "param.0"),
               {"first-start", whole, "all-reduce-start", {"gradient"}, {}, detail::sum_over_all(from)},
               detail::kernel("beside", whole, "param.0"),
               {"first-done", whole, "all-reduce-done", {"first-start"}},
               {"second-start", whole, "all-reduce-start", {"gradient"}, {}, detail::sum_over_all(from, "98")},
               detail::kernel("beside-too", whole, "param.0"),
               {"second-done", whole, "all-reduce-done", {"second-start"}},
               {"both", whole, "subtract", {"first-done", "second-done"}}});
  return detail::valid_mutant(from, "COL019", severity::warning, "second-start");
}
/// All devices send single precision, of which the next ones keep half.
inline std::optional<mutation> sent_wide(fixture from, dice& random) {
  const std::string whole = detail::dense_array(from, 8192, 1024);
  std::string pairs;
  for (std::int64_t n = 0; n < from.devices; ++n)
    pairs += (n ? ",{" : "{") + std::to_string(n) + "," + std::to_string((n + 1) % from.devices) + "}";
  detail::put(from, somewhere(from, random),
              {detail::kernel("activations", whole, "param.0"),
               {"passed",
                whole,
                "collective-permute",
                {"activations"},
                {},
                {{"channel_id", "77"}, {"source_target_pairs", "{" + pairs + "}"}}},
               {"kept", detail::dense_array(from, 8192, 1024, "bf16"), "convert", {"passed"}}});
  return program_mutant(from, "COL020", severity::warning, {"passed", {}, {}});
}

inline const std::vector<fault_class>& waste_faults() {
  static const std::vector<fault_class> list{
      {"over budget", over_capacity},
      {"one value takes most", one_big_value},
      {"temporary waits long", waits_long},
      {"many temporaries of one shape", many_of_a_kind},
      {"one giant allocation", one_giant_allocation},
      {"large constant", constant_in_program},
      {"copied to another dimension order", copied_to_another_order},
      {"double precision", in_double_precision},
      {"callback into Python", calls_python},
      {"broadcast written to memory", broadcast_to_memory},
      {"copy in a loop", loop_copies},
      {"transfer to the host in a loop", loop_asks_the_host},
      {"the same collective in every iteration", loop_gathers_the_same},
      {"reduction in every iteration", loop_reduces_every_time},
      {"trip count unknown", trip_count_unknown},
      {"reduced and thrown away", reduced_and_thrown_away},
      {"brought twice", brought_twice},
      {"sent wider than needed", sent_wide},
  };
  return list;
}

}  // namespace hlolint::testing
