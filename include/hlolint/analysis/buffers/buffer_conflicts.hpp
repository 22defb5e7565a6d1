// Values that wrongly share bytes, even if the dump's own live ranges do not show it, and the classification of values
// that share bytes at all (buffer_dumps.md 5.4).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/live_overlaps.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/buffers/value_links.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/analysis/values/may_share.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// A value with its bytes from a start to an end, at positions of the schedule.
struct held_value {
  std::optional<std::size_t> value;  ///< in the HLO; nothing if that is not known
  shape_index at;                    ///< in the result of its instruction
  std::int64_t color = 0;            ///< of the allocation
  std::int64_t start = 0, end = 0;
};

/// Whether a place is context of an asynchronous operation, if its result has that form.
inline bool is_context(const shape_index& at) {
  constexpr std::uint32_t first_context = 2;  // of the elements of the result
  return !at.empty() && at[0] >= first_context;
}

/// Whether a value is context of an operation on a SparseCore. Such operations run one after the other, whenever they
/// start and end in the schedule, so libtpu gives the contexts of all of them one place.
inline bool is_of_sparse_core(const live_ranges& ranges, const held_value& of) {
  if (!of.value || !is_context(of.at)) return false;
  hlo_instruction made = ranges.flow().instruction(ranges.flow().values()[*of.value]);
  if (made.opcode() == hlo_opcode::async_update && made.operand_count() > 0 && made.operand(0)) made = made.operand(0);
  const auto thread = get<async_execution_thread>(made);
  return thread && thread->name == "sparsecore";
}

/// From where on the bytes of a value are in use. The context of an async-start without operands is that of a program
/// that is only loaded: it is in use from the async-update on that binds the operands.
inline std::int64_t needed_from(const live_ranges& ranges, const held_value& of) {
  if (!of.value || !is_context(of.at)) return of.start;
  const dataflow& flow = ranges.flow();
  const hlo_value& context = flow.values()[*of.value];
  const hlo_instruction start = flow.instruction(context);
  if (start.opcode() != hlo_opcode::async_start || start.operand_count() > 0) return of.start;
  std::optional<std::int64_t> bound;
  for (const hlo_use& use : flow.uses(context))
    if (const auto p = ranges.schedule().position_of(flow.module().instruction(use.user)))
      bound = std::min(bound.value_or(*p), *p);
  return std::max(of.start, bound.value_or(of.start));
}

/// Whether a value in alternate memory that a conditional reads last is not needed any more in the branch which runs
/// at a position: libtpu counts such a value in each branch only up to its last use there.
inline bool ends_in_branch(const live_ranges& ranges, const held_value& of, std::int64_t position) {
  if (!of.value || of.color == 0) return false;
  const dataflow& flow = ranges.flow();
  const flat_schedule& schedule = ranges.schedule();
  const hlo_value& value = flow.values()[*of.value];
  flat_schedule::span_of_positions branch;
  for (const hlo_use& use : flow.uses(value)) {
    const hlo_instruction user = flow.module().instruction(use.user);
    if (user.opcode() != hlo_opcode::conditional || schedule.position_of(user) != of.end) continue;
    for (const hlo_computation called : user.called_computations())
      if (const auto span = schedule.span_of(called); span && span->begin <= position && position < span->end)
        branch = *span;
  }
  if (branch.end == 0) return false;
  for (const hlo_use& use : flow.uses(value)) {
    const auto at = schedule.position_of(flow.module().instruction(use.user));
    if (!at || (position < *at && *at < branch.end)) return false;
  }
  return true;
}

/// Whether two values with overlapping ranges, of which the first starts first, never need the bytes at one time.
inline bool are_apart(const live_ranges& ranges, const held_value& first, const held_value& second) {
  if (is_of_sparse_core(ranges, first) && is_of_sparse_core(ranges, second)) return true;
  const std::int64_t first_need = needed_from(ranges, first), second_need = needed_from(ranges, second);
  return (first_need > first.start && first_need >= second.end) ||
         (second_need > second.start && second_need >= first.end) || ends_in_branch(ranges, first, second.start);
}

}  // namespace detail

/// Classifies pairs of assigned values, given by their positions in `values()` of the dump. Facts of the HLO are
/// computed on first use, so one thread uses one object. Refers to the table.
class overlap_classes {
 public:
  /// From the dump alone.
  explicit overlap_classes(const value_table& table) : table_(table), links_(table) {}
  /// With the HLO, whose live ranges are computed on first use.
  overlap_classes(const hlo_module& module, const value_table& table)
      : overlap_classes(module, table,
                        [module, dump = table.dump()] { return std::make_shared<const live_ranges>(module, dump); }) {}
  /// `ranges` gives the live ranges of the module with the dump; it is called on first use.
  overlap_classes(const hlo_module& module, const value_table& table,
                  std::function<std::shared_ptr<const live_ranges>()> ranges)
      : table_(table), links_(table), module_(module), make_ranges_(std::move(ranges)) {}

  /// Precondition: the two have bytes in common. Their order does not matter.
  overlap_class of(std::size_t a, std::size_t b) const {
    const live_range *const x = table_.range(a), *const y = table_.range(b);
    if (!x || !y) return overlap_class::no_range;
    const auto key = [&](std::size_t i, const live_range& r) {
      return std::tuple(r.start, r.end, value(i).name.id, i);
    };
    if (key(b, *y) < key(a, *x)) return of_ordered(b, *y, a, *x);
    return of_ordered(a, *x, b, *y);
  }

 private:
  struct hlo_facts {
    explicit hlo_facts(std::shared_ptr<const live_ranges> made)
        : ranges(std::move(made)), names(ranges->flow()), sharing(ranges->sets()) {}
    std::shared_ptr<const live_ranges> ranges;
    named_values names;
    may_share sharing;
  };

  const hlo_facts& facts_of_hlo() const {
    if (!hlo_) hlo_ = std::make_unique<const hlo_facts>(make_ranges_());
    return *hlo_;
  }

  const assigned_value& value(std::size_t i) const { return table_.dump().values()[i]; }

  overlap_class of_ordered(std::size_t first, const live_range& x, std::size_t second, const live_range& y) const {
    if (x.end < y.start) return overlap_class::disjoint;
    if (x.end > y.start) {
      const detail::held_value a{in_hlo_for(first), value(first).name.at(), color_of(first), x.start, x.end},
          b{in_hlo_for(second), value(second).name.at(), color_of(second), y.start, y.end};
      const bool apart = (a.value || b.value) && are_apart(*hlo_->ranges, a, b);
      return apart ? overlap_class::disjoint : overlap_class::clash;
    }
    if (value(first).offset != value(second).offset)
      return joins_in_place(first, second) ? overlap_class::may_share : overlap_class::partial_touch;
    const auto found = found_in_hlo(first, second);
    if (!found) return links_.explain_touch(first, second);
    if (hlo_->ranges->sets().same(found->first, found->second)) return overlap_class::one_buffer;
    if (hlo_->sharing.rule(found->first, found->second, target::unknown) != sharing_rule::forbidden)
      return overlap_class::may_share;
    if (hlo_->sharing.rule(found->first, found->second, target::gpu) != sharing_rule::forbidden)
      return overlap_class::may_share_on_gpu;
    return hlo_->sharing.reads(found->second, found->first) ? overlap_class::not_shareable : overlap_class::unrelated;
  }

  /// The value in the HLO, by its position there; nothing without HLO, or if it lacks the value.
  std::optional<std::size_t> in_hlo(std::size_t i) const {
    if (!module_ || !facts_of_hlo().ranges->flow().is_complete()) return std::nullopt;
    return hlo_->names.value(value(i).name.instruction, value(i).name.at());
  }
  /// The same for a value about which the HLO may show that it is in use for less time than its range.
  std::optional<std::size_t> in_hlo_for(std::size_t i) const {
    return color_of(i) != 0 || detail::is_context(value(i).name.at()) ? in_hlo(i) : std::nullopt;
  }
  std::int64_t color_of(std::size_t i) const { return table_.dump().allocation_of(value(i)).color; }

  /// Whether the second value joins parts that lie where they belong in it, of which the first is one: libtpu's
  /// `ConcatBitcast` moves nothing.
  bool joins_in_place(std::size_t first, std::size_t second) const {
    const assigned_value &part = value(first), &whole = value(second);
    if (part.offset < whole.offset || part.offset + part.size > whole.offset + whole.size) return false;
    const used_value* const made = table_.used(second);
    if (made && made->from_instruction.find("custom_call_target=\"ConcatBitcast\"") != std::string_view::npos)
      return true;
    const auto found = found_in_hlo(first, second);
    if (!found) return false;
    const dataflow& flow = hlo_->ranges->flow();
    return calls_target(flow.instruction(flow.values()[found->second]), "ConcatBitcast") &&
           hlo_->sharing.reads(found->second, found->first);
  }

  /// The two values in the HLO. Nothing if one is missing or has another live range: the dump was made from other HLO,
  /// which proves nothing.
  std::optional<std::pair<std::size_t, std::size_t>> found_in_hlo(std::size_t first, std::size_t second) const {
    const auto find = [&](std::size_t i) {
      const auto found = in_hlo(i);
      const live_range* const printed = table_.range(i);
      const bool agrees = found && printed && hlo_->ranges->of(*found) == time_span{printed->start, printed->end};
      return agrees ? found : std::nullopt;
    };
    const auto a = find(first), b = find(second);
    return a && b ? std::optional(std::pair(*a, *b)) : std::nullopt;
  }

  const value_table& table_;
  value_links links_;
  std::optional<hlo_module> module_;
  std::function<std::shared_ptr<const live_ranges>()> make_ranges_;
  mutable std::unique_ptr<const hlo_facts> hlo_;
};

/// Two values by their positions in `values()`.
struct buffer_conflict {
  overlap_class kind = overlap_class::clash;  ///< how sure the fault is
  std::uint32_t first = 0;                    ///< the one that starts first
  std::uint32_t second = 0;                   ///< the other one
  byte_count bytes = 0;                       ///< that both cover
  std::int64_t position = 0;                  ///< the first schedule position at which both live
  /// For a clash: after `position`, `first` is only renamed (bitcast, get-tuple-element), never read.
  bool only_renamed = false;

  /// Of two values that share bytes.
  static buffer_conflict of(overlap_class kind, const timed_bytes& first, const timed_bytes& second) {
    return {kind,
            static_cast<std::uint32_t>(first.value),
            static_cast<std::uint32_t>(second.value),
            std::min(first.end, second.end) - std::max(first.begin, second.begin),
            second.start,
            false};
  }
};

/// All pairs of a dump's values that are or may be faults (`is_conflict`), by allocation and then by time, without
/// values that have no bytes or no live range. O((n + pairs) log n).
class buffer_conflicts {
 public:
  /// From the dump alone, which must explain why two values touch.
  explicit buffer_conflicts(const buffer_dump& dump) : dump_(dump), table_(std::make_shared<const value_table>(dump_)) {
    find(overlap_classes(*table_));
  }
  /// The HLO decides about values that touch.
  buffer_conflicts(const hlo_module& module, const buffer_dump& dump)
      : dump_(dump), table_(std::make_shared<const value_table>(dump_)) {
    find(overlap_classes(module, *table_));
  }
  /// From a cache, with the HLO if there is one.
  explicit buffer_conflicts(const analysis_cache auto& made)
      : dump_(*made.buffers()), table_(made.template share<value_table>()) {
    const auto ranges = [&] { return made.template share<live_ranges>(); };
    find(made.hlo() ? overlap_classes(*made.hlo(), *table_, ranges) : overlap_classes(*table_));
  }

  /// The first conflict.
  auto begin() const { return conflicts_.begin(); }
  /// One past the last conflict.
  auto end() const { return conflicts_.end(); }
  /// How many conflicts there are.
  std::size_t size() const { return conflicts_.size(); }

  /// Allocations (by position) with so many faults that not all of their pairs were examined.
  const std::vector<std::size_t>& cut_short() const { return cut_short_; }
  /// An allocation with more pairs than this is cut short.
  static constexpr std::size_t most_per_allocation = 10'000;

  /// The values' live ranges and uses.
  const value_table& table() const { return *table_; }

 private:
  void find(const overlap_classes& classes) {
    std::vector<timed_bytes> entries;
    for (std::size_t a = 0; a < dump_.allocations().size(); ++a) {
      const allocation& in = dump_.allocations()[a];
      entries.clear();
      for (std::size_t i = in.first_value; i < in.first_value + std::size_t{in.value_count}; ++i) {
        const assigned_value& v = dump_.values()[i];
        const auto end = checked_add(v.offset, v.size);
        if (const live_range* range = table_->range(i); range && end)
          entries.push_back({v.offset, *end, range->start, range->end, v.name.id, i});
      }
      std::size_t seen = 0, found = 0;
      const std::size_t most_seen = 1'000'000 + 50 * entries.size();
      const bool whole = for_each_live_overlap(entries, [&](const timed_bytes& first, const timed_bytes& second) {
        found += add(first, second, classes);
        return found < most_per_allocation && ++seen < most_seen;
      });
      if (!whole) cut_short_.push_back(a);
    }
  }

  // Whether the pair is a conflict.
  bool add(const timed_bytes& first, const timed_bytes& second, const overlap_classes& classes) {
    const overlap_class kind = classes.of(first.value, second.value);
    if (!is_conflict(kind)) return false;
    buffer_conflict found = buffer_conflict::of(kind, first, second);
    if (kind == overlap_class::clash) found.only_renamed = is_only_renamed(first, second.start);
    conflicts_.push_back(found);
    return true;
  }

  // Exception 4 of 5.4. Only for temporary storage, since the caller also reads parameters and results. Relies on XLA's
  // names; what a dump leaves out excuses nothing.
  bool is_only_renamed(const timed_bytes& value, std::int64_t after) const {
    const used_value* const used = table_->used(value.value);
    const auto last = table_->last_use(value.value);
    if (!used || !last || *last > after || !dump_.allocation_of(dump_.values()[value.value]).preallocated_temp)
      return false;
    const renaming& r = renamings_of(value.value, *used);
    return r.renamed > after && r.other <= after;
  }

  // The last position of a value in instructions that only rename it, and in others. -1: there is none; `always`: an
  // instruction is not in the schedule.
  struct renaming {
    std::int64_t renamed = -1, other = -1;
  };
  renaming renamings_of(std::size_t value, const used_value& used) const {
    const auto [known, is_new] = renamings_.try_emplace(value);
    if (!is_new) return known->second;
    constexpr std::int64_t always = std::numeric_limits<std::int64_t>::max();
    for (const value_position& p : dump_.positions(used)) {
      const bool only_renames = p.instruction.starts_with("bitcast") || p.instruction.starts_with("get-tuple-element");
      std::int64_t& last = only_renames ? known->second.renamed : known->second.other;
      last = std::max(last, table_->position_of(p.instruction).value_or(always));
    }
    return known->second;
  }

  buffer_dump dump_;
  std::shared_ptr<const value_table> table_;
  std::vector<buffer_conflict> conflicts_;
  mutable std::unordered_map<std::size_t, renaming> renamings_;
  std::vector<std::size_t> cut_short_;
};

/// Clashes (buffer_dumps.md 5.4) by the live ranges computed from the HLO, where the printed ranges differ or are
/// missing; positions are those in the schedule of the HLO. Empty if HLO and dump are not of one program. Values of one
/// alias set follow each other on purpose and are left out; see `clobbers`. Precondition: the module is scheduled.
class hidden_conflicts {
 public:
  /// Precondition: the module is scheduled.
  hidden_conflicts(const hlo_module& module, const buffer_dump& dump)
      : hidden_conflicts(std::make_shared<const matched_values>(module, dump)) {}
  /// From a cache.
  explicit hidden_conflicts(const analysis_cache auto& made)
      : hidden_conflicts(made.template share<matched_values>()) {}
  /// From matched values.
  explicit hidden_conflicts(std::shared_ptr<const matched_values> values) : values_(std::move(values)) {
    if (!values_->same_program()) return;
    const buffer_dump& dump = values_->dump();
    std::vector<timed_bytes> entries;
    for (const allocation& in : dump.allocations()) {
      entries.clear();
      for (std::size_t i = in.first_value; i < in.first_value + std::size_t{in.value_count}; ++i) {
        const assigned_value& v = dump.values()[i];
        const auto computed = values_->computed(i);
        const auto range = computed ? values_->ranges().of(*computed) : std::nullopt;
        const auto end = checked_add(v.offset, v.size);
        if (range && end) entries.push_back({v.offset, *end, range->start, range->end, v.name.id, i});
      }
      std::size_t seen = 0;
      const std::size_t most_seen = 1'000'000 + 50 * entries.size(),
                        most_found = conflicts_.size() + most_per_allocation;
      for_each_live_overlap(entries, [&](const timed_bytes& first, const timed_bytes& second) {
        add(first, second);
        return conflicts_.size() < most_found && ++seen < most_seen;
      });
    }
  }

  /// The first conflict.
  auto begin() const { return conflicts_.begin(); }
  /// One past the last conflict.
  auto end() const { return conflicts_.end(); }
  /// How many conflicts there are.
  std::size_t size() const { return conflicts_.size(); }
  /// The values of dump and HLO, matched.
  const matched_values& values() const { return *values_; }

  /// The most conflicts listed for an allocation.
  static constexpr std::size_t most_per_allocation = 1'000;

 private:
  static bool clash(const live_range& a, const live_range& b) {
    const bool in_order = std::tie(a.start, a.end) <= std::tie(b.start, b.end);
    return in_order ? a.end > b.start : b.end > a.start;
  }
  detail::held_value held(const timed_bytes& bytes) const {
    const buffer_dump& dump = values_->dump();
    const assigned_value& v = dump.values()[bytes.value];
    return {values_->computed(bytes.value), v.name.at(), dump.allocation_of(v).color, bytes.start, bytes.finish};
  }
  void add(const timed_bytes& first, const timed_bytes& second) {
    if (first.finish <= second.start) return;
    const live_range *const a = values_->table().range(first.value), *const b = values_->table().range(second.value);
    if (a && b && clash(*a, *b)) return;  // the dump alone shows it
    if (values_->ranges().sets().same(*values_->computed(first.value), *values_->computed(second.value))) return;
    if (are_apart(values_->ranges(), held(first), held(second))) return;
    conflicts_.push_back(buffer_conflict::of(overlap_class::clash, first, second));
  }

  std::shared_ptr<const matched_values> values_;
  std::vector<buffer_conflict> conflicts_;
};

}  // namespace hlolint
