// Compares the assignment of a dump with the one computed from the HLO, and finds why they differ (assignment.md 9).
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/ir/buffers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// A difference between dump and computation; a side that lacks the entry is empty.
struct disagreement {
  std::string what;      ///< `fusion.3{1}`
  std::string printed;   ///< as the dump has it
  std::string computed;  ///< as computed from the HLO
  location where;        ///< in the buffer dump
};

/// The result of a comparison. `total` counts entries on either side, without unknown ones.
struct agreement {
  /// Equal entries, all compared entries, and entries whose correct value is unknown. @{
  std::size_t equal = 0, total = 0, unknown = 0;
  /// @}
  std::vector<disagreement> first;  ///< at most `most_listed`
  /// The most differences listed.
  static constexpr std::size_t most_listed = 10;
};

/// Why the computed assignment differs from the dumped one.
enum class assignment_cause : std::uint8_t {
  equal,      ///< it does not
  order,      ///< the sizes are equal: XLA held the instructions in another order, which texts do not show
  alignment,  ///< the sizes are equal with another alignment of offsets
  version,    ///< the sizes are equal by the rules of another year
  unknown     ///< none of these
};

/// As reports write it: `another alignment`.
constexpr std::string_view name_of(assignment_cause cause) {
  constexpr std::string_view names[] = {"", "another order of memory", "another alignment", "another version of XLA",
                                        "unknown"};
  return names[static_cast<std::size_t>(cause)];
}

/// Compares sizes of allocations and places of values, by the rules of the target at the date of the dump.
class assignment_comparison {
 public:
  /// Precondition: the module is scheduled, the dump is of it and has an assignment, and its target is a GPU or CPU.
  assignment_comparison(const hlo_module& module, const buffer_dump& dump, target on)
      : assignment_comparison(std::make_shared<const alias_sets>(module, dump),
                              std::make_shared<const instruction_names>(module), dump, on) {}
  /// From known alias sets and names of the module, by the rules of the XLA that wrote the dump.
  assignment_comparison(std::shared_ptr<const alias_sets> sets, std::shared_ptr<const instruction_names> names,
                        const buffer_dump& dump, target on)
      : dump_(dump) {
    const hlo_module& module = sets->flow().module();
    order_ = flat_schedule::ids_in(module, flat_schedule::printed_order(module, &dump));
    for (const allocation& a : dump.allocations()) sizes_.push_back(a.size);
    const assignment_rules rules = assignment_rules::of(on, date_of(dump));
    const buffer_assignment made(std::move(sets), rules);
    buffer_plan plan = made.plan(order_);
    if (on == target::cpu) fit_alignment(made, plan);
    compare_places(plan, named_values(made.flow(), std::move(names)));
    if (values_.equal == values_.total && sizes_of(plan) == sizes_) return;
    if (has_the_sizes(plan)) {
      cause_ = assignment_cause::order;
      values_.unknown = std::exchange(values_.total, values_.equal) - values_.equal;
      values_.first.clear();
      return;
    }
    cause_ = cause_of(module, rules, on);
    byte_count printed = 0;
    for (const byte_count size : sizes_) printed = (checked_int64(printed) + size).clamped();
    ++values_.total;
    values_.first.insert(values_.first.begin(),
                         {"total", std::to_string(printed), std::to_string(plan.total), dump.where(dump.total_text())});
  }

  /// The places of values; a difference of the total comes first. With `assignment_cause::order`, values in other
  /// places count as unknown, and none is listed as different.
  const agreement& values() const { return values_; }
  /// Why the assignments differ.
  assignment_cause cause() const { return cause_; }
  /// Whether nothing differs, apart from what no text shows.
  bool is_equal() const { return values_.equal == values_.total; }

 private:
  using sizes = std::vector<byte_count>;
  static sizes sizes_of(const buffer_plan& plan) {
    sizes out;
    for (const planned_allocation& a : plan.allocations) out.push_back(a.size);
    return out;
  }
  static sizes sorted(sizes of) {
    std::sort(of.begin(), of.end());
    return of;
  }
  static constexpr byte_count alignments[] = {256, 128, 64, 32, 16, 512, 1024};
  static constexpr std::int32_t dates[] = {20250115, 20250601, 20251115, 20260401,         20260515,
                                           20260620, 20260725, 20260822, xla_rules::newest};

  bool has_the_sizes(const buffer_plan& plan) const { return sorted(sizes_of(plan)) == sorted(sizes_); }
  bool gives_the_sizes(const hlo_module& module, const assignment_rules& rules) const {
    return has_the_sizes(buffer_assignment(module, rules).plan(order_));
  }
  /// On a CPU, XLA aligns as Eigen does its vectors, which depends on the processor that it was built for
  /// (assignment.md 7): all of these are right.
  void fit_alignment(const buffer_assignment& made, buffer_plan& plan) const {
    for (const byte_count built_for : {32, 16}) {
      if (has_the_sizes(plan)) return;
      if (buffer_plan other = made.aligned_plan(built_for, order_); has_the_sizes(other)) plan = std::move(other);
    }
  }
  assignment_cause cause_of(const hlo_module& module, assignment_rules rules, target on) const {
    for (const std::int32_t date : dates)
      if (gives_the_sizes(module, assignment_rules::of(on, date))) return assignment_cause::version;
    for (const byte_count alignment : alignments) {
      rules.alignment = alignment;
      if (gives_the_sizes(module, rules)) return assignment_cause::alignment;
    }
    return assignment_cause::unknown;
  }
  void compare_places(const buffer_plan& plan, const named_values& own) {
    const auto text = [](std::int64_t allocation, byte_count offset, byte_count size) {
      return "allocation " + std::to_string(allocation) + ", offset " + std::to_string(offset) + ", " +
             std::to_string(size) + " bytes";
    };
    for (const assigned_value& printed : dump_.values()) {
      const auto found = own.value(printed.name.instruction, printed.name.at());
      const planned_value place = found ? plan.values[*found] : planned_value{};
      const bool has_place = place.allocation != none;
      const std::tuple is{printed.allocation, printed.offset, printed.size};
      ++values_.total;
      if (has_place && is == std::tuple(std::int64_t{place.allocation}, place.offset, place.size)) {
        ++values_.equal;
      } else if (values_.first.empty()) {
        values_.first.push_back({to_string(printed.name), text(printed.allocation, printed.offset, printed.size),
                                 has_place ? text(place.allocation, place.offset, place.size) : std::string{},
                                 dump_.where(printed.text)});
      }
    }
  }

  const buffer_dump& dump_;
  std::vector<id> order_;
  sizes sizes_;
  agreement values_;
  assignment_cause cause_ = assignment_cause::equal;
};

}  // namespace hlolint
