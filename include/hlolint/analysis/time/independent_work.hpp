// Work that could run beside a transfer but does not (scheduling.md 5, N10; time_model.md 6.3).
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hlolint {

/// The work in a transfer's computation that does not depend on the transfer, nor the transfer on it, and that does not
/// run beside it already. Seconds of one run.
struct independent_work {
  double seconds = 0;          ///< of all such work
  hlo_instruction largest;     ///< the instruction that takes longest; empty if there is none
  double largest_seconds = 0;  ///< seconds of the largest
  double in_computation = 0;   ///< seconds of all work of the computation that does not run beside it already
  bool ordered = false;        ///< only control predecessors tie the largest one to the transfer
};

/// Finds independent work by dataflow.
class independent_work_finder {
 public:
  /// Refers to `time`.
  explicit independent_work_finder(const exposed_time& time) : time_(time), sums_(time.seconds(), 1) {}

  /// Of one of the transfers of `time`. Linear in the transfer's computation; in the order of the transfers, one in 64
  /// takes a walk through all of its edges.
  independent_work of(const exposed_transfer& t) {
    const hlo_computation in = t.start.computation();
    const hlo_instruction end = end_of(t);
    const marks bit = bit_of(t);
    independent_work out;
    for (const auto& [at, seconds] : work_in(in)) {
      const hlo_instruction i = in.instruction(at);
      const bool beside = !t.synchronous && i.id() > t.begins.id() && i.id() < end.id();
      if ((by_data_[at] & bit) != 0 || beside) continue;
      const bool ordered = (in_order_[at] & bit) != 0;
      if (!ordered) out.seconds += seconds;
      if (seconds > out.largest_seconds) out.largest = i, out.largest_seconds = seconds, out.ordered = ordered;
    }
    out.in_computation = std::max(out.seconds, sums_.of(in) - (t.synchronous ? 0 : t.work_each()));
    return out;
  }

 private:
  /// An instruction that takes time, by position in its computation.
  struct timed_instruction {
    std::size_t at = 0;
    double seconds = 0;
  };
  const std::vector<timed_instruction>& work_in(hlo_computation in) {
    const auto [known, added] = work_.try_emplace(in.id());
    if (added)
      for (const hlo_instruction i : in.instructions())
        if (const double seconds = seconds_of(i); seconds > 0)
          known->second.push_back({i.index_in_computation(), seconds});
    return known->second;
  }
  double seconds_of(hlo_instruction i) {
    if (is_free(i) || is_transfer_opcode(i.opcode()) || time_.links().of(i)) return 0;
    if (!calls_sequentially(i.opcode())) return sums_.of(i);
    double sum = 0;
    for (const hlo_computation c : i.called_computations())
      if (c) sum += sums_.of(c);
    return i.opcode() == hlo_opcode::while_ ? sum * static_cast<double>(trip_count_of(i).times) : sum;
  }

  /// An instruction and one that waits for it, by position in their computation.
  struct edge {
    std::uint32_t before = 0, after = 0;
  };
  /// By position in a computation: which earlier instructions of it one waits for.
  using waits = grouped_list<std::uint32_t>;
  struct order {
    waits by_data;                      ///< operands, and sends whose answers are received
    std::optional<waits> with_control;  ///< with control predecessors, if there are any
  };
  const order& order_of(hlo_computation in) {
    const auto [known, added] = orders_.try_emplace(in.id());
    if (!added) return known->second;
    std::vector<edge> edges = exchanges_in(in);
    known->second.by_data = waits_in(in, edges);
    const std::vector<edge> control = control_in(in);
    if (control.empty()) return known->second;
    edges.insert(edges.end(), control.begin(), control.end());
    known->second.with_control = waits_in(in, edges);
    return known->second;
  }
  /// For operands and besides `others`.
  static waits waits_in(hlo_computation in, const std::vector<edge>& others) {
    const id front = in.record().instructions.first;
    return waits(in.instruction_count(), [&](auto&& add) {
      for (const hlo_instruction i : in.instructions())
        for (const hlo_instruction operand : i.operands())
          if (operand && operand.id() >= front && operand.id() < i.id()) add(i.id() - front, operand.id() - front);
      for (const edge& e : others) add(e.after, e.before);
    });
  }
  /// From sends to the receives that return what they sent, summed up by the hosts or as it was.
  static std::vector<edge> exchanges_in(hlo_computation in) {
    std::vector<edge> edges;
    std::map<std::string, std::uint32_t, std::less<>> sends;
    for (const hlo_instruction i : in.instructions()) {
      if (i.opcode() != hlo_opcode::send && i.opcode() != hlo_opcode::recv) continue;
      const auto name = frontend_value(i, "_xla_host_transfer_rendezvous");
      if (!name || !goes_between_slices(i)) continue;
      if (i.opcode() == hlo_opcode::send)
        sends.try_emplace(std::string(*name), position_of(i));
      else if (const auto sent = sends.find(*name); sent != sends.end())
        edges.push_back({sent->second, position_of(i)});
    }
    return edges;
  }
  static std::vector<edge> control_in(hlo_computation in) {
    std::vector<edge> edges;
    std::unordered_map<std::string_view, std::uint32_t> places;
    for (const hlo_instruction i : in.instructions()) {
      const auto before = get<control_predecessors>(i);
      if (!before) continue;
      if (places.empty())
        for (const hlo_instruction named : in.instructions()) places.emplace(named.name(), position_of(named));
      for (std::string_view name : before->names) {
        if (name.starts_with('%')) name.remove_prefix(1);
        if (const auto found = places.find(name); found != places.end() && found->second < position_of(i))
          edges.push_back({found->second, position_of(i)});
      }
    }
    return edges;
  }
  static std::uint32_t position_of(hlo_instruction i) { return static_cast<std::uint32_t>(i.index_in_computation()); }

  using marks = std::uint64_t;  ///< one bit for each of the transfers at hand

  static hlo_instruction end_of(const exposed_transfer& t) {
    return t.done && t.done.computation() == t.start.computation() ? t.done : t.start;
  }
  /// The bit of a transfer, which is at hand afterwards with those that come next in its computation.
  marks bit_of(const exposed_transfer& t) {
    const auto position = [&] {
      const auto found =
          std::ranges::find_if(at_hand_, [&](const exposed_transfer* other) { return other->start == t.start; });
      return static_cast<std::size_t>(found - at_hand_.begin());
    };
    if (position() == at_hand_.size()) {
      const hlo_computation in = t.start.computation();
      at_hand_.clear();
      for (const exposed_transfer& other : time_.transfers())
        if (at_hand_.size() < 64 && (at_hand_.empty() ? other.start == t.start : other.start.computation() == in))
          at_hand_.push_back(&other);
      const order& known = order_of(in);
      by_data_ = related(known.by_data);
      in_order_ = known.with_control ? related(*known.with_control) : by_data_;
    }
    return marks{1} << position();
  }

  /// By instruction of a computation: which of the transfers at hand depend on it, or it on them.
  std::vector<marks> related(const waits& before) const {
    std::vector<marks> needed(before.size()), needs(before.size());
    for (std::size_t k = 0; k < at_hand_.size(); ++k) {
      needed[at_hand_[k]->begins.index_in_computation()] |= marks{1} << k;
      needs[end_of(*at_hand_[k]).index_in_computation()] |= marks{1} << k;
    }
    for (std::size_t at = needed.size(); at-- > 0;)
      if (needed[at] != 0)
        for (const std::uint32_t earlier : before.of(at)) needed[earlier] |= needed[at];
    for (std::size_t at = 0; at < needs.size(); ++at)
      for (const std::uint32_t earlier : before.of(at)) needs[at] |= needs[earlier];
    for (std::size_t at = 0; at < needed.size(); ++at) needed[at] |= needs[at];
    return needed;
  }

  const exposed_time& time_;
  detail::summed_work sums_;
  // By computation, as needed.
  std::map<id, order> orders_;
  std::map<id, std::vector<timed_instruction>> work_;
  // Up to 64 transfers of one computation, and what is tied to them: by data, and with control predecessors.
  std::vector<const exposed_transfer*> at_hand_;
  std::vector<marks> by_data_, in_order_;
};

}  // namespace hlolint
