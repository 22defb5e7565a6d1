// Which rules are on: --select, --extend-select, --ignore, --level.
#include <hlolint/lint/settings.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;

namespace {

constexpr std::array<rule, 5> some_rules{
    rule{.id = "MEM001", .name = "overlapping-live-buffers", .level = severity::error},
    rule{.id = "MEM002", .name = "touching-not-shareable", .level = severity::error},
    rule{.id = "COL001", .name = "sync-collective", .level = severity::warning},
    rule{.id = "BUD003", .name = "dominant-value", .level = severity::note},
    custom_rule,
};

// One word per rule that is on, with `+` where its notes are.
std::string on(const rule_choice& choice) {
  const chosen_rules chosen = choose_rules(some_rules, choice);
  CHECK(chosen.errors.empty());
  std::string out;
  for (std::size_t i = 0; i < some_rules.size(); ++i)
    if (chosen.settings[i].enabled)
      out +=
          (out.empty() ? "" : " ") + std::string(some_rules[i].id) + (chosen.settings[i].notes ? "+" : "") +
          (chosen.settings[i].level == some_rules[i].level ? "" : "=" + std::string(name_of(chosen.settings[i].level)));
  return out;
}

}  // namespace

TEST_CASE("selection") {
  struct row {
    rule_choice choice;
    std::string on;
  };
  const row rows[] = {
      {{}, "MEM001 MEM002 COL001 CUSTOM+"},
      {{{"MEM"}, {}, {}, {}}, "MEM001+ MEM002+"},
      {{{"MEM001"}, {}, {}, {}}, "MEM001+"},
      {{{"touching-not-shareable"}, {}, {}, {}}, "MEM002+"},
      {{{"MEM00", "COL001"}, {}, {}, {}}, "MEM001+ MEM002+ COL001+"},
      {{{"ALL"}, {}, {}, {}}, "MEM001+ MEM002+ COL001+ BUD003+ CUSTOM+"},
      {{{}, {"BUD"}, {}, {}}, "MEM001 MEM002 COL001 BUD003+ CUSTOM+"},
      {{{}, {"MEM002"}, {}, {}}, "MEM001 MEM002+ COL001 CUSTOM+"},
      {{{}, {}, {"MEM"}, {}}, "COL001 CUSTOM+"},
      {{{}, {}, {"ALL"}, {}}, ""},
      {{{"MEM"}, {"COL001"}, {"MEM002"}, {}}, "MEM001+ COL001+"},
      {{{"MEM001"}, {}, {"overlapping-live-buffers"}, {}}, ""},
  };
  for (const row& r : rows) CHECK(on(r.choice) == r.on);
}

TEST_CASE("levels") {
  struct row {
    rule_choice choice;
    std::string on;
  };
  const row rows[] = {
      {{{}, {}, {}, {{"COL001", "error"}}}, "MEM001 MEM002 COL001=error CUSTOM+"},
      {{{}, {}, {}, {{"MEM", "warning"}}}, "MEM001=warning MEM002=warning COL001 CUSTOM+"},
      {{{}, {}, {}, {{"MEM", "off"}}}, "COL001 CUSTOM+"},
      {{{}, {}, {}, {{"ALL", "off"}, {"MEM001", "error"}}}, "MEM001"},
      {{{}, {}, {}, {{"dominant-value", "warning"}}}, "MEM001 MEM002 COL001 BUD003=warning CUSTOM+"},
      {{{}, {}, {}, {{"COL001", "note"}}}, "MEM001 MEM002 COL001+=note CUSTOM+"},
      {{{"MEM001"}, {}, {}, {{"COL001", "error"}}}, "MEM001+"},
      {{{"MEM001"}, {}, {}, {{"MEM001", "off"}}}, ""},
  };
  for (const row& r : rows) CHECK(on(r.choice) == r.on);
}

TEST_CASE("words that mean nothing") {
  struct row {
    rule_choice choice;
    std::string error;
  };
  const row rows[] = {
      {{{"MEM003"}, {}, {}, {}}, "unknown rule 'MEM003' (did you mean MEM001?)"},
      {{{}, {"MEN"}, {}, {}}, "unknown rule 'MEN' (did you mean MEM?)"},
      {{{}, {}, {"sync-colective"}, {}}, "unknown rule 'sync-colective' (did you mean sync-collective?)"},
      {{{}, {}, {}, {{"whatever", "off"}}}, "unknown rule 'whatever'"},
      {{{}, {}, {}, {{"MEM", "errors"}}}, "unknown level 'errors' for MEM (did you mean error?)"},
      {{{""}, {}, {}, {}}, "unknown rule ''"},
      {{{"mem"}, {}, {}, {}}, "unknown rule 'mem' (did you mean MEM?)"},
  };
  for (const row& r : rows) {
    const chosen_rules chosen = choose_rules(some_rules, r.choice);
    REQUIRE(chosen.errors.size() == 1);
    CHECK(chosen.errors[0] == r.error);
  }
}
