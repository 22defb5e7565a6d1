// Faults in the devices that collectives name, and in where they stand.
#pragma once

#include "pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

namespace detail {

/// All collectives with an attribute.
inline std::vector<written_instruction*> with_attribute(fixture& from, const char* key) {
  std::vector<written_instruction*> out;
  for (written_computation& c : from.program.computations)
    for (written_instruction& i : c.instructions)
      if (has_attribute(i.attributes, key)) out.push_back(&i);
  return out;
}

/// The fault is only in an attribute, so the buffers stay right. `change(groups)` gives another text.
template <class Change>
std::optional<mutation> change_groups(fixture& from, dice& random, bool all_reduce_too, Change&& change) {
  std::vector<written_instruction*> found = with_attribute(from, "replica_groups");
  found.erase(
      std::remove_if(found.begin(), found.end(),
                     [&](const written_instruction* i) { return !all_reduce_too && i->opcode == "all-reduce-start"; }),
      found.end());
  if (found.empty()) return std::nullopt;
  written_instruction& i = *random.pick(found);
  std::string& groups = attribute_of(i.attributes, "replica_groups");
  groups = change(groups);
  return mutant(from, "COL009", severity::error, {i.name, {}, groups});
}
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}
template <class Change>
std::optional<mutation> change_ring(fixture& from, dice& random, Change&& change) {
  const std::vector<written_instruction*> found = with_attribute(from, "source_target_pairs");
  if (found.empty()) return std::nullopt;
  written_instruction& i = *random.pick(found);
  std::string& ring = attribute_of(i.attributes, "source_target_pairs");
  ring = change(ring);
  return mutant(from, "COL008", severity::error, {i.name, {}, ring});
}

}  // namespace detail

inline std::optional<mutation> source_twice(fixture from, dice& random) {
  return detail::change_ring(from, random, [&](const std::string& ring) {
    const std::int64_t d = random.between(1, from.devices - 1);
    return detail::replaced(ring, "{" + std::to_string(d) + ",", "{" + std::to_string(d - 1) + ",");
  });
}
inline std::optional<mutation> target_twice(fixture from, dice& random) {
  return detail::change_ring(from, random, [&](const std::string& ring) {
    const std::int64_t d = random.between(2, from.devices - 1);
    return detail::replaced(ring, "," + std::to_string(d) + "}", "," + std::to_string(d - 1) + "}");
  });
}
inline std::optional<mutation> permute_to_no_device(fixture from, dice& random) {
  return detail::change_ring(from, random, [&](const std::string& ring) {
    return detail::replaced(ring, "," + std::to_string(random.between(1, from.devices - 1)) + "}",
                            "," + std::to_string(from.devices + random.between(0, 3)) + "}");
  });
}

inline std::optional<mutation> group_id_out_of_range(fixture from, dice& random) {
  return detail::change_groups(from, random, true, [&](const std::string& groups) {
    const std::string last = std::to_string(from.devices - 1);
    return detail::replaced(groups, "," + last + "}", "," + std::to_string(from.devices + random.between(0, 5)) + "}");
  });
}
inline std::optional<mutation> group_id_repeated(fixture from, dice& random) {
  return detail::change_groups(from, random, true, [&](const std::string& groups) {
    return detail::replaced(groups, "," + std::to_string(from.devices - 1) + "}",
                            "," + std::to_string(random.between(0, from.devices - 2)) + "}");
  });
}
inline std::optional<mutation> groups_leave_devices_out(fixture from, dice& random) {
  return detail::change_groups(
      from, random, true, [&](const std::string&) { return detail::one_group(from.devices - random.between(1, 2)); });
}
inline std::optional<mutation> groups_uneven(fixture from, dice& random) {
  return detail::change_groups(from, random, false, [&](const std::string&) {
    const std::string last = std::to_string(from.devices - 1);
    return detail::replaced(detail::one_group(from.devices), "," + last + "}}", "},{" + last + "}}");
  });
}
inline std::optional<mutation> groups_empty(fixture from, dice& random) {
  return detail::change_groups(from, random, true, [](const std::string&) { return std::string("{}"); });
}

inline std::optional<mutation> channel_shared(fixture from, dice& random) {
  const std::vector<written_instruction*> grouped = detail::with_attribute(from, "replica_groups"),
                                          paired_off = detail::with_attribute(from, "source_target_pairs");
  if (grouped.empty() || paired_off.empty()) return std::nullopt;
  written_instruction &a = *random.pick(grouped), &b = *random.pick(paired_off);
  const std::string channel = attribute_of(b.attributes, "channel_id");
  if (channel == "1") return std::nullopt;  // of all collectives that JAX makes
  attribute_of(a.attributes, "channel_id") = channel;
  const auto has_another = [&](written_instruction* i) { return attribute_of(i->attributes, "channel_id") != channel; };
  if (std::none_of(grouped.begin(), grouped.end(), has_another) &&
      std::none_of(paired_off.begin(), paired_off.end(), has_another))
    return std::nullopt;  // one channel for all tells nothing apart
  return mutant(from, "COL010", severity::warning, {a.name, b.name, attribute_of(a.attributes, "channel_id")});
}

/// A permute over other devices than the others use. The finding is at the later of two.
inline std::optional<mutation> permutes_mixed(fixture from, dice& random) {
  const std::vector<written_instruction*> found = detail::with_attribute(from, "source_target_pairs");
  if (found.size() < 2 || from.backend != target::gpu) return std::nullopt;
  const std::size_t k = random.below(found.size());
  attribute_of(found[k]->attributes, "source_target_pairs") = "{{0,1},{1,0}}";
  return mutant(from, "COL006", severity::note, {found[k == 0 ? 1 : k]->name, found[0]->name, {}});
}

/// Several all-reduces of little, side by side.
inline std::optional<mutation> small_and_many(fixture from, dice& random) {
  const std::string shape = detail::dense_array(from, 8, 128);
  std::vector<written_instruction> list;
  for (int n = 0; n < 5; ++n) {
    const std::string number = std::to_string(n);
    list.push_back(detail::kernel("little." + number, shape, "param.0"));
    list.push_back(
        {"small." + number, shape, "all-reduce", {"little." + number}, {}, detail::sum_over_all(from, "9" + number)});
  }
  from.program.entry().insert(somewhere(from, random), list);
  return program_mutant(from, "COL015", severity::note, {"small.0", {}, {}});
}

/// Only some devices take the branch with the all-reduce.
inline std::optional<mutation> collective_in_a_branch(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  const std::string array = entry.find("param.0").shape, index = detail::scalar_text(from, "u32"),
                    truth = detail::scalar_text(from, "pred");
  entry.insert(somewhere(from, random),
               {{"device", index, "partition-id", {}},
                {"nought", index, "constant", {}, "0"},
                {"is-first", truth, "compare", {"device", "nought"}, {}, {{"direction", "EQ"}}},
                {"either",
                 array,
                 "conditional",
                 {"is-first", "param.0", "param.0"},
                 {},
                 {{"true_computation", "%reduces"}, {"false_computation", "%does-not"}}}});
  const written_computation reduces{
      "reduces",
      {{"reduced", array, "parameter", {}, "0"},
       {"lonely", array, "all-reduce", {"reduced"}, {}, detail::sum_over_all(from), true}}};
  const written_computation does_not{
      "does-not", {{"kept", array, "parameter", {}, "0"}, {"other", array, "negate", {"kept"}, {}, {}, true}}};
  auto& computations = from.program.computations;
  computations.insert(computations.end() - 1, {reduces, does_not});
  return program_mutant(from, "COL012", severity::warning, {"lonely", "either", {}});
}

inline const std::vector<fault_class>& collective_faults() {
  static const std::vector<fault_class> list{
      {"permute source twice", source_twice},
      {"permute target twice", target_twice},
      {"permute to a device that is not there", permute_to_no_device},
      {"group id out of range", group_id_out_of_range},
      {"group id repeated", group_id_repeated},
      {"groups leave devices out", groups_leave_devices_out},
      {"groups uneven", groups_uneven},
      {"groups empty where devices must be named", groups_empty},
      {"channel id clash", channel_shared},
      {"permutes over other devices", permutes_mixed},
      {"many small collectives", small_and_many},
      {"collective in a branch of some devices", collective_in_a_branch},
  };
  return list;
}

}  // namespace hlolint::testing
