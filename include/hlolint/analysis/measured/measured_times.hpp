// What instructions of a module took in a step, as a profile measured them.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/measured/measured_module.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>

#include <string_view>
#include <unordered_map>

namespace hlolint {

/// Seconds of one run on one device. The start of a transfer has the time of its done too.
class measured_times {
 public:
  /// By names. Linear.
  measured_times(const measured_module& measured, const hlo_module& module) {
    const instruction_names names(module);
    for (const measured_operation& o : measured.operations()) {
      const hlo_instruction i = names.find(o.instruction);
      if (!i) continue;
      seconds_[i.id()] += o.seconds;
      if (is_done(i.opcode_text()) && i.operand_count() > 0 && i.operand(0)) seconds_[i.operand(0).id()] += o.seconds;
    }
  }
  /// As a context makes it. Precondition: it was measured.
  template <analysis_cache Cache>
  requires requires(const Cache& made) { made.measured(); }
  explicit measured_times(const Cache& made) : measured_times(*made.measured(), *made.hlo()) {}

  /// Nothing if the profile does not have it.
  optional<double> of(hlo_instruction i) const {
    const auto found = seconds_.find(i.id());
    return found == seconds_.end() ? std::nullopt : optional(found->second);
  }

 private:
  static bool is_done(std::string_view opcode) { return opcode.ends_with("-done"); }
  std::unordered_map<id, double> seconds_;
};

}  // namespace hlolint
