// What the three rules about values in the same bytes share: the texts of their findings, and reasons for doubt.
#pragma once

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// `fusion.1{0} (bytes 0 to 512`
inline std::string bytes_text(const assigned_value& v) {
  return str_cat({to_string(v.name), " (bytes ", v.offset, " to ", (checked_int64(v.offset) + v.size).clamped()});
}

/// Name, bytes and life of one value: `fusion.1{0} (bytes 0 to 512, live 3-8)`.
inline std::string value_text(const buffer_conflicts& facts, std::size_t i) {
  const live_range* const range = facts.table().range(i);
  return str_cat({bytes_text(facts.table().dump().values()[i]), ", live ", range->start, "-", range->end, ")"});
}

/// A schedule position and the instruction that stands there: `position 3 (fusion.1)`.
inline std::string schedule_text(const buffer_dump& dump, std::int64_t position) {
  std::string out = "position " + std::to_string(position);
  const live_range_block* const block = dump.live_ranges();
  if (block && position >= 0 && static_cast<std::size_t>(position) < block->sequence.size())
    out += " (" + std::string(block->sequence[static_cast<std::size_t>(position)]) + ")";
  return out;
}

/// A finding at the value that starts later, with the other one beside it.
template <class Conflict>
finding conflict_finding(const context& dump, const value_table& table, const Conflict& found, std::string message,
                         std::optional<severity> level = {}) {
  const assigned_value &first = table.dump().values()[found.first], &second = table.dump().values()[found.second];
  const live_range* const range = table.range(found.first);
  return value_finding(
      dump, second, table.range(found.second), std::move(message),
      {.level = level,
       .bytes = found.bytes,
       .related = {related_at(table.dump(), first, range, "the other value, " + to_string(first.name))}});
}

/// Memory of a TPU other than color 0, planned by memory-space assignment. An unknown target may be a TPU.
inline bool is_alternate_memory(const context& dump, const allocation& in) {
  return in.color != 0 && (dump.target() == target::tpu || dump.target() == target::unknown);
}

/// Whether each computation may have the alternate memory to itself. Only the cores beside a TensorCore have such
/// private stacks (buffer_dumps.md 5.4).
inline bool may_be_private(const allocation& in) {
  const memory_space_meaning* const space = meaning_of_space(target::tpu, in.color);
  return !space || space->name.starts_with("SparseCore");
}

/// Reasons for doubt that only the HLO can dispel.
inline constexpr std::string_view ends_in_conditional =
    "in alternate memory a value may end inside the conditional that reads it last";
inline constexpr std::string_view used_in_turn =
    "operations on a SparseCore, which the HLO shows, use the bytes one after the other";

/// Reasons for doubt that come from the instruction which reads a value last. Looks at each value once.
class reader_doubts {
 public:
  reader_doubts(const context& dump, const buffer_conflicts& facts) : dump_(dump), facts_(facts) {}

  /// Why a value in alternate memory may end before its last use; empty if there is no reason.
  std::string_view about_last_reader(std::uint32_t value) {
    const auto [known, is_new] = known_.try_emplace(value);
    if (is_new) known->second = find(value);
    return known->second;
  }

 private:
  std::string_view find(std::uint32_t value) const {
    const used_value* const used = facts_.table().used(value);
    const auto last = facts_.table().last_use(value);
    if (!used || !last) return {};
    const std::vector<std::string_view>& sequence = facts_.table().dump().live_ranges()->sequence;
    if (static_cast<std::size_t>(*last) >= sequence.size()) return {};
    // One text per instruction, so it is read alone.
    const lone_instruction alone(dump_.get<instruction_texts>().find(sequence[static_cast<std::size_t>(*last)]));
    const hlo_instruction user = alone.get();
    if (!user) return {};
    if (user.opcode() == hlo_opcode::conditional) return ends_in_conditional;
    if (calls_target(user, "ConcatBitcast"))
      return "in alternate memory a value may end where a ConcatBitcast reads it";
    return {};
  }

  const context& dump_;
  const buffer_conflicts& facts_;
  std::unordered_map<std::uint32_t, std::string_view> known_;
};

/// The level of a clash that is not certain: a note without the HLO if that may show that all is well, by what a
/// conditional, a join of parts or a SparseCore reads. Used values show the readers, but not the computations.
inline severity level_of_doubt(const context& dump, const used_value* used, std::string_view doubt) {
  const bool is_open = !dump.hlo() && (!used || doubt == ends_in_conditional || doubt == used_in_turn);
  return is_open ? severity::note : severity::warning;
}

/// Why a clash is not certain (the exceptions of buffer_dumps.md 5.4); empty if it is.
inline std::string_view doubt_about(const context& dump, const buffer_conflicts& facts, const buffer_conflict& found,
                                    reader_doubts& doubts) {
  const buffer_dump& buffers = facts.table().dump();
  const assigned_value& first = buffers.values()[found.first];
  const hlo_module* const hlo = dump.hlo();
  if (hlo && !hlo->is_scheduled()) return "the module is not scheduled, so positions are not certain";
  const auto may_be_context = [](const assigned_value& v) { return v.name.at().size() > 1 && is_context(v.name.at()); };
  if (!hlo && may_be_context(first) && may_be_context(buffers.values()[found.second]) &&
      (dump.target() == target::tpu || dump.target() == target::unknown))
    return used_in_turn;
  if (!is_alternate_memory(dump, buffers.allocation_of(first))) return {};
  // Memory-space assignment counts a value only up to its last use, but not the positions behind that.
  const auto last = facts.table().last_use(found.first);
  if (!last || *last <= found.position) return "in alternate memory a value may be overwritten where its last use runs";
  if (const std::string_view doubt = doubts.about_last_reader(found.first); !doubt.empty()) return doubt;
  if (hlo && may_be_private(buffers.allocation_of(first))) {
    const auto& names = dump.get<instruction_names>();
    const hlo_instruction a = names.find(first.name.instruction);
    const hlo_instruction b = names.find(buffers.values()[found.second].name.instruction);
    if (a && b && !(a.computation() == b.computation())) return "each computation may have this memory to itself";
  }
  return {};
}

}  // namespace hlolint::detail
