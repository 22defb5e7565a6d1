#include <hlolint/grammar/x3/names.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace hlolint::scan;

namespace {
constexpr std::string_view taken_name(const char* (*scan)(const char*, const char*, std::string_view&),
                                      std::string_view from) {
  std::string_view value;
  return scan(from.data(), from.data() + from.size(), value) ? value : std::string_view{};
}
}  // namespace

TEST_CASE("names with and without a percent sign") {
  static_assert(taken_name(&percent_name, "%add.1 = x") == "add.1" && taken_name(&percent_name, "% a").empty());
  static_assert(taken_name(&bare_name, "pred: x") == "pred" && taken_name(&bare_name, "pred x").empty() &&
                taken_name(&bare_name, "a=").empty());
}

TEST_CASE("a name at a place") {
  using hlolint::grammar::is_name_at;
  static_assert(is_name_at("a.1 = b", 0, "a.1") && !is_name_at("a.1 = b", 0, "a") && is_name_at("a.1 = b", 6, "b"));
}

TEST_CASE("a line between two modules") {
  static_assert(taken(separator, "// -----  \nx") == "// -----  " && taken(separator, "// ----- x").empty());
}
