// Texts that together use most of the language: each is read without complaint and comes back when it is printed.
#include <hlolint/parse_hlo.hpp>
#include <hlolint/print/print.hpp>
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {
parsed_file read(const std::string& name) {
  return parse_hlo(load_file(std::string(HLOLINT_TEST_DATA "/language/") + name + ".hlo").text.value_or(source{}));
}
}  // namespace

TEST_CASE("texts of the whole language are read, and are the same modules after printing in any form") {
  for (const char* const name :
       {"collectives", "control_flow", "header", "literals", "several", "shapes", "shardings", "windows"}) {
    CAPTURE(name);
    const parsed_file file = read(name);
    CHECK(file.status == parse_status::ok);
    CHECK(file.modules().size() == (std::string(name) == "several" ? 3 : 1));
    for (const hlo_module& m : file.modules())
      for (const print_form& form : {form_of(m), long_form, short_form}) {
        const parsed_file again = parse_hlo(source(print(m, form)));
        REQUIRE(again.modules().size() == 1);
        CHECK(again.modules()[0] == m);
      }
  }
}

TEST_CASE("each mistake of a broken text is reported once, where it is, and the rest is kept") {
  const parsed_file file = read("broken");
  CHECK(file.status == parse_status::partial);
  std::string lines;
  for (const diagnostic& d : file.diagnostics) lines += std::to_string(d.where.begin().line) + " ";
  CHECK(lines == "1 3 10 10 11 12 13 13 ");
  REQUIRE(file.modules().size() == 1);
  CHECK(file.modules()[0].entry().instructions().size() == 5);
}
