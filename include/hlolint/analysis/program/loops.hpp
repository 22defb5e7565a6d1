// Which while loops run a computation, and how often.
#pragma once

#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/bytes.hpp>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlolint {

/// `known_trip_count` of a while's `backend_config`; nothing if XLA does not give it.
inline std::optional<std::int64_t> known_trip_count(hlo_instruction loop) {
  const auto config = get<backend_config>(loop);
  const auto text = config ? json_find(config->text, "known_trip_count", "n") : std::nullopt;
  std::int64_t count = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), count).ec != std::errc{} || count < 0)
    return std::nullopt;
  return count;
}

/// How often something runs for one run of the program. Loops whose count is not known count once.
struct repetition {
  std::int64_t times = 1;  ///< the product of the known counts of the loops around it
  bool exact = true;  ///< false: at least one loop around it has no known count
  friend bool operator==(const repetition&, const repetition&) = default;
};

/// The loops around every computation of a module.
class loops {
 public:
  /// Linear in the module.
  explicit loops(const hlo_module& module) : module_(module), of_(module.computation_count()) {
    const calling_instructions calling(module);
    for (const hlo_computation caller : callers_first(calling)) {
      const place own = of_[caller.id()];
      for (const id at : calling.in(caller)) {
        const hlo_instruction i = module.instruction(at);
        place inside = own;
        if (i.opcode() == hlo_opcode::while_) {
          const auto count = known_trip_count(i);
          inside.loop = i.id();
          inside.runs.times = checked_multiply(own.runs.times, count.value_or(1)).value_or(own.runs.times);
          inside.runs.exact = own.runs.exact && count;
        }
        for (const hlo_computation called : i.called_computations()) {
          if (!called) continue;
          place& known = of_[called.id()];
          if (known.loop == none || known.runs.times < inside.runs.times) known = inside;
        }
      }
    }
  }

  /// The innermost while around a computation, directly or through whatever calls it; an empty view outside of loops.
  /// Of several callers the one that runs it most often counts.
  hlo_instruction around(hlo_computation c) const {
    return of_[c.id()].loop == none ? hlo_instruction{} : module_.instruction(of_[c.id()].loop);
  }
  /// Product of the counts of all loops around it.
  repetition runs_of(hlo_computation c) const { return of_[c.id()].runs; }

 private:
  struct place {
    id loop = none;
    repetition runs;
  };

  hlo_module module_;
  std::vector<place> of_;  // by computation
};

/// ` x 24 iterations`, ` in each iteration` (count not known), or nothing outside of loops and for one iteration.
inline std::string repetition_text(const loops& all_loops, hlo_computation c) {
  if (!all_loops.around(c)) return {};
  const repetition runs = all_loops.runs_of(c);
  if (runs.times != 1) return (runs.exact ? " x " : " x at least ") + std::to_string(runs.times) + " iterations";
  return runs.exact ? std::string{} : " in each iteration";
}

/// Bytes of all runs together; nothing beyond int64.
inline std::optional<byte_count> repeated_bytes(const loops& all_loops, hlo_computation c, byte_count once) {
  return checked_multiply(once, all_loops.runs_of(c).times);
}

}  // namespace hlolint
