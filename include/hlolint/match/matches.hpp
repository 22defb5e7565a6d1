// All instructions of a module that a pattern matches, with their captures.
#pragma once

#include <hlolint/analysis/analysis_store.hpp>
#include <hlolint/match/pattern.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace hlolint::match {

/// One match: an instruction, and what its captures hold.
class found {
 public:
  /// Takes a copy of the captures.
  found(hlo_instruction i, record_list<binding> captures) : is_(i), captures_(std::move(captures)) {}
  /// The instruction that the pattern matches.
  hlo_instruction instruction() const { return is_; }
  /// What a capture holds; an empty view for a name that is not bound.
  hlo_instruction operator[](std::string_view held) const {
    for (const binding& b : captures_)
      if (b.name == held) return b.is;
    return {};
  }
  /// All captures, the first bound first.
  const record_list<binding>& captures() const { return captures_; }

 private:
  hlo_instruction is_;
  record_list<binding> captures_;
};

/// Calls `f(instruction, captures)` for every instruction that matches, in text order, until it returns false or a
/// match took too many steps.
template <class P, class Facts, class F>
void for_each_match(const P& p, match_state<Facts>& state, F&& f) {
  for (const hlo_instruction i : state.facts().hlo()->instructions()) {
    state.start();
    bool go_on = true;
    p.match(i, state, [&] {
      go_on = f(i, state.captures());
      return true;
    });
    if (!go_on || state.exhausted()) return;
  }
}

/// What matches in a module that a lint context, or any other analysis cache, is about. Empty without HLO. Views are
/// valid as long as the module.
template <pattern P, analysis_cache Facts>
record_list<found> matches(const P& p, const Facts& facts) {
  record_list<found> out;
  if (!facts.hlo()) return out;
  match_state<Facts> state(facts);
  for_each_match(p, state, [&](hlo_instruction i, const record_list<binding>& captures) {
    out.emplace_back(i, captures);
    return true;
  });
  return out;
}
/// What matches in a module alone. Predicates on time, schedule or memory need a context.
template <pattern P>
record_list<found> matches(const P& p, const hlo_module& module) {
  static_assert(P::needs == knowledge::module,
                "this pattern asks for time, schedule or memory: pass a context instead of the module");
  if constexpr (P::needs == knowledge::module)
    return matches(p, module_facts(module));
  else
    return {};
}

}  // namespace hlolint::match
