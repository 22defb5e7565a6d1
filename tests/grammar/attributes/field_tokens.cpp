#include <hlolint/grammar/attributes/field_tokens.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace hlolint::scan;

namespace {
constexpr bool reads_labels(std::string_view text) {
  label_parts value;
  return dim_labels(text.data(), text.data() + text.size(), value) == text.data() + text.size();
}
}  // namespace

TEST_CASE("dimension labels") {
  static_assert(reads_labels("b01f_01io->b01f") && reads_labels("bf_io->?bf") && !reads_labels("bf_io") &&
                !reads_labels("bf_io=>bf"));
}

TEST_CASE("values of unknown fields") {
  static_assert(taken(field_value, "true op=1") == "true" && taken(field_value, "{a [\"}\"] b} x") == "{a [\"}\"] b}");
  static_assert(taken(field_value, "'a b' x") == "'a b'" && taken(field_value, "{a").empty() &&
                taken(field_value, "} x").empty());
}
