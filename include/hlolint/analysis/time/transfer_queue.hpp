// The engines that transfers wait for, one after the other (time_model.md 6.1).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::detail {

struct transfer_queue {
  std::string name;
  double free = 0;  ///< when it has nothing left to do, in seconds
  id last = none;   ///< the last transfer that it took
};

/// The queues of one device: `nccl` (or `ici`), `p2p`, copies within the device, to the host and from it, sends and
/// receives, other threads.
class transfer_queues {
 public:
  explicit transfer_queues(bool tpu) : tpu_(tpu) {}

  transfer_queue& operator[](std::size_t i) { return queues_[i]; }
  /// All that were asked for, by number.
  const record_list<transfer_queue>& all() const { return queues_; }

  /// The queue of a transfer that `i` starts or is.
  std::size_t of(hlo_instruction i, const transfer_time& time) {
    if (time.kind == hlo_opcode::copy) return of_copy(i);
    const std::string_view frontend = i.attribute(attribute_key::frontend_attributes).value_or(std::string_view{});
    if (time.kind == hlo_opcode::send || time.kind == hlo_opcode::recv) {
      std::string name(name_of(time.kind));
      if (frontend.find("_xla_send_recv_pipeline") != frontend.npos) {
        const auto attributes = get<frontend_attributes>(i);
        const std::string* const stream = attributes ? attributes->find("_xla_send_recv_pipeline") : nullptr;
        if (stream) name += *stream;
      }
      return find(name == "send0" || name == "recv0" ? std::string_view(name).substr(0, 4) : std::string_view(name));
    }
    if (frontend.find("_xla_gpu_collective_stream") != frontend.npos) return find("p2p");
    const std::string_view thread = thread_of(i);
    return find(!tpu_ ? "nccl" : thread.empty() ? "ici" : thread);
  }
  /// The queue of a computation of another thread.
  std::size_t of_computation(hlo_instruction start) {
    const std::string_view thread = thread_of(start);
    return find(tpu_ && !thread.empty() ? thread : "compute2");
  }

  bool are_free(double now) const {
    return std::all_of(queues_.begin(), queues_.end(), [&](const transfer_queue& q) { return q.free <= now; });
  }

  record_list<transfer_queue> state() const { return queues_; }
  void restore(const record_list<transfer_queue>& state) {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      queues_[i].free = i < state.size() ? state[i].free : 0;
      queues_[i].last = i < state.size() ? state[i].last : none;
    }
  }
  /// Everything that is waiting is later by `seconds`.
  void shift(double seconds) {
    for (transfer_queue& q : queues_) q.free += seconds;
  }
  /// The same for queues that were used since.
  void shift_since(const record_list<transfer_queue>& state, double seconds) {
    for (std::size_t i = 0; i < queues_.size(); ++i)
      if (i >= state.size() || state[i].free != queues_[i].free) queues_[i].free += seconds;
  }

 private:
  static std::string_view thread_of(hlo_instruction i) {
    std::string_view thread = i.attribute(attribute_key::async_execution_thread).value_or(std::string_view{});
    if (thread.size() >= 2 && thread.front() == '"') thread = thread.substr(1, thread.size() - 2);
    return thread == "main" ? std::string_view{} : thread;
  }
  // The link to the host carries both directions at once (time_model.md 6.1, version 3).
  std::size_t of_copy(hlo_instruction i) {
    const shape* to = i.shape();
    if (to && to->is_tuple()) to = to->at({i.opcode() == hlo_opcode::async_start ? 1u : 0u});
    if (is_in_host(to)) return find("copy to host");
    return find(i.operand_count() > 0 && is_in_host(shape_of_operand(i, 0)) ? "copy from host" : "copy");
  }
  std::size_t find(std::string_view name) {
    std::size_t i = 0;
    while (i < queues_.size() && queues_[i].name != name) ++i;
    if (i == queues_.size()) queues_.push_back({std::string(name), 0, none});
    return i;
  }

  bool tpu_;
  record_list<transfer_queue> queues_;
};

}  // namespace hlolint::detail
