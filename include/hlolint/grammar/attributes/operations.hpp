// Values that choose how an operation computes: enumerations, precision, accuracy, sparsity, domains (hlo_text.md 7,
// 8).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/shardings.hpp>
#include <hlolint/grammar/attributes/windows.hpp>
#include <hlolint/grammar/x3/directives.hpp>
#include <hlolint/grammar/attributes/number_tokens.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/operation_values.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

/// Which parts of a domain came; it needs all three.
struct domain_parts {
  bool kind = false, entry = false, exit = false;
};

namespace operation_rules {

[[gnu::cold]] inline void check_sparsity(parse_state& s, std::string_view text,
                                         const std::vector<std::int64_t>& numbers) {
  if (numbers.size() != 2) s.broke(text.data(), "sparsity has two numbers, such as 2x4");
}
[[gnu::cold]] inline void check_domain_kind(parse_state& s, std::string_view text, std::string_view) {
  if (device_rules::unquoted(text) != "sharding") s.broke(text.data(), "the only kind of domain is \"sharding\"");
}
[[gnu::cold]] inline void check_domain(parse_state& s, std::string_view text, const domain_parts& parts) {
  if (!parts.kind || !parts.entry || !parts.exit) s.broke(text.data(), "a domain needs kind=, entry= and exit=");
}

}  // namespace operation_rules

// ---------------------------------------------------------------- enumerations, some of them in any case of letters
inline constexpr auto direction = one_of("EQ", "NE", "GE", "GT", "LE", "LT");
inline constexpr auto comparison_type = one_of("FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED");
inline constexpr auto comparison_order = one_of("TOTAL", "PARTIAL");
inline constexpr auto fusion_kind = one_of("kLoop", "kInput", "kOutput", "kCustom");
inline constexpr auto fft_type = one_of("FFT", "IFFT", "RFFT", "IRFFT");
inline constexpr auto padding_type = one_of("PADDING_INVALID", "PADDING_VALID", "PADDING_SAME");
inline constexpr auto convolution_kind = one_of("fprop", "wgrad", "dgrad", "unset");
inline constexpr auto collective_mode =
    one_of("cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id");
inline constexpr auto shuffle_mode = one_of("rotate");
// The opcode decides which of them it is.
inline constexpr auto any_mode = collective_mode | shuffle_mode;
inline constexpr auto transpose = one_of("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT");
inline constexpr auto dot_algorithm_name =
    one_of_any_case("unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16",
                    "dot_f16_f16_f32", "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3",
                    "dot_bf16_bf16_f32_x6", "dot_bf16_bf16_f32_x9", "dot_bf16_bf16_fp8x3", "dot_bf16_bf16_fp8x4",
                    "dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64");
inline constexpr auto algorithm = rule<hlolint::dot_algorithm>("algorithm") =
    into<&hlolint::dot_algorithm::name>[text[dot_algorithm_name]];
inline constexpr auto random_algorithm = one_of_any_case("rng_default", "rng_three_fry", "rng_philox");
inline constexpr auto distribution = one_of_any_case("rng_uniform", "rng_normal", "rng_invalid");
inline constexpr auto schedule = one_of_any_case("SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST");
// Compilers of 2022 to 2024 print API_VERSION_UNSPECIFIED where they mean no version.
inline constexpr auto api_version =
    one_of_any_case("API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                    "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI");

// {default,highest}
inline constexpr auto precision_ = rule<operand_precision>("precision") = in_braces(
    "default, high, highest, ',' or '}'")[append<&operand_precision::operands>[one_of_any_case<hlolint::precision>(
    "default", "high", "highest")]];

// {mode=highest}   {tolerance={atol=0,rtol=0.5,ulps=2}}
inline constexpr auto tolerance =
    by(attribute_name)(on("atol")[must("a number")[into<&hlolint::result_accuracy::absolute_tolerance>[real_number]]],
                       on("rtol")[must("a number")[into<&hlolint::result_accuracy::relative_tolerance>[real_number]]],
                       on("ulps")[must("a number")[into<&hlolint::result_accuracy::ulps>[real_number]]]);
inline constexpr auto result_accuracy = rule<hlolint::result_accuracy>("result accuracy") =
    '{' >>
    must("mode= or tolerance=")[by(attribute_name)(
        on("mode")[must(
            "default or highest")[into<&hlolint::result_accuracy::mode>[text[one_of_any_case("default", "highest")]]]],
        on("tolerance")[must(
            "tolerances in braces")[in_braces("atol=, rtol= or ulps=", "a tolerance, ',' or '}'")[tolerance]]])] >>
    must("'}' after the accuracy")['}'];

// {lhs={sparsity=2x4 dimension=1 stride=1 idx=0} rhs={...}}
inline constexpr auto tensor_sparsity =
    '{' >>
    *by(attribute_name)(
        on("sparsity")[must("numbers such as 2x4")[checked<&operation_rules::check_sparsity>[window_rules::dxd]]],
        on("dimension", "stride", "idx")[must("an integer")[integer]]) >>
    must("sparsity=, dimension=, stride=, idx= or '}'")['}'];
inline constexpr auto sparsity_config =
    '{' >> *by(attribute_name)(on("lhs", "rhs")[must("a tensor's sparsity in braces")[tensor_sparsity]]) >>
    must("lhs=, rhs= or '}'")['}'];

// {lhs={scale_idx=2} rhs={scale_idx=3}}
inline constexpr auto tensor_scale = '{' >> *by(attribute_name)(on("scale_idx")[must("an integer")[integer]]) >>
                                     must("scale_idx= or '}'")['}'];
inline constexpr auto block_scaling_config =
    '{' >> *by(attribute_name)(on("lhs", "rhs")[must("the scale of a tensor in braces")[tensor_scale]]) >>
    must("lhs=, rhs= or '}'")['}'];

// {kind="sharding", entry={...}, exit={...}}    in any order, with or without commas
inline constexpr auto domain = checked<
    &operation_rules::
        check_domain>[rule<domain_parts>("domain") =
                          '{' >>
                          *(-x3::lit(',') >>
                            by(attribute_name)(
                                on("kind")[must("a string")[checked<&operation_rules::check_domain_kind>[string]] >>
                                           set<&domain_parts::kind>(true)],
                                on("entry")[must("a sharding")[sharding] >> set<&domain_parts::entry>(true)],
                                on("exit")[must("a sharding")[sharding] >> set<&domain_parts::exit>(true)])) >>
                          must("kind=, entry=, exit= or '}'")['}']];

template <>
inline constexpr auto attribute_rule<operand_precision> = reads<precision_>("a list such as {default,highest}");
// The algorithm of an rng-bit-generator is written under the same key, but it is no dot_algorithm.
inline constexpr auto any_algorithm = dot_algorithm_name | random_algorithm;
template <>
inline constexpr auto attribute_rule<dot_algorithm> = reads<algorithm, any_algorithm>(
    "a dot algorithm such as dot_bf16_bf16_f32, or rng_default, rng_three_fry or rng_philox");
template <>
inline constexpr auto attribute_rule<hlolint::result_accuracy> =
    reads<result_accuracy>("an accuracy such as {mode=highest}");

}  // namespace hlolint::grammar
