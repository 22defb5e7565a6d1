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
      .what = "A fusion updates a slice of an array in place, and computes the update from another slice of the same "
              "array that may overlap it.",
      .why = "The fusion reads and writes one buffer element by element, or in parallel: elements are overwritten "
             "before they are read, and the shifted copy is wrong.",
      .advice = "Separate reading from writing: copy the slice first (an optimization barrier between the two keeps "
                "XLA from fusing them), or write into another array.",
      .example = "%s = f32[7]{0} slice(%p), slice={[0:7]}\n"
                 "ROOT %u = f32[8]{0} dynamic-update-slice(%p, %s, %one)",
      .source = "openxla/xla #49176"};

  static constexpr bool looks_at(hlo_opcode opcode) { return opcode == hlo_opcode::fusion; }

  void operator()(hlo_instruction fusion, const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/checks/check_code.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/text/integer.hpp>

#include <unordered_set>

namespace hlolint {

struct dus_self_overlap::code {
  static hlo_instruction shifted_slice(hlo_instruction update, hlo_instruction base, std::size_t& affordable) {
    record_list<hlo_instruction> open{update.operand(1)};
    std::unordered_set<id> seen;
    while (!open.empty()) {
      const hlo_instruction i = open.back();
      open.pop_back();
      if (!(i.computation() == update.computation()) || !seen.insert(i.id()).second) continue;
      if (affordable == 0) return {};
      --affordable;
      using enum hlo_opcode;
      if (i.opcode() == hlo_opcode::slice || i.opcode() == dynamic_slice) {
        if (i.operand_count() > 0 && i.operand(0) && detail::behind_bitcasts(i.operand(0)) == base &&
            may_overlap_shifted(update, i))
          return i;
        continue;
      }
      if (!is_elementwise(i.opcode()) && i.opcode() != bitcast && i.opcode() != reshape && i.opcode() != transpose)
        continue;
      for (const hlo_instruction operand : i.operands())
        if (operand) open.push_back(operand);
    }
    return {};
  }

  static optional<std::int64_t> constant_of(hlo_instruction i) {
    if (!i || i.opcode() != hlo_opcode::constant) return std::nullopt;
    return integer_in(i.argument());
  }

  /// Whether the two regions are neither equal nor provably disjoint. Dimensions are compared one by one, which
  /// bitcasts between base and slice would make unreliable, so the shapes must have equal rank.
  static bool may_overlap_shifted(hlo_instruction update, hlo_instruction slice) {
    const shape* const to = update.shape();
    const shape* const from = slice.operand(0).shape();
    const shape* const written = update.operand(1).shape();
    if (!to || !from || !written || !slice.shape() || to->rank() != from->rank() || written->rank() != to->rank())
      return false;
    if (detail::dense_elements(*written) == std::int64_t{1}) return false;  // read before it is written
    const bool fixed = slice.opcode() == hlo_opcode::slice;
    const auto ranges = fixed ? get<slices>(slice) : std::nullopt;
    if (fixed && (!ranges || ranges->dimensions.size() != to->rank())) return false;
    bool shifted = false;
    for (std::size_t d = 0; d < to->rank(); ++d) {
      const hlo_instruction start = 2 + d < update.operand_count() ? update.operand(2 + d) : hlo_instruction{};
      if (!start) return false;
      const std::int64_t size = written->dimensions[d].size, whole = to->dimensions[d].size;
      // A slice that fills the dimension is placed at 0, whatever start is given.
      const auto write = size == whole ? optional<std::int64_t>(0) : constant_of(start);
      optional<std::int64_t> read;
      std::int64_t read_size = slice.shape()->rank() == to->rank() ? slice.shape()->dimensions[d].size : 0;
      if (fixed) {
        read = ranges->dimensions[d].start;
        read_size = (checked_int64(ranges->dimensions[d].limit) - ranges->dimensions[d].start).clamped();
      } else {
        const hlo_instruction at = 1 + d < slice.operand_count() ? slice.operand(1 + d) : hlo_instruction{};
        if (!at) return false;
        if (at == start && size == read_size) continue;
        read = read_size == whole ? optional<std::int64_t>(0) : constant_of(at);
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
};

HLOLINT_INLINE void dus_self_overlap::operator()(hlo_instruction fusion, const context&, sink_ref report) const {
  if (!looks_at(fusion.opcode()) || fusion.called_computation_count() == 0) return;
  const hlo_computation body = fusion.called_computation(0);
  if (!body || !body.root()) return;
  record_list<hlo_instruction> results{body.root()};
  if (body.root().opcode() == hlo_opcode::tuple) {
    results.clear();
    for (const hlo_instruction part : body.root().operands())
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
    const hlo_instruction slice = code::shifted_slice(update, base, affordable);
    if (!slice) continue;
    report(finding_at(fusion,
        str_cat({update.name(), " writes into ", base.name(), " what ", slice.name(),
                 " reads from another place of the same buffer"}),
        {.related = {related_at(update, "the update"), related_at(slice, "the slice")}}));
  }
}

}  // namespace hlolint
#endif
