// Conditions of built-in rules as queries: on every module of the corpus both find the same instructions. What the
// language cannot ask is named beside those rules of which it finds more.
#include "corpus.hpp"
#include "programs.hpp"

#include <hlolint/checks/aliasing/dus_not_in_place.hpp>
#include <hlolint/checks/collectives/unpaired_async.hpp>
#include <hlolint/checks/performance/copy_in_loop.hpp>
#include <hlolint/checks/performance/debug_leftover.hpp>
#include <hlolint/checks/performance/f64_on_accelerator.hpp>
#include <hlolint/checks/performance/host_transfer_in_loop.hpp>
#include <hlolint/checks/performance/large_constant.hpp>
#include <hlolint/checks/performance/layout_copy.hpp>
#include <hlolint/checks/performance/materialised_broadcast.hpp>
#include <hlolint/checks/performance/remat_volume.hpp>
#include <hlolint/checks/performance/replicated_large.hpp>
#include <hlolint/checks/performance/unknown_trip_count.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/match.hpp>
#include <hlolint/match/query/compiled_query.hpp>

#include <doctest/doctest.h>

#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

using compiled = match::compiled_query<context>;

/// A rule, a query for it, and how many instructions they found.
struct comparison {
  std::string rule;
  compiled query;
  bool same;                                               ///< else the rule's are among those of the query
  std::string_view not_in_query;                           ///< what the language cannot ask
  bool (*find)(const context&, std::vector<diagnostic>&);  ///< false where the rule lacks something
  std::size_t found = 0, matched = 0, modules = 0;
};

/// With lower limits than the rules have, so that they find more.
template <class Check>
Check for_small_modules(Check check) {
  if constexpr (requires { check.min_bytes; }) check.min_bytes = 1024;
  if constexpr (requires { check.min_elements; }) check.min_elements = 256;
  if constexpr (requires { check.max_share; }) check.max_share = 1;
  if constexpr (requires { check.min_percent; }) check.min_percent = 0;
  return check;
}

template <class Check>
comparison compare(bool same, std::string_view text, std::string_view not_in_query = {}) {
  return {std::string(Check::about.id), compiled(text, match::all_properties<context>()), same, not_in_query,
          [](const context& dump, std::vector<diagnostic>& to) {
            const auto report = [&](const diagnostic& d) { to.push_back(d); };
            const catalogue list(for_small_modules(Check{}));
            return run(list, dump, report, all_settings(list)).empty();
          }};
}

std::vector<comparison> comparisons() {
  std::vector<comparison> out;
  out.push_back(compare<large_constant>(true, "constant where bytes >= 1KiB"));
  out.push_back(compare<layout_copy>(true, "_[...] where reorders and sequential and bytes >= 1KiB"));
  out.push_back(compare<replicated_large>(
      true, "parameter where in entry and partitions >= 2 and sharding = \"{replicated*\" and bytes >= 1KiB"));
  out.push_back(compare<debug_leftover>(
      true,
      "outfeed | custom-call | send where backend != cpu and (sequential or in fusion) and (opcode = outfeed or"
      " (target = \"*python*\" and target = \"*callback*\" and target != \"*_cpu_*\") or"
      " (text = \"*is_host_transfer=true*\" and op_name = \"*callback*\"))"));
  out.push_back(compare<host_transfer_in_loop>(
      true,
      "_($from, ...) where (operation = copy or operation = slice or operation = dynamic-slice) and backend != cpu"
      " and in loop and sequential and bytes >= 1KiB and memory space != memory_space($from)"
      " and (memory space = 5 or memory space($from) = 5)"));
  out.push_back(compare<dus_not_in_place>(
      true,
      "_[...] where operation = dynamic-update-slice and in loop and sequential and bytes >= 1KiB"
      " and has operand ($base: _) and operation($base) = copy and one user($base) and bytes = bytes($base)"));
  out.push_back(compare<unknown_trip_count>(
      true,
      "while where sequential and not counted and (holds (copy | copy-start | collective | async-start)"
      " or holds ($inner: any) and $inner holds (copy | copy-start | collective | async-start))"));
  out.push_back(compare<unpaired_async>(false, "*-start | *-done | send | recv | async-update | async-start",
                                        "how a start is used: by its done alone, or carried along to it"));
  out.push_back(compare<f64_on_accelerator>(
      false, "any where (shape = \"*f64[*\" or shape = \"*c128[*\") and sequential and backend != cpu",
      "the elements of one part of a tuple; the rule reports the biggest of a module"));
  out.push_back(compare<materialised_broadcast>(
      false, "_[...] where (operation = broadcast or operation = iota) and sequential and not root and bytes >= 1KiB",
      "what a fusion does with one of its operands"));
  out.push_back(compare<copy_in_loop>(
      false,
      "_[...]($from) where operation = copy and not reorders and in loop and sequential and bytes >= 1KiB"
      " and memory space = memory_space($from)",
      "which element of the loop's tuple it is"));
  out.push_back(compare<remat_volume>(false, "any where name = \"*.remat*\" and sequential",
                                      "a share of what all instructions write"));
  return out;
}

}  // namespace

TEST_CASE("conditions of built-in rules are queries") {
  std::vector<comparison> all_rows = comparisons();
  for (const comparison& row : all_rows) {
    INFO(row.rule, ": ", row.query.error() ? row.query.error()->message : std::string());
    REQUIRE_FALSE(row.query.error());
  }
  for (const auto& files : programs()) {
    const std::vector<parsed_file> parsed = parsed_files(files);
    std::vector<input_file> inputs;
    for (const parsed_file& file : parsed) inputs.push_back({file.text.path(), &file, true});
    for (const module_group& group : pair_files(inputs).groups) {
      const context dump(parts_of(group, inputs));
      if (!dump.hlo() || !dump.hlo()->entry()) continue;
      for (comparison& row : all_rows) {
        std::vector<diagnostic> found;
        if (!row.find(dump, found)) continue;
        std::set<std::pair<std::string, std::string>> by_rule, by_query;  // computation and instruction
        for (const diagnostic& d : found) by_rule.emplace(d.computation, d.instruction);
        for (const match::found& m : match::matches(row.query.pattern(), dump))
          by_query.emplace(m.instruction().computation().name(), m.instruction().name());
        row.found += by_rule.size(), row.matched += by_query.size(), ++row.modules;
        INFO(row.rule, " in ", files.front());
        if (row.same)
          CHECK(by_rule == by_query);
        else
          for (const auto& place : by_rule) CHECK_MESSAGE(by_query.count(place) == 1, place.second);
      }
    }
  }
  for (const comparison& row : all_rows) {
    std::cout << row.rule << ": " << row.found << " by the rule, " << row.matched << " by the query, " << row.modules
              << " modules";
    if (!row.not_in_query.empty()) std::cout << "; no query asks for " << row.not_in_query;
    std::cout << '\n';
    CHECK(row.modules > 0);
  }
}
