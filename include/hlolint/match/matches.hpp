// The instructions of a module that match a pattern, with captures.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/match/pattern.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::match {

/// A match: an instruction and its captures.
class found {
 public:
  /// Keeps the captures.
  found(hlo_instruction i, std::vector<binding> captures) : is_(i), captures_(std::move(captures)) {}
  /// The matching instruction.
  hlo_instruction instruction() const { return is_; }
  /// A captured instruction; an empty view for an unbound name.
  hlo_instruction operator[](std::string_view held) const {
    for (const binding& b : captures_)
      if (b.name == held) return b.is;
    return {};
  }
  /// All captures, the first bound first.
  const std::vector<binding>& captures() const { return captures_; }

 private:
  hlo_instruction is_;
  std::vector<binding> captures_;
};

/// Calls `f(instruction, captures)` for every matching instruction, in text order, until it returns false or a match
/// took too many steps.
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

/// The matches in the module of a lint context or another analysis cache. Empty without HLO. Views are valid as long as
/// the module.
template <pattern P, analysis_cache Facts>
std::vector<found> matches(const P& p, const Facts& facts) {
  std::vector<found> out;
  if (!facts.hlo()) return out;
  match_state<Facts> state(facts);
  for_each_match(p, state, [&](hlo_instruction i, const std::vector<binding>& captures) {
    out.emplace_back(i, captures);
    return true;
  });
  return out;
}
/// The matches in a module. Predicates on time, schedule or memory need a context.
template <pattern P>
std::vector<found> matches(const P& p, const hlo_module& module) {
  static_assert(P::needs == knowledge::module,
                "this pattern asks for time, schedule or memory: pass a context instead of the module");
  if constexpr (P::needs == knowledge::module)
    return matches(p, module_facts(module));
  else
    return {};
}

}  // namespace hlolint::match
