#include <hlolint/grammar/attributes/opcode_rules.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace hlolint;
using namespace hlolint::grammar;

TEST_CASE("every opcode has a row") {
  for (std::size_t i = 0; i + 1 < hlo_opcode_names.size(); ++i) {
    CAPTURE(hlo_opcode_names[i]);
    const auto opcode = static_cast<hlo_opcode>(i);
    CHECK(form_of(opcode, attribute_key::metadata) == attribute_form::any);
    CHECK_FALSE(form_of(opcode, attribute_key::is_scheduled));
    for (const attribute_key key : required_attributes(opcode)) CHECK(form_of(opcode, key));
  }
}

TEST_CASE("numbers of operands") {
  CHECK(arity(hlo_opcode::select) == 3);
  CHECK(arity(hlo_opcode::parameter) == 0);
  CHECK(arity(hlo_opcode::batch_norm_grad) == 5);
  CHECK_FALSE(arity(hlo_opcode::fusion));
  CHECK_FALSE(arity(hlo_opcode::unknown));
}

TEST_CASE("attributes of opcodes") {
  CHECK(form_of(hlo_opcode::collective_permute, attribute_key::slice_sizes) == attribute_form::integer_lists);
  CHECK(form_of(hlo_opcode::gather, attribute_key::slice_sizes) == attribute_form::any);
  CHECK(form_of(hlo_opcode::all_gather, attribute_key::dimensions) == attribute_form::one_integer);
  CHECK(form_of(hlo_opcode::transpose, attribute_key::dimensions) == attribute_form::any);
  CHECK_FALSE(form_of(hlo_opcode::add, attribute_key::result_accuracy));
  CHECK(form_of(hlo_opcode::tanh, attribute_key::result_accuracy));
  CHECK(form_of(hlo_opcode::conditional, attribute_key::branch_computations));
  CHECK(form_of(hlo_opcode::unknown, attribute_key::slice_sizes) == attribute_form::any);
  const auto required = required_attributes(hlo_opcode::while_);
  CHECK(std::find(required.begin(), required.end(), attribute_key::body) != required.end());
}

TEST_CASE("async sugar takes the attributes of the wrapped opcode on its first line") {
  using enum hlo_opcode;
  CHECK(form_of(async_start, all_to_all, attribute_key::replica_groups));
  CHECK(form_of(async_start, fusion, attribute_key::calls));
  CHECK_FALSE(form_of(async_start, all_to_all, attribute_key::calls));
  CHECK_FALSE(form_of(async_update, all_to_all, attribute_key::replica_groups));
  CHECK(form_of(async_done, unknown, attribute_key::calls));
  CHECK(required_attributes(async_start, slice).size() == 1);
  CHECK(required_attributes(async_done, slice).empty());
}

TEST_CASE("headers") {
  CHECK(belongs_in_header(attribute_key::input_output_alias));
  CHECK_FALSE(belongs_in_header(attribute_key::metadata));
}

static_assert(form_of(hlo_opcode::dot, attribute_key::algorithm) == attribute_form::any);
static_assert(form_of(hlo_opcode::rng_bit_generator, attribute_key::algorithm) == attribute_form::random);
static_assert(!form_of(hlo_opcode::add, attribute_key::to_apply) && arity(hlo_opcode::add) == 2u);
static_assert(required_attributes(hlo_opcode::scatter).size() == 5);
static_assert(form_of(hlo_opcode::async_start, hlo_opcode::call, attribute_key::to_apply));
static_assert(!form_of(hlo_opcode::async_start, hlo_opcode::dot, attribute_key::calls));
