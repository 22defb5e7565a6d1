// The rule that reads the attribute of a type: `attribute_rule<T>` stands beside each rule.
#pragma once

namespace hlolint::grammar {

/// How the text of an attribute becomes a T. Each specialisation has the `rule` that makes the value, the rule of what
/// may be `written` there, and what is `expected` where that fails; `value` makes a T where the rule makes another
/// type.
template <class T>
struct attribute_rule;

/// The rules of a `attribute_rule`.
template <const auto& Rule, const auto& Written = Rule>
struct reads {
  static constexpr const auto& rule = Rule;
  static constexpr const auto& written = Written;
};

}  // namespace hlolint::grammar
