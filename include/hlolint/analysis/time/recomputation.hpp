// What a step computes again in its backward pass, and what each result would save and take if the program kept it
// (time_model.md 6.4).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// Results of one operation of the program, in all layers, that the backward pass computes again and that the forward
/// pass could keep.
struct keepable_result {
  program_place from;                         ///< the operation that makes them
  std::string shape;                          ///< of one of them
  bool is_product = false;                    ///< whether matrix products without batch dimensions make them
  std::vector<hlo_instruction> instructions;  ///< that make them again
  std::vector<hlo_instruction> saves;         ///< all that would not run again, with what only those instructions read
  double copies = 0;                          ///< how many are kept at once: one for each layer
  byte_count bytes = 0;                       ///< of all copies together
  double seconds = 0;  ///< that a step saves, less the writing and reading of the copies, on top of those before
  double moving = 0;   ///< seconds of that writing and reading
  /// The share of the time of `saves` that is saved.
  double saved_share() const { return seconds > 0 ? seconds / (seconds + moving) : 0; }
};

/// What a step computes again. Seconds mean nothing on a device without a name.
class recomputation {
 public:
  /// O(n log n) in what is computed again, for each of a few dozen results. Precondition: `time` is of the module.
  recomputation(const hlo_module& module, const exposed_time& time) : module_(module), time_(time) {
    if (!computes_again(module)) return;  // nearly always
    passes_.emplace(module);
    seconds_.resize(module.instruction_count());
    again_in_.resize(module.computation_count()), forward_in_.resize(module.computation_count());
    add_seconds();
    if (seconds_of_all_ <= 0) return;
    add_places(call_graph(module));
    add_readers();
    choose(grouped());
  }
  /// From a cache.
  explicit recomputation(const analysis_cache auto& made)
      : recomputation(*made.hlo(), made.template get<exposed_time>()) {}

  /// Seconds of a step, waiting included.
  double seconds() const { return seconds_of_all_; }
  /// The results that are worth their memory, in the order in which to keep them: most seconds for each byte first.
  const std::vector<keepable_result>& keeps() const { return keeps_; }

 private:
  // A computation in which the backward pass reads what is computed again.
  struct place {
    hlo_computation in;
    double copies = 1;  // of one of its results if the forward pass kept them
  };
  // An instruction of a place.
  struct reader {
    hlo_instruction instruction;
    bool again = false;    // computed again
    bool is_sink = false;  // runs whatever is kept
    std::size_t first_operand = 0, end_of_operands = 0;
  };
  struct group {
    keepable_result result;
    double gain = 0;
  };
  static constexpr std::size_t most_groups = 400, most_compared = 48, most_kept = 16;

  static bool computes_again(const hlo_module& module) {
    return std::ranges::any_of(module.instructions(), [](hlo_instruction i) {
      return is_rematerialized(i) ||
             detail::names_recomputation(i.attribute(attribute_key::metadata).value_or(std::string_view{}));
    });
  }
  bool is_again(hlo_instruction i) const { return passes_->of(i) == program_pass::recomputed && !runs_anyway(i); }
  // Whether a fusion computes something of the backward pass, too: then it runs whatever is kept. A collective that a
  // TPU's compiler hides in it does not count: that goes on beside any other work.
  static bool runs_anyway(hlo_instruction i) {
    const hlo_computation body = i.opcode() == hlo_opcode::fusion ? first_called(i) : hlo_computation{};
    if (!body) return false;
    return std::ranges::any_of(body.instructions(), [](hlo_instruction part) {
      return part.opcode() != hlo_opcode::fusion && !takes_no_time(part.opcode()) && !keeps_elements(part.opcode()) &&
             !is_collective(part.opcode()) &&
             !opcode_set{hlo_opcode::dynamic_slice, hlo_opcode::broadcast, hlo_opcode::convert}.has(part.opcode()) &&
             pass_of_name(program_place_of(part).op_name) == program_pass::backward;
    });
  }

  void add_seconds() {
    for (const hlo_computation c : module_.computations()) {
      const double runs = time_.runs_of(c);
      if (runs <= 0) continue;
      for (const hlo_instruction i : c.instructions()) {
        const program_pass pass = passes_->of(i);
        const double seconds = time_.work().of(i).seconds * runs;
        if (pass == program_pass::recomputed) seconds_[i.id()] = seconds;
        if (pass == program_pass::forward) forward_in_[c.id()] += seconds;
      }
    }
    for (const exposed_transfer& t : time_.transfers()) {
      if (!t.in_step) continue;
      const program_pass pass = passes_->of(t.start);
      if (pass == program_pass::recomputed) seconds_[t.start.id()] += t.exposed;
      if (pass == program_pass::forward) forward_in_[t.start.computation().id()] += t.exposed;
    }
    for (const double s : seconds_) seconds_of_all_ += s;
  }

  // Finds the computations and the number of copies: the runs of a computation for one run of the innermost one around
  // it that runs the forward pass as well, which takes at least half as long as what is computed again: a few
  // instructions of that pass may have been moved into the backward pass. Loops, calls and branches take the time of
  // what they compute again.
  void add_places(const call_graph& graph) {
    const std::size_t count = module_.computation_count();
    std::vector<bool> reads(count);
    for (const hlo_computation c : callees_first(module_)) {
      double below = 0;
      bool again = false, other = false;
      for (const hlo_instruction i : c.instructions()) {
        const program_pass pass = passes_->of(i);
        if (calls_sequentially(i.opcode())) {
          double inner = 0;
          for (const hlo_computation called : i.called_computations())
            if (called) {
              inner += again_in_[called.id()];
              forward_in_[c.id()] += forward_in_[called.id()];
            }
          if (is_again(i)) seconds_[i.id()] += inner;
          below += inner;
        } else {
          below += seconds_[i.id()];
        }
        again = again || pass == program_pass::recomputed;
        other = other || (pass == program_pass::backward && time_.runs_of(c) > 0);
      }
      again_in_[c.id()] = below, reads[c.id()] = again && other;
    }
    for (const hlo_computation c : module_.computations()) {
      if (!reads[c.id()] || !graph.is_sequential(c)) continue;
      hlo_computation around = c;
      for (std::size_t depth = 0; forward_in_[around.id()] < again_in_[c.id()] / 2 && depth < count; ++depth) {
        const auto callers = graph.callers(around);
        if (callers.size() == 0) break;
        around = callers[0].computation();
      }
      const double outer = time_.runs_of(around);
      places_.push_back({c, outer > 0 ? std::max(1.0, time_.runs_of(c) / outer) : 1});
    }
  }

  // Whether partitioning has put in this all-gather: it comes after the value that the program names, so that what is
  // kept is each device's part, and is gathered again. The program's own all-gathers are called that.
  static bool is_put_in(hlo_instruction i) {
    using enum hlo_opcode;
    const bool gathers = i.opcode() == all_gather || i.opcode() == all_gather_done ||
                         (i.opcode() == fusion && calls_target(root_of(first_called(i)), "AsyncCollectiveDone"));
    return gathers && !program_place_of(i).op_name.ends_with("all_gather");
  }
  static bool may_be_kept(hlo_instruction i) {
    using enum hlo_opcode;
    return i.shape() && !is_put_in(i) && (i.shape()->is_array() || i.opcode() == fusion) &&
           !takes_no_time(i.opcode()) && i.opcode() != constant && i.opcode() != iota && i.opcode() != broadcast &&
           !calls_sequentially(i.opcode());
  }
  // What of a result would be kept: of a fusion with several results the product, beside which a TPU's compiler hands
  // on operands of others; else all of it.
  static const shape& kept_part(hlo_instruction i) {
    const shape& whole = *i.shape();
    if (!whole.is_tuple()) return whole;
    for (const hlo_instruction product : detail::fused_products(i))
      for (const shape& part : whole.elements)
        if (product.shape() && part.is_array() &&
            detail::element_count(&part) == detail::element_count(product.shape()))
          return part;
    return whole;
  }
  byte_count bytes_of(const shape& kept) const {
    const size_rule rule = time_.on().is_tpu() ? size_rule::tpu_tiled : size_rule::plain;
    checked_int64 sum = 0;
    for_each_subshape(kept, [&](const shape_index&, const shape& part) {
      if (part.is_array()) sum += byte_size(part, rule).value_or(0);
    });
    return sum.clamped();
  }
  // On a TPU a product is a convolution, whose batch dimensions are dimensions of its window: `0bf_0io->0bf`.
  static bool has_batch(hlo_instruction product) {
    const auto labels = product.attribute(attribute_key::dim_labels);
    return !get_integers(product, attribute_key::lhs_batch_dims).value_or(std::vector<std::int64_t>{}).empty() ||
           (labels && labels->find('0') != labels->npos);
  }
  static bool is_product_of_weights(hlo_instruction i) {
    using enum hlo_opcode;
    if (i.opcode() == dot || i.opcode() == convolution) return !has_batch(i);
    if (i.opcode() == custom_call) return may_hold(i, attribute_key::custom_call_target, "gemm");
    const auto products = i.opcode() == fusion ? detail::fused_products(i) : std::vector<hlo_instruction>{};
    return !products.empty() && std::ranges::none_of(products, has_batch);
  }

  std::vector<group> grouped() const {
    std::vector<group> out;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known;
    for (const place& p : places_)
      for (const hlo_instruction i : p.in.instructions()) {
        if (!is_again(i) || !may_be_kept(i)) continue;
        const shape& kept = kept_part(i);
        const byte_count bytes = bytes_of(kept);
        if (bytes <= 0) continue;
        program_place from = program_place_of(i);
        const auto [found, added] = known.try_emplace(
            {from.op_name, file_and_line(from.at.file, from.at.line), to_string(kept, {.layout = false})}, out.size());
        if (added) {
          keepable_result& made = out.emplace_back().result;
          made.from = std::move(from), made.shape = to_string(kept, {.layout = false}),
          made.is_product = is_product_of_weights(i);
        }
        group& to = out[found->second];
        to.result.instructions.push_back(i), to.result.copies += p.copies;
        to.result.bytes =
            (checked_int64(to.result.bytes) + clamp_to_int64(static_cast<double>(bytes) * p.copies)).clamped();
        to.gain += seconds_[i.id()];
      }
    return out;
  }

  // Lists the instructions of all places, which each measurement reads.
  void add_readers() {
    for (const place& p : places_)
      for (const hlo_instruction i : p.in.instructions()) {
        const program_pass pass = passes_->of(i);
        const bool again = pass == program_pass::recomputed;
        reader& r = readers_.emplace_back();
        r.instruction = i, r.again = again;
        r.is_sink = i.is_root() || (!again && pass != program_pass::unknown);
        r.first_operand = operands_.size();
        for (const hlo_instruction operand : i.operands())
          if (operand && operand.computation() == p.in) operands_.push_back(operand.id());
        r.end_of_operands = operands_.size();
      }
  }
  // By instruction, whether it still runs again if these results are kept: whatever else reads leads back to it.
  std::vector<char> needed_with(const std::vector<char>& kept) const {
    std::vector<char> needed(module_.instruction_count());
    for (auto r = readers_.rbegin(); r != readers_.rend(); ++r) {
      const id i = r->instruction.id();
      if (r->is_sink) needed[i] = true;
      if (!needed[i] || kept[i]) continue;
      for (std::size_t k = r->first_operand; k < r->end_of_operands; ++k) needed[operands_[k]] = true;
    }
    return needed;
  }
  // What no longer runs again, with `kept`.
  void for_each_saved(const std::vector<char>& kept, auto&& f) const {
    const std::vector<char> needed = needed_with(kept);
    for (const reader& r : readers_)
      if (r.again && (kept[r.instruction.id()] || !needed[r.instruction.id()])) f(r.instruction);
  }
  double saved_by(const std::vector<char>& kept) const {
    double sum = 0;
    for_each_saved(kept, [&](hlo_instruction i) { sum += seconds_[i.id()]; });
    return sum;
  }
  double moving(byte_count bytes) const {  // written in the forward pass, read in the backward pass
    const double rate = time_.on().memory_rate * time_.on().memory_efficiency;
    return rate > 0 ? 2 * static_cast<double>(bytes) / rate : 0;
  }

  void choose(std::vector<group> groups) {
    std::vector<char> kept(module_.instruction_count());
    double saved = saved_by(kept);
    const auto with = [&](const group& g, bool value) {
      for (const hlo_instruction i : g.result.instructions) kept[i.id()] = value;
    };
    std::ranges::stable_sort(groups, std::greater{}, &group::gain);
    if (groups.size() > most_groups) groups.resize(most_groups);
    const auto measure = [&](group& g) {
      with(g, true);
      g.gain = saved_by(kept) - saved - moving(g.result.bytes);
      with(g, false);
    };
    for (group& g : groups) measure(g);
    std::ranges::stable_sort(groups, std::greater{}, &group::gain);
    if (groups.size() > most_compared) groups.resize(most_compared);
    // What is within the error of the model is no gain: next to nothing, or little beside the time of moving.
    const auto drop_small = [&] {
      std::erase_if(groups, [&](const group& g) {
        return g.gain <= std::max(0.001 * seconds_of_all_, 0.1 * moving(g.result.bytes));
      });
    };
    drop_small();
    while (!groups.empty() && keeps_.size() < most_kept) {
      const auto rate = [](const group& g) { return g.gain / static_cast<double>(g.result.bytes); };
      const auto best = std::ranges::max_element(groups, {}, rate);
      best->result.seconds = best->gain, best->result.moving = moving(best->result.bytes);
      std::vector<bool> before(module_.instruction_count());
      for_each_saved(kept, [&](hlo_instruction i) { before[i.id()] = true; });
      with(*best, true);
      for_each_saved(kept, [&](hlo_instruction i) {
        if (!before[i.id()]) best->result.saves.push_back(i);
      });
      saved = saved_by(kept);
      keeps_.push_back(std::move(best->result));
      groups.erase(best);
      for (group& g : groups) measure(g);
      drop_small();
    }
  }

  hlo_module module_;
  const exposed_time& time_;
  std::optional<program_passes> passes_;  // nothing if nothing is computed again
  std::vector<double> seconds_;           // by instruction: of all runs in a step
  std::vector<double> again_in_;          // by computation: seconds of what it and those that it calls compute again
  std::vector<double> forward_in_;  // by computation: seconds of the forward pass in it and in those that it calls
  double seconds_of_all_ = 0;
  std::vector<place> places_;
  std::vector<reader> readers_;
  std::vector<id> operands_;  // of the readers, in their order
  std::vector<keepable_result> keeps_;
};

}  // namespace hlolint
