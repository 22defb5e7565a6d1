// Faults put into programs of our own: each is found by the rule that is there for it, at its place, and nothing else
// is called an error.
#include "aliasing_faults.hpp"
#include "collective_faults.hpp"
#include "dump_faults.hpp"
#include "memory_faults.hpp"
#include "padding_faults.hpp"
#include "transfer_faults.hpp"
#include "waste_faults.hpp"

#include <hlolint/checks/all.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/tool/memory/verification.hpp>
#include <hlolint/tool/option_setting.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::vector<parsed_file> parsed(const std::vector<written_file>& files) {
  std::vector<parsed_file> out;
  for (const written_file& file : files) out.push_back(parse(source(file.text, file.path)));
  return out;
}

/// Everything that is on by default, and one rule with its notes.
rule_settings settings_with(const std::string& rule) {
  rule_choice choice;
  choice.extend_select.push_back(rule);
  chosen_rules chosen = choose_rules(rules_of(all), choice);
  for (const std::string& error : chosen.errors) FAIL_CHECK(error);
  return chosen.settings;
}

findings lint_with(const std::vector<parsed_file>& files, const rule_settings& settings,
                   const std::vector<rule_option>& options = {}) {
  auto rules = all;
  for (const rule_option& o : options)
    if (const auto wrong = set_option(rules, o.rule, o.name, o.text)) FAIL_CHECK(*wrong);
  std::vector<input_file> inputs;
  for (const parsed_file& file : files) inputs.push_back({file.text.path(), &file, true});
  findings out;
  for (const module_group& group : pair_files(inputs).groups)
    for (diagnostic& d : lint(rules, context(parts_of(group, inputs)), settings).diagnostics)
      out.diagnostics.push_back(std::move(d));
  for (const parsed_file& file : files)  // what cannot be read is an error too
    for (const diagnostic& d : file.diagnostics) out.diagnostics.push_back(d);
  return out;
}

/// What one class of faults came to.
struct outcome {
  int seeds = 0, caught = 0, with_other_errors = 0, found_before = 0;  ///< the last: without the fault
  std::string first_missed, first_other, first_placeless;
};

std::string text_of(const findings& found) {
  std::string out;
  for (const diagnostic& d : found)
    out += "\n    " + d.rule + " " + std::string(name_of(d.level)) + " [" + d.instruction + "] " + d.message;
  return out;
}

/// A file and a line, for the finding and for everything that it names.
bool has_place(const diagnostic& d) {
  const auto is_somewhere = [](const location& where) { return !where.in.path().empty() && where.begin().line >= 1; };
  return is_somewhere(d.where) && std::all_of(d.related.begin(), d.related.end(),
                                              [&](const related_place& other) { return is_somewhere(other.where); });
}

constexpr int seeds_of_each = 50;

outcome try_out(const fault_class& fault, const std::vector<fixture>& fixtures) {
  outcome out;
  // Several rounds over the fixtures: not every one has a place for every fault.
  for (std::uint64_t seed = 0; seed < 40 * fixtures.size() && out.seeds < seeds_of_each; ++seed) {
    dice random(seed * 1000003 + 17);
    auto made = fault.make(fixtures[seed % fixtures.size()], random);
    if (!made) continue;
    ++out.seeds;
    made->fault = std::string(fault.name);
    made->seed = seed;
    const findings found = lint_with(parsed(made->files), settings_with(made->rule), made->options);
    if (const auto whole = files_of(fixtures[seed % fixtures.size()]); whole != made->files) {
      const findings before = lint_with(parsed(whole), settings_with(made->rule), made->options);
      out.found_before +=
          std::any_of(before.begin(), before.end(), [&](const diagnostic& d) { return is_expected(*made, d); });
    }
    const std::string where = "seed " + std::to_string(seed) + ", expected " + made->rule + " at " +
                              made->at.instruction + " " + made->at.other + " '" + made->at.text + "'";
    for (const diagnostic& d : found)
      if (!has_place(d) && out.first_placeless.empty()) out.first_placeless = where + ": " + d.rule + " " + d.message;
    if (std::any_of(found.begin(), found.end(), [&](const diagnostic& d) { return is_expected(*made, d); })) {
      ++out.caught;
    } else if (out.first_missed.empty()) {
      out.first_missed = where + ", found:" + text_of(found);
    }
    const auto is_unrelated = [&](const diagnostic& d) {
      return d.level == severity::error && d.rule != made->rule &&
             (d.rule.empty() || fault.companions.find(d.rule) == std::string_view::npos);
    };
    if (std::any_of(found.begin(), found.end(), is_unrelated)) {
      ++out.with_other_errors;
      if (out.first_other.empty()) out.first_other = where + ", found:" + text_of(found);
    }
  }
  return out;
}

std::vector<fixture> make_fixtures(std::uint64_t count) {
  std::vector<fixture> out;
  for (std::uint64_t seed = 0; seed < count; ++seed) out.push_back(make_fixture(seed));
  return out;
}

void try_out_all(const std::vector<fault_class>& faults) {
  static const std::vector<fixture> fixtures = make_fixtures(50);
  std::printf("%-44s %6s %7s %17s\n", "fault", "seeds", "caught", "unrelated errors");
  for (const fault_class& fault : faults) {
    const outcome got = try_out(fault, fixtures);
    std::printf("%-44.*s %6d %7d %17d\n", static_cast<int>(fault.name.size()), fault.name.data(), got.seeds, got.caught,
                got.with_other_errors);
    CAPTURE(fault.name);
    CAPTURE(got.first_missed);
    CAPTURE(got.first_other);
    CHECK(got.seeds == seeds_of_each);
    CHECK(got.caught == got.seeds);
    CHECK(got.with_other_errors * 100 <= got.seeds);
    CHECK(got.found_before == 0);
    CHECK(got.first_placeless == "");
  }
  std::fflush(stdout);
}

}  // namespace

TEST_CASE("without a fault nothing is found, and the dumps are what XLA would print") {
  for (const fixture& f : make_fixtures(100)) {
    CAPTURE(f.program.name);
    const std::vector<parsed_file> files = parsed(files_of(f));
    const findings found = lint_with(files, default_settings(all));
    CAPTURE(text_of(found));
    CHECK(found.empty());
    std::vector<buffer_dump> parts;
    for (const parsed_file& file : files)
      if (file.buffers) parts.push_back(*file.buffers);
    CHECK(parts.size() == (f.combined ? 1 : 3));
    CHECK(verification(files[0].modules().at(0), join(parts)).all_equal());
  }
}

TEST_CASE("the fixtures are of some variety") {
  int loops = 0, exchanges = 0, in_place = 0, shared = 0;
  for (const fixture& f : make_fixtures(50)) {
    const written_computation& entry = f.program.entry();
    loops += !entry.all_of("while").empty();
    exchanges += !entry.all_of("send").empty();
    in_place += !entry.all_of("dynamic-update-slice").empty() || !entry.all_of("all-reduce-start").empty();
    byte_count bytes = 0, size = 0;
    for (const written_allocation& a : f.dump.allocations)
      if (a.is_temp()) {
        size += a.size;
        for (const written_value& v : a.values) bytes += v.size;
      }
    shared += bytes > size;
  }
  CHECK(loops > 15);
  CHECK(exchanges > 5);
  CHECK(in_place > 25);
  CHECK(shared > 45);
}

TEST_CASE("the same seed gives the same files") {
  CHECK(files_of(make_fixture(7)) == files_of(make_fixture(7)));
  CHECK_FALSE(files_of(make_fixture(7)) == files_of(make_fixture(8)));
}

TEST_CASE("memory faults") { try_out_all(memory_faults()); }
TEST_CASE("aliasing faults") { try_out_all(aliasing_faults()); }
TEST_CASE("transfer faults") { try_out_all(transfer_faults()); }
TEST_CASE("collective faults") { try_out_all(collective_faults()); }
TEST_CASE("padding faults") { try_out_all(padding_faults()); }
TEST_CASE("wasteful programs") { try_out_all(waste_faults()); }
TEST_CASE("dump faults") { try_out_all(dump_faults()); }
