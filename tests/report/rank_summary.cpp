#include <hlolint/report/json.hpp>
#include <hlolint/report/rank_summary_text.hpp>
#include <hlolint/report/text.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace hlolint;

namespace {

rank_summary some_ranks() {
  rank_summary out;
  out.ranks = {"a", "b", "c", "d"};
  out.modules = {{"jit_step", {{{"a", "b", "c", "d"}, 42, 7}}, {}},
                 {"jit_init", {{{"a", "b", "c", "d"}, 0, 1}}, {}},
                 {"jit_seed", {{{"a", "b", "c", "d"}, 0, 1}}, {}},
                 {"jit_eval", {{{"a", "c"}, 17, 8}, {{"b"}, 16, 9}}, {"d"}},
                 {"jit_save", {{{"a"}, 1, 3}}, {"b", "c", "d"}}};
  out.without_dumps = {"logs"};
  out.unread = {"d"};
  return out;
}
std::string text_of(const rank_summary& ranks, bool concise = false) {
  std::ostringstream out;
  write_rank_summary(out, ranks, concise);
  return out.str();
}

}  // namespace

TEST_CASE("what was compared between ranks, as text") {
  CHECK(text_of(some_ranks()) ==
        "5 modules on 4 ranks (a, b and 2 others): 3 equal, 1 different, 1 not on all ranks\n"
        "  equal: jit_step (42 collectives), 2 modules without collectives\n"
        "  different: jit_eval (17 collectives on a and c; 16 on b; not on d)\n"
        "  not on all ranks: jit_save (1 collective) only on a\n"
        "  not read in full: d\n"
        "  folders without dumps: logs\n");
  CHECK(text_of(some_ranks(), true) == "5 modules on 4 ranks (a, b and 2 others): 3 equal, 1 different, 1 not on all ranks\n");

  rank_summary many;
  many.ranks = {"x", "y"};
  for (int i = 0; i < 20; ++i) many.modules.push_back({"m" + std::to_string(i), {{{"x", "y"}, 1, 5}}, {}});
  CHECK(text_of(many).ends_with(", m11 (1 collective) and 8 more\n"));

  run_result run;
  run.compared = some_ranks();
  std::ostringstream out;
  text_report report(out);
  report(run);
  CHECK(out.str() == text_of(some_ranks()) + "no findings in 0 files\n");
}

TEST_CASE("what was compared between ranks, as JSON") {
  run_result run;
  std::ostringstream without, with;
  json_report(without, 0)(run);
  CHECK(without.str().find("compared") == std::string::npos);
  run.compared = some_ranks();
  run.compared->modules.erase(run.compared->modules.begin(), run.compared->modules.begin() + 3);
  json_report(with, 0)(run);
  std::string text = with.str();
  const std::size_t begin = text.find("\"compared\""), end = text.find("\"summary\"");
  REQUIRE(begin < end);
  text = text.substr(begin, end - begin);
  std::string packed;
  for (const char c : text)
    if (c != ' ' && c != '\n') packed += c;
  CHECK(packed ==
        R"("compared":{"ranks":["a","b","c","d"],"unread":["d"],"without_dumps":["logs"],"modules":[)"
        R"({"module":"jit_eval","sides":[{"ranks":["a","c"],"collectives":17,"fingerprint":"0000000000000008"},)"
        R"({"ranks":["b"],"collectives":16,"fingerprint":"0000000000000009"}],"missing_on":["d"]},)"
        R"({"module":"jit_save","sides":[{"ranks":["a"],"collectives":1,"fingerprint":"0000000000000003"}],"missing_on":["b","c","d"]}]},)");
}
