#include <hlolint/tool/option_setting.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string_view>
#include <tuple>

using namespace hlolint;

namespace {

struct counts_values {
  static constexpr rule about{.id = "TST001", .name = "many-values", .what = "There are values."};
  int most = 2;
  double share = 0.5;
  byte_count min_bytes = 1_KiB;
  static constexpr auto options = std::tuple{option{"most", &counts_values::most, "more are reported"},
                                             option{"share", &counts_values::share, "of all"},
                                             option{"min-bytes", &counts_values::min_bytes, "of each"}};
  void operator()(const buffer_dump&, sink auto&) const {}
};
struct counts_nothing {
  static constexpr rule about{.id = "TST002", .name = "nothing", .what = "There is nothing."};
  void operator()(const buffer_dump&, sink auto&) const {}
};

}  // namespace

TEST_CASE("options are set by name from text") {
  struct row {
    std::string_view rule, option, text, wrong;
  };
  auto list = catalogue{counts_values{}, counts_nothing{}};
  const row rows[] = {
      {"TST001", "most", "7", ""},
      {"many-values", "min-bytes", "16MiB", ""},
      {"TST001", "min-bytes", "1.5KiB", ""},
      {"TST001", "share", "0.25", ""},
      {"TST001", "share", "half", "TST001: option 'share' is a number, not 'half'"},
      {"TST001", "most", "many", "TST001: option 'most' is a whole number, not 'many'"},
      {"TST001", "min-bytes", "-1", "TST001: option 'min-bytes' is a number of bytes such as 4096 or 16MiB, not '-1'"},
      {"TST001", "min-byte", "1", "TST001 has no option 'min-byte' (did you mean min-bytes?)"},
      {"TST002", "min-bytes", "1", "TST002 has no option 'min-bytes'"},
      {"TST003", "most", "1", "unknown rule 'TST003' (did you mean TST001?)"},
  };
  for (const row& r : rows) CHECK(set_option(list, r.rule, r.option, r.text).value_or("") == r.wrong);
  CHECK(std::get<0>(list.checks).share == 0.25);
  CHECK(std::get<0>(list.checks).most == 7);
  CHECK(std::get<0>(list.checks).min_bytes == 1536);
}

TEST_CASE("byte counts are read as people write them") {
  struct row {
    std::string_view text;
    std::optional<byte_count> bytes;
  };
  const row rows[] = {{"0", 0},
                      {"4096", 4096},
                      {"4096B", 4096},
                      {"16MiB", 16_MiB},
                      {"1 GiB", 1_GiB},
                      {"1.5KiB", 1536},
                      {"2TiB", 2048 * 1_GiB},
                      {"", {}},
                      {"MiB", {}},
                      {"16MB", {}},
                      {"16 mib", {}},
                      {"1e3", {}},
                      {"9223372036854775807", 9223372036854775807},
                      {"9223372036854775808", {}},
                      {"16EiB", {}},
                      {"nan", {}}};
  for (const row& r : rows) {
    CAPTURE(r.text);
    CHECK(read_byte_count(r.text) == r.bytes);
  }
}
