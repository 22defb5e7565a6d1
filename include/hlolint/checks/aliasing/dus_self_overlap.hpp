// ALI011: an update in place whose new elements come from other places of the same array.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks into fusions only: outside of them the update is complete before it is written. Two starts are equal if they
/// are one instruction or equal constants; regions that constants prove disjoint are left out.
struct dus_self_overlap {
  static constexpr rule about{
      .id = "ALI011",
      .name = "dus-self-overlap",
      .costs = cost_kind::nothing,
      .looks_at = [](hlo_opcode opcode) { return opcode == hlo_opcode::fusion; },
      .what =
          "A fusion updates a slice of an array in place, and computes the update from another slice of the same "
          "array that may overlap it.",
      .why =
          "The fusion reads and writes one buffer element by element, or in parallel: elements are overwritten "
          "before they are read, and the shifted copy is wrong.",
      .advice =
          "Separate reading from writing: copy the slice first (an optimization barrier between the two keeps "
          "XLA from fusing them), or write into another array.",
      .example =
          "%s = f32[7]{0} slice(%p), slice={[0:7]}\n"
          "ROOT %u = f32[8]{0} dynamic-update-slice(%p, %s, %one)",
      .source = "openxla/xla #49176"};

  void operator()(hlo_instruction fusion, const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

namespace hlolint {

namespace ali011 {

inline std::optional<std::int64_t> constant_of(hlo_instruction i) {
  if (!i || i.opcode() != hlo_opcode::constant) return std::nullopt;
  return integer_in(i.argument());
}

// A range of an array's elements, in the order in which they lie in memory.
struct element_range {
  checked_int64 first = 0, last = 0;
  std::int64_t count = 0;  // how many elements of the range belong to the region
  bool is_whole() const { return (last - first + 1).exact() == count; }
};

/// The elements of a region of an array, if all `starts` are known and XLA stores the array without tiles.
inline std::optional<element_range> range_of(const shape& whole, const shape& part,
                                             const std::vector<std::optional<std::int64_t>>& starts) {
  const auto count = detail::dense_elements(part);
  if (!count || *count == 0 || part.rank() != whole.rank() || starts.size() != whole.rank() || !whole.is_static() ||
      (whole.layout && (!whole.layout->tiles.empty() || whole.layout->minor_to_major.size() != whole.rank())))
    return std::nullopt;
  element_range out;
  out.count = *count;
  checked_int64 stride = 1;
  for (std::size_t k = 0; k < whole.rank(); ++k) {
    const std::size_t d =
        whole.layout ? static_cast<std::size_t>(whole.layout->minor_to_major[k]) : whole.rank() - 1 - k;
    if (d >= whole.rank()) return std::nullopt;
    const std::int64_t size = part.dimensions[d].size, most = whole.dimensions[d].size - size;
    if (most > 0 && !starts[d]) return std::nullopt;
    // XLA moves a region that begins too far into the array.
    const std::int64_t start = most > 0 ? std::clamp<std::int64_t>(*starts[d], 0, most) : 0;
    out.first += stride * start, out.last += stride * (start + size - 1);
    stride *= whole.dimensions[d].size;
  }
  return out;
}

/// Whether the elements that are written and those that are read are two ranges that overlap without being equal.
/// False unless that is certain.
inline bool ranges_overlap_shifted(hlo_instruction update, hlo_instruction slice) {
  const auto starts_of = [](hlo_instruction i, std::size_t first) {
    std::vector<std::optional<std::int64_t>> out;
    for (std::size_t k = first; k < i.operand_count(); ++k) out.push_back(constant_of(i.operand(k)));
    return out;
  };
  std::vector<std::optional<std::int64_t>> from;
  if (slice.opcode() == hlo_opcode::slice) {
    const auto ranges = get<slices>(slice);
    if (!ranges) return false;
    for (const slice_range& r : ranges->dimensions) {
      if (r.stride != 1) return false;
      from.push_back(r.start);
    }
  } else {
    from = starts_of(slice, 1);
  }
  const auto read = range_of(*slice.operand(0).shape(), *slice.shape(), from);
  const auto written = range_of(*update.shape(), *update.operand(1).shape(), starts_of(update, 2));
  if (!read || !written || !read->is_whole() || !written->is_whole()) return false;
  return read->first != written->first && read->first <= written->last && written->first <= read->last;
}

/// Whether the two regions are neither equal nor provably disjoint. If the update and the slice see the array in one
/// shape, dimensions are compared one by one; else, behind bitcasts, ranges of elements.
inline bool may_overlap_shifted(hlo_instruction update, hlo_instruction slice) {
  const shape* const to = update.shape();
  const shape* const from = slice.operand(0).shape();
  const shape* const written = update.operand(1).shape();
  if (!to || !from || !written || !slice.shape()) return false;
  if (detail::dense_elements(*written) == std::int64_t{1}) return false;  // read before it is written
  if (!(*to == *from)) return ranges_overlap_shifted(update, slice);
  if (written->rank() != to->rank()) return false;
  const bool fixed = slice.opcode() == hlo_opcode::slice;
  const auto ranges = fixed ? get<slices>(slice) : std::nullopt;
  if (fixed && (!ranges || ranges->dimensions.size() != to->rank())) return false;
  bool shifted = false;
  for (std::size_t d = 0; d < to->rank(); ++d) {
    const hlo_instruction start = operand_of(update, 2 + d);
    if (!start) return false;
    const std::int64_t size = written->dimensions[d].size, whole = to->dimensions[d].size;
    // A slice that fills the dimension is placed at 0, whatever start is given.
    const auto write = size == whole ? std::optional<std::int64_t>(0) : constant_of(start);
    std::optional<std::int64_t> read;
    std::int64_t read_size = slice.shape()->rank() == to->rank() ? slice.shape()->dimensions[d].size : 0;
    if (fixed) {
      read = ranges->dimensions[d].start;
      read_size = (checked_int64(ranges->dimensions[d].limit) - ranges->dimensions[d].start).clamped();
    } else {
      const hlo_instruction at = operand_of(slice, 1 + d);
      if (!at) return false;
      if (at == start && size == read_size) continue;
      read = read_size == whole ? std::optional<std::int64_t>(0) : constant_of(at);
    }
    if (!write || !read) {
      shifted = true;
      continue;
    }
    if (checked_int64(*write) + size <= *read || checked_int64(*read) + read_size <= *write) return false;  // apart
    shifted = shifted || *write != *read;
  }
  return shifted;
}

inline hlo_instruction shifted_slice(hlo_instruction update, hlo_instruction base, std::size_t& affordable) {
  std::vector<hlo_instruction> open{update.operand(1)};
  std::unordered_set<id> seen;
  while (!open.empty()) {
    const hlo_instruction i = open.back();
    open.pop_back();
    if (!(i.computation() == update.computation()) || !seen.insert(i.id()).second) continue;
    if (affordable == 0) return {};
    --affordable;
    using enum hlo_opcode;
    if (i.opcode() == hlo_opcode::slice || i.opcode() == dynamic_slice) {
      if (operand_of(i, 0) && detail::behind_bitcasts(i.operand(0)) == base && may_overlap_shifted(update, i)) return i;
      continue;
    }
    if (!is_elementwise(i.opcode()) && i.opcode() != bitcast && i.opcode() != reshape && i.opcode() != transpose)
      continue;
    for (const hlo_instruction operand : i.operands())
      if (operand) open.push_back(operand);
  }
  return {};
}

}  // namespace ali011

HLOLINT_INLINE void dus_self_overlap::operator()(hlo_instruction fusion, const context&, sink_ref emit) const {
  const hlo_instruction root = about.looks_at(fusion.opcode()) ? root_of(first_called(fusion)) : hlo_instruction{};
  if (!root) return;
  std::vector<hlo_instruction> results{root};
  if (root.opcode() == hlo_opcode::tuple) {
    results.clear();
    for (const hlo_instruction part : root.operands())
      if (part) results.push_back(part);
  }
  std::size_t affordable = 100'000;  // instructions to visit, for all results of a fusion together
  for (const hlo_instruction result : results) {
    if (affordable == 0) break;
    --affordable;
    const hlo_instruction update = detail::behind_bitcasts(result);
    if (update.opcode() != hlo_opcode::dynamic_update_slice || update.operand_count() < 2 || !update.operand(0) ||
        !update.operand(1))
      continue;
    const hlo_instruction base = detail::behind_bitcasts(update.operand(0));
    if (base.opcode() != hlo_opcode::parameter) continue;
    const hlo_instruction slice = ali011::shifted_slice(update, base, affordable);
    if (!slice) continue;
    emit(finding_at(fusion,
                    str_cat({update.name(), " writes into ", base.name(), " what ", slice.name(),
                             " reads from another place of the same buffer"}),
                    {.related = {related_at(update, "the update"), related_at(slice, "the slice")}}));
  }
}

}  // namespace hlolint
#endif
