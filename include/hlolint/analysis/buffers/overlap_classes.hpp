// Classifies two values of one allocation that have bytes in common, with the HLO where it is at hand.
#pragma once

#include <hlolint/analysis/buffers/overlap_class.hpp>
#include <hlolint/analysis/buffers/value_links.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/may_share.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>

namespace hlolint {

/// Answers for pairs of assigned values, given by their positions in `values()` of the dump. What is needed of the HLO
/// is computed when it is first asked for, so one thread uses one object. Refers to the table.
class overlap_classes {
 public:
  /// From the dump alone.
  explicit overlap_classes(const value_table& table) : table_(table), links_(table) {}
  /// With the HLO, whose live ranges are made when first asked for.
  overlap_classes(const hlo_module& module, const value_table& table)
      : overlap_classes(module, table, [module, dump = table.dump()] {
          return std::make_shared<const live_ranges>(module, dump);
        }) {}
  /// `ranges` makes the live ranges of the module with the dump, when they are first asked for.
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
        : ranges(std::move(made)), names(ranges->flow()), sharing(ranges->flow()) {}
    std::shared_ptr<const live_ranges> ranges;
    named_values names;
    may_share sharing;
  };

  const assigned_value& value(std::size_t i) const { return table_.dump().values()[i]; }

  overlap_class of_ordered(std::size_t first, const live_range& x, std::size_t second, const live_range& y) const {
    if (x.end < y.start) return overlap_class::disjoint;
    if (x.end > y.start) return overlap_class::clash;
    if (value(first).offset != value(second).offset) return overlap_class::partial_touch;
    const auto found = found_in_hlo(first, second);
    if (!found) return links_.explain_touch(first, second);
    if (hlo_->ranges->sets().same(found->first, found->second)) return overlap_class::one_buffer;
    if (hlo_->sharing.rule(found->first, found->second, target::unknown) != sharing_rule::forbidden)
      return overlap_class::may_share;
    if (hlo_->sharing.rule(found->first, found->second, target::gpu) != sharing_rule::forbidden)
      return overlap_class::may_share_on_gpu;
    return hlo_->sharing.reads(found->second, found->first) ? overlap_class::not_shareable : overlap_class::unrelated;
  }

  /// The two values in the HLO; nothing if it does not give one of them, or gives it another live range: then the HLO
  /// is not the one that the dump was made from, and proves nothing.
  optional<std::pair<std::size_t, std::size_t>> found_in_hlo(std::size_t first, std::size_t second) const {
    if (!module_) return std::nullopt;
    if (!hlo_) hlo_ = std::make_unique<const hlo_facts>(make_ranges_());
    if (!hlo_->ranges->flow().is_complete()) return std::nullopt;
    const auto find = [&](std::size_t i) -> optional<std::size_t> {
      const auto found = hlo_->names.value(value(i).name.instruction, value(i).name.at());
      const live_range* const printed = table_.range(i);
      if (!found || !printed || hlo_->ranges->of(*found) != time_span{printed->start, printed->end})
        return std::nullopt;
      return found;
    };
    const auto a = find(first), b = find(second);
    return a && b ? optional(std::pair(*a, *b)) : std::nullopt;
  }

  const value_table& table_;
  value_links links_;
  optional<hlo_module> module_;
  std::function<std::shared_ptr<const live_ranges>()> make_ranges_;
  mutable std::unique_ptr<const hlo_facts> hlo_;
};

}  // namespace hlolint
