// The first pass over an HloModuleProto: its computations and instructions, and their ids (protobuf_dumps.md 4, 5).
#pragma once

#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/instruction_fields.hpp>
#include <hlolint/tool/protobuf/reading.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::protobuf {

/// Finds numbers by 64-bit ids.
class id_index {
 public:
  void reserve(std::size_t count) { numbers_.reserve(count); }
  /// Gives an id the next number, beginning with 0. False if the id already has a number; the next one is used up.
  bool add(std::uint64_t id) { return numbers_.try_emplace(id, next_++).second; }
  std::optional<std::size_t> find(std::uint64_t id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }
  void clear() { numbers_.clear(), next_ = 0; }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::uint32_t next_ = 0;
};

/// The low bits of an instruction's id, which identify it within its computation (protobuf_dumps.md 5.1).
constexpr std::uint64_t local_id(std::uint64_t id) { return id & 0xFFFFFFFF; }

/// HloComputationProto, with its instructions not yet read.
struct computation_head {
  std::string_view name, thread;
  std::uint64_t id = 0, root_id = 0;
  std::size_t first = 0, count = 0;    ///< the range of its instructions
  std::vector<std::uint32_t> callers;  ///< its instructions that call computations, sorted by id
  /// The instructions in the order of the schedule; empty without a schedule.
  std::vector<std::uint32_t> schedule;

  /// The instruction that is printed at position `i`.
  std::size_t printed(std::size_t i) const { return schedule.empty() ? i : schedule[i]; }
};

/// HloModuleProto. Its texts and messages are views of the bytes.
struct program {
  std::string_view name, entry_name, program_shape, frontend, stack_frames, recovery, schedule, device_assignment;
  std::uint64_t entry_id = 0;
  bool has_schedule = false;
  std::vector<std::string_view> aliases, donors, payloads, debug;
  std::vector<computation_head> computations;
  std::vector<instruction_head> instructions;
  std::vector<std::uint64_t> called;  ///< ids of computations
  id_index computation_ids;

  /// Fills the object. Reports broken parts and leaves them out.
  void read(std::string_view bytes, reading& in) {
    std::int64_t index = 0;
    in.guarded([&] {
      for_each_field<cut_field::used>(bytes, [&](const field& f) {
        if (f.missing && f.key() != sized(3)) return in.cut("(field)", f.tag, f.missing);
        const auto add = [&](std::string_view& to) { in.merge(to, f.bytes); };
        switch (f.key()) {
          case sized(1): name = f.bytes; break;
          case sized(2): entry_name = f.bytes; break;
          case sized(3):
            if (f.missing) in.cut("computations", index, f.missing);
            in.in("computations", index, [&] { in.guarded([&] { read_computation(f.bytes, in); }); });
            ++index;
            break;
          case sized(4): add(program_shape); break;
          case varint(6): entry_id = f.bits; break;
          case sized(7): add(schedule), has_schedule = true; break;
          case sized(8): aliases = message(f.bytes).all(1); break;
          case sized(15): add(device_assignment); break;
          case sized(17): add(stack_frames); break;
          case sized(18): donors = message(f.bytes).all(1); break;
          case sized(19): add(frontend); break;
          case sized(20): add(recovery); break;
          case sized(22): payloads.push_back(f.bytes); break;
          case sized(24): debug.push_back(f.bytes); break;
          default: break;
        }
      });
    });
    computation_ids.reserve(computations.size());
    for (std::size_t i = 0; i < computations.size(); ++i)
      if (!computation_ids.add(computations[i].id) && !in.cut_off())  // a cut may have lost ids, which come last
        in.in("computations", static_cast<std::int64_t>(i), [&] {
          in.report(str_cat({"the id ", computations[i].id, " is that of another one, too"}));
        });
    in.in("schedule", [&] { in.guarded([&] { read_schedule(in); }); });
  }

  const computation_head* find_computation(std::uint64_t id) const {
    const auto at = computation_ids.find(id);
    return at ? &computations[*at] : nullptr;
  }

 private:
  void read_computation(std::string_view bytes, reading& in) {
    if (computations.size() == most_elements) throw bad_message("too many computations");
    computations.emplace_back();
    computation_head& c = computations.back();
    c.first = instructions.size();
    std::int64_t index = 0;
    const auto close = [&] { c.count = instructions.size() - c.first; };
    for_each_field<cut_field::used>(bytes, [&](const field& f) {
      switch (f.key()) {
        case sized(1): c.name = f.bytes; break;
        case sized(2): {
          instruction_head& i = instructions.emplace_back();
          i.bytes = f.bytes;
          if (f.missing) in.cut("instructions", index, f.missing);
          const bool whole = !f.missing;
          bool read = false;
          in.in("instructions", index, [&] {
            read = whole && in.guarded([&] {
              ids_.clear();
              read_head(i, ids_, in);
              add_called(i);
              if (i.called_count > 0)
                c.callers.push_back(static_cast<std::uint32_t>(instructions.size() - 1 - c.first));
            });
          });
          if (!read) instructions.pop_back();
          close();
          ++index;
          break;
        }
        case varint(5): c.id = f.bits; break;
        case varint(6): c.root_id = f.bits; break;
        case sized(8): c.thread = f.bytes; break;
        default: break;
      }
    });
    std::stable_sort(c.callers.begin(), c.callers.end(), [&](std::uint32_t a, std::uint32_t b) {
      return local_id(instructions[c.first + a].id) < local_id(instructions[c.first + b].id);
    });
    if (c.name.empty() && c.count == 0) computations.pop_back();
  }

  void add_called(instruction_head& i) {
    if (called.size() + ids_.size() > 0xFFFFFFFF) throw bad_message("too many calls");
    i.first_called = static_cast<std::uint32_t>(called.size());
    i.called_count = static_cast<std::uint32_t>(ids_.size());
    for (const std::int64_t id : ids_) called.push_back(static_cast<std::uint64_t>(id));
  }

  /// Skips the sequences of computations that do not exist, as XLA does.
  void read_schedule(reading& in) {
    for (const std::string_view entry : message(schedule).all(1)) {
      const message m(entry);
      if (const auto at = computation_ids.find(static_cast<std::uint64_t>(m.number(1))))
        schedule_computation(computations[*at], message(m.bytes(2)).numbers(1), in);
    }
  }

  /// Ignores a schedule that does not have every instruction exactly once.
  void schedule_computation(computation_head& c, const std::vector<std::int64_t>& sequence, reading& in) {
    id_index ids;
    ids.reserve(c.count);
    for (std::size_t i = 0; i < c.count; ++i) ids.add(local_id(instructions[c.first + i].id));
    std::vector<char> seen(c.count);
    c.schedule.clear();
    for (const std::int64_t id : sequence)
      if (const auto i = ids.find(local_id(static_cast<std::uint64_t>(id))); i && !std::exchange(seen[*i], 1))
        c.schedule.push_back(static_cast<std::uint32_t>(*i));
    if (c.schedule.size() == c.count && sequence.size() == c.count) return;
    if (!in.cut_off())
      in.report(str_cat({"the sequence of '", c.name, "' has ", sequence.size(), " ids, and ", c.schedule.size(),
                         " of the computation's ", c.count, " instructions are among them"}));
    c.schedule.clear();
  }

  std::vector<std::int64_t> ids_;
};

}  // namespace hlolint::protobuf
