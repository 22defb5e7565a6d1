// PRF017: a large one-hot array in memory.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for results of comparing an iota with indices, converted or not, that an instruction writes to memory, or that
/// a product sums over within its fusion.
struct materialised_one_hot {
  static constexpr rule about{
      .id = "PRF017",
      .name = "materialised-one-hot",
      .costs = cost_kind::both,
      .needs = need::scheduled,
      .what =
          "A large one-hot array, made by comparing indices with an iota, is written to memory, or a GPU multiplies "
          "with one to look up rows.",
      .why =
          "It holds the information of the indices in thousands of times their size, for as long as something "
          "reads it; a matrix product with it does the work of a gather by multiplying zeros.",
      .advice =
          "Look the rows up (a gather: in JAX table[indices]; in MaxText use_iota_embed=false), take the loss "
          "from the indices (take_along_axis), or recompute the one-hot array where it is used, so that XLA "
          "can fuse it.",
      .example =
          "%i = s32[65536,32768]{1,0} iota(), iota_dimension=1\n"
          "%b = s32[65536,32768]{1,0} broadcast(%indices), dimensions={0}\n"
          "%one_hot = pred[65536,32768]{1,0} compare(%b, %i), direction=EQ",
      .source = "google/maxtext: use_iota_embed; JAX: jax.nn.one_hot"};

  byte_count min_bytes = 64_MiB;
  double min_percent = 2;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &materialised_one_hot::min_bytes, "smaller arrays are not reported"},
                 option{"min-percent", &materialised_one_hot::min_percent,
                        "products that take a smaller share of the step are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/matmul_work.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

namespace prf017 {

inline constexpr int farthest = 16;  // instructions between the result and the iota

inline bool is_only_converted(const detail::value_readers& readers) {
  return !readers.passed_on && readers.list.size() == 1 && readers.list[0].opcode() == hlo_opcode::convert;
}

inline bool only_reshapes(hlo_opcode opcode) { return keeps_elements(opcode) || opcode == hlo_opcode::convert; }

inline hlo_instruction behind(hlo_instruction i, bool also_broadcasts) {
  return follow_first_operands(i, [also_broadcasts, left = farthest](hlo_instruction at) mutable {
    return (only_reshapes(at.opcode()) || (also_broadcasts && at.opcode() == hlo_opcode::broadcast)) && left-- > 0;
  });
}

inline bool is_one_hot(hlo_instruction i) {
  const hlo_computation body = i.opcode() == hlo_opcode::fusion ? first_called(i) : hlo_computation{};
  if (i.opcode() == hlo_opcode::fusion && (!body || !body.root())) return false;
  if (!body && i.opcode() != hlo_opcode::compare && !only_reshapes(i.opcode())) return false;
  hlo_instruction made = body ? body.root() : i;
  if (made.opcode() == hlo_opcode::pad && made.operand(0)) made = made.operand(0);  // to whole tiles of a product
  const hlo_instruction compared = behind(made, false);
  if (compared.opcode() != hlo_opcode::compare || compared.operand_count() != 2 ||
      compared.attribute(attribute_key::direction) != "EQ")
    return false;
  const hlo_instruction a = behind(compared.operand(0), true), b = behind(compared.operand(1), true);
  if (!a || !b || (a.opcode() == hlo_opcode::iota) == (b.opcode() == hlo_opcode::iota)) return false;
  const hlo_instruction indices = a.opcode() == hlo_opcode::iota ? b : a;
  return indices.opcode() != hlo_opcode::constant;
}

inline bool multiplies(hlo_instruction reader) {
  using enum hlo_opcode;
  return reader.opcode() == dot || reader.opcode() == convolution || reader.opcode() == custom_call ||
         (reader.opcode() == fusion && !detail::fused_products(reader).empty());
}

inline constexpr std::size_t max_named = 4;

inline finding finding_of(hlo_instruction i, byte_count bytes, const detail::value_readers& readers,
                          const context& dump) {
  std::string text = str_cat({"a one-hot array of ", human(bytes), " is written to memory",
                              repetition_text(dump.get<loops>(), i.computation())});
  const auto& schedule = dump.get<flat_schedule>();
  const auto from = schedule.position_of(i);
  const hlo_instruction last = readers.list.empty() ? hlo_instruction{} : readers.list.back();
  const auto to = last ? schedule.position_of(last) : std::nullopt;
  if (from && to)
    append_to(text, {" and kept from position ", *from, " to ", *to, readers.passed_on ? " or longer, of " : " of ",
                     schedule.size()});
  finding d = finding_at(i, std::move(text), {.bytes = bytes, .saves = {{i}}});
  std::size_t named = 0;
  for (const hlo_instruction reader : readers.list) {
    if (multiplies(reader)) d.saves.push_back({reader, 1});
    if (named++ < max_named)
      d.related.push_back(related_at(reader, multiplies(reader) ? "multiplies with it" : "reads it"));
  }
  return d;
}

/// Whether a dot sums over the classes of a one-hot operand: then each row of its result is one of the other operand.
/// In a split product the classes are a batch dimension too, whose sums are added later.
inline bool looks_rows_up(hlo_instruction dot) {
  using enum attribute_key;
  for (const auto& [operand, key, batch_key] :
       {std::tuple{0u, lhs_contracting_dims, lhs_batch_dims}, std::tuple{1u, rhs_contracting_dims, rhs_batch_dims}}) {
    const auto summed = get_integers(dot, key);
    const hlo_instruction one_hot = dot.operand_count() == 2 ? dot.operand(operand) : hlo_instruction{};
    if (!one_hot || !one_hot.shape() || !summed || summed->size() != 1 || !is_one_hot(one_hot)) continue;
    const auto batch = get_integers(dot, batch_key).value_or(std::vector<std::int64_t>{});
    const double split = detail::extent_of(*one_hot.shape(), *summed) * detail::extent_of(*one_hot.shape(), batch);
    for (const hlo_instruction side : behind(one_hot, false).operands()) {
      const hlo_instruction iota = behind(side, false);
      if (!iota || iota.opcode() != hlo_opcode::iota || !iota.shape()) continue;
      const std::int64_t classes = get_integer(iota, iota_dimension).value_or(-1);
      if (iota.shape()->rank() == one_hot.shape()->rank()
              ? classes == summed->front()
              : split == static_cast<double>(detail::extent_of(*iota.shape(), classes)))
        return true;
    }
  }
  return false;
}

/// A finding for a fused product that looks rows up, if it takes this share of the step.
inline std::optional<finding> finding_of_lookup(hlo_instruction fusion, double percent, const context& dump) {
  const std::vector<hlo_instruction> products = detail::fused_products(fusion);
  if (products.size() != 1 || products[0].opcode() != hlo_opcode::dot || !looks_rows_up(products[0])) return {};
  const exposed_time& time = dump.get<exposed_time>();
  const double seconds = time.work().of(fusion).seconds, runs = time.runs_of(fusion.computation());
  const double rate = time.on().memory_rate * time.on().memory_efficiency;
  const double moved = 2 * static_cast<double>(detail::array_bytes(fusion).value_or(0));
  const double gather = rate > 0 ? moved / rate + time.on().kernel_overhead : seconds;
  if (seconds * runs * 100 < percent * time.step() || gather > 0.5 * seconds) return {};
  return finding_at(fusion,
                    str_cat({"a product with a one-hot array takes ~", estimate_text(seconds),
                             repetition_text(dump.get<loops>(), fusion.computation()),
                             " to look up rows, which a gather moves in ~", estimate_text(gather)}),
                    {.saves = {{fusion, 1 - gather / seconds}}});
}

}  // namespace prf017

HLOLINT_INLINE void materialised_one_hot::operator()(const context& dump, sink_ref emit) const {
  const bool on_gpu = dump.target() == target::gpu && !dump.device().is_relative();
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    if (on_gpu && i.opcode() == hlo_opcode::fusion)
      if (auto lookup = prf017::finding_of_lookup(i, min_percent, dump)) emit(std::move(*lookup));
    const auto bytes = detail::array_bytes(i);
    if (!bytes || *bytes < min_bytes || takes_no_time(i.opcode()) || !prf017::is_one_hot(i)) continue;
    const detail::value_readers readers = detail::readers_of(i, dump.get<users>());
    if (prf017::is_only_converted(readers)) continue;  // the convert is reported
    emit(prf017::finding_of(i, *bytes, readers, dump));
  }
}

}  // namespace hlolint
#endif
