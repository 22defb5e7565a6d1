// Patterns of which a compiled query is made: type-erased ones, and tests of shape, opcode, attributes and arguments.
#pragma once

#include <hlolint/match/pattern.hpp>
#include <hlolint/tool/query/query.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::match {

/// A type-erased pattern for one type of facts. Copies share the pattern.
template <class Facts>
class any_pattern : public pattern_base {
 public:
  /// Known only once the query is read.
  static constexpr knowledge needs = knowledge::context;
  /// Takes ownership of the pattern.
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
  std::vector<std::optional<any_pattern<Facts>>> list;  // nothing: `...`
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return match_operands(
        i, state, list.size(), [&](std::size_t k) { return !list[k]; },
        [&](std::size_t k, hlo_instruction operand, next_step then) { return list[k]->match(operand, state, then); },
        next);
  }
};

/// A pattern with a word of the query.
template <class Facts>
struct worded : pattern_base {
  static constexpr knowledge needs = knowledge::context;
  std::string_view word;
  any_pattern<Facts> inner;
  worded(std::string_view w, any_pattern<Facts> p) : word(w), inner(std::move(p)) {}
};

template <class Facts>
struct named_capture : worded<Facts> {
  using worded<Facts>::worded;
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return this->inner.match(i, state, [&] { return state.bind(this->word, i, next); });
  }
};

/// Matches the instruction that a capture holds, or the instruction itself without a name.
template <class Facts>
struct of_capture : worded<Facts> {
  using worded<Facts>::worded;
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    const hlo_instruction subject = this->word.empty() ? i : state.captured(this->word);
    return subject && this->inner.match(subject, state, next);
  }
};

/// Records a step that did not match.
template <class Facts>
struct noted_step : worded<Facts> {
  using worded<Facts>::worded;
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    bool matched = false;
    const bool found = this->inner.match(i, state, [&] {
      matched = true;
      return state.matched(next);
    });
    if (!matched) state.failed(this->word, i);
    return found;
  }
};

// ------------------------------------------------------------------ tests of what is written
struct shape_is_like : tested<shape_is_like> {
  query_shape wanted;
  bool of_operation;  // of a start, the result of the whole operation may fit, too
  shape_is_like(query_shape s, bool whole) : wanted(std::move(s)), of_operation(whole) {}
  template <class Facts>
  bool test(hlo_instruction i, const Facts&) const {
    if (!i.shape()) return false;
    const bool starts = of_operation && (is_collective_start(i.opcode()) || i.opcode() == hlo_opcode::async_start);
    const shape* const result = starts ? i.shape()->at({1}) : nullptr;
    return fits(wanted, *i.shape()) || (result && fits(wanted, *result));
  }

 private:
  static bool fits(const query_shape& wanted, const shape& is) {
    if (wanted.is_tuple) {
      if (!is.is_tuple() || is.elements.size() < wanted.elements.size()) return false;
      if (!wanted.any_more && is.elements.size() != wanted.elements.size()) return false;
      for (std::size_t k = 0; k < wanted.elements.size(); ++k)
        if (!fits(wanted.elements[k], is.elements[k])) return false;
      return true;
    }
    if (wanted.type ? is.type != *wanted.type : !is.is_array()) return false;
    return (wanted.any_dimensions || fits(wanted.dimensions, is)) && layout_fits(wanted, is);
  }
  // As in a glob: on a mismatch, the last `...` takes one dimension more.
  static bool fits(const std::vector<query_dimension>& wanted, const shape& is) {
    using form = query_dimension::form;
    std::size_t w = 0, d = 0, rest_end = 0, rest_until = 0;  // after the last `...`, and its present end
    while (d < is.rank()) {
      if (w < wanted.size() && wanted[w].what == form::rest) {
        rest_end = ++w, rest_until = d;
      } else if (w < wanted.size() && (wanted[w].what == form::any || wanted[w].size == is.dimensions[d].size)) {
        ++w, ++d;
      } else if (rest_end != 0) {
        w = rest_end, d = ++rest_until;
      } else {
        return false;
      }
    }
    while (w < wanted.size() && wanted[w].what == form::rest) ++w;
    return w == wanted.size();
  }
  static bool layout_fits(const query_shape& wanted, const shape& is) {
    if (!wanted.layout) return true;
    if (!is.layout) return false;
    const layout &a = *wanted.layout, &b = *is.layout;
    return (a.minor_to_major.empty() || a.minor_to_major == b.minor_to_major) &&
           (a.tiles.empty() || a.tiles == b.tiles) && (a.memory_space == 0 || a.memory_space == b.memory_space) &&
           (a.element_size_in_bits == 0 || a.element_size_in_bits == b.element_size_in_bits);
  }
};

/// A value as written, without blanks outside of quotes.
inline std::string without_blanks(std::string_view text) {
  std::string out;
  char quote = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0 && c == '\\' && k + 1 < text.size()) {
      out += c;
      out += text[++k];
      continue;
    }
    if (quote == 0 && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) continue;
    if (c == '"' || c == '\'') quote = quote == 0 ? c : quote == c ? char{0} : quote;
    out += c;
  }
  return out;
}

}  // namespace detail

}  // namespace hlolint::match
