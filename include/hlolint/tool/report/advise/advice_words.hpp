// How to get an edit of a schedule, in words (advise.md 8).
#pragma once

#include <hlolint/analysis/device/compiler_flags.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// `fusion.3 and 2 more`
inline std::string moved_text(const advise::schedule_edit& edit) {
  std::string out = edit.chief;
  out += and_more(edit.instructions.size(), 1);
  return out;
}

/// All that move, or the first eight of many: `fusion.3, copy.1 and dot.2`.
inline std::string listed_text(const advise::schedule_edit& edit) {
  constexpr std::size_t most = 8;
  const std::size_t count = edit.instructions.size(), shown = count > most ? most : count;
  std::string out;
  for (std::size_t k = 0; k < shown; ++k)
    out += str_cat({k == 0 ? "" : k + 1 == count ? " and " : ", ", edit.instructions[k]});
  return out + and_more(count, shown, " ", " (the JSON lists them)");
}

/// What the edit does: `fusion.3 moves from place 4 to before dot.1 in entry`.
inline std::string edit_text(const advise::schedule_edit& edit) {
  const std::string where = edit.before.empty() ? "the end" : edit.before;
  const std::string_view in = edit.computation;
  if (edit.kind == advise::edit_kind::recompute)
    return str_cat({moved_text(edit), " is computed again before ", where, " in ", in});
  return str_cat({moved_text(edit), edit.instructions.size() > 1 ? " run " : " runs ",
                  edit.from < edit.to ? "later" : "earlier", ", right before ", where, " (place ", edit.from, " to ",
                  edit.to, " of ", in, ")"});
}

namespace detail {

// Whether XLA's latency hiding scheduler is on.
inline bool hides_latency(const compiler_flags& flags) {
  return is_on(flags, "xla_gpu_enable_latency_hiding_scheduler");
}

// What of the compiler decides it, with the flags that can be set: the default of each, and since when there is one.
// Flags that the program was compiled with are left out.
inline std::string scheduler_text(const advise::schedule_edit& edit, target on, const compiler_flags& flags) {
  if (on == target::cpu) {
    if (flags.value("xla_cpu_scheduler_type") == "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED") return {};
    return "XLA for CPU orders for concurrency (breadth first). "
           "--xla_cpu_scheduler_type=CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED (since the end of 2025; before that "
           "--xla_cpu_enable_concurrency_optimized_scheduler=false, which does nothing any more) orders for memory "
           "(depth first). That is another order than this one, which may need more: compile and compare.";
  }
  if (on != target::gpu || !edit.may_hide_transfers) return {};
  if (edit.is_product && edit.crosses_loop)
    return "XLA's latency hiding scheduler put this matrix product off behind a loop, which it does not look into. "
           "--xla_gpu_memory_limit_slop_factor=N (default 95, percent of the free memory) makes it keep to less "
           "memory; since July 2026 --xla_gpu_experimental_scheduler_memory_fencing_threshold_bytes=N (default -1, "
           "off) fences values of N bytes and more.";
  if (edit.crosses_effects)
    return str_cat(
        {"XLA's latency hiding scheduler ",
         hides_latency(flags) ? "" : "(--xla_gpu_enable_latency_hiding_scheduler, off by default in older versions) ",
         "put it there to hide a transfer. --xla_gpu_memory_limit_slop_factor=N (default 95, percent "
         "of the free memory) makes it keep to less memory; since July 2026 "
         "--xla_gpu_experimental_scheduler_memory_fencing_threshold_bytes=N (default -1, off) fences values of N "
         "bytes and more."});
  return {};
}

}  // namespace detail

/// What a user can do to get it: a change of the program, a flag of the compiler that is not set yet, or a report to
/// XLA.
inline std::string how_to_get(const advise::schedule_edit& edit, target on,
                              advise::objective wanted = advise::objective::memory, const compiler_flags& flags = {}) {
  if (wanted == advise::objective::time)
    return str_cat({on != target::gpu ? ""
                    : detail::hides_latency(flags)
                        ? "XLA's latency hiding scheduler decides it; "
                        : "XLA's latency hiding scheduler decides it (--xla_gpu_enable_latency_hiding_scheduler=true, "
                          "off by default in older versions); ",
                    on == target::gpu
                        ? "with a profile of the program (--xla_gpu_pgle_profile_file_or_directory_path, default "
                          "none, or JAX_ENABLE_PGLE=true) it has the times that it needs for this. "
                        : "",
                    "In the program, jax.lax.optimization_barrier over the operands of the transfer and of the work "
                    "ties what should run beside each other. Else it is a matter of XLA's scheduler: report it."});
  if (edit.kind == advise::edit_kind::recompute)
    return "Put jax.checkpoint (or a policy that does not save this value) around what makes the value, or write the "
           "expression a second time behind jax.lax.optimization_barrier, so that XLA does not merge the two again.";
  if (edit.is_packing)
    return str_cat({human(edit.need_before - edit.need_after),
                    " are lost between buffers that this XLA packs; another order of ", moved_text(edit), " and ",
                    edit.before.empty() ? std::string("what stands there") : edit.before,
                    " packs without the loss. It is fragile: no flag and no line of the program decides it. It is a "
                    "matter of XLA: report it with the text below."});
  std::string out = detail::scheduler_text(edit, on, flags);
  if (!out.empty()) out += ' ';
  const std::size_t distance = edit.from < edit.to ? edit.to - edit.from : edit.from - edit.to;
  if (edit.is_product && edit.crosses_loop)
    out +=
        "In the program, compute this product in a step of its own (jax.custom_vjp), and tie its result to the "
        "loop's input with jax.lax.optimization_barrier, so that it runs before the loop.";
  else if (distance > 8 && !edit.source.empty())
    out +=
        "In the program, tie the value to what runs beside it with jax.lax.optimization_barrier, or compute it in a "
        "jax.custom_vjp step of its own. Where that does not help, report it with the text below: XLA's scheduler "
        "decides.";
  else
    out +=
        str_cat({"The program can do no more than tie the two together, ", edit.chief, " and ",
                 edit.before.empty() ? std::string("what stands there") : edit.before,
                 ", with jax.lax.optimization_barrier over what the first to run makes and what the other reads. XLA's "
                 "scheduler decides the rest: report it with the text below."});
  return out;
}

/// What a user can do to give arguments away.
inline constexpr std::string_view how_to_donate =
    "Name them in jax.jit(..., donate_argnums=...) if the caller does not read them after the call: state that a step "
    "replaces, caches, optimizer state. XLA then puts the results where they lie. Weights that are used again must not "
    "be given away.";

/// `1.00GiB: 3.00GiB to 2.00GiB`: the difference, and the bytes before and after.
inline std::string saved_text(byte_count before, byte_count after) {
  return str_cat({human(before - after), ": ", human(before), " to ", human(after)});
}

/// `parameter 3 (state.w, f32[1024]{0}) to output {1}; parameter 4 ...`, at most `most` of them.
inline std::string donated_arguments_text(const advise::donation_advice& donation, std::size_t most = 4) {
  std::string out;
  for (std::size_t k = 0; k < donation.arguments.size() && k < most; ++k) {
    const advise::donated_argument& one = donation.arguments[k];
    out +=
        str_cat({k == 0 ? "" : "; ", "parameter ", static_cast<std::size_t>(one.parameter), " (",
                 one.source.empty() ? one.name : one.source, ", ", one.shape, ") to output ", to_string(one.output)});
  }
  out += and_more(donation.arguments.size(), most, "; ");
  return out;
}
/// What donated arguments save.
inline std::string donation_text(const advise::donation_advice& donation) {
  std::string out = saved_text(donation.need_before, donation.need_after);
  append_to(out, {" (", certainty_text(donation.promise)});
  if (donation.promise != certainty::proven)
    append_to(out, {", at most ", human(donation.need_before - donation.least_after)});
  return str_cat({out, "), if the caller gives away ", donated_arguments_text(donation)});
}

/// What a change of the program does: `fusion.3 becomes 2 fusions in entry: a, b`.
inline std::string change_text(const advise::program_change& change) {
  if (change.kind != advise::change_kind::split)
    return str_cat({change.instruction, " in ", change.computation, " is stored as ", change.becomes, " (",
                    human(change.bytes_after), ") instead of ", change.shape, " (", human(change.bytes), ")"});
  std::string out = str_cat({change.instruction, " in ", change.computation, " (results of ", human(change.bytes),
                             ") becomes ", change.parts.size(), " fusions, in the order "});
  for (std::size_t k = 0; k < change.parts.size(); ++k) out += (k == 0 ? "" : ", ") + change.parts[k];
  if (change.repeated == 0 && change.read_again == 0) return out;
  out += "; ";
  if (change.repeated > 0)
    out += str_cat(
        {change.repeated, change.repeated == 1 ? " operation is" : " operations are", " computed more than once"});
  if (change.read_again > 0)
    out += str_cat({change.repeated > 0 ? ", " : "", human(change.read_again), " are read again each time it runs"});
  return out;
}
/// What a change of the program saves, in the text that the changes before it have led to.
inline std::string change_saving_text(const advise::program_change& change) {
  if (change.need_after >= change.need_before) return "nothing by itself; a later change needs it";
  return saved_text(change.need_before, change.need_after);
}
/// What a user can do to get a change.
inline std::string how_to_change(const advise::program_change& change, target on) {
  switch (change.kind) {
    case advise::change_kind::narrow:
      return str_cat(
          {"All that reads it converts it at once, so the results are the same to the bit. XLA puts the "
           "conversion into each reader; to keep it where the value is made, store the value as ",
           change.becomes.substr(0, change.becomes.find('[')),
           " in the program: jax.lax.optimization_barrier(x.astype(...)), or for a value that is saved for "
           "the backward pass, name the converted one (checkpoint_name) in the policy of jax.checkpoint."});
    case advise::change_kind::layout:
      return "Let a long dimension be the minor one where the program makes the value (swap the dimensions, or merge "
             "short ones into their neighbors), or ask for the order with "
             "jax.experimental.layout.with_layout_constraint. The estimate has a copy to this layout at the end of "
             "what makes the value, and one back at the beginning of what reads it.";
    case advise::change_kind::split: break;
  }
  return str_cat(
      {"Each result can then take the bytes of an operand that nothing later reads. XLA merged them: in "
       "the program, tie the operands of one result to another result with "
       "jax.lax.optimization_barrier, so that they cannot run in one fusion",
       on == target::gpu ? "; to see what it comes to in the whole module, "
                           "--xla_disable_hlo_passes=multi_output_fusion (default: none) keeps XLA from "
                           "merging any."
                         : "."});
}

namespace detail {

// What one edit does, for a report: `fusion.3 (place 4 of computation main) is scheduled later, right before dot.1`.
inline std::string reported_edit(const advise::schedule_edit& edit) {
  const bool again = edit.kind == advise::edit_kind::recompute, one = edit.instructions.size() == 1;
  return str_cat({listed_text(edit), one ? " (place " : " (from place ", edit.from, " of computation ",
                  edit.computation, one ? ") is " : ") are ",
                  again                 ? "computed again"
                  : edit.from < edit.to ? "scheduled later"
                                        : "scheduled earlier",
                  ", right before ", edit.before.empty() ? "the end" : edit.before});
}

// The edits that one report is about: edit number `at`, and those before it that save nothing without it.
struct reported_edits {
  std::size_t begin = 0, count = 0;  // no edits: nothing is to be reported here
  byte_count before = 0;             // bytes that the module needs without them
  bool move = false;                 // one of them moves instructions, which the scheduler of XLA could do
};
inline reported_edits edits_to_report(const std::vector<advise::schedule_edit>& edits, std::size_t at) {
  reported_edits out{0, 0, edits[0].need_before, false};
  for (std::size_t k = 0; k < at; ++k)
    if (edits[k].need_after < out.before) out.begin = k + 1, out.before = edits[k].need_after;
  if (edits[at].need_after >= out.before) return {};
  out.count = at + 1 - out.begin;
  for (std::size_t k = out.begin; k <= at; ++k) out.move |= edits[k].kind == advise::edit_kind::move;
  return out;
}

}  // namespace detail

/// A text for a report to XLA about the edit with this number, from 0. Edits that save nothing by themselves are part
/// of the report of the edit that needs them, and have no text of their own.
inline std::string bug_report(const advise::schedule_advice& advice, std::size_t at, std::string_view module) {
  const advise::schedule_edit& edit = advice.edits[at];
  const std::string begin = str_cat({"In module ", module, ": if "});
  if (advice.wanted == advise::objective::time) {
    return str_cat({begin, detail::reported_edit(edit), ", it runs beside a transfer that nothing hides now: ",
                    duration_text(-edit.extra_exposed), " less of a step, by estimate."});
  }
  const detail::reported_edits reported = detail::edits_to_report(advice.edits, at);
  if (reported.count == 0) return {};
  std::string out = begin;
  byte_count freed = 0;
  for (std::size_t k = reported.begin; k <= at; ++k) {
    if (k > reported.begin) out += k == at ? ", and " : ", ";
    out += detail::reported_edit(advice.edits[k]);
    freed += advice.edits[k].freed_bytes;
  }
  out += str_cat({", buffer assignment takes ", human(edit.need_after), " instead of ", human(reported.before)});
  if (edit.is_packing) {
    out += ", with the same bytes live: the heap packs them without a gap";
  } else if (!edit.frees.empty()) {
    out += str_cat({": ", edit.frees, ", ", human(edit.freed_bytes), ", is not live in between"});
    if (reported.before - edit.need_after > freed) out += ", and the heap packs other buffers with less between them";
  }
  return out + ". All dependences, the order of effects and of writes in place are kept.";
}

}  // namespace hlolint::report
