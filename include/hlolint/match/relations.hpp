// Patterns on the surroundings of an instruction: operands, users, bodies, and paths.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/match/pattern.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace hlolint::match {

namespace detail {
/// The relation of an instruction to those that the inner pattern matches.
enum class relation : std::uint8_t { operand, user, body, parameter };

/// The parameter of a called computation that receives a used value; an empty view if there is none.
inline hlo_instruction parameter_of_use(instruction_use use, std::size_t at, const computation_parameters& all) {
  const hlo_computation called = use.user.called_computation(at);
  if (!called) return {};
  using enum hlo_opcode;
  const hlo_opcode op = use.user.opcode();
  if (op == async_start || op == call || op == fusion) return all.of(called, use.operand);
  // The first operand of a conditional selects; each branch gets one of the others.
  const bool gets_it = op == while_ || (op == conditional && use.operand == at + 1);
  return gets_it ? all.of(called, 0) : hlo_instruction{};
}

template <relation Is, pattern P>
struct related : pattern_base {
  static constexpr knowledge needs = P::needs;
  P inner;
  constexpr explicit related(P p) : inner(std::move(p)) {}
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    const auto fits = [&](hlo_instruction other) { return other && state.step() && inner.match(other, state, next); };
    if constexpr (Is == relation::operand) {
      for (const hlo_instruction other : i.operands())
        if (fits(other)) return true;
    } else if constexpr (Is == relation::user) {
      for (const instruction_use use : state.facts().template get<users>().of(i))
        if (fits(use.user)) return true;
    } else if constexpr (Is == relation::parameter) {
      const auto& parameters = state.facts().template get<computation_parameters>();
      for (const instruction_use use : state.facts().template get<users>().of(i))
        for (std::size_t k = 0; k < use.user.called_computation_count(); ++k)
          if (fits(parameter_of_use(use, k, parameters))) return true;
    } else {
      for (const hlo_computation called : i.called_computations())
        for (std::size_t k = 0; called && k < called.instruction_count(); ++k)
          if (fits(called.instruction(k))) return true;
    }
    return false;
  }
};

template <bool Backwards, pattern P>
struct path : pattern_base {
  static constexpr knowledge needs = P::needs;
  P inner;
  std::uint32_t most;
  constexpr path(P p, std::uint32_t within) : inner(std::move(p)), most(within) {}
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    if (!state.step()) return false;
    const dependence_graph::distances* const far = state.distances(this, [&] {
      std::vector<id> ends;
      match_state<Facts> own(state.facts());
      for (const hlo_instruction end : state.facts().hlo()->instructions()) {
        own.start();
        if (inner.match(end, own, [] { return true; })) ends.push_back(end.id());
      }
      if (own.exhausted()) state.give_up();
      const auto& graph = state.facts().template get<dependence_graph>();
      return Backwards ? graph.from(ends, most) : graph.to(ends, most);
    });
    if (!far || far->of(i) == dependence_graph::unreachable) return false;
    // Binds the captures of the inner pattern.
    return inner.match(far->nearest(i), state, next);
  }
};

template <pattern Between, pattern P>
struct through : pattern_base {
  static constexpr knowledge needs = Between::needs | P::needs;
  static constexpr int most = 64;  // steps
  Between between;
  P inner;
  constexpr through(Between b, P p) : between(std::move(b)), inner(std::move(p)) {}
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    hlo_instruction at = i;
    for (int k = 0; at && k <= most; ++k) {
      if (!state.step()) return false;
      if (inner.match(at, state, next)) return true;
      if (at.operand_count() == 0 || !between.match(at, state, [] { return true; })) return false;
      at = at.operand(0);
    }
    return false;
  }
};
}  // namespace detail

/// Any number of steps.
inline constexpr std::uint32_t any_distance = std::numeric_limits<std::uint32_t>::max();

/// Some operand matches.
template <pattern P>
constexpr auto some_operand(P p) {
  return detail::related<detail::relation::operand, P>(std::move(p));
}
/// Some user matches.
template <pattern P>
constexpr auto some_user(P p) {
  return detail::related<detail::relation::user, P>(std::move(p));
}
/// The parameter that receives it in a fusion, loop, branch or call matches.
template <pattern P>
constexpr auto enters(P p) {
  return detail::related<detail::relation::parameter, P>(std::move(p));
}
/// Some instruction of a called computation, such as the body of a fusion or loop, matches.
template <pattern P>
constexpr auto body(P p) {
  return detail::related<detail::relation::body, P>(std::move(p));
}
/// It depends on a matching instruction, through tuples, loops, calls and fusions, within the given steps. The pattern
/// is matched on its own; its captures are those of the nearest match, of equally near ones the first in the text.
/// Linear for all instructions of a module together.
template <pattern P>
constexpr auto depends_on(P p, std::uint32_t within = any_distance) {
  return detail::path<true, P>(std::move(p), within);
}
/// A matching instruction depends on it.
template <pattern P>
constexpr auto reaches(P p, std::uint32_t within = any_distance) {
  return detail::path<false, P>(std::move(p), within);
}
/// maybe(bitcast | copy, dot): a dot, or one behind any number of bitcasts and copies, along first operands.
template <pattern Between, pattern P>
constexpr auto maybe(Between between, P p) {
  return detail::through<Between, P>(std::move(between), std::move(p));
}

}  // namespace hlolint::match
