// What the rules about exposed transfers (COL001 to COL003) share: costs, the work that could hide a transfer, and
// advice.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/custom_call_work.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/independent_work.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/helper_module.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// A transfer that is worth a finding: by itself, or as the longest of the small ones of its kind.
struct reported_transfer {
  const exposed_transfer* of = nullptr;   ///< the transfer
  double exposed = 0;                     ///< seconds of a step, with the others
  bool is_small = false;                  ///< only worth one for its share of the step
  std::vector<hlo_instruction> others{};  ///< small ones of its kind
};

/// The transfers of one module as the rules about exposed time see them. Each run of a rule makes its own.
class exposure {
 public:
  explicit exposure(const context& dump) : exposure(dump, dump.get<exposed_time>()) {}
  /// The exposure on another device. Its times stay alive as long as this object.
  exposure(const context& dump, const exposed_time& time)
      : dump_(dump),
        time_(time),
        is_mostly_transfers_(time.step() > 0 && time.exposed() >= 0.9 * time.step() && !has_products(dump)),
        exposed_between_devices_(exposed_between_devices(time)) {}

  const exposed_time& time() const { return time_; }
  bool has_times() const { return !time_.on().is_relative(); }

  /// Bytes of the operands or of the result, whichever has more.
  std::optional<byte_count> bytes_of(const exposed_transfer& t) const {
    if (t.time.path == transfer_path::host) return clamp_to_int64(t.time.bytes);  // of a slice, what it moves
    const hlo_instruction transfer = time_.links().sources().transfer_of(t.start);
    if (!transfer) return std::nullopt;
    return t.start.opcode() == hlo_opcode::fusion ? transfer_bytes(transfer) : collective_bytes(t.start);
  }

  /// Whether a transfer is worth a finding: it moves enough bytes and, if times are known, costs enough time.
  bool counts(const exposed_transfer& t, byte_count min_bytes, double min_exposed_us) const {
    if (t.time.path == transfer_path::nothing && !t.computes) return false;
    if (!t.computes && bytes_of(t).value_or(0) < min_bytes) return false;
    return !has_times() || t.exposed * 1e6 >= min_exposed_us;
  }

  /// The transfers worth a finding among those that `of_rule` accepts, in text order. If times are known, so are small
  /// ones of which those of one kind cost a good share of a step together, as one; steps of 100 us and less are tests.
  template <class Accepts>
  std::vector<reported_transfer> worth_reporting(Accepts of_rule, byte_count min_bytes, double min_exposed_us) const {
    std::vector<reported_transfer> out;
    std::map<hlo_opcode, reported_transfer> small;
    for (const exposed_transfer& t : time_.transfers()) {
      if (!of_rule(t)) continue;
      if (counts(t, min_bytes, min_exposed_us)) {
        out.push_back({&t, t.exposed});
        continue;
      }
      const bool on_device = t.time.path == transfer_path::fast || t.time.path == transfer_path::network ||
                             t.time.path == transfer_path::memory;
      if (!has_times() || !t.in_step || t.computes || !on_device || t.exposed <= 0 || is_of_next_run(t.start)) continue;
      reported_transfer& kind = small[t.time.kind];
      const exposed_transfer* other = kind.of;
      if (!other || t.exposed > 1.001 * other->exposed)
        kind.of = &t;
      else
        other = &t;
      if (other) kind.others.push_back(other->start);
      kind.exposed += t.exposed, kind.is_small = true;
    }
    for (auto& [opcode, kind] : small)
      if (time_.step() * 1e6 > 2 * min_exposed_us && kind.exposed * 1e6 >= 0.2 * min_exposed_us && !is_little(kind))
        out.push_back(std::move(kind));
    std::ranges::sort(out, {}, [](const reported_transfer& r) { return r.of->start.id(); });
    return out;
  }

  /// `: 1.8 ms of 2.1 ms exposed x 9 iterations, 16 ms in a step`; only the iterations if times are not known or
  /// nothing is exposed.
  std::string cost_text(const exposed_transfer& t) const {
    const std::string repeated = repetition_text(dump_.get<loops>(), t.start.computation());
    if (!has_times() || t.exposed * 1e6 < 0.05) return repeated;
    std::string out = ": " + estimate_text(t.exposed_each());
    if (!t.synchronous) out += " of " + estimate_text(t.time.seconds());
    out += " exposed" + repeated;
    if (t.runs > 1.5) out += ", " + estimate_text(t.exposed) + " in a step";
    return out;
  }

  /// Whether a transfer is exposed by the order of the transfers, not for want of work. Of a tight one, the work beside
  /// it leaves up to a third exposed.
  static bool waits_for_others(const exposed_transfer& t) {
    const exposure_class overlap = t.overlap();
    const double more_than = overlap == exposure_class::tight ? 0.66 : 0.33;
    return overlap != exposure_class::exposed && t.exposed_each() > more_than * t.time.seconds();
  }

  /// Whether a transfer takes too small a part of the step to be more than a note.
  bool is_little(const reported_transfer& t) const { return t.exposed < small_share * time_.step(); }
  /// Whether a transfer takes so much of the step that it matters even if only sending less helps: alone, or as one of
  /// several that are no little ones.
  bool is_much(const reported_transfer& t) const {
    const double sum = is_little(t) ? t.exposed : std::max(t.exposed, exposed_between_devices_);
    return has_times() && sum >= large_share * time_.step();
  }
  /// Whether a transfer takes so much of the step of a device that is no guess that it is more than a note, although
  /// most of it is hidden.
  bool is_notable(const exposed_transfer& t) const {
    return has_times() && dump_.device_evidence().empty() && t.exposed * 1e6 >= notable_us &&
           t.exposed >= small_share * time_.step();
  }
  /// Whether the module does nothing but move arrays.
  bool is_mere_move() {
    if (!is_mere_move_) is_mere_move_ = time_.compute() < 0.01 * time_.step() && !has_arithmetic();
    return *is_mere_move_;
  }

  /// A finding about a transfer, with its bytes and how often it runs.
  finding finding_of(const reported_transfer& found, std::string message) {
    const exposed_transfer& t = *found.of;
    message += cost_text(t);
    if (!found.others.empty())
      append_to(message,
                {"; with ", counted(found.others.size(), "other"), " of its kind ", estimate_text(found.exposed)});
    if (found.is_small) append_to(message, {", ", share_text(found.exposed, time_.step()), " of the step"});
    finding d = finding_at(t.start, std::move(message) + " (" + position_text(t.start) + ")",
                           {.bytes = bytes_of(t), .runs = t.runs, .saves = {{.of = t.start, .by_overlap = true}}});
    for (const hlo_instruction other : found.others) {
      d.saves.push_back({.of = other, .by_overlap = true});
      if (d.saves.size() <= most_named) d.related.push_back(related_at(other, "another of its kind"));
    }
    if (found.is_small && (found.exposed < notable_share * time_.step() || !dump_.device_evidence().empty()))
      d.level = severity::note;
    if (&time_ != &dump_.get<exposed_time>()) d.impact = finding_impact{t.exposed, impact_unit::seconds};
    return d;
  }
  /// Adds level, advice and the work that could hide the transfer. Called last, so that nearer places come first.
  void add_remedy(const reported_transfer& found, finding& d) {
    const exposed_transfer& t = *found.of;
    const wasted_result* const wasted = dump_.get<wasted_results>().of(t.start);
    if (wasted && wasted->waste() >= much_wasted) {  // one cause, one finding
      d.level = severity::note;
      d.advice =
          "Most of what arrives is thrown away (COL016): with other shardings before and after, less or nothing is "
          "sent.";
      return;
    }
    if ((t.synchronous && is_mostly_transfers_) || is_helper_module(*dump_.hlo())) {
      d.level = severity::note;
      d.advice =
          "The module only moves data between devices. Place the array where it is used (out_shardings of what makes "
          "it, in_shardings of what reads it), or do it inside of a larger jit.";
      return;
    }
    if (looked_for_ == most_searches) return;
    ++looked_for_;
    if (!finder_) finder_.emplace(time_);
    const independent_work work = finder_->of(t);
    const double missing = t.exposed_each() > 0 ? t.exposed_each() : t.time.seconds();
    const double share = missing > 0 ? work.seconds / missing : 0;
    if (work.largest && (share >= worth_moving || work.ordered)) {
      std::string text = "independent of it";
      if (has_times()) text += ", " + estimate_text(work.largest_seconds) + " of work";
      text += work.ordered ? ", but tied to its place by control-predecessors" : ": could run beside it";
      d.related.push_back(related_at(work.largest, std::move(text)));
    }
    const std::string in(t.start.computation().name());
    if (share < 0.01) {
      const bool has_some = !t.synchronous && t.work_each() > 0.01 * t.time.seconds();
      d.message += has_some ? "; nothing more in " + in + " is independent of it"
                            : "; nothing in " + in + " is independent of it: a chain of dependencies";
      if (t.synchronous && !is_much(found)) d.level = severity::note;  // no schedule hides it
    } else if (share < enough)
      d.message += "; work in " + in + " that does not depend on it could hide " + share_text(share, 1) + " of that";
    if (share < worth_moving && (found.is_small ? !is_much(found) : is_little(found))) d.level = severity::note;
    const bool in_loop = bool(dump_.get<loops>().around(t.start.computation()));
    const bool much_around = work.in_computation >= enough * missing;
    const bool is_latency = has_times() && t.time.latency > 0.5 * t.time.seconds();
    if (share < enough && is_only_returned(t)) {
      d.advice =
          "What arrives is only a result of the program: with the sharding that it has before the transfer "
          "(out_shardings of jax.jit) nothing is sent.";
      return;
    }
    d.advice = advice(share >= enough          ? remedy::move
                      : much_around && in_loop ? remedy::pipeline
                      : is_latency             ? remedy::send_fewer
                      : much_around            ? remedy::cut
                                               : remedy::send_less,
                      share, t.time.kind);
  }

 private:
  static constexpr std::size_t most_named = 4;        ///< transfers of one finding
  static constexpr std::size_t most_searches = 2048;  ///< each takes a walk through the work of the computation
  static constexpr byte_count much_wasted = 16_MiB;   ///< what COL016 reports by default
  static constexpr double small_share = 0.05;         ///< of the step
  static constexpr double notable_share = 0.1;        ///< of the step: small transfers of less are notes
  static constexpr double large_share = 0.3;          ///< of the step
  static constexpr double notable_us = 50;            ///< less is a note
  static constexpr double enough = 0.5;               ///< share of the missing time: work that hides a good part
  static constexpr double worth_moving = 0.1;         ///< share of the missing time: work worth a line

  /// Whether a copy brings what the next run of the program reads first.
  static bool is_of_next_run(hlo_instruction start) {
    return start.attribute(attribute_key::cross_program_prefetch_index).has_value();
  }

  /// Whether a module multiplies matrices, looks rows up, or calls what may do so: then its transfers serve a
  /// computation.
  static bool has_products(const context& dump) {
    using enum hlo_opcode;
    const instructions_by_opcode& all = dump.get<instructions_by_opcode>();
    for (const hlo_opcode product : {dot, convolution, ragged_dot, gather})
      if (!all.of(product).empty()) return true;
    for (const hlo_instruction call : all.of(hlo_opcode::custom_call))
      if (const auto target = get<custom_call_target>(call); !target || !is_free_target(target->name)) return true;
    return false;
  }

  /// Whether an all-gather collects what the program only returns, moved at most.
  bool is_only_returned(const exposed_transfer& t) const {
    const hlo_instruction transfer = time_.links().sources().transfer_of(t.start);
    if (!transfer || collective_kind(transfer.opcode()) != hlo_opcode::all_gather) return false;
    using enum hlo_opcode;
    constexpr opcode_set moves{copy, copy_start, copy_done, bitcast, reshape, transpose, tuple, get_tuple_element};
    const hlo_instruction value = t.done ? t.done : t.start, root = dump_.hlo()->entry().root();
    if (value.is_root()) return value == root;
    return follow_uses(value, dump_.get<users>(), [&](instruction_use use) -> std::optional<hlo_instruction> {
      if (!moves.has(use.user.opcode()) || (use.user.is_root() && use.user != root)) return std::nullopt;
      return use.user == root ? hlo_instruction{} : use.user;
    });
  }

  static double exposed_between_devices(const exposed_time& time) {
    double sum = 0;
    for (const exposed_transfer& t : time.transfers())
      if (t.in_step && (t.time.path == transfer_path::fast || t.time.path == transfer_path::network)) sum += t.exposed;
    return sum;
  }

  /// Whether the step computes anything, looks anything up, or calls what may do so.
  bool has_arithmetic() const {
    if (!dump_.get<instructions_by_opcode>().of(hlo_opcode::gather).empty()) return true;
    for (const hlo_computation c : dump_.hlo()->computations()) {
      if (time_.runs_of(c) <= 0) continue;
      for (const hlo_instruction i : c.instructions())
        if (const work w = time_.work().work_of(i); w.flops > 0 || w.vector_ops > 0 || w.unknown) return true;
    }
    return false;
  }

  /// What to advise, by the work that could fill the missing time.
  enum class remedy : std::uint8_t {
    move,        ///< independent work of the same computation
    pipeline,    ///< work of other iterations of the loop
    cut,         ///< work that depends on it, once the transfer is in parts
    send_fewer,  ///< nothing for most of the time, which no smaller transfer shortens
    send_less    ///< too little work anywhere
  };

  /// The part of a GPU's option that pipelines loops around a kind of collective; empty if there is none.
  static constexpr std::string_view pipelined_kind(hlo_opcode kind) {
    return kind == hlo_opcode::all_gather       ? "all_gather"
           : kind == hlo_opcode::all_reduce     ? "all_reduce"
           : kind == hlo_opcode::reduce_scatter ? "reduce_scatter"
                                                : "";
  }

  /// The advice for the module's backend and framework, with the defaults of the flags that it names.
  std::string advice(remedy by, double share, hlo_opcode kind) const {
    if (by == remedy::move) return advice_to_move();
    std::string out = "Moving it is impossible: all other work around it makes its operand or needs its result. ";
    if (share >= 0.01)
      out = "Moving work beside it hides at most " + share_text(share, 1) +
            " of what is exposed: other work around it makes its operand or needs its result. ";
    const std::string less =
        is_torch() ? "mark the sharding so that less is sent." : "shard the arrays so that less is sent.";
    if (by == remedy::send_fewer)
      return out + "Most of its time is latency, whatever its size: send less often, or join it with other transfers.";
    if (by == remedy::send_less)
      return out + "There is too little work to hide it at all: send narrower elements, send less often, or " + less;
    out += by == remedy::pipeline
               ? "Pipeline the loop, so that it runs beside a neighboring iteration" + pipelining_option(kind)
               : "Cut the operand into parts, so that one part is computed while another is sent";
    return out + ", or " + less;
  }
  /// Where a scheduler could have moved work that is there. A flag that is on already is no advice.
  std::string advice_to_move() const {
    if (dump_.target() == target::gpu) {
      constexpr std::string_view scheduler = "xla_gpu_enable_latency_hiding_scheduler";
      if (is_off(dump_.flags(), scheduler))
        return str_cat(
            {"There is independent work, but the scheduler that would move it beside the transfer is off (--",
             scheduler, "=false)."});
      const std::string limits =
          "There is independent work: the memory limit of the latency hiding scheduler "
          "(--xla_gpu_memory_limit_slop_factor, default 95) or its estimates keep it away";
      if (is_on(dump_.flags(), scheduler)) return limits + ".";
      return str_cat(
          {limits, "; or it is off, as it is by default in older versions of XLA (--", scheduler, "=true)."});
    }
    if (dump_.target() != target::tpu)
      return "There is independent work: look at what the operand and the result wait for, and at "
             "control-predecessors.";
    constexpr std::string_view fusion = "xla_tpu_enable_async_collective_fusion";
    const std::string waits =
        "There is independent work that the scheduler did not place beside the transfer. Look at what its operand and "
        "its result wait for";
    if (is_on(dump_.flags(), fusion)) return waits + ".";
    return str_cat({waits, ", and at ", is_torch() ? "XLA_FLAGS" : "LIBTPU_INIT_ARGS", "=--", fusion,
                    "=true, which lets matrix products carry collectives on."});
  }
  /// The option of a GPU that pipelines loops around a kind of collective, unless it is on; else nothing.
  std::string pipelining_option(hlo_opcode kind) const {
    const std::string_view name = pipelined_kind(kind);
    if (dump_.target() != target::gpu || name.empty()) return {};
    const std::string option = str_cat({"xla_gpu_enable_pipelined_", name});
    const auto mode = dump_.flags().value(str_cat({"xla_gpu_pipeline_", name}));  // since 2026
    if (is_on(dump_.flags(), option) || (mode && mode->ends_with("_MODE_ON"))) return {};
    return " (--" + option + "=true; default: false)";
  }
  bool is_torch() const { return dump_.name().starts_with("SyncTensorsGraph"); }

  const context& dump_;
  const exposed_time& time_;
  const bool is_mostly_transfers_;                 // it only moves data between devices
  const double exposed_between_devices_;           // seconds of a step
  std::optional<bool> is_mere_move_;               // once it was asked for
  std::optional<independent_work_finder> finder_;  // made for the first remedy
  std::size_t looked_for_ = 0;
};

}  // namespace hlolint::detail
