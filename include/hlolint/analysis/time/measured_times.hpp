// Measured times of the instructions of a module.
#pragma once

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hlolint {

/// The measured seconds of a module's instructions, of one run on one device. The start of a transfer includes the time
/// of its done.
class measured_times {
 public:
  /// From names of instructions and their seconds; names that the module lacks are left out. Linear.
  measured_times(const hlo_module& module, std::span<const std::pair<std::string_view, double>> seconds) {
    const instruction_names names(module);
    for (const auto& [name, time] : seconds) {
      const hlo_instruction i = names.find(name);
      if (!i) continue;
      seconds_[i.id()] += time;
      if (i.opcode_text().ends_with("-done") && operand_of(i, 0)) seconds_[i.operand(0).id()] += time;
    }
  }

  /// The seconds of an instruction; nothing if it was not measured.
  std::optional<double> of(hlo_instruction i) const {
    const auto found = seconds_.find(i.id());
    return found == seconds_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<id, double> seconds_;
};

}  // namespace hlolint
