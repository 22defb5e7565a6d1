// ALI003: two results that are needed at the same time and lie in the same bytes.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Compares the values of the program's result, and the outputs of one instruction that are all read. Live ranges hide
/// the clash if XLA takes the two for one buffer; a clash that they show is MEM001 and not reported again.
struct outputs_share_bytes {
  static constexpr rule about{
      .id = "ALI003",
      .name = "outputs-share-bytes",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::used_values,
      .what =
          "Two different values of the program's result, or two outputs of one instruction that are both read, "
          "share bytes.",
      .why =
          "Only one of the two values can be in these bytes: reading the other one gives wrong numbers, without "
          "any error message.",
      .advice =
          "Keep the dump and report a bug of the compiler. Until it is fixed, return a copy of one of the two "
          "values, or do not donate the argument that both are computed from.",
      .example =
          "allocation 3: size 1024, maybe-live-out:\n"
          " value: <4 fusion.1{0} @0> (size=1024,offset=0): f32[256]{0}\n"
          " value: <5 fusion.1{1} @0> (size=1024,offset=0): f32[256]{0}",
      .source = "jax #39100"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace hlolint {

namespace ali003 {

/// The root of the entry; without HLO, as the dump names it in the allocation of the output.
inline std::string_view root_name(const context& dump) {
  if (dump.hlo() && dump.hlo()->entry() && dump.hlo()->entry().root()) return dump.hlo()->entry().root().name();
  const auto& table = dump.get<value_table>();
  const buffer_dump& buffers = *dump.buffers();
  std::string_view out;
  std::optional<std::int64_t> latest;
  for (std::size_t i = 0; i < buffers.values().size(); ++i) {
    const used_value* const used = table.used(i);
    if (!used || !buffers.allocation_of(buffers.values()[i]).output_shape) continue;
    for (const value_position& p : buffers.positions(*used)) {
      const auto at = p.index.value_or(shape_index{}).empty() ? table.position_of(p.instruction) : std::nullopt;
      if (at && (!latest || *at > *latest)) latest = at, out = p.instruction;
    }
  }
  return out;
}

/// The indices at which a value is in an instruction's result, in order.
inline std::vector<shape_index> indices_in(const buffer_dump& buffers, const used_value& value, std::string_view in) {
  std::vector<shape_index> out;
  for (const value_position& p : buffers.positions(value))
    if (p.instruction == in) out.push_back(p.index.value_or(shape_index{}));
  std::sort(out.begin(), out.end());
  return out;
}
/// Whether both have an index in common, as values of a computation with several callers do.
inline bool stand_together(const std::vector<shape_index>& a, const std::vector<shape_index>& b) {
  const bool fewer = a.size() < b.size();
  const std::vector<shape_index>&few = fewer ? a : b, &many = fewer ? b : a;
  return std::any_of(few.begin(), few.end(),
                     [&](const shape_index& i) { return std::binary_search(many.begin(), many.end(), i); });
}

inline bool is_shown_by_ranges(const live_range* a, const live_range* b) {
  if (!a || !b) return false;
  if (in_order(b->start, a->start, b->end, a->end)) std::swap(a, b);
  return a->end > b->start;
}

inline void compare(const context& dump, const value_table& table, std::vector<std::uint32_t>& list,
                    std::string_view in, const std::string& words,
                    std::set<std::pair<std::uint32_t, std::uint32_t>>& reported, sink_ref emit) {
  const buffer_dump& buffers = *dump.buffers();
  const auto key = [&](std::uint32_t i) {
    const assigned_value& v = buffers.values()[i];
    return std::tuple(v.allocation, v.offset, i);
  };
  std::stable_sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  const auto end_of = [](const assigned_value& v) { return checked_int64(v.offset) + v.size; };
  std::optional<std::uint32_t> reaching;  // the earlier value that ends last
  std::vector<shape_index> its_indices;   // of `reaching`
  for (const std::uint32_t i : list) {
    const assigned_value& second = buffers.values()[i];
    const assigned_value* const first = reaching ? &buffers.values()[*reaching] : nullptr;
    const bool same = first && first->allocation == second.allocation;
    std::vector<shape_index> indices = indices_in(buffers, *table.used(i), in);
    if (same && end_of(*first) > second.offset && !is_shown_by_ranges(table.range(*reaching), table.range(i)) &&
        !stand_together(its_indices, indices) &&
        reported.emplace(std::min(*reaching, i), std::max(*reaching, i)).second) {
      emit(detail::value_finding(
          dump, second, table.range(i),
          str_cat({to_string(second.name), " and ", to_string(first->name), " ", words, ", and share bytes of ",
                   detail::allocation_text(buffers.allocation_of(second))}),
          {.bytes = (std::min(end_of(*first), end_of(second)) - second.offset).clamped(),
           .related = {related_at(buffers, *first, table.range(*reaching), "the other value")}}));
    }
    if (!same || end_of(second) > end_of(*first)) reaching = i, its_indices = std::move(indices);
  }
}

}  // namespace ali003

HLOLINT_INLINE void outputs_share_bytes::operator()(const context& dump, sink_ref emit) const {
  const auto& table = dump.get<value_table>();
  const buffer_dump& buffers = *dump.buffers();
  const std::string_view root = ali003::root_name(dump);
  std::vector<std::uint32_t> results;
  std::map<std::string_view, std::vector<std::uint32_t>> of_instruction;
  for (std::size_t i = 0; i < buffers.values().size(); ++i) {
    const used_value* const used = table.used(i);
    if (!used || buffers.values()[i].size == 0) continue;
    const auto positions = buffers.positions(*used);
    const bool is_result = !root.empty() && std::any_of(positions.begin(), positions.end(),
                                                        [&](const value_position& p) { return p.instruction == root; });
    if (is_result) results.push_back(static_cast<std::uint32_t>(i));
    if (buffers.values()[i].name.index && !buffers.values()[i].name.phi && (is_result || used->use_count > 0))
      of_instruction[buffers.values()[i].name.instruction].push_back(static_cast<std::uint32_t>(i));
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported;
  ali003::compare(dump, table, results, root, "are both results of the program", reported, emit);
  for (auto& [name, outputs] : of_instruction)
    if (outputs.size() > 1)
      ali003::compare(dump, table, outputs, name, "are both made by " + std::string(name) + " and read", reported,
                      emit);
}

}  // namespace hlolint
#endif
