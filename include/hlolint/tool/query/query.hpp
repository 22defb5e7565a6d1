// A query on instructions as it was written: the query grammar makes it (query.md), and matchers are made from it.
#pragma once

#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/source.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// One dimension of a shape in a query: a size, `_` for any, or `...` for any number of them.
struct query_dimension {
  /// A size, `_` or `...`.
  enum class form : std::uint8_t { size, any, rest };
  form what = form::size;  ///< which of the three
  std::int64_t size = 0;   ///< of the form `size`
  friend bool operator==(const query_dimension&, const query_dimension&) = default;
};

/// A shape in a query. Parts that are not written match anything.
struct query_shape {
  std::optional<element_type> type;         ///< nothing: `_`, any array
  bool is_tuple = false;                    ///< `(f32[], ...)`
  bool any_dimensions = true;               ///< whether no brackets are written
  std::vector<query_dimension> dimensions;  ///< between the brackets
  std::optional<hlolint::layout> layout;    ///< its order, tiles and memory space have to be equal if they are written
  std::vector<query_shape> elements;        ///< of a tuple
  bool any_more = false;                    ///< `...` at the end of a tuple
  friend bool operator==(const query_shape&, const query_shape&) = default;
};

/// `dimensions={0}`: the value has to be equal but for blanks; `*` in it stands for any text.
struct query_attribute {
  std::string_view key;    ///< as written
  std::string_view value;  ///< as written
  friend bool operator==(const query_attribute&, const query_attribute&) = default;
};

/// A pattern that an instruction and its operands have to match. The texts are views into the query.
struct query_pattern {
  /// The kind of a pattern.
  enum class form : std::uint8_t {
    instruction,  ///< shape, opcode, operands and attributes, as far as they are written
    captured,     ///< `$x`, with at most one of `parts`
    either,       ///< one of `parts`
    not_,         ///< not the only one of `parts`
    maybe,        ///< `parts[1]`, directly or through any number of `parts[0]`
    rest          ///< `...` among operands
  };
  form what = form::instruction;     ///< the kind of this pattern
  std::string_view text;             ///< its text in the query
  std::string_view capture;          ///< of `captured`, without `$`
  std::optional<query_shape> shape;  ///< of the result
  std::string_view opcode;           ///< with `*` for any text; empty: any
  std::string_view name;             ///< `%fusion.3`, without `%`; with `*` for any text; empty: any
  std::string_view argument;         ///< between the parentheses of `parameter(0)`, `constant(1)`, `custom-call("x*")`
  bool has_operands = false;         ///< whether parentheses are written
  bool is_printed = false;           ///< whether it is a line as XLA prints it; its names stand for any instruction
  std::vector<query_pattern> parts;  ///< operands, or the parts that `what` describes
  std::vector<query_attribute> attributes;  ///< the attributes that are written
  friend bool operator==(const query_pattern&, const query_pattern&) = default;
};

/// A property of an instruction or of a captured one: `bytes`, `bytes($x)`, `in loop`.
struct query_property {
  std::string_view name;     ///< its words as written
  std::string_view capture;  ///< without `$`; empty: the instruction that the query is about
  friend bool operator==(const query_property&, const query_property&) = default;
};

/// A literal on the right of a comparison.
struct query_literal {
  std::string_view text;    ///< as written, without quotes
  std::string_view number;  ///< its digits; empty if it is not a number
  std::string_view unit;    ///< `MiB`, `ms`, `%`, `x`; empty: none
  friend bool operator==(const query_literal&, const query_literal&) = default;
};

/// A condition after `where`.
struct query_condition {
  /// The kind of a condition.
  enum class form : std::uint8_t {
    every,       ///< all of `parts`
    any,         ///< one of `parts`
    not_,        ///< not the only one of `parts`
    flag,        ///< `property` holds
    compare,     ///< `property` compared with `literal` or `other`
    depends_on,  ///< the instruction depends on one that matches `pattern`
    reaches,     ///< an instruction that matches `pattern` depends on this one
    operand,     ///< an operand matches `pattern`
    user,        ///< an instruction that reads this one matches `pattern`
    body,        ///< an instruction in a called computation matches `pattern`
    enters,      ///< the parameter that receives this value in a called computation matches `pattern`
    is           ///< the instruction matches `pattern`
  };
  /// How two values are compared.
  enum class comparison : std::uint8_t { equal, not_equal, less, at_most, more, at_least };
  form what = form::every;                  ///< the kind of this condition
  std::string_view text;                    ///< its text in the query
  query_property property;                  ///< of `flag` and `compare`; for all others its capture is the subject
  comparison compared = comparison::equal;  ///< of `compare`
  query_literal literal;                    ///< the right side of `compare`
  std::optional<query_property> other;      ///< the right side of `compare` in place of a literal
  std::int64_t within = 0;                  ///< most steps of `depends_on` and `reaches`; 0: any number
  std::vector<query_pattern> pattern;       ///< one pattern if the form has one
  std::vector<query_condition> parts;       ///< of `every`, `any` and `not_`
  friend bool operator==(const query_condition&, const query_condition&) = default;
};

/// A whole query.
struct query {
  source text;                           ///< the query as it was written, which all views refer to
  query_pattern pattern;                 ///< the pattern that an instruction has to match
  std::optional<query_condition> where;  ///< the condition that it has to fulfil
  friend bool operator==(const query& a, const query& b) { return a.pattern == b.pattern && a.where == b.where; }
};

}  // namespace hlolint
