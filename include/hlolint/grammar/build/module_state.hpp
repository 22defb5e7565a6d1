// What the parts of the builder share: the text, the pools of the module that is being filled, the computations and
// instructions that are being read, what could not be read, and the diagnostics.
#pragma once

#include <hlolint/grammar/build/messages.hpp>
#include <hlolint/grammar/build/module_pools.hpp>
#include <hlolint/grammar/build/open_computation.hpp>
#include <hlolint/grammar/build/pending.hpp>
#include <hlolint/grammar/build/text_places.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace hlolint::build {

/// What could not be read so far, and where reading goes on (hlo_text.md 12).
struct recovery {
  // -------------------- the module
  std::size_t margin = 0;               ///< indentation of the computation or module that is being read
  bool left_out = false;                ///< lines of the text were left out: an undefined name proves nothing
  bool lost_computation_names = false;  ///< the name of a computation may have been misread
  bool cut = false;                     ///< the text ends inside the module
  bool head_moved = false;              ///< the next computation's first instruction came before its head
  // -------------------- the outermost computation
  bool headless = false;         ///< it has no head, or one that cannot be read
  bool brace_too_early = false;  ///< its closing brace came before its last instruction
  bool just_lost = false;        ///< the instruction before this place could not be read
  bool rest_is_lost = false;     ///< nothing can be read from the lost instruction to the end of the text
  bool string_too_long = false;  ///< a string after the closing brace runs into the next line
  bool touched_end = false;      ///< the last instruction reaches the end of the text
  // -------------------- the instruction that was lost last
  std::uint32_t lost_at = 0;     ///< where it begins
  std::uint32_t resume_at = 0;   ///< reading does not go on before this place
  bool lost_at_end = false;      ///< it may be cut off by the end of the text
  bool lost_opens_body = false;  ///< its first line ends in `{`

  void begin_module(std::size_t indentation) {
    *this = {.margin = indentation, .left_out = left_out, .lost_computation_names = left_out};
  }
  void begin_computation(std::size_t indentation) {
    *this = {.margin = indentation, .left_out = left_out, .lost_computation_names = lost_computation_names, .cut = cut};
  }
};

struct module_state {
  using context_tag = module_builder;

  module_state(source from, parse_state& with) : state(with), text(std::move(from)), pools(text.whole()) {}
  module_state(const module_state&) = delete;
  module_state& operator=(const module_state&) = delete;

  parse_state& state;
  text_places text;
  module_pools pools;
  open_computations open{text.whole()};
  pending_parts pending;
  build::recovery recovery;
  build::messages messages{state, text, pools, open};
  std::uint32_t end = 0;  ///< the end of the last part that was read

  void open_module() {
    pools.open(text.source());
    messages.open_module();
    open.forget();
    state.depth = 0;
  }
  open_computation& open_at(std::string_view where) { return open.add(text.offset(where), pools.data->instructions); }
  pending_mark here() const {
    return {open.count(),
            pending.instructions.size(),
            pending.operands.size(),
            pending.attributes.size(),
            pending.calls.size(),
            state.broken.size(),
            state.depth};
  }
  /// Drops all parts that were begun after the mark.
  void rewind(const pending_mark& to) {
    open.drop(to.open);
    pending.instructions.resize(to.pending);
    pending.operands.resize(to.operands);
    pending.attributes.resize(to.attributes);
    pending.calls.resize(to.calls);
    state.broken.resize(to.broken);
    state.depth = to.depth;
  }
  /// Moves the pending calls from number `first` on into the pool.
  id_range move_calls(std::size_t first) {
    const id_range range = pools.add_calls(pending.calls, first);
    pending.calls.resize(first);
    return range;
  }
  /// Makes up the name of a computation that is not written or has no name.
  void name_nothing(open_computation& c) {
    c.name = {};
    c.record.anonymous = true;
    c.record.name = pools.synthesize_name("_");
  }
};

}  // namespace hlolint::build
