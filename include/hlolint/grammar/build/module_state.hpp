// What the parts of the builder share: the text, the pools of the module that is being filled, the computations and
// instructions that are being read, what could not be read, and the diagnostics.
#pragma once

#include <hlolint/grammar/build/messages.hpp>
#include <hlolint/grammar/build/module_pools.hpp>
#include <hlolint/grammar/build/open_computation.hpp>
#include <hlolint/grammar/build/pending.hpp>
#include <hlolint/grammar/build/recovery.hpp>
#include <hlolint/grammar/build/text_places.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace hlolint::build {

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
