// PRF013: a broadcast or iota that is written to memory although its readers could compute it.
#pragma once

#include <hlolint/analysis/byte_size.hpp>
#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/loops.hpp>
#include <hlolint/analysis/sole_operation.hpp>
#include <hlolint/analysis/users.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// Broadcasts that become a buffer to be written into (carried by a loop, updated in place, returned), and those that
/// somebody reads who needs memory, are left out.
struct materialised_broadcast {
  static constexpr rule about{
      .id = "PRF013",
      .name = "materialised-broadcast",
      .level = severity::warning,
      .since = "0.1",
      .what =
          "A broadcast or iota writes a big array to memory, and all that read it could compute its elements "
          "themselves.",
      .why =
          "Every element is a copy of one of few values, or its own index: writing and reading it costs memory and "
          "bandwidth for nothing.",
      .advice =
          "Broadcast later, in the expression that uses it, so that XLA can fuse it; look for what keeps it apart (an "
          "optimization barrier, a use in another loop or branch).",
      .example =
          "%b = f32[8192,8192]{1,0} broadcast(%row), dimensions={1}\n"
          "%m = f32[8192,8192]{1,0} multiply(%x, %b)",
      .source = "pytorch/xla #6674"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &materialised_broadcast::min_bytes, "smaller arrays are not reported"}};

  void operator()(const context& dump, sink auto& report) const {
    const auto& graph = dump.template get<call_graph>();
    for (const hlo_computation c : dump.hlo()->computations()) {
      if (!graph.is_sequential(c)) continue;
      for (const hlo_instruction i : c.instructions()) {
        const hlo_instruction made = sole_operation(i);
        if (!made || (made.opcode() != hlo_opcode::broadcast && made.opcode() != hlo_opcode::iota)) continue;
        if (!i.shape() || !i.shape()->is_array() || i.is_root()) continue;
        const auto bytes = dense_size(*i.shape());
        if (!bytes || *bytes < min_bytes) continue;
        diagnostic d =
            finding_at(i, std::string(name_of(made.opcode())) + " writes " + human(*bytes) + " to memory" +
                              repetition_text(dump.template get<loops>(), c) + " (" + detail::position_text(i) + ")");
        d.bytes = bytes;
        if (readers_compute(i, dump.template get<users>(), d)) report(std::move(d));
      }
    }
  }

 private:
  bool readers_compute(hlo_instruction made, const users& all_users, diagnostic& d) const {
    std::vector<hlo_instruction> open{made};
    std::size_t readers = 0;
    for (std::size_t next = 0; next < open.size(); ++next)
      for (const instruction_use use : all_users.of(open[next])) {
        if (use.user.opcode() == hlo_opcode::bitcast && use.user.id() > open[next].id() && !use.user.is_root() &&
            open.size() < max_followed) {
          open.push_back(use.user);
          continue;
        }
        if (!computes(use)) return false;
        if (readers++ < max_named) d.related.push_back(related_at(use.user, "reads it"));
      }
    return readers > 0;
  }

  /// Elementwise instructions and loop fusions that do not write into the operand.
  static bool computes(instruction_use use) {
    switch (use.user.opcode()) {
      using enum hlo_opcode;
      case add:
      case and_:
      case compare:
      case convert:
      case divide:
      case exponential:
      case maximum:
      case minimum:
      case multiply:
      case negate:
      case or_:
      case power:
      case select:
      case subtract:
      case xor_:
      case reduce:
        return true;
      case fusion:
        break;
      default:
        return false;
    }
    const auto kind = use.user.attribute(attribute_key::kind);
    if (kind != "kLoop" && kind != "kInput") return false;
    const hlo_computation body = first_called(use.user);
    const hlo_instruction inside = body ? body.parameter(static_cast<std::int64_t>(use.operand)) : hlo_instruction{};
    if (!inside) return false;
    for (const hlo_instruction i : body.instructions())  // as the buffer that is updated, or one that is indexed into
      for (std::size_t k = 0; k < i.operand_count(); ++k)
        if (i.operand(k) == inside && !computes_inside(i.opcode())) return false;
    return true;
  }
  static constexpr bool computes_inside(hlo_opcode opcode) {
    switch (opcode) {
      using enum hlo_opcode;
      case dynamic_update_slice:
      case scatter:
      case gather:
      case dynamic_slice:
      case tuple:
      case sort:
      case custom_call:
        return false;
      default:
        return true;
    }
  }
  static constexpr std::size_t max_named = 3, max_followed = 64;
};

}  // namespace hlolint
