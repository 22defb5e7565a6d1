// Faults in collectives and transfers.
#pragma once

#include "mutation.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

namespace detail {

struct written_pair {
  std::string start, done;
};

/// Starts and dones of the entry with one of these opcodes.
inline std::vector<written_pair> pairs_of(const fixture& from, const std::vector<std::string>& opcodes) {
  std::vector<written_pair> out;
  const written_computation& entry = from.program.entry();
  for (const std::string& opcode : opcodes)
    for (const std::string& start : entry.all_of(opcode))
      for (const written_instruction& i : entry.instructions)
        if (!i.operands.empty() && i.operands[0] == start && i.opcode.ends_with("-done")) out.push_back({start, i.name});
  return out;
}
inline const std::vector<std::string>& start_opcodes() {
  static const std::vector<std::string> list{"all-reduce-start", "all-gather-start", "collective-permute-start", "async-start"};
  return list;
}
inline const std::vector<std::string>& own_start_opcodes() {
  static const std::vector<std::string> list{"all-reduce-start", "all-gather-start", "collective-permute-start"};
  return list;
}
inline std::optional<written_pair> a_pair(const fixture& from, dice& random, const std::vector<std::string>& opcodes) {
  const std::vector<written_pair> found = pairs_of(from, opcodes);
  return found.empty() ? std::nullopt : std::optional(random.pick(found));
}

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
  found.erase(std::remove_if(found.begin(), found.end(),
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
inline std::string one_group(std::int64_t devices) {
  std::string out = "{{";
  for (std::int64_t d = 0; d < devices; ++d) out += (d ? "," : "") + std::to_string(d);
  return out + "}}";
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

inline std::optional<mutation> done_dropped(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::start_opcodes());
  if (!pair) return std::nullopt;
  written_computation& entry = from.program.entry();
  entry.redirect(pair->done, entry.find(pair->start).operands.at(0));
  entry.remove(pair->done);
  return program_mutant(from, "COL004", severity::error, {pair->start, {}, {}});
}
inline std::optional<mutation> done_doubled(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::start_opcodes());
  if (!pair) return std::nullopt;
  written_computation& entry = from.program.entry();
  written_instruction second = entry.find(pair->done);
  second.name += "1";
  const auto at = static_cast<std::ptrdiff_t>(entry.position_of(pair->done) + 1 + random.below(2));
  entry.instructions.insert(entry.instructions.begin() + at, std::move(second));
  return program_mutant(from, "COL004", severity::error, {pair->start, {}, {}});
}
inline std::optional<mutation> done_of_something_else(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::start_opcodes());
  if (!pair) return std::nullopt;
  written_computation& entry = from.program.entry();
  const std::string other = entry.all_of("parameter").front();
  const std::string made = "made." + pair->done;
  entry.instructions.insert(entry.instructions.begin() + static_cast<std::ptrdiff_t>(entry.position_of(pair->start)),
                            {made, entry.find(other).shape, "negate", {other}});
  entry.find(pair->done).operands[0] = made;
  return program_mutant(from, "COL004", severity::error, {pair->done, {}, {}});
}
inline std::optional<mutation> done_next_to_start(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::start_opcodes());
  if (!pair) return std::nullopt;
  from.program.entry().move_behind(pair->done, pair->start);
  return program_mutant(from, "COL002", severity::warning, {pair->start, {}, {}});
}
inline std::optional<mutation> async_to_sync(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::own_start_opcodes());
  if (!pair) return std::nullopt;
  written_computation& entry = from.program.entry();
  const written_instruction start = entry.find(pair->start);
  written_instruction& done = entry.find(pair->done);
  done.opcode = start.opcode.substr(0, start.opcode.size() - std::string("-start").size());
  done.operands = start.operands;
  done.attributes = start.attributes;
  entry.remove(pair->start);
  return program_mutant(from, "COL001", severity::warning, {pair->done, {}, {}});
}
inline std::optional<mutation> marked_synchronous(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::own_start_opcodes());
  if (!pair || from.backend != target::gpu) return std::nullopt;
  from.program.entry().find(pair->start).attributes.emplace_back("backend_config", "{\"collective_backend_config\":{\"is_sync\":true}}");
  return mutant(from, "COL001", severity::warning, {pair->start, {}, {}});
}

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
    return detail::replaced(groups, "," + std::to_string(from.devices - 1) + "}", "," + std::to_string(random.between(0, from.devices - 2)) + "}");
  });
}
inline std::optional<mutation> groups_leave_devices_out(fixture from, dice& random) {
  return detail::change_groups(from, random, true, [&](const std::string&) { return detail::one_group(from.devices - random.between(1, 2)); });
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
  attribute_of(a.attributes, "channel_id") = attribute_of(b.attributes, "channel_id");
  return mutant(from, "COL010", severity::warning, {a.name, b.name, attribute_of(a.attributes, "channel_id")});
}

namespace detail {
/// Puts an all-reduce into a window, from behind its start to before its done.
inline void put_inside(fixture& from, const written_pair& window, const std::string& groups) {
  written_computation& entry = from.program.entry();
  const written_instruction operand = entry.find(entry.all_of("parameter").back());
  const auto put_at = [&](std::size_t at, written_instruction i) {
    entry.instructions.insert(entry.instructions.begin() + static_cast<std::ptrdiff_t>(at), std::move(i));
  };
  put_at(entry.position_of(window.done), {"second-done", operand.shape, "all-reduce-done", {"second-start"}});
  put_at(entry.position_of(window.start) + 1,
         {"second-start", operand.shape, "all-reduce-start", {operand.name}, {},
          {{"channel_id", "99"}, {"replica_groups", groups}, {"use_global_device_ids", "true"}, {"to_apply", "%add.0"}}});
}
}  // namespace detail

/// Two in flight together whose groups share some devices.
inline std::optional<mutation> groups_cross_in_flight(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, {"all-reduce-start", "all-gather-start"});
  if (!pair || from.backend != target::gpu) return std::nullopt;
  std::string groups = detail::one_group(from.devices);
  if (attribute_of(from.program.entry().find(pair->start).attributes, "replica_groups") == groups) {
    groups = "{";
    for (std::int64_t d = 0; d < from.devices; d += 2)
      groups += std::string(d ? "," : "") + "{" + std::to_string(d) + "," + std::to_string(d + 1) + "}";
    groups += "}";
  }
  detail::put_inside(from, *pair, groups);
  return program_mutant(from, "COL005", severity::warning, {"second-start", pair->start, {}});
}
inline std::optional<mutation> awaited_in_another_order(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, {"all-reduce-start"});
  if (!pair) return std::nullopt;
  detail::put_inside(from, *pair, attribute_of(from.program.entry().find(pair->start).attributes, "replica_groups"));
  return program_mutant(from, "COL018", severity::note, {"second-start", pair->start, {}});
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
  written_computation& entry = from.program.entry();
  const std::string shape = from.backend == target::tpu ? "f32[8,128]{1,0:T(8,128)}" : "f32[8,128]{1,0}";
  std::vector<written_instruction> list;
  for (int n = 0; n < 5; ++n) {
    const std::string number = std::to_string(n);
    list.push_back({"little." + number, shape, "custom-call", {"param.0"}, {}, {{"custom_call_target", "\"kernel\""}}});
    list.push_back({"small." + number, shape, "all-reduce", {"little." + number}, {},
                    {{"channel_id", "9" + number}, {"replica_groups", detail::one_group(from.devices)}, {"use_global_device_ids", "true"}, {"to_apply", "%add.0"}}});
  }
  const std::size_t at = somewhere(from, random);
  entry.instructions.insert(entry.instructions.begin() + static_cast<std::ptrdiff_t>(at), list.begin(), list.end());
  return program_mutant(from, "COL015", severity::note, {"small.0", {}, {}});
}

/// Only some devices take the branch with the all-reduce.
inline std::optional<mutation> collective_in_a_branch(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  const std::string array = entry.find("param.0").shape, index = from.backend == target::tpu ? "u32[]{:T(128)}" : "u32[]",
                    truth = from.backend == target::tpu ? "pred[]{:T(128)}" : "pred[]";
  const std::size_t at = somewhere(from, random);
  const std::vector<written_instruction> list{
      {"device", index, "partition-id", {}},
      {"nought", index, "constant", {}, "0"},
      {"is-first", truth, "compare", {"device", "nought"}, {}, {{"direction", "EQ"}}},
      {"either", array, "conditional", {"is-first", "param.0", "param.0"}, {}, {{"true_computation", "%reduces"}, {"false_computation", "%does-not"}}}};
  entry.instructions.insert(entry.instructions.begin() + static_cast<std::ptrdiff_t>(at), list.begin(), list.end());
  const written_computation reduces{
      "reduces",
      {{"reduced", array, "parameter", {}, "0"},
       {"lonely", array, "all-reduce", {"reduced"}, {},
        {{"channel_id", "99"}, {"replica_groups", detail::one_group(from.devices)}, {"use_global_device_ids", "true"}, {"to_apply", "%add.0"}}, true}}};
  const written_computation does_not{"does-not", {{"kept", array, "parameter", {}, "0"}, {"other", array, "negate", {"kept"}, {}, {}, true}}};
  auto& computations = from.program.computations;
  computations.insert(computations.end() - 1, {reduces, does_not});
  return program_mutant(from, "COL012", severity::warning, {"lonely", "either", {}});
}

/// The recv alone is waited for; it shows at whatever communicates next, else at the recv.
inline std::optional<mutation> send_dropped(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  const auto sends = entry.all_of("send"), recvs = entry.all_of("recv");
  if (sends.empty()) return std::nullopt;
  const std::size_t k = random.below(sends.size());
  for (const detail::written_pair& pair : detail::pairs_of(from, {"send"}))
    if (pair.start == sends[k]) entry.remove(pair.done);
  entry.remove(sends[k]);
  for (std::size_t at = entry.position_of(recvs[k]) + 1; at < entry.instructions.size(); ++at) {
    const written_instruction& i = entry.instructions[at];
    if (i.opcode == "while") return std::nullopt;  // it may communicate or not
    if (i.opcode == "recv") return program_mutant(from, "COL007", severity::error, {i.name, recvs[k], {}});
    for (const std::string& opcode : detail::own_start_opcodes())
      if (i.opcode == opcode) return program_mutant(from, "COL007", severity::warning, {i.name, recvs[k], {}});
    if (i.opcode == "async-start") {
      const std::string called = attribute_of(i.attributes, "calls").substr(1);
      for (const written_computation& c : from.program.computations)
        if (c.name == called) return program_mutant(from, "COL007", severity::warning, {c.root().name, recvs[k], {}});
    }
  }
  return program_mutant(from, "COL007", severity::error, {recvs[k], {}, {}});
}
inline std::optional<mutation> exchange_in_a_circle(fixture from, dice& random) {
  const auto recvs = from.program.entry().all_of("recv"), sends = from.program.entry().all_of("send");
  if (recvs.empty()) return std::nullopt;
  const std::size_t k = random.below(recvs.size());
  for (const std::string& name : {recvs[k], sends[k]})
    attribute_of(from.program.entry().find(name).attributes, "frontend_attributes") = "{_xla_send_recv_source_target_pairs={{0,1},{1,0}}}";
  return mutant(from, "COL007", severity::error, {recvs[k], {}, {}});
}
/// A collective that needs all devices, between the halves of an exchange.
inline std::optional<mutation> collective_inside_exchange(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  const auto recvs = entry.all_of("recv");
  if (recvs.empty()) return std::nullopt;
  const written_instruction operand = entry.find(entry.all_of("parameter").back());
  const auto at = static_cast<std::ptrdiff_t>(entry.position_of(random.pick(recvs)) + 1);
  entry.instructions.insert(entry.instructions.begin() + at,
                            {"between", operand.shape, "all-reduce", {operand.name}, {},
                             {{"channel_id", "99"}, {"replica_groups", detail::one_group(from.devices)},
                              {"use_global_device_ids", "true"}, {"to_apply", "%add.0"}}});
  return program_mutant(from, "COL007", severity::error, {"between", {}, {}});
}

inline const std::vector<fault_class>& collective_faults() {
  static const std::vector<fault_class> list{
      {"done dropped", done_dropped},
      {"done doubled", done_doubled},
      {"done of something else", done_of_something_else},
      {"done next to its start", done_next_to_start},
      {"async to sync", async_to_sync},
      {"start marked is_sync", marked_synchronous},
      {"permute source twice", source_twice},
      {"permute target twice", target_twice},
      {"permute to a device that is not there", permute_to_no_device},
      {"group id out of range", group_id_out_of_range},
      {"group id repeated", group_id_repeated},
      {"groups leave devices out", groups_leave_devices_out},
      {"groups uneven", groups_uneven},
      {"groups empty where devices must be named", groups_empty},
      {"channel id clash", channel_shared},
      {"crossing groups in flight", groups_cross_in_flight},
      {"awaited in another order", awaited_in_another_order},
      {"permutes over other devices", permutes_mixed},
      {"many small collectives", small_and_many},
      {"collective in a branch of some devices", collective_in_a_branch},
      {"send dropped", send_dropped},
      {"exchange in a circle", exchange_in_a_circle},
      {"collective inside an exchange", collective_inside_exchange},
  };
  return list;
}

}  // namespace hlolint::testing
