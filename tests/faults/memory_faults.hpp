// Faults in places and sizes of values.
#pragma once

#include "mutation.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

namespace detail {

/// The temporary values of a dump.
struct temporaries {
  explicit temporaries(fixture& from) {
    for (std::size_t n = 0; n < from.dump.allocations.size(); ++n)
      if (from.dump.allocations[n].is_temp()) number = n;
    allocation = &from.dump.allocations.at(number);
    for (const written_value& v : allocation->values)
      if (v.lives && v.array) arrays.push_back(&v);
  }
  std::size_t number = 0;
  written_allocation* allocation = nullptr;
  std::vector<const written_value*> arrays;  ///< bigger than a scalar
};

inline bool share_bytes(byte_count offset, const written_value& a, const written_value& b) {
  return offset < b.end() && b.offset < offset + a.size;
}
/// How many schedule positions two values have in common.
inline std::int64_t common_positions(const written_value& a, const written_value& b) {
  return std::min(a.lives->end, b.lives->end) - std::max(a.lives->start, b.lives->start) + 1;
}
inline bool reads(const written_value& user, const written_value& operand) {
  return std::find(operand.readers.begin(), operand.readers.end(), user.instruction) != operand.readers.end();
}
/// Whether the set of `a`, put at `offset`, meets values other than `b` in another way than `b` is to be met: for one
/// position, which is a fault of another kind, or (`alone`) at all.
inline bool meets_others(const written_allocation& in, const written_value& a, byte_count offset,
                         const written_value& b, bool alone) {
  for (const written_value& mine : in.values)
    for (const written_value& other : in.values) {
      if (mine.set != a.set || other.set == a.set || !mine.lives || !other.lives || !share_bytes(offset, mine, other))
        continue;
      if (mine.id == a.id && other.id == b.id) continue;
      if (const std::int64_t common = common_positions(mine, other); common == 1 || (alone && common > 1)) return true;
    }
  return false;
}

/// Moves a random value to `offset_at(value, other)` if `wanted(value, other)`.
template <class Offset, class Wanted>
std::optional<mutation> move_onto(fixture& from, dice& random, const char* rule, severity level, bool alone,
                                  Offset&& offset_at, Wanted&& wanted) {
  const temporaries temp(from);
  struct candidate {
    const written_value *value, *other;
    byte_count offset;
  };
  std::vector<candidate> found;
  for (const written_value* const a : temp.arrays)
    for (const written_value* const b : temp.arrays) {
      if (a->set == b->set) continue;
      const byte_count offset = offset_at(*a, *b);
      if (offset < 0 || offset + a->size > temp.allocation->size || !share_bytes(offset, *a, *b)) continue;
      if (share_bytes(a->offset, *a, *b) || !wanted(*a, *b) || meets_others(*temp.allocation, *a, offset, *b, alone))
        continue;
      found.push_back({a, b, offset});
    }
  if (found.empty()) return std::nullopt;
  const candidate c = random.pick(found);
  const expected_place at{c.value->instruction, c.other->instruction, {}};
  from.dump.move(c.value->set, c.offset);
  return mutant(from, rule, level, at);
}

inline byte_count alignment_of(const fixture& from) { return from.backend == target::gpu ? 256 : 512; }

}  // namespace detail

inline std::optional<mutation> full_overlap(fixture from, dice& random) {
  return detail::move_onto(
      from, random, "MEM001", severity::error, false, [](const auto&, const auto& b) { return b.offset; },
      [](const auto& a, const auto& b) { return detail::common_positions(a, b) > 1; });
}

inline std::optional<mutation> partial_overlap(fixture from, dice& random) {
  const byte_count shift = detail::alignment_of(from) * random.between(1, 16);
  return detail::move_onto(
      from, random, "MEM001", severity::error, false, [shift](const auto&, const auto& b) { return b.offset + shift; },
      [](const auto& a, const auto& b) { return detail::common_positions(a, b) > 1; });
}

/// An operand's place taken over with a shift, by the instruction that reads it last.
inline std::optional<mutation> shifted_in_place(fixture from, dice& random) {
  const byte_count shift = detail::alignment_of(from) * random.between(1, 16);
  return detail::move_onto(
      from, random, "MEM003", severity::error, true, [shift](const auto&, const auto& b) { return b.offset + shift; },
      [](const auto& a, const auto& b) { return a.lives->start == b.lives->end && detail::reads(a, b); });
}

/// Two results of one instruction in one place, of which the first is not read.
inline std::optional<mutation> results_in_one_place(fixture from, dice& random) {
  return detail::move_onto(
      from, random, "MEM002", severity::error, true, [](const auto&, const auto& b) { return b.offset; },
      [](const auto& a, const auto& b) { return a.lives->start == b.lives->end && a.instruction == b.instruction; });
}
/// An operand's place taken over by an instruction that writes in another order than it reads.
inline std::optional<mutation> reversed_in_place(fixture from, dice& random) {
  return detail::move_onto(
      from, random, "MEM002", from.backend == target::tpu ? severity::note : severity::error, true,
      [](const auto&, const auto& b) { return b.offset; },
      [](const auto& a, const auto& b) {
        return a.instruction.starts_with("reverse") && a.lives->start == b.lives->end && detail::reads(a, b);
      });
}

inline std::optional<mutation> size_shrunk(fixture from, dice& random) {
  const written_value v = *random.pick(detail::temporaries(from).arrays);
  from.dump.resize(v.set, random.chance(50) ? v.size / 2 : v.size - 1);
  return mutant(from, "MEM005", severity::error, {v.instruction, {}, {}});
}

namespace detail {

struct found_value {
  std::size_t allocation = 0;
  written_value value;
};
/// A random value that ends with its allocation; one that is alone in its place.
inline found_value last_value(const fixture& from, dice& random) {
  std::vector<found_value> found;
  for (std::size_t n = 0; n < from.dump.allocations.size(); ++n) {
    const written_allocation& a = from.dump.allocations[n];
    for (const written_value& v : a.values)
      if (v.array && v.end() == a.size && std::count_if(a.values.begin(), a.values.end(), [&](const auto& other) {
                                            return other.offset == v.offset && other.size == v.size;
                                          }) == 1)
        found.push_back({n, v});
  }
  return random.pick(found);
}

}  // namespace detail

/// The allocation and its sum grow with the value, so that nothing else is wrong.
inline std::optional<mutation> size_grown(fixture from, dice& random) {
  const auto [number, v] = detail::last_value(from, random);
  const byte_count more = 256 * random.between(1, 64);
  from.dump.resize(v.set, v.size + more);
  from.dump.enlarge(number, more);
  return mutant(from, "MEM005", severity::note, {v.instruction, {}, {}});
}
inline std::optional<mutation> grown_out(fixture from, dice& random) {
  const written_value v = detail::last_value(from, random).value;
  from.dump.resize(v.set, v.size + 256 * random.between(1, 64));
  return mutant(from, "MEM004", severity::error, {v.instruction, {}, {}});
}
inline std::optional<mutation> pushed_out(fixture from, dice& random) {
  const written_value v = detail::last_value(from, random).value;
  from.dump.move(v.set, v.offset + detail::alignment_of(from) * random.between(1, 8));
  return mutant(from, "MEM004", severity::error, {v.instruction, {}, {}});
}

/// To the end of the allocation, which grows, so that only the alignment is wrong. What TPUs require is unknown.
inline std::optional<mutation> misaligned(fixture from, dice& random) {
  if (from.backend == target::tpu) return std::nullopt;
  const detail::temporaries temp(from);
  const written_value v = *random.pick(temp.arrays);
  const byte_count offset =
      (temp.allocation->size + 255) / 256 * 256 + (from.backend == target::gpu ? 16 : 4) * random.between(1, 3);
  from.dump.move(v.set, offset);
  from.dump.enlarge(temp.number, offset + v.size - temp.allocation->size);
  return mutant(from, "MEM006", severity::warning, {v.instruction, {}, {}});
}

inline std::optional<mutation> another_memory_space(fixture from, dice& random) {
  std::vector<written_value*> found;
  for (written_allocation& a : from.dump.allocations)
    for (written_value& v : a.values)
      if (v.array && !a.is_temp()) found.push_back(&v);
  written_value& v = *random.pick(found);
  v.color = random.between(1, 4);
  return mutant(from, "MEM008", severity::error, {v.instruction, {}, {}});
}

namespace detail {

inline std::optional<std::int64_t> position_of(const fixture& from, const std::string& instruction) {
  const auto& sequence = from.dump.sequence;
  const auto found = std::find(sequence.begin(), sequence.end(), instruction);
  return found == sequence.end() ? std::nullopt : std::optional<std::int64_t>(found - sequence.begin());
}
/// The done of a transfer that reads or fills the value; empty if there is none.
inline std::string done_of(const written_value& v) {
  for (const std::string& reader : v.readers)
    if (reader.find("-done.") != std::string::npos) return reader;
  return {};
}
/// Whether `later` begins while the transfer of `earlier` runs.
inline bool begins_in_flight(const fixture& from, const written_value& earlier, const written_value& later) {
  const std::string done = done_of(earlier);
  if (done.empty()) return false;
  for (const written_computation& c : from.program.computations)
    for (const written_instruction& i : c.instructions)
      if (i.name == done)
        return position_of(from, i.operands.at(0)) < later.lives->start && later.lives->start < position_of(from, done);
  return false;
}

/// Two values in one place, in a dump without live ranges; `wanted(earlier, later)`.
template <class Wanted>
std::optional<mutation> hide_overlap(fixture& from, dice& random, const char* rule, severity level, Wanted&& wanted) {
  auto out = move_onto(
      from, random, rule, level, true, [](const auto&, const auto& b) { return b.offset; },
      [&](const written_value& a, const written_value& b) {
        const bool b_first = std::pair(b.lives->start, b.lives->end) < std::pair(a.lives->start, a.lives->end);
        return common_positions(a, b) > 1 && wanted(b_first ? b : a, b_first ? a : b);
      });
  if (out) out->files = files_of(from, dump_part::ranges);
  return out;
}

}  // namespace detail

/// The printed range of a value ends before its last reader.
inline std::optional<mutation> read_after_range(fixture from, dice& random) {
  std::vector<std::pair<const written_value*, std::int64_t>> found;  // with the position of the last reader
  std::map<std::size_t, int> members;                                // of alias sets
  from.dump.for_each([&](const written_allocation&, const written_value& v) { ++members[v.set]; });
  for (const written_value* const v : detail::temporaries(from).arrays) {
    std::int64_t last = -1;
    for (const std::string& reader : v->readers) last = std::max(last, detail::position_of(from, reader).value_or(-1));
    if (members[v->set] == 1 && last > v->lives->start) found.emplace_back(v, last);
  }
  if (found.empty()) return std::nullopt;
  const auto [v, last] = random.pick(found);
  for (written_range& r : from.dump.ranges)
    if (r.instruction == v->instruction && r.index == v->index) r.lives.end = random.between(v->lives->start, last - 1);
  return mutant(from, "MEM007", severity::error, {v->instruction, {}, {}});
}

inline std::optional<mutation> hidden_overlap(fixture from, dice& random) {
  return detail::hide_overlap(from, random, "MEM011", severity::error, [&](const auto& earlier, const auto& later) {
    return detail::done_of(earlier).empty() && earlier.instruction != later.instruction;
  });
}
inline std::optional<mutation> transfer_overwritten(fixture from, dice& random) {
  return detail::hide_overlap(from, random, "MEM010", severity::error, [&](const auto& earlier, const auto& later) {
    return detail::begins_in_flight(from, earlier, later);
  });
}

/// Both are read.
inline std::optional<mutation> outputs_in_one_place(fixture from, dice& random) {
  return detail::hide_overlap(from, random, "ALI003", severity::error, [](const auto& earlier, const auto& later) {
    return earlier.instruction == later.instruction && !earlier.readers.empty() && !later.readers.empty();
  });
}

/// A temporary value put into the place of a result that is there already.
inline std::optional<mutation> result_overwritten(fixture from, dice& random) {
  const detail::temporaries temp(from);
  std::vector<detail::found_value> found;  // with the allocation of the result
  for (std::size_t n = 0; n < from.dump.allocations.size(); ++n) {
    const written_allocation& a = from.dump.allocations[n];
    if (a.flags != ", maybe-live-out" || a.values.size() != 1) continue;
    for (const written_value* const v : temp.arrays)
      if (v->size <= a.size && v->lives->start > a.values[0].lives->start) found.push_back({n, *v});
  }
  if (found.empty()) return std::nullopt;
  detail::found_value moved = random.pick(found);
  const written_value& result = from.dump.allocations[moved.allocation].values[0];
  const expected_place at{moved.value.instruction, result.instruction, {}};
  auto& values = temp.allocation->values;
  values.erase(
      std::find_if(values.begin(), values.end(), [&](const written_value& v) { return v.id == moved.value.id; }));
  moved.value.offset = 0;
  from.dump.allocations[moved.allocation].values.push_back(moved.value);
  return rangeless_mutant(from, "MEM009", severity::error, at);
}

/// The allocation of a result is not kept for the caller.
inline std::optional<mutation> result_not_kept(fixture from, dice& random) {
  std::vector<written_allocation*> found;
  for (written_allocation& a : from.dump.allocations)
    if (a.flags == ", maybe-live-out" && a.values.size() == 1) found.push_back(&a);
  if (found.empty()) return std::nullopt;
  written_allocation& in = *random.pick(found);
  in.flags.clear();
  return mutant(from, "MEM013", severity::error, {in.values[0].instruction, {}, {}});
}

inline const std::vector<fault_class>& memory_faults() {
  static const std::vector<fault_class> list{
      {"offset moved, full overlap", full_overlap},
      {"offset moved, partial overlap", partial_overlap},
      {"in place, but shifted", shifted_in_place},
      {"two results in one place", results_in_one_place},
      {"in place, but in another order", reversed_in_place},
      {"size shrunk", size_shrunk},
      {"size grown", size_grown},
      {"size grown out of the allocation", grown_out},
      {"pushed out of the allocation", pushed_out},
      {"alignment broken", misaligned},
      {"another memory space", another_memory_space},
      {"read after its range", read_after_range},
      {"overlap that no range shows", hidden_overlap},
      {"transfer overwritten in flight", transfer_overwritten},
      {"two outputs in one place, unseen by ranges", outputs_in_one_place, "MEM011", "both are live at one time"},
      {"result overwritten", result_overwritten, "ALI013", "it may have to share its buffer with others"},
      {"result not kept", result_not_kept},
  };
  return list;
}

}  // namespace hlolint::testing
