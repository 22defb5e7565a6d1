// PRF007: double precision on a device that is slow in it.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One finding per module, at the largest array. A program that takes double precision wants it; one that only computes
/// in it got it by accident.
struct f64_on_accelerator {
  static constexpr rule about{
      .id = "PRF007",
      .name = "f64-on-accelerator",
      .costs = cost_kind::time,
      .needs = need::hlo | need::target,
      .what =
          "A program for GPU or TPU computes large arrays of f64 or c128. It is a note if an argument has such a type.",
      .why =
          "TPUs emulate double precision and most GPUs run it at a fraction of their speed; it also takes twice "
          "the memory. Often a default (NumPy's, or jax_enable_x64) brought it in, not intention.",
      .advice =
          "Convert the first value of double precision, which is named here, to f32; if you need the precision, ignore "
          "this rule.",
      .example = "%x = f64[1024,1024]{1,0} multiply(%a, %b)",
      .source = "jax-ml/jax #36799"};

  int min_elements = 65536;
  static constexpr auto options =
      std::tuple{option{"min-elements", &f64_on_accelerator::min_elements, "smaller arrays do not count"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace hlolint {

namespace prf007 {

inline byte_count double_bytes(const shape& whole, int min_elements) {
  byte_count most = 0;
  for_each_subshape(whole, [&](const shape_index&, const shape& part) {
    if (part.type != element_type::f64 && part.type != element_type::c128) return;
    const auto bytes = dense_size(part);
    if (bytes && *bytes / byte_width(part.type) >= min_elements) most = std::max(most, *bytes);
  });
  return most;
}
/// Whether an argument of the program has double precision.
inline bool takes_doubles(const hlo_module& module) {
  if (!module.entry()) return true;  // not known
  for (const hlo_instruction i : module.entry().instructions())
    if (i.opcode() == hlo_opcode::parameter && i.shape() && double_bytes(*i.shape(), 1) > 0) return true;
  return false;
}
inline constexpr std::size_t max_named = 3;

}  // namespace prf007

HLOLINT_INLINE void f64_on_accelerator::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;
  std::vector<std::pair<byte_count, hlo_instruction>> found;
  for (const hlo_instruction i : detail::sequential_instructions(dump))
    if (const byte_count bytes = i.shape() ? prf007::double_bytes(*i.shape(), min_elements) : 0; bytes > 0)
      found.emplace_back(bytes, i);
  if (found.empty()) return;
  const hlo_instruction first = found[0].second;
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  finding d =
      finding_at(found[0].second, str_cat({found.size(), found.size() == 1 ? " instruction has" : " instructions have",
                                           " results of double precision, the biggest of ", human(found[0].first)}));
  constexpr double at_least = 0.5;  // f32 halves the bytes, whatever the arithmetic gains
  const auto& all_loops = dump.get<loops>();
  double written = 0;
  for (const auto& [bytes, i] : found) {
    if (takes_no_time(i.opcode()) || calls_sequentially(i.opcode()) || is_done_opcode(i.opcode())) continue;
    written += static_cast<double>(bytes) * static_cast<double>(all_loops.runs_of(i.computation()).times);
    d.saves.push_back({i, at_least});
  }
  if (written > 0) d.bytes = clamp_to_int64(at_least * written);
  d.runs = 1;  // the bytes count all runs
  if (!(first == found[0].second)) d.related.push_back(related_at(first, "the first of double precision"));
  for (std::size_t k = 1; k < found.size() && k <= prf007::max_named; ++k)
    if (!(found[k].second == first))
      d.related.push_back(related_at(found[k].second, human(found[k].first) + " of double precision"));
  if (prf007::takes_doubles(*dump.hlo())) d.level = severity::note;
  emit(std::move(d));
}

}  // namespace hlolint
#endif
