#include <hlolint/tool/report/small_modules.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint::report;

TEST_CASE("small_modules: functions with their numbers, most first") {
  CHECK(modules_text({"jit_add"}) == "1 module: jit_add");
  CHECK(modules_text({"jit_add", "jit_copy", "jit_copy.2", "jit_copy.3"}) == "4 modules: jit_copy 3 times, jit_add");
  CHECK(modules_text({"jit_a", "jit_b", "jit_c", "jit_d", "jit_e", "jit_f"}) ==
        "6 modules: jit_a, jit_b, jit_c, jit_d and 2 other functions");
}

TEST_CASE("small_modules: helpers with what they take together") {
  CHECK(helpers_text({}).empty());
  CHECK(helpers_text({"jit_add"}) == "and 1 module of one operation, as JAX compiles outside of jit: jit_add");
  CHECK(helpers_text({"jit_add", "jit_add.1"}, "2 ms together") ==
        "and 2 modules of one operation each, as JAX compiles outside of jit: jit_add 2 times, 2 ms together");
  struct row {
    bool helper;
  };
  CHECK(has_both_kinds(std::vector<row>{{true}, {false}}));
  CHECK_FALSE(has_both_kinds(std::vector<row>{{true}, {true}}));
  CHECK_FALSE(has_both_kinds(std::vector<row>{{false}}));
}

TEST_CASE("small_modules: files of one name are told apart by their folders") {
  struct row {
    std::string path;
  };
  CHECK(file_names(std::vector<row>{{"a/m.txt"}, {"b/m.txt"}, {"b/n.txt"}, {"b/n.txt"}}) ==
        std::vector<std::string>{"a/m.txt", "b/m.txt", "n.txt", "n.txt"});
}
