// The queues of transfer engines (time_model.md 6.1) and the transfers pending in values.
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::detail {

struct transfer_queue {
  std::string name;
  double free = 0;  ///< the time, in seconds, at which it becomes idle
  id last = none;   ///< the last transfer queued
};

/// The queues of one device: `nccl` (or `ici`), `p2p`, copies within the device, to and from the host, sends and
/// receives, other threads.
class transfer_queues {
 public:
  explicit transfer_queues(bool tpu) : tpu_(tpu) {}

  transfer_queue& operator[](std::size_t i) { return queues_[i]; }
  /// All queues used so far, by number.
  const std::vector<transfer_queue>& all() const { return queues_; }

  /// The queue of the transfer that `i` starts or is.
  std::size_t of(hlo_instruction i, const transfer_time& time) {
    if (time.kind == hlo_opcode::copy) return of_copy(i);
    if (time.kind == hlo_opcode::send || time.kind == hlo_opcode::recv) {
      const auto stream = frontend_value(i, "_xla_send_recv_pipeline");
      return find(std::string(name_of(time.kind)) + (stream && *stream != "0" ? *stream : std::string{}));
    }
    const std::string_view frontend = i.attribute(attribute_key::frontend_attributes).value_or(std::string_view{});
    if (frontend.find("_xla_gpu_collective_stream") != frontend.npos) return find("p2p");
    const std::string_view thread = thread_of(i);
    if (tpu_ && thread.empty() && !time.link.empty()) return find("ici " + std::string(time.link));
    return find(!tpu_ ? "nccl" : thread.empty() ? "ici" : thread);
  }
  /// The queue of a computation of another thread. XLA:GPU gives them its streams of kernels in turn, or those of one
  /// `_xla_stream_annotation` the same.
  std::size_t of_computation(hlo_instruction start) {
    const std::string_view thread = thread_of(start);
    if (tpu_) return find(thread.empty() ? "compute2" : thread);
    constexpr std::size_t streams = 4;
    const auto annotated = frontend_value(start, "_xla_stream_annotation");
    const std::string of = annotated ? *annotated : "%" + std::string(start.name());
    const std::size_t turn = stream_of_.try_emplace(of, stream_of_.size()).first->second % streams;
    return find("compute" + std::to_string(turn + 2));
  }

  /// The queue whose transfer a new one in queue `i` waits for. A collective uses the links in all directions, so it
  /// waits for the permutes in any of them, and they for it.
  const transfer_queue& before(std::size_t i) const {
    std::size_t last = i;
    for (std::size_t other = 0; other < queues_.size(); ++other)
      if (share_links(queues_[i].name, queues_[other].name) && queues_[other].free > queues_[last].free) last = other;
    return queues_[last];
  }

  bool are_free(double now) const {
    return std::ranges::all_of(queues_, [&](const transfer_queue& q) { return q.free <= now; });
  }

  std::vector<transfer_queue> state() const { return queues_; }
  void restore(const std::vector<transfer_queue>& state) {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      queues_[i].free = i < state.size() ? state[i].free : 0;
      queues_[i].last = i < state.size() ? state[i].last : none;
    }
  }
  /// Delays all queues by `seconds`.
  void shift(double seconds) {
    for (transfer_queue& q : queues_) q.free += seconds;
  }
  /// Delays the queues that were used since `state` by `seconds`.
  void shift_since(const std::vector<transfer_queue>& state, double seconds) {
    for (std::size_t i = 0; i < queues_.size(); ++i)
      if (i >= state.size() || state[i].free != queues_[i].free) queues_[i].free += seconds;
  }

 private:
  static bool share_links(std::string_view a, std::string_view b) {
    return (a == "ici" && b.starts_with("ici ")) || (b == "ici" && a.starts_with("ici "));
  }
  static std::string_view thread_of(hlo_instruction i) {
    std::string_view thread = i.attribute(attribute_key::async_execution_thread).value_or(std::string_view{});
    if (thread.size() >= 2 && thread.front() == '"') thread = thread.substr(1, thread.size() - 2);
    return thread == "main" ? std::string_view{} : thread;
  }
  // The link to the host is full-duplex (time_model.md 6.1, version 3).
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
  std::vector<transfer_queue> queues_;
  std::map<std::string, std::size_t> stream_of_;  // of computations, by annotation or name
};

/// A pending transfer: the times of its issue, begin and end, in seconds.
struct pending_transfer {
  id transfer = none;  ///< an index that the walk chooses
  double issued = 0, begin = 0, end = 0;
  id blocker = none;                                 ///< the transfer that delayed it
  std::size_t block = static_cast<std::size_t>(-1);  ///< its block in a record of the walk
  double waited = 0;                                 ///< how long the walk had waited when it was issued, in seconds
};

/// Values that are pending transfers or tuples of them (time_model.md 6.2). They never change; handles stay valid.
class pending_values {
 public:
  /// A value, or `nothing`.
  using handle = std::int32_t;
  static constexpr handle nothing = -1;

  handle add(const pending_transfer& one) {
    nodes_.push_back({static_cast<std::uint32_t>(transfers_.size()), 0});
    transfers_.push_back(one);
    return static_cast<handle>(nodes_.size() - 1);
  }
  /// Adds a tuple with these pending elements; `nothing` if there are none.
  handle add_tuple(const std::vector<std::pair<std::uint32_t, handle>>& elements) {
    if (elements.empty()) return nothing;
    nodes_.push_back({static_cast<std::uint32_t>(elements_.size()), static_cast<std::uint32_t>(elements.size())});
    elements_.insert(elements_.end(), elements.begin(), elements.end());
    return static_cast<handle>(nodes_.size() - 1);
  }

  /// The transfer; null if the value is a tuple or nothing.
  const pending_transfer* transfer(handle h) const {
    return h == nothing || node_of(h).count > 0 ? nullptr : &transfers_[node_of(h).first];
  }
  /// An element of a tuple; for a transfer the transfer itself.
  handle element(handle h, std::uint32_t index) const {
    if (h == nothing || node_of(h).count == 0) return h;
    const node n = node_of(h);
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (elements_[n.first + i].first == index) return elements_[n.first + i].second;
    return nothing;
  }
  /// The first transfer in a value; null if there is none.
  const pending_transfer* first_transfer(handle h) const {
    while (h != nothing && node_of(h).count > 0) h = elements_[node_of(h).first].second;
    return transfer(h);
  }

  /// A copy of the value with all its transfers delayed by `seconds`, `waited` of them spent waiting.
  handle later(handle h, double seconds, double waited) {
    if (h == nothing) return h;
    std::vector<handle> reached{h};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const node n = node_of(reached[at]);
      for (std::uint32_t i = 0; i < n.count; ++i) reached.push_back(elements_[n.first + i].second);
      if (reached.size() > 2 * nodes_.size()) break;  // shared elements are visited repeatedly; stop early
    }
    sort_unique(reached);  // elements are made before their tuples
    std::vector<handle> moved(reached.size());
    const auto now = [&](handle old) {
      const auto at = std::lower_bound(reached.begin(), reached.end(), old);
      return at != reached.end() && *at == old ? moved[static_cast<std::size_t>(at - reached.begin())] : old;
    };
    for (std::size_t at = 0; at < reached.size(); ++at) {
      if (const pending_transfer* const one = transfer(reached[at])) {
        pending_transfer copy = *one;
        copy.issued += seconds, copy.begin += seconds, copy.end += seconds, copy.waited += waited;
        moved[at] = add(copy);
        continue;
      }
      const node n = node_of(reached[at]);
      std::vector<std::pair<std::uint32_t, handle>> elements(elements_.begin() + n.first,
                                                             elements_.begin() + n.first + n.count);
      for (auto& [index, value] : elements) value = now(value);
      moved[at] = add_tuple(elements);
    }
    return now(h);
  }

 private:
  struct node {
    std::uint32_t first = 0, count = 0;  ///< elements; for a transfer its index and 0
  };
  node node_of(handle h) const { return nodes_[static_cast<std::size_t>(h)]; }

  std::vector<node> nodes_;
  std::vector<pending_transfer> transfers_;
  std::vector<std::pair<std::uint32_t, handle>> elements_;
};

}  // namespace hlolint::detail
