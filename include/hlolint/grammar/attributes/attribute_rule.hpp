// The rule that reads the attribute of a type: `attribute_rule<T>` stands beside each rule.
#pragma once

#include <functional>

namespace hlolint::grammar {

/// How the text of an attribute becomes a T: a specialization beside each rule, made by `reads`.
template <class T>
inline constexpr bool attribute_rule = false;

template <class Rules, class Convert>
struct typed_attribute : Rules {
  const char* expected;  ///< the message where nothing of the kind is written
  Convert convert;       ///< from the value of the rule to a T
};
/// reads<rule, written>("a shape", convert): the rule that makes the value, and the rule of what may be written there.
template <const auto& Rule, const auto& Written>
struct attribute_rules {
  static constexpr const auto& rule = Rule;
  static constexpr const auto& written = Written;
  template <class Convert = std::identity>
  constexpr typed_attribute<attribute_rules, Convert> operator()(const char* expected, Convert convert = {}) const {
    return {{}, expected, convert};
  }
};
template <const auto& Rule, const auto& Written = Rule>
inline constexpr attribute_rules<Rule, Written> reads{};

}  // namespace hlolint::grammar
