// Faults in transfers: starts, dones, their order, sends and receives.
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
        if (!i.operands.empty() && i.operands[0] == start && i.opcode.ends_with("-done"))
          out.push_back({start, i.name});
  return out;
}
inline const std::vector<std::string>& start_opcodes() {
  static const std::vector<std::string> list{"all-reduce-start", "all-gather-start", "collective-permute-start",
                                             "async-start"};
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
  entry.insert(entry.position_of(pair->done) + 1 + random.below(2), {second});
  return program_mutant(from, "COL004", severity::error, {pair->start, {}, {}});
}
inline std::optional<mutation> done_of_something_else(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::start_opcodes());
  if (!pair) return std::nullopt;
  written_computation& entry = from.program.entry();
  const std::string other = entry.all_of("parameter").front();
  const std::string made = "made." + pair->done;
  entry.insert(entry.position_of(pair->start), {{made, entry.find(other).shape, "negate", {other}}});
  entry.find(pair->done).operands[0] = made;
  return program_mutant(from, "COL004", severity::error, {pair->done, {}, {}});
}
inline std::optional<mutation> done_next_to_start(fixture from, dice& random) {
  const auto pair = detail::a_pair(from, random, detail::start_opcodes());
  if (!pair) return std::nullopt;
  from.program.entry().move_after(pair->done, pair->start);
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
  from.program.entry()
      .find(pair->start)
      .attributes.emplace_back("backend_config", "{\"collective_backend_config\":{\"is_sync\":true}}");
  return mutant(from, "COL001", severity::warning, {pair->start, {}, {}});
}

namespace detail {
/// Puts an all-reduce into a window, from after its start to before its done.
inline void put_inside(fixture& from, const written_pair& window, const std::string& groups) {
  written_computation& entry = from.program.entry();
  const written_instruction operand = entry.find(entry.all_of("parameter").back());
  entry.insert(entry.position_of(window.done), {{"second-done", operand.shape, "all-reduce-done", {"second-start"}}});
  entry.insert(entry.position_of(window.start) + 1,
               {{"second-start", operand.shape, "all-reduce-start", {operand.name}, {}, sum_over(groups)}});
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
    attribute_of(from.program.entry().find(name).attributes, "frontend_attributes") =
        "{_xla_send_recv_source_target_pairs={{0,1},{1,0}}}";
  return mutant(from, "COL007", severity::error, {recvs[k], {}, {}});
}
/// A collective that needs all devices, between the halves of an exchange.
inline std::optional<mutation> collective_inside_exchange(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  const auto recvs = entry.all_of("recv");
  if (recvs.empty()) return std::nullopt;
  const written_instruction operand = entry.find(entry.all_of("parameter").back());
  entry.insert(entry.position_of(random.pick(recvs)) + 1,
               {{"between", operand.shape, "all-reduce", {operand.name}, {}, detail::sum_over_all(from)}});
  return program_mutant(from, "COL007", severity::error, {"between", {}, {}});
}

inline const std::vector<fault_class>& transfer_faults() {
  static const std::vector<fault_class> list{
      {"done dropped", done_dropped},
      {"done doubled", done_doubled},
      {"done of something else", done_of_something_else},
      {"done next to its start", done_next_to_start},
      {"async to sync", async_to_sync},
      {"start marked is_sync", marked_synchronous},
      {"crossing groups in flight", groups_cross_in_flight},
      {"awaited in another order", awaited_in_another_order},
      {"send dropped", send_dropped},
      {"exchange in a circle", exchange_in_a_circle},
      {"collective inside an exchange", collective_inside_exchange},
  };
  return list;
}

}  // namespace hlolint::testing
