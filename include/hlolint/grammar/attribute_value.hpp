// One parser for the value of any attribute: the table of kinds turned into rules (hlo_text.md 7). It checks and keeps
// nothing; attribute_access.hpp makes values.
#pragma once

#include <hlolint/grammar/alias.hpp>
#include <hlolint/grammar/attribute_syntax.hpp>
#include <hlolint/grammar/literal.hpp>
#include <hlolint/grammar/metadata.hpp>
#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/number_values.hpp>
#include <hlolint/grammar/operation_values.hpp>
#include <hlolint/grammar/origin.hpp>
#include <hlolint/grammar/sharding.hpp>

#include <string_view>

namespace hlolint::grammar {

/// The words of an enumeration, and what to say if there is another one.
struct enumeration {
  const std::string_view* words = nullptr;
  std::size_t count = 0;
  bool case_counts = true;
  const char* expected = nullptr;
};

/// Empty for kinds that are no enumeration.
constexpr enumeration enumeration_of(attribute_syntax syntax) {
  const auto exact = [](const auto& list, const char* what) {
    return enumeration{list.data(), list.size(), true, what};
  };
  const auto any_case = [](const auto& list, const char* what) {
    return enumeration{list.data(), list.size(), false, what};
  };
  switch (syntax) {
    using enum attribute_syntax;
    case comparison_direction: return exact(words::comparison_directions, "EQ, NE, GE, GT, LE or LT");
    case comparison_type: return exact(words::comparison_types, "FLOAT, TOTALORDER, SIGNED or UNSIGNED");
    case fusion_kind: return exact(words::fusion_kinds, "kLoop, kInput, kOutput or kCustom");
    case fft_type: return exact(words::fft_types, "FFT, IFFT, RFFT or IRFFT");
    case padding_type: return exact(words::padding_types, "PADDING_VALID or PADDING_SAME");
    case convolution_kind: return exact(words::convolution_kinds, "fprop, wgrad, dgrad or unset");
    case collective_mode:
      return exact(words::collective_modes,
                   "cross_replica, cross_partition, cross_replica_and_partition or flattened_id");
    case transpose: return exact(words::transposes, "NO_TRANSPOSE, TRANSPOSE or ADJOINT");
    case dot_algorithm: return any_case(words::dot_algorithms, "a dot algorithm such as dot_bf16_bf16_f32");
    case random_distribution: return any_case(words::distributions, "rng_uniform or rng_normal");
    case random_algorithm: return any_case(words::random_algorithms, "rng_default, rng_three_fry or rng_philox");
    case schedule: return any_case(words::schedules, "SCHEDULE_NONE, SCHEDULE_LATEST or SCHEDULE_EARLIEST");
    case api_version: return any_case(words::api_versions, "a version such as API_VERSION_TYPED_FFI");
    default: return {};
  }
}

/// `attribute_value(syntax)`: an attribute's value, checked. `computation`, `computations` and `names` are not among
/// them: they need the module at hand. A failure notes no broken rules of the text that failed.
struct attribute_value_parser : x3::parser<attribute_value_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit attribute_value_parser(attribute_syntax kind) : syntax(kind) {}

  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    parse_state& s = state(context);
    const std::size_t broken = s.broken.size();
    const auto expect = [&](const auto& rule, const char* expected) {
      return must(expected)[rule].parse(first, last, context, x3::unused, x3::unused);
    };
    const bool matched = [&] {
      switch (syntax) {
        using enum attribute_syntax;
        case raw: return expect(scanned<scan::balanced>{}, "a value");
        case integer: return expect(grammar::integer, "an integer");
        case int32: return expect(grammar::int32, "an integer");
        case integers: return expect(grammar::integers, "a list of integers such as {0,1}");
        case one_integer: return expect(exactly<1>, "a list of one integer such as {0}");
        case integer_lists: return expect(grammar::integer_lists, "a list of lists such as {{0,1},{2,3}}");
        case pairs: return expect(grammar::pairs, "a list of pairs such as {{0,1},{1,0}}");
        case boolean: return expect(grammar::boolean, "true or false");
        case booleans: return expect(grammar::boolean | boolean_list, "true, false or a list of them");
        case replication: return expect(boolean_list, "a list such as {true,false}");
        case string: return expect(grammar::string, "a string");
        case number: return expect(float_number, "a number");
        case window: return expect(grammar::window, "a window such as {size=3x3 pad=0_1x0_1}");
        case dim_labels: return expect(grammar::dim_labels, "dimension labels such as b01f_01io->b01f");
        case padding: return expect(grammar::padding, "a padding such as 0_1x2_0_1");
        case slices: return expect(slices_, "slices such as {[0:4], [0:8:2]}");
        case precision: return expect(precision_, "a list such as {default,highest}");
        case sharding: return expect(sharding_, "a sharding in braces");
        case frontend: return expect(grammar::frontend, "frontend attributes in braces");
        case statistics: return expect(statistics_, "statistics in braces");
        case origin: return expect(grammar::origin, "an origin in braces");
        case metadata: return expect(grammar::metadata, "metadata in braces");
        case config: return expect(grammar::config, "a string or a JSON dictionary");
        case groups: {
          const char* const p = scan::blanks(first, last);  // most groups are lists, of which nothing has to be kept
          if (p != last && *p == '{') return expect(grammar::integer_lists, "lists of devices such as {{0,1},{2,3}}");
          return expect(grammar::groups, "replica groups such as {{0,1}} or [2,4]<=[8]");
        }
        case alias: return expect(alias_, "aliases such as { {0}: (1, {}, may-alias) }");
        case donor: return expect(donor_, "donors such as { (0, {}) }");
        case operand_alias: return expect(operand_alias_, "aliases such as {{0}: (1, {})}");
        case computation_layout: return expect(computation_layout_, "a layout such as {(f32[2]{0})->f32[2]{0}}");
        case shape: return expect(shape_, "a shape");
        case shapes: return expect(grammar::shapes, "shapes in braces");
        case literal: return expect(literal_with_shape, "a literal with its shape");
        case domain: return expect(grammar::domain, "a domain in braces");
        case sparsity: return expect(grammar::sparsity, "a sparsity in braces");
        case accuracy: return expect(grammar::accuracy, "an accuracy such as {mode=highest}");
        case recovery: return expect(grammar::recovery, "a table in braces");
        case debug: return expect(grammar::debug, "debug attributes in braces");
        default: return word_of(enumeration_of(syntax), first, last, s);
      }
    }();
    if (!matched) s.broken.resize(broken);
    return matched;
  }
  attribute_syntax syntax;

 private:
  static constexpr auto boolean_list = in_braces("true, false, ',' or '}'")[grammar::boolean];
  static bool word_of(const enumeration& e, const char*& first, const char* last, parse_state& s) {
    std::size_t found = 0;
    if (e.words && take_word(first, last, e.words, e.count, e.case_counts, found)) return true;
    s.fail(first, last, e.expected ? e.expected : "a value");
    return false;
  }
};
constexpr attribute_value_parser attribute_value(attribute_syntax syntax) { return attribute_value_parser(syntax); }

}  // namespace hlolint::grammar
