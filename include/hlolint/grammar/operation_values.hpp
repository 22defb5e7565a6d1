// Attributes that choose how an operation computes: enumerations, precision, result accuracy, sparsity, domains
// (hlo_text.md 7, 8).
#pragma once

#include <hlolint/grammar/sharding.hpp>
#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/operation_values.hpp>

#include <array>
#include <string_view>

namespace hlolint::grammar {

namespace words {

template <std::size_t N>
using list = std::array<std::string_view, N>;
inline constexpr list<6> comparison_directions{"EQ", "NE", "GE", "GT", "LE", "LT"};
inline constexpr list<4> comparison_types{"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
inline constexpr list<4> fusion_kinds{"kLoop", "kInput", "kOutput", "kCustom"};
inline constexpr list<4> fft_types{"FFT", "IFFT", "RFFT", "IRFFT"};
inline constexpr list<3> padding_types{"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"};
inline constexpr list<4> convolution_kinds{"fprop", "wgrad", "dgrad", "unset"};
inline constexpr list<4> collective_modes{"cross_replica", "cross_partition", "cross_replica_and_partition",
                                          "flattened_id"};
inline constexpr list<3> transposes{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
// From here on capitals and small letters are the same.
inline constexpr list<3> precisions{"default", "high", "highest"};
inline constexpr list<14> dot_algorithms{"unset",
                                         "dot_any_f8_any_f8_f32",
                                         "dot_any_f8_any_f8_f32_fast_accum",
                                         "dot_f16_f16_f16",
                                         "dot_f16_f16_f32",
                                         "dot_bf16_bf16_bf16",
                                         "dot_bf16_bf16_f32",
                                         "dot_bf16_bf16_f32_x3",
                                         "dot_bf16_bf16_f32_x6",
                                         "dot_bf16_bf16_f32_x9",
                                         "dot_tf32_tf32_f32",
                                         "dot_tf32_tf32_f32_x3",
                                         "dot_f32_f32_f32",
                                         "dot_f64_f64_f64"};
inline constexpr list<3> distributions{"rng_uniform", "rng_normal", "rng_invalid"};
inline constexpr list<3> random_algorithms{"rng_default", "rng_three_fry", "rng_philox"};
inline constexpr list<3> schedules{"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
// API_VERSION_UNSPECIFIED: printed by the compilers of 2022 to 2024, as if absent.
inline constexpr list<5> api_versions{"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                                      "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
inline constexpr list<2> accuracy_modes{"default", "highest"};
inline constexpr list<3> tolerances{"atol", "rtol", "ulps"};

}  // namespace words

/// `default`
[[gnu::cold]] inline bool read_precision(const char*& first, const char* last, parse_state&, precision* out) {
  std::size_t found = 0;
  if (!take_word(first, last, words::precisions.data(), words::precisions.size(), false, found)) return false;
  if (out) *out = static_cast<precision>(found);
  return true;
}
/// `{default,highest}`
struct precision_id {};
inline constexpr x3::rule<precision_id, hlolint::operand_precision> precision_{"operand_precision"};
inline constexpr auto precision__def = in_braces("default, high, highest, ',' or '}'")
    [append<&hlolint::operand_precision::operands>[value_parser<&read_precision>{}]];

/// `{mode=highest}`, `{tolerance={atol=0,rtol=0.5,ulps=2}}`
[[gnu::cold]] inline bool read_result_accuracy(const char*& first, const char* last, parse_state& s,
                                               hlolint::result_accuracy* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  std::string_view name;
  if (!take_key(p, last, name) || (name != "mode" && name != "tolerance")) {
    s.fail(name.empty() ? p : name.data(), last, "mode= or tolerance=");
    return false;
  }
  if (name == "mode") {
    const char* const begin = scan::blanks(p, last);
    std::size_t mode = 0;
    if (!take_word(p, last, words::accuracy_modes.data(), words::accuracy_modes.size(), false, mode)) {
      s.fail(p, last, "default or highest");
      return false;
    }
    if (out) out->mode = view(begin, p);
  } else if (!take(p, last, s, '{', "tolerances in braces")) {
    return false;
  } else if (!take(p, last, '}')) {
    do {
      double value = 0;
      const char* const begin = scan::blanks(p, last);
      if (!take_key(p, last, name) || (name != "atol" && name != "rtol" && name != "ulps")) {
        s.fail(begin, last, "atol=, rtol= or ulps=");
        return false;
      }
      if (!read_real_number(p, last, s, &value)) {
        s.fail(p, last, "a number");
        return false;
      }
      if (out)
        (name == "atol" ? out->absolute_tolerance : name == "rtol" ? out->relative_tolerance : out->ulps) = value;
    } while (take(p, last, ','));
    if (!take(p, last, s, '}', "a tolerance, ',' or '}'")) return false;
  }
  if (!take(p, last, s, '}', "'}' after the accuracy")) return false;
  first = p;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_result_accuracy> accuracy{};
}

namespace operation_rules {

/// Two extents: elements that are not zero, and block size.
[[gnu::cold]] inline bool read_sparsity_extents(const char*& first, const char* last, parse_state& s,
                                                std::string_view*) {
  std::string_view text;
  if (!take_text(first, last, scan_value::extents, text)) return false;
  if (value_rules::dimension_count(text) != 2) s.broke(text.data(), "sparsity has two numbers, such as 2x4");
  return true;
}
inline constexpr value_parser<&read_sparsity_extents> sparsity_extents{};
inline constexpr auto tensor_sparsity =
    '{'_p >> many[key("sparsity") >> must("numbers such as 2x4")[sparsity_extents] |
                  (key("dimension") | key("stride") | key("idx")) >> must("an integer")[integer]] >>
    must("sparsity=, dimension=, stride=, idx= or '}'")['}'_p];
[[gnu::cold]] inline bool read_domain_kind(const char*& first, const char* last, parse_state& s, std::string_view*) {
  std::string_view text;
  if (!take_text(first, last, scan::string, text)) return false;
  if (text.substr(1, text.size() - 2) != "sharding") s.broke(text.data(), "the only kind of domain is \"sharding\"");
  return true;
}
inline constexpr value_parser<&read_domain_kind> domain_kind{};

}  // namespace operation_rules

// {lhs={sparsity=2x4 dimension=1 stride=1 idx=0} rhs={...}}
inline constexpr auto sparsity =
    '{'_p >>
    many[(key("lhs") | key("rhs")) >> must("a tensor's sparsity in braces")[operation_rules::tensor_sparsity]] >>
    must("lhs=, rhs= or '}'")['}'_p];

/// `{kind="sharding", entry={...}, exit={...}}`, in any order, with or without commas. The value tells what has been
/// read.
struct domain_parts {
  bool kind = false, entry = false, exit = false;
};
namespace operation_rules {
template <auto Member>
constexpr void has(domain_parts& parts) {
  parts.*Member = true;
}
[[gnu::cold]] inline void check_domain(parse_state& s, const char* begin, const domain_parts& parts) {
  if (!parts.kind || !parts.entry || !parts.exit) s.broke(begin, "a domain needs kind=, entry= and exit=");
}
}  // namespace operation_rules
struct domain_id {};
inline constexpr x3::rule<domain_id, domain_parts> domain{"domain"};
inline constexpr auto domain_def = [] {
  using namespace operation_rules;
  const auto part = key("kind") >> must("a string")[domain_kind] >> does<&has<&domain_parts::kind>> |
                    key("entry") >> must("a sharding")[sharding_] >> does<&has<&domain_parts::entry>> |
                    key("exit") >> must("a sharding")[sharding_] >> does<&has<&domain_parts::exit>>;
  return verified<&check_domain>['{'_p >> many[maybe[','_p] >> part] >> must("kind=, entry=, exit= or '}'")['}'_p]];
}();

/// A number in the range of a float.
[[gnu::cold]] inline bool read_float(const char*& first, const char* last, parse_state& s, double* out) {
  const char* const begin = scan::blanks(first, last);
  double value = 0;
  if (!read_real_number(first, last, s, &value)) return false;
  if (value > 3.4028234663852886e38 || value < -3.4028234663852886e38)
    s.broke(begin, "the number does not fit in a float");
  if (out) *out = value;
  return true;
}
inline constexpr value_parser<&read_float> float_number{};

BOOST_SPIRIT_DEFINE(precision_, domain)

}  // namespace hlolint::grammar
