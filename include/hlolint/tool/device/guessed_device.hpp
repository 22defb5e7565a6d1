// Guesses the device of a module: the most common one that can run it as fast as its dump states.
#pragma once

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/tool/device/device_hints.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

namespace hlolint {

namespace detail {

/// Whether part of a module runs on a SparseCore.
inline bool uses_sparse_core(const hlo_module& module) {
  for (const hlo_computation c : module.computations())
    if (c.execution_thread() == "sparsecore") return true;
  for (const hlo_instruction i : module.instructions()) {
    if (i.opcode() != hlo_opcode::async_start) continue;
    const auto thread = i.attribute(attribute_key::async_execution_thread);
    if (thread && thread->find("sparsecore") != std::string_view::npos) return true;
  }
  return false;
}

/// The highest rate of matrix products by the dump's printed cycles (on a GPU: seconds); 0 if it prints none. Types of
/// eight bits and less count half, since no device multiplies them more than twice as fast as others.
inline double printed_rate(const hlo_module& module, bool tpu) {
  device plain = relative_device(tpu);
  plain.clock = 1;  // count cycles
  std::optional<work_times> times;
  double out = 0;
  for (const hlo_instruction i : module.instructions()) {
    const auto printed = printed_time(plain, i);
    if (!printed) continue;
    if (!times) times.emplace(module, relative_device(false));  // flops of the model are the same on all
    const work w = times->work_of(i);
    const bool narrow = w.type && bit_width(*w.type) <= 8;
    out = std::max(out, w.model_flops / *printed / (narrow ? 2 : 1));
  }
  return out;
}

/// Whether all results without sharing, the most that a program can need, take more bytes than this.
inline bool may_need_more(const hlo_module& module, byte_count than) {
  checked_int64 sum = 0;
  for (const hlo_instruction i : module.instructions()) {
    if (i.shape() && i.shape()->is_array()) sum += byte_size(*i.shape(), size_rule::tpu_tiled).value_or(0);
    if (sum.clamped() > than) return true;
  }
  return false;
}

}  // namespace detail

/// The needs of a module, as far as its dumps show. The memory of a TPU program without buffers is planned as XLA would
/// assign it, which sets `planned`, only if it decides which TPU can run it.
inline device_needs needs_of(const context::parts& module, std::shared_ptr<const likely_buffers>& planned) {
  device_needs out;
  if (module.hlo && module.target == target::tpu) out.sparse_core = detail::uses_sparse_core(*module.hlo);
  if (module.hlo) out.printed_rate = detail::printed_rate(*module.hlo, module.target == target::tpu);
  if (module.buffers && module.buffers->has_assignment()) {
    out.memory = bytes_in_space(*module.buffers, 0, module.target);
  } else if (module.hlo && module.target == target::tpu && module.hlo->is_scheduled()) {
    const auto assumed = assume_device({}, module.target, out);
    if (assumed && detail::may_need_more(*module.hlo, usable_memory(*find_device(assumed->name))) &&
        has_whole_entry(*module.hlo)) {
      planned = std::make_shared<const likely_buffers>(context(module));
      out.memory = planned->plan.need;
    }
  }
  return out;
}

/// Sets a missing device and the reason for the guess, if there is any hint. Returns the module's buffers if they had
/// to be planned for it, else null: a guessed device does not change them.
inline std::shared_ptr<const likely_buffers> guess_device(context::parts& module) {
  std::shared_ptr<const likely_buffers> planned;
  if (module.device || !module.hlo || module.target == target::cpu) return planned;
  for (const seen_file& file : module.files) {
    if (!holds_hlo(file.kind)) continue;
    const auto first = assume_device(file.path, module.target);
    if (!first) continue;
    const auto assumed = assume_device(file.path, module.target, needs_of(module, planned));
    module.device = find_device(assumed->name);
    module.device_evidence = assumed->evidence;
    break;
  }
  return planned;
}

}  // namespace hlolint
