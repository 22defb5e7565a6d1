// Faults in what a module's header and its instructions declare about shared buffers.
#pragma once

#include "pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::testing {

namespace detail {

/// `{0}: (2, {}, may-alias)`
inline std::string alias_text(std::size_t output, std::size_t parameter, bool must = false) {
  return "{" + std::to_string(output) + "}: (" + std::to_string(parameter) + ", {}, " + (must ? "must" : "may") +
         "-alias)";
}
inline std::size_t parameter_count(const fixture& from) { return from.program.entry().all_of("parameter").size(); }
inline std::size_t output_count(const fixture& from) { return from.program.entry().root().operands.size(); }

/// Every fixture aliases outputs 0 and 1 to parameters 0 and 1; this declares something else. Which buffers would come
/// of it is open, so there are none.
inline mutation with_aliases(fixture& from, const std::string& first, const std::string& second, const char* rule,
                             const std::string& at) {
  attribute_of(from.program.header, "input_output_alias") = "{ " + first + ", " + second + " }";
  return program_mutant(from, rule, severity::error, {{}, {}, at});
}

}  // namespace detail

inline std::optional<mutation> alias_to_no_output(fixture from, dice& random) {
  const std::string wrong = detail::alias_text(detail::output_count(from) + random.below(4), 1);
  return detail::with_aliases(from, detail::alias_text(0, 0, true), wrong, "ALI002", wrong);
}
inline std::optional<mutation> alias_of_no_parameter(fixture from, dice& random) {
  const std::string wrong = detail::alias_text(1, detail::parameter_count(from) + random.below(4));
  return detail::with_aliases(from, detail::alias_text(0, 0, true), wrong, "ALI002", wrong);
}
inline std::optional<mutation> parameter_aliased_twice(fixture from, dice& random) {
  // Both outputs of one shape, or the sizes would differ as well.
  const written_computation& entry = from.program.entry();
  const std::size_t p = random.below(2);
  if (entry.find("param.0").shape != entry.find("param.1").shape) return std::nullopt;
  const std::string wrong = detail::alias_text(1, p);
  return detail::with_aliases(from, detail::alias_text(0, p), wrong, "ALI002", wrong);
}
inline std::optional<mutation> output_aliased_twice(fixture from, dice& random) {
  const written_computation& entry = from.program.entry();
  if (entry.find("param.0").shape != entry.find("param.1").shape) return std::nullopt;
  const std::size_t out = random.below(2);
  const std::string wrong = detail::alias_text(out, 1);
  return detail::with_aliases(from, detail::alias_text(out, 0), wrong, "ALI002", wrong);
}
inline std::optional<mutation> alias_size_differs(fixture from, dice& random) {
  const written_computation& entry = from.program.entry();
  std::vector<std::size_t> other_size;
  for (std::size_t p = 2; p < detail::parameter_count(from); ++p)
    if (entry.find("param." + std::to_string(p)).shape != entry.find("param.1").shape) other_size.push_back(p);
  if (other_size.empty()) return std::nullopt;
  const std::size_t p = random.pick(other_size);
  const std::string wrong = detail::alias_text(1, p, random.chance(50));
  mutation out = detail::with_aliases(from, detail::alias_text(0, 0, true), wrong, "ALI001", wrong);
  out.at.instruction = "param." + std::to_string(p);
  return out;
}

/// The header asks for the first parameter with its dimensions the other way round in memory.
inline std::optional<mutation> layout_transposed(fixture from, dice&) {
  std::string& layout = attribute_of(from.program.header, "entry_computation_layout");
  const std::size_t at = layout.find("{1,0");
  layout.replace(at, 4, "{0,1");
  written_instruction& p = from.program.entry().find("param.0");
  p.shape.replace(p.shape.find("{1,0"), 4, "{0,1");
  return program_mutant(from, "ALI001", severity::error, {"param.0", {}, detail::alias_text(0, 0, true)});
}

inline std::optional<mutation> donor_also_aliased(fixture from, dice& random) {
  const std::string donor = "(" + std::to_string(random.below(2)) + ", {})";
  from.program.header.emplace_back("buffer_donor", "{ " + donor + " }");
  return mutant(from, "ALI002", severity::error, {{}, {}, donor});
}
inline std::optional<mutation> donor_is_no_parameter(fixture from, dice& random) {
  const std::string donor = "(" + std::to_string(detail::parameter_count(from) + random.below(4)) + ", {})";
  from.program.header.emplace_back("buffer_donor", "{ " + donor + " }");
  return mutant(from, "ALI002", severity::error, {{}, {}, donor});
}

namespace detail {
/// A kernel whose operand has another shape, or the same one; one that is read, since in dead code XLA allows much.
inline std::optional<std::string> kernel_of(const fixture& from, dice& random, bool same_shape) {
  std::vector<std::string> found;
  const written_computation& entry = from.program.entry();
  for (const std::string& name : entry.all_of("custom-call")) {
    const written_instruction& i = entry.find(name);
    const bool read =
        std::any_of(entry.instructions.begin(), entry.instructions.end(), [&](const written_instruction& user) {
          return std::find(user.operands.begin(), user.operands.end(), name) != user.operands.end();
        });
    if (read && (entry.find(i.operands.at(0)).shape == i.shape) == same_shape) found.push_back(name);
  }
  return found.empty() ? std::nullopt : std::optional(random.pick(found));
}
}  // namespace detail

inline std::optional<mutation> operand_alias_of_another_shape(fixture from, dice& random) {
  const auto kernel = detail::kernel_of(from, random, false);
  if (!kernel) return std::nullopt;
  from.program.entry().find(*kernel).attributes.emplace_back("output_to_operand_aliasing", "{{}: (0, {})}");
  return program_mutant(from, "ALI010", severity::error, {*kernel, {}, "{}: (0, {})"});
}
inline std::optional<mutation> operand_alias_of_no_operand(fixture from, dice& random) {
  const auto kernel = detail::kernel_of(from, random, random.chance(50));
  if (!kernel) return std::nullopt;
  const std::string wrong = "{}: (" + std::to_string(random.between(1, 4)) + ", {})";
  from.program.entry().find(*kernel).attributes.emplace_back("output_to_operand_aliasing", "{" + wrong + "}");
  return program_mutant(from, "ALI010", severity::error, {*kernel, {}, wrong});
}

/// An aliased output gets an allocation of its own.
inline std::optional<mutation> must_alias_moved(fixture from, dice& random) {
  const std::string output = from.program.entry().root().operands[random.below(2)];
  written_dump& dump = from.dump;
  for (std::size_t n = 0; n < dump.allocations.size(); ++n) {
    auto& values = dump.allocations[n].values;
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const written_value& v) { return v.instruction == output; });
    if (found == values.end()) continue;
    const written_value moved = *found;
    values.erase(found);
    dump.allocations.insert(dump.allocations.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                            {0, ", maybe-live-out", {moved}});
    dump.enlarge(n + 1, moved.size);
    return mutant(from, "ALI008", severity::error, {output, {}, {}});
  }
  return std::nullopt;
}

/// Two results in one allocation, in a dump without live ranges.
inline std::optional<mutation> results_share_bytes(fixture from, dice& random) {
  written_dump& dump = from.dump;
  std::vector<std::size_t> alone;
  for (std::size_t n = 0; n < dump.allocations.size(); ++n)
    if (dump.allocations[n].flags == ", maybe-live-out" && dump.allocations[n].values.size() == 1) alone.push_back(n);
  if (alone.size() < 2) return std::nullopt;
  const std::size_t a = alone[random.below(alone.size())], b = alone[random.below(alone.size())];
  if (a == b || dump.allocations[b].size > dump.allocations[a].size) return std::nullopt;
  const written_value moved = dump.allocations[b].values[0];
  const expected_place at{moved.instruction, dump.allocations[a].values[0].instruction, {}};
  dump.allocations[a].values.push_back(moved);
  dump.total -= dump.allocations[b].size;
  dump.allocations.erase(dump.allocations.begin() + static_cast<std::ptrdiff_t>(b));
  return rangeless_mutant(from, "ALI003", severity::error, at);
}

/// A kernel that runs after the aliased outputs are made reads a parameter that one of them has overwritten.
inline std::optional<mutation> parameter_read_late(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  std::vector<std::string> late;
  for (const std::string& name : entry.all_of("custom-call"))
    if (name.starts_with("result.")) late.push_back(name);
  const std::string reader = random.pick(late);
  entry.find(reader).operands[0] = "param." + std::to_string(random.below(2));
  return program_mutant(from, "ALI004", severity::warning, {reader, {}, {}});
}

/// Given up by the caller, and no result takes its place.
inline std::optional<mutation> donated_in_vain(fixture from, dice& random) {
  const std::size_t p = 2 + random.below(detail::parameter_count(from) - 2);
  const std::string donor = "(" + std::to_string(p) + ", {})";
  from.program.header.emplace_back("buffer_donor", "{ " + donor + " }");
  const severity level = from.backend == target::tpu ? severity::note : severity::warning;
  return detail::with_option(mutant(from, "ALI005", level, {"param." + std::to_string(p), {}, donor}), "min-bytes",
                             "1MiB");
}
/// An aliased parameter is copied, and the copy read when the parameter is overwritten.
inline std::optional<mutation> donation_defeated_by_copy(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  const std::string p = "param." + std::to_string(random.below(2));
  entry.insert(entry.instructions.size() - 1, {detail::kernel("late", detail::dense_array(from, 8, 1024), "kept")});
  detail::put(from, entry.all_of("parameter").size() + 1, {{"kept", entry.find(p).shape, "copy", {p}}});
  return detail::with_option(detail::valid_mutant(from, "ALI006", severity::warning, "kept"), "min-bytes", "1MiB");
}
/// One alias less.
inline std::optional<mutation> alias_forgotten(fixture from, dice& random) {
  const std::size_t p = random.below(2);
  attribute_of(from.program.header, "input_output_alias") = "{ " + detail::alias_text(1 - p, 1 - p) + " }";
  from.dump = written_dump(from.program.text(), from.backend, from.combined);
  return detail::with_option(detail::valid_mutant(from, "ALI007", severity::note, "param." + std::to_string(p)),
                             "min-bytes", "1MiB");
}

namespace detail {
/// The fault is in the final module; its file of before optimization shows what was asked for.
inline mutation lost_on_the_way(const fixture& from, written_module before, std::size_t parameter) {
  std::erase_if(before.header, [](const auto& attribute) { return attribute.first == "is_scheduled"; });
  mutation out = with_option(valid_mutant(from, "ALI009", severity::warning, "param." + std::to_string(parameter)),
                             "min-bytes", "1MiB");
  out.files.push_back({"module_0001." + from.program.name + ".before_optimizations.txt", before.text()});
  return out;
}
}  // namespace detail

/// One alias less than was asked for.
inline std::optional<mutation> alias_lost(fixture from, dice& random) {
  const written_module before = from.program;
  const std::size_t p = random.below(2);
  attribute_of(from.program.header, "input_output_alias") = "{ " + detail::alias_text(1 - p, 1 - p) + " }";
  from.dump = written_dump(from.program.text(), from.backend, from.combined);
  return detail::lost_on_the_way(from, before, p);
}
/// Given up by the caller, and nothing is left of that.
inline std::optional<mutation> donor_lost(fixture from, dice& random) {
  const std::size_t p = 2 + random.below(detail::parameter_count(from) - 2);
  written_module before = from.program;
  before.header.emplace_back("buffer_donor", "{ (" + std::to_string(p) + ", {}) }");
  return detail::lost_on_the_way(from, before, p);
}
/// A fusion shifts rows within the array that it updates.
inline std::optional<mutation> shifted_onto_itself(fixture from, dice& random) {
  const std::int64_t by = random.between(1, 64);
  const std::string whole = detail::dense_array(from, 256, 1024), part = detail::dense_array(from, 256 - by, 1024),
                    index = detail::scalar_text(from, "s32");
  auto& computations = from.program.computations;
  computations.insert(
      computations.end() - 1,
      {"shifts",
       {{"base.0", whole, "parameter", {}, "0"},
        {"rows.0", part, "slice", {"base.0"}, {}, {{"slice", "{[0:" + std::to_string(256 - by) + "], [0:1024]}"}}},
        {"by.0", index, "constant", {}, std::to_string(by)},
        {"nought.0", index, "constant", {}, "0"},
        {"shifted.0", whole, "dynamic-update-slice", {"base.0", "rows.0", "by.0", "nought.0"}, {}, {}, true}}});
  detail::put(from, somewhere(from, random),
              {detail::kernel("base", whole, "param.0"),
               {"shift", whole, "fusion", {"base"}, {}, {{"kind", "kLoop"}, {"calls", "%shifts"}}}});
  return detail::valid_mutant(from, "ALI011", severity::warning, "shift");
}
/// A loop copies an array to change a row of it.
inline std::optional<mutation> copied_for_a_row(fixture from, dice&) {
  written_computation* const body = detail::body_of_loop(from);
  if (!body) return std::nullopt;
  const written_instruction held = detail::held_by(*body);
  detail::insert_after(*body, held.name,
                       {{"copied", held.shape, "copy", {held.name}},
                        detail::kernel("row", detail::dense_array(from, 8, 1024), held.name),
                        {"nought", detail::scalar_text(from, "s32"), "constant", {}, "0"},
                        {"updated", held.shape, "dynamic-update-slice", {"copied", "row", "nought", "nought"}}});
  from.dump = written_dump(from.program.text(), from.backend, from.combined);
  return detail::with_option(detail::valid_mutant(from, "ALI012", severity::warning, "updated"), "min-bytes", "1MiB");
}

/// A value gets bytes of its own, though it must share those of others.
inline std::optional<mutation> shared_buffer_split(fixture from, dice& random) {
  for (std::size_t n = 0; n < from.dump.allocations.size(); ++n) {
    written_allocation& in = from.dump.allocations[n];
    std::vector<written_value*> found;
    for (written_value& v : in.values)
      if (in.is_temp() && v.array && !v.phi &&
          std::ranges::count_if(in.values, [&](const written_value& other) { return other.set == v.set; }) > 2)
        found.push_back(&v);
    if (found.empty()) continue;
    written_value& moved = *random.pick(found);
    constexpr byte_count alignment = 1024;
    const byte_count end = (in.size + alignment - 1) / alignment * alignment;
    from.dump.enlarge(n, end - in.size + moved.size);
    moved.offset = end;
    return mutant(from, "ALI013", severity::warning, {moved.instruction, {}, {}});
  }
  return std::nullopt;
}

inline const std::vector<fault_class>& aliasing_faults() {
  static const std::vector<fault_class> list{
      {"alias to an output that is not there", alias_to_no_output, "SYN002", "the reader looks at outputs too"},
      {"alias of a parameter that is not there", alias_of_no_parameter},
      {"parameter aliased twice", parameter_aliased_twice},
      {"output aliased twice", output_aliased_twice},
      {"alias size mismatch", alias_size_differs},
      {"must-alias with a transposed layout", layout_transposed, "SYN002", "who reads it has the old layout"},
      {"donor also aliased", donor_also_aliased},
      {"donor is no parameter", donor_is_no_parameter},
      {"must-alias moved", must_alias_moved},
      {"two results in one allocation", results_share_bytes, "MEM009", "the later result overwrites the earlier one"},
      {"parameter read after its alias is written", parameter_read_late},
      {"operand alias of another shape", operand_alias_of_another_shape},
      {"operand alias of no operand", operand_alias_of_no_operand},
      {"donated in vain", donated_in_vain},
      {"donation defeated by a copy", donation_defeated_by_copy},
      {"alias forgotten", alias_forgotten},
      {"alias lost on the way", alias_lost},
      {"donor lost on the way", donor_lost},
      {"update shifted onto itself", shifted_onto_itself},
      {"array copied for a row, in a loop", copied_for_a_row},
      {"shared buffer split", shared_buffer_split},
  };
  return list;
}

}  // namespace hlolint::testing
