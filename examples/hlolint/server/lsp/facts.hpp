// Numbers about instructions that hints and outlines show: bytes, time and memory in use.
#pragma once

#include <hlolint/lint/context.hpp>
#include <hlolint/tool/costs/recorded_step.hpp>

#include <map>
#include <optional>
#include <vector>

namespace hlolint::command::server::lsp {

/// Times of the instructions of a step on a module's device. An analysis: contexts keep it.
class step_times {
 public:
  /// From a cache. Precondition: the module is scheduled.
  template <hlolint::analysis_cache Cache>
  explicit step_times(const Cache& made) : step_times(made.template get<hlolint::recorded_step>(), *made.hlo()) {}
  /// Of a step of the module.
  step_times(const hlolint::recorded_step& step, const hlolint::hlo_module& module);
  /// Milliseconds of all runs of an instruction in a step; 0 if it takes none of its own.
  double ms_of(hlolint::hlo_instruction i) const { return ms_[i.id()]; }
  /// Milliseconds of the instructions of a computation.
  double ms_of(hlolint::hlo_computation c) const;

 private:
  std::vector<double> ms_;  // by instruction
};

/// Times, if the module has a schedule and its device is known; else null.
const step_times* times_of(const hlolint::context& module);

/// Bytes of the arrays in a shape in the memory of a device, padding included; nothing if they are not known.
std::optional<hlolint::byte_count> bytes_of(const hlolint::shape& whole, hlolint::target on);

/// The same of an instruction's result, on the device of its module; `module` may be null.
std::optional<hlolint::byte_count> bytes_of(hlolint::hlo_instruction i, const hlolint::context* module);

/// Bytes in use while an instruction runs, as the buffers or an estimate of them have it; nothing if it is not known.
std::optional<hlolint::byte_count> in_use_at(const hlolint::context& module, hlolint::hlo_instruction i);

/// `1.2 ms`, `34 us`.
std::string time_text(double ms);

}  // namespace hlolint::command::server::lsp
