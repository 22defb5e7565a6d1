#include <hlolint/grammar/opcode_rules.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace hlolint;
using namespace hlolint::grammar;

TEST_CASE("every opcode has a row") {
  for (std::size_t i = 0; i + 1 < hlo_opcode_names.size(); ++i) {
    CAPTURE(hlo_opcode_names[i]);
    const auto opcode = static_cast<hlo_opcode>(i);
    CHECK(syntax_of(opcode, attribute_key::metadata) == attribute_syntax::metadata);
    CHECK_FALSE(syntax_of(opcode, attribute_key::is_scheduled));
    for (const attribute_key key : required_attributes(opcode)) CHECK(syntax_of(opcode, key));
  }
}

TEST_CASE("operands and result shapes") {
  CHECK(arity(hlo_opcode::select) == 3);
  CHECK(arity(hlo_opcode::parameter) == 0);
  CHECK(arity(hlo_opcode::batch_norm_grad) == 5);
  CHECK_FALSE(arity(hlo_opcode::fusion));
  CHECK_FALSE(arity(hlo_opcode::unknown));
  CHECK(shape_is_optional(hlo_opcode::add));
  CHECK_FALSE(shape_is_optional(hlo_opcode::custom_call));
}

TEST_CASE("attributes of opcodes") {
  CHECK(syntax_of(hlo_opcode::collective_permute, attribute_key::slice_sizes) == attribute_syntax::integer_lists);
  CHECK(syntax_of(hlo_opcode::gather, attribute_key::slice_sizes) == attribute_syntax::integers);
  CHECK(syntax_of(hlo_opcode::all_gather, attribute_key::dimensions) == attribute_syntax::one_integer);
  CHECK(syntax_of(hlo_opcode::transpose, attribute_key::dimensions) == attribute_syntax::integers);
  CHECK_FALSE(syntax_of(hlo_opcode::add, attribute_key::result_accuracy));
  CHECK(syntax_of(hlo_opcode::tanh, attribute_key::result_accuracy) == attribute_syntax::accuracy);
  const auto required = required_attributes(hlo_opcode::while_);
  CHECK(std::find(required.begin(), required.end(), attribute_key::body) != required.end());
}

TEST_CASE("async sugar takes the attributes of the wrapped opcode on its first line") {
  using enum hlo_opcode;
  CHECK(syntax_of(async_start, all_to_all, attribute_key::replica_groups) == attribute_syntax::groups);
  CHECK(syntax_of(async_start, fusion, attribute_key::calls) == attribute_syntax::computation);
  CHECK_FALSE(syntax_of(async_start, all_to_all, attribute_key::calls));
  CHECK_FALSE(syntax_of(async_update, all_to_all, attribute_key::replica_groups));
  CHECK(syntax_of(async_done, unknown, attribute_key::calls) == attribute_syntax::computation);
  CHECK(required_attributes(async_start, slice).size() == 1);
  CHECK(required_attributes(async_done, slice).empty());
}

TEST_CASE("headers, computations, and the attributes of older dumps") {
  CHECK(header_syntax_of(attribute_key::input_output_alias) == attribute_syntax::alias);
  CHECK_FALSE(header_syntax_of(attribute_key::metadata));
  CHECK(computation_syntax_of(attribute_key::execution_thread) == attribute_syntax::string);
  CHECK(old_syntax_of("original_value") == attribute_syntax::origin);
  CHECK(old_syntax_of("is_cross_program_prefetch") == attribute_syntax::raw);
  CHECK_FALSE(old_syntax_of("never_seen"));
}

static_assert(syntax_of(hlo_opcode::dot, attribute_key::algorithm) == attribute_syntax::dot_algorithm);
static_assert(syntax_of(hlo_opcode::rng_bit_generator, attribute_key::algorithm) == attribute_syntax::random_algorithm);
static_assert(!syntax_of(hlo_opcode::add, attribute_key::to_apply) && arity(hlo_opcode::add) == 2u);
static_assert(syntax_of(hlo_opcode::unknown, attribute_key::slice_sizes) == attribute_syntax::raw);
static_assert(syntax_of(hlo_opcode::unknown, attribute_key::dimensions) == attribute_syntax::integers);
static_assert(syntax_of(hlo_opcode::unknown, attribute_key::to_apply) == attribute_syntax::computation);
static_assert(required_attributes(hlo_opcode::scatter).size() == 5 && !shape_is_optional(hlo_opcode::fusion));
static_assert(syntax_of(hlo_opcode::async_start, hlo_opcode::call, attribute_key::to_apply) ==
              attribute_syntax::computation);
static_assert(!syntax_of(hlo_opcode::async_start, hlo_opcode::dot, attribute_key::calls));
static_assert(old_syntax_of("barrier") && !old_syntax_of("barriers"));
