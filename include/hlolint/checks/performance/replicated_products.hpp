// PRF019: matrix products that several devices compute alike.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One finding per module, at the product with most of the repeated work.
struct replicated_products {
  static constexpr rule about{
      .id = "PRF019",
      .name = "replicated-products",
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .uses = need::earlier,
      .what =
          "Several devices compute the same matrix products: their operands are equal on all devices, or along an axis "
          "of the mesh.",
      .why = "The devices do not share this work, so that a step takes as long as with fewer of them.",
      .advice =
          "Shard an operand over the devices that are idle otherwise, mostly the batch: in_shardings or jax.device_put "
          "with a NamedSharding, jax.lax.with_sharding_constraint inside of the function. An argument without a "
          "sharding is replicated.",
      .example =
          "HloModule m, is_scheduled=true, num_partitions=8\n"
          "%x = bf16[8192,2048]{1,0} parameter(0), sharding={replicated}\n"
          "%w = bf16[2048,8192]{1,0} parameter(1), sharding={replicated}\n"
          "ROOT %y = bf16[8192,8192]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      .source = "XLA: hlo_replication_analysis.cc"};

  double min_percent = 10;
  double min_gflop = 1;
  static constexpr auto options =
      std::tuple{option{"min-percent", &replicated_products::min_percent,
                        "a smaller share of the operations of all products is not reported"},
                 option{"min-gflop", &replicated_products::min_gflop,
                        "fewer operations that are repeated in a step, in 10^9 on each device, are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/transfers/equal_devices.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/parameter_shardings.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

namespace prf019 {

/// A product, or a fusion with some, that several devices compute.
struct repeated_product {
  hlo_instruction of;
  std::size_t devices = 0;  ///< that compute the same
  double flops = 0;         ///< of a device in a step
  /// The share of the work that other devices do, too.
  double share() const { return 1 - 1 / static_cast<double>(devices); }
  /// The operations that other devices do, too.
  double repeated() const { return flops * share(); }
};

/// The devices that compute the same products as any device does, in this instruction.
inline std::size_t devices_of(hlo_instruction i, const equal_devices& equal) {
  if (i.opcode() != hlo_opcode::fusion) return equal.computing_same(i);
  std::size_t least = 0;
  for (const hlo_instruction product : detail::fused_products(i)) {
    const std::size_t devices = equal.computing_same(product);
    least = least == 0 ? devices : std::min(least, devices);
  }
  return std::max<std::size_t>(least, 1);
}

/// The all-gather that makes an operand of an instruction; an empty view if there is none.
inline hlo_instruction gathered_operand(hlo_instruction i, const transfer_sources& sources) {
  for (const hlo_instruction operand : i.operands()) {
    hlo_instruction maker = detail::maker_of(operand);
    if (maker && is_done_opcode(maker.opcode())) maker = operand_of(maker, 0);
    const hlo_instruction transfer = maker ? sources.transfer_of(maker) : hlo_instruction{};
    if (transfer && collective_kind(transfer.opcode()) == hlo_opcode::all_gather) return maker;
  }
  return {};
}

/// Adds the largest arguments that every device holds completely, but for those that are donated: rather weights than
/// data.
inline void add_arguments(const context& dump, finding& d) {
  constexpr std::size_t most_named = 3;
  const auto shardings = parameter_shardings(*dump.hlo(), dump.earlier());
  std::set<std::int64_t> donated;
  if (const auto aliases = get<input_output_alias>(*dump.hlo()))
    for (const input_output_alias_entry& alias : aliases->entries) donated.insert(alias.parameter);
  std::vector<std::pair<byte_count, hlo_instruction>> replicated;
  for (std::size_t n = 0; n < shardings.size(); ++n) {
    const hlo_instruction parameter = dump.get<computation_parameters>().of(dump.hlo()->entry(), n);
    if (shardings[n] && is_replicated(*shardings[n]) && parameter.shape() &&
        !donated.contains(static_cast<std::int64_t>(n)))
      replicated.emplace_back(dense_size(*parameter.shape()).value_or(0), parameter);
  }
  std::stable_sort(replicated.begin(), replicated.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t k = 0; k < replicated.size() && k < most_named; ++k) {
    const auto& [bytes, parameter] = replicated[k];
    const program_place from = program_place_of(parameter);
    d.related.push_back(related_at(
        parameter, str_cat({"is replicated: ", human(bytes), from.op_name.empty() ? "" : ", ", from.op_name})));
  }
}

}  // namespace prf019

HLOLINT_INLINE void replicated_products::operator()(const context& dump, sink_ref emit) const {
  constexpr std::size_t most_named = 3;
  if (!dump.hlo()->entry() || dump.hlo()->num_partitions() < 2 || dump.hlo()->replica_count() != 1) return;
  // Mostly nothing is known of the arguments, and then next to nothing of the rest.
  const auto shardings = parameter_shardings(*dump.hlo(), dump.earlier());
  if (std::ranges::none_of(shardings, [](const auto& known) { return known.has_value(); })) return;
  const equal_devices equal(*dump.hlo(), dump.earlier(), dump.get<module_groups>());
  const exposed_time& time = dump.get<exposed_time>();
  std::vector<prf019::repeated_product> found;
  double all = 0, repeated = 0;
  for (const hlo_computation c : dump.hlo()->computations()) {
    const double runs = time.runs_of(c);
    if (runs <= 0) continue;
    for (const hlo_instruction i : c.instructions()) {
      const double flops = time.work().work_of(i).flops * runs;
      if (flops <= 0) continue;
      all += flops;
      const std::size_t devices = prf019::devices_of(i, equal);
      if (devices < 2) continue;
      found.push_back({i, devices, flops});
      repeated += found.back().repeated();
    }
  }
  if (found.empty() || repeated * 100 < min_percent * all || repeated < min_gflop * 1e9) return;
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.repeated() > b.repeated(); });
  std::size_t devices = 0;
  for (const prf019::repeated_product& p : found) devices = std::max(devices, p.devices);
  const auto partitions = static_cast<std::size_t>(dump.hlo()->num_partitions());
  finding d = finding_at(
      found.front().of,
      str_cat(
          {devices == partitions ? std::string("all") : str_cat({"groups of ", devices, " of the"}), " ", partitions,
           " devices compute the same matrix products, whose operands are equal on them: ", share_text(repeated, all),
           " of the operations of all products, in ", counted(found.size(), "instruction"), ", are repeated"}));
  for (const prf019::repeated_product& p : found) d.saves.push_back({p.of, p.share()});
  for (std::size_t k = 1; k < found.size() && k <= most_named; ++k)
    d.related.push_back(related_at(found[k].of, "is repeated, too"));
  if (const hlo_instruction gather = prf019::gathered_operand(found.front().of, time.links().sources())) {
    d.advice =
        "Every device multiplies all that was gathered. Multiply the part that a device has of one operand with what "
        "it gathers of the other, and gather only results that all devices need (shard_map, or a sharding constraint "
        "on the result).";
    d.saves.push_back({gather});  // of two operands one is gathered at most
    d.related.push_back(related_at(gather, "gives all devices the same operand"));
  } else {
    prf019::add_arguments(dump, d);
  }
  emit(std::move(d));
}

}  // namespace hlolint
#endif
