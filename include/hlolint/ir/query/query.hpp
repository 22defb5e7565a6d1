// A query on instructions as it was written: what the query grammar makes (query.md), and what matchers are made from.
#pragma once

#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/source.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// One dimension of a shape in a query: a size, `_` for any, or `...` for any number of them.
struct query_dimension {
  /// What stands there.
  enum class form : std::uint8_t { size, any, rest };
  form what = form::size;  ///< which of the three
  std::int64_t size = 0;   ///< if it is a size
  friend bool operator==(const query_dimension&, const query_dimension&) = default;
};

/// A shape in a query. What is not written matches anything.
struct query_shape {
  optional<element_type> type;              ///< nothing: `_`, any array
  bool is_tuple = false;                    ///< `(f32[], ...)`
  bool any_dimensions = true;               ///< no brackets are written
  record_list<query_dimension> dimensions;  ///< between the brackets
  optional<hlolint::layout> layout;         ///< the order, tiles and memory space that are written have to be equal
  record_list<query_shape> elements;        ///< of a tuple
  bool any_more = false;                    ///< `...` at the end of a tuple
  friend bool operator==(const query_shape&, const query_shape&) = default;
};

/// `dimensions={0}`: the value has to be the same but for blanks; `*` in it stands for any text.
struct query_attribute {
  std::string_view key;    ///< as written
  std::string_view value;  ///< as written
  friend bool operator==(const query_attribute&, const query_attribute&) = default;
};

/// What has to hold of an instruction and its operands. Views refer to the text of the query.
struct query_pattern {
  /// What kind of pattern.
  enum class form : std::uint8_t {
    instruction,  ///< shape, opcode, operands and attributes, as far as they are written
    captured,     ///< `$x`, and the one of `parts` if there is one
    either,       ///< one of `parts`
    not_,         ///< not the one of `parts`
    maybe,        ///< `parts[1]`, also through any number of `parts[0]`
    rest          ///< `...` among operands
  };
  form what = form::instruction;     ///< which one
  std::string_view text;             ///< where it stands in the query
  std::string_view capture;          ///< of `captured`, without the sign
  optional<query_shape> shape;       ///< of the result
  std::string_view opcode;           ///< with `*` for any text; empty: any
  std::string_view name;             ///< `%fusion.3`, without the sign; with `*` for any text; empty: any
  std::string_view argument;         ///< between the parentheses of `parameter(0)`, `constant(1)`, `custom-call("x*")`
  bool has_operands = false;         ///< parentheses are written
  bool is_printed = false;           ///< a line as XLA prints it: names only hold the place of any instruction
  record_list<query_pattern> parts;  ///< operands, or what `what` says
  record_list<query_attribute> attributes;  ///< those that are written
  friend bool operator==(const query_pattern&, const query_pattern&) = default;
};

/// A property of an instruction or of what a capture holds: `bytes`, `bytes($x)`, `in loop`.
struct query_property {
  std::string_view name;     ///< its words as written
  std::string_view capture;  ///< without the sign; empty: the instruction that the query is about
  friend bool operator==(const query_property&, const query_property&) = default;
};

/// A literal on the right of a comparison.
struct query_literal {
  std::string_view text;    ///< as written, without quotes
  std::string_view number;  ///< its digits; empty: it is not a number
  std::string_view unit;    ///< `MiB`, `ms`, `%`, `x`; empty: none
  friend bool operator==(const query_literal&, const query_literal&) = default;
};

/// A condition after `where`.
struct query_condition {
  /// What kind of condition.
  enum class form : std::uint8_t {
    every,       ///< all of `parts`
    any,         ///< one of `parts`
    not_,        ///< not the one of `parts`
    flag,        ///< `property` holds
    compare,     ///< `property`, `comparison`, and `literal` or `other`
    depends_on,  ///< the instruction depends on one that matches `pattern`
    reaches,     ///< one that matches `pattern` depends on it
    operand,     ///< an operand matches `pattern`
    user,        ///< an instruction that reads it matches `pattern`
    body,        ///< an instruction of a computation that it calls matches `pattern`
    enters,      ///< what stands for it inside of a computation that reads it matches `pattern`
    is           ///< it matches `pattern`
  };
  /// How two values are compared.
  enum class comparison : std::uint8_t { equal, not_equal, less, at_most, more, at_least };
  form what = form::every;                  ///< which one
  std::string_view text;                    ///< where it stands in the query
  query_property property;                  ///< of `flag` and `compare`; its capture is the subject of the others
  comparison compared = comparison::equal;  ///< of `compare`
  query_literal literal;                    ///< what is compared with
  optional<query_property> other;           ///< instead of a literal
  std::int64_t within = 0;                  ///< most steps of `depends_on` and `reaches`; 0: any number
  record_list<query_pattern> pattern;       ///< one, where the form has one
  record_list<query_condition> parts;       ///< of `all`, `any` and `not_`
  friend bool operator==(const query_condition&, const query_condition&) = default;
};

/// A whole query.
struct query {
  source text;                           ///< the query as it was written; all views refer to it
  query_pattern pattern;                 ///< what an instruction has to be
  optional<query_condition> where;       ///< and what has to hold of it
  friend bool operator==(const query& a, const query& b) { return a.pattern == b.pattern && a.where == b.where; }
};

}  // namespace hlolint
