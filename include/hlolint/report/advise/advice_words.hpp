// How to get an edit of a schedule, in words (advise.md 8).
#pragma once

#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

namespace hlolint::report {

/// `fusion.3 and 2 more`
inline std::string moved_text(const advise::schedule_edit& edit) {
  std::string out = edit.instructions.front();
  if (const std::size_t more = edit.instructions.size() - 1; more > 0) out += " and " + std::to_string(more) + " more";
  return out;
}

/// What the edit does: `fusion.3 moves from place 4 to before dot.1 in entry`.
inline std::string edit_text(const advise::schedule_edit& edit) {
  const std::string where = edit.before.empty() ? "the end" : edit.before;
  const std::string_view in = edit.computation;
  if (edit.kind == advise::edit_kind::recompute)
    return str_cat({moved_text(edit), " is computed again before ", where, " in ", in});
  return str_cat({moved_text(edit), edit.from < edit.to ? " runs later" : " runs earlier", ", right before ", where,
                  " (place ", edit.from, " to ", edit.to, " of ", in, ")"});
}

/// What a user can do to get it.
inline std::string how_to_get(const advise::schedule_edit& edit, target on) {
  if (edit.kind == advise::edit_kind::recompute)
    return "Put jax.checkpoint (or a policy that does not save this value) around what makes the value, or write the "
           "expression a second time behind jax.lax.optimization_barrier, so that XLA does not merge the two again.";
  if (edit.is_packing)
    return "The bytes are lost between buffers that this XLA packs; another order packs them without loss. It is "
           "fragile: report it to XLA as a matter of its scheduler, with the text below.";
  std::string out;
  if (on == target::cpu)
    out = "XLA for CPU orders for concurrency: --xla_cpu_enable_concurrency_optimized_scheduler=false, or since 2025 "
          "--xla_cpu_scheduler_type=CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED, orders for memory. ";
  else if (on == target::gpu && edit.crosses_effects)
    out = "XLA's latency hiding scheduler put it there: a smaller --xla_gpu_memory_limit_slop_factor (default 95), or "
          "since July 2026 --xla_gpu_experimental_scheduler_memory_fencing_threshold_bytes (default -1, off), makes it "
          "keep to less memory. ";
  const std::size_t distance = edit.from < edit.to ? edit.to - edit.from : edit.from - edit.to;
  if (distance > 8 && !edit.source.empty())
    out += "In the program, tie the value to what runs beside it with jax.lax.optimization_barrier, or compute it in a "
           "jax.custom_vjp step of its own; else it is a matter of XLA's scheduler: report it.";
  else
    out += "The program cannot say it better than with jax.lax.optimization_barrier between the two results; it is a "
           "matter of XLA's scheduler: report it.";
  return out;
}

/// A text for a report to XLA.
inline std::string bug_report(const advise::schedule_edit& edit, std::string_view module) {
  return str_cat({"In module ", module, ", computation ", edit.computation, ": if ", moved_text(edit),
                  edit.kind == advise::edit_kind::recompute ? " is computed again right before "
                  : edit.from < edit.to                     ? " is scheduled later, right before "
                                                            : " is scheduled earlier, right before ",
                  edit.before.empty() ? std::string("the end") : edit.before, ", buffer assignment takes ",
                  human(edit.need_after), " instead of ", human(edit.need_before),
                  ". All dependences, the order of effects and of writes in place are kept."});
}

}  // namespace hlolint::report
