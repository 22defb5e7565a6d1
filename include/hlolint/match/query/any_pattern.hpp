// Patterns whose type does not depend on what a query holds.
#pragma once

#include <hlolint/match/pattern.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hlolint::match {

/// A pattern of any kind, for one kind of facts. Copies share it.
template <class Facts>
class any_pattern : public pattern_base {
 public:
  /// Not known before the query is read.
  static constexpr knowledge needs = knowledge::context;
  /// Takes the pattern over.
  template <pattern P>
  requires(!std::is_same_v<P, any_pattern>) any_pattern(P p)
      : self_(std::make_shared<const P>(std::move(p))),
        match_([](const void* self, hlo_instruction i, match_state<Facts>& state, next_step next) {
          return static_cast<const P*>(self)->match(i, state, next);
        }) {}
  /// See `pattern_base`.
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return match_(self_.get(), i, state, next);
  }

 private:
  std::shared_ptr<const void> self_;
  bool (*match_)(const void*, hlo_instruction, match_state<Facts>&, next_step);
};

namespace detail {

template <class Facts>
struct operand_list : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  record_list<optional<any_pattern<Facts>>> list;  // nothing: `...`
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return match_operands(
        i, state, list.size(), [&](std::size_t k) { return !list[k]; },
        [&](std::size_t k, hlo_instruction operand, next_step then) { return list[k]->match(operand, state, then); },
        next);
  }
};

template <class Facts>
struct named_capture : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  std::string_view name;
  any_pattern<Facts> inner;
  named_capture(std::string_view n, any_pattern<Facts> p) : name(n), inner(std::move(p)) {}
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return inner.match(i, state, [&] { return state.bind(name, i, next); });
  }
};

/// The pattern for what a capture holds; for the instruction itself where none is named.
template <class Facts>
struct of_capture : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  std::string_view name;
  any_pattern<Facts> inner;
  of_capture(std::string_view n, any_pattern<Facts> p) : name(n), inner(std::move(p)) {}
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    const hlo_instruction subject = name.empty() ? i : state.captured(name);
    return subject && inner.match(subject, state, next);
  }
};

/// Notes which step did not match.
template <class Facts>
struct noted_step : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  std::string_view text;
  any_pattern<Facts> inner;
  noted_step(std::string_view t, any_pattern<Facts> p) : text(t), inner(std::move(p)) {}
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    bool matched = false;
    const bool found = inner.match(i, state, [&] {
      matched = true;
      return state.matched(next);
    });
    if (!matched) state.failed(text, i);
    return found;
  }
};

}  // namespace detail

}  // namespace hlolint::match
