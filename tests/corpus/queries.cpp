// Conditions of built-in rules as queries: on every module of the corpus both find the same instructions. What the
// language cannot ask is named beside those rules of which it finds more. Left out on purpose are rules whose subject
// is no instruction (buffers, allocations, headers, dumps, contracts, ranks), and those that compare the order of
// several (COL005 to COL007, COL018): a query looks at one at a time.
#include "all_settings.hpp"
#include "corpus.hpp"
#include "programs.hpp"

#include <hlolint/checks/aliasing/dus_not_in_place.hpp>
#include <hlolint/checks/collectives/collective_in_loop_invariant.hpp>
#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/collectives/repeated_collective.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/collectives/thin_overlap_window.hpp>
#include <hlolint/checks/collectives/unpaired_async.hpp>
#include <hlolint/checks/collectives/wasteful_reshard.hpp>
#include <hlolint/checks/performance/copy_in_loop.hpp>
#include <hlolint/checks/performance/host_callback.hpp>
#include <hlolint/checks/performance/f64_on_accelerator.hpp>
#include <hlolint/checks/performance/host_transfer_in_loop.hpp>
#include <hlolint/checks/performance/large_constant.hpp>
#include <hlolint/checks/performance/layout_copy.hpp>
#include <hlolint/checks/performance/materialised_broadcast.hpp>
#include <hlolint/checks/performance/materialised_one_hot.hpp>
#include <hlolint/checks/performance/remat_volume.hpp>
#include <hlolint/checks/performance/replicated_large.hpp>
#include <hlolint/checks/performance/unknown_trip_count.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/match.hpp>
#include <hlolint/tool/query/compiled_query.hpp>

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

using place = std::pair<std::string, std::string>;  // computation and instruction

/// What a query finds beside its rule.
enum class expected { same, more, biggest };

/// A rule, a query for it, and how many instructions they found.
struct comparison {
  std::string rule;
  compiled query;
  expected outcome;               ///< `biggest`: the rule reports the biggest of those, and how many there are
  std::string_view not_in_query;  ///< what the language cannot ask
  std::string_view also;          ///< places of a finding with this text count too
  bool (*find)(const context&, std::vector<diagnostic>&);  ///< false where the rule lacks something
  std::size_t found = 0, matched = 0, modules = 0;
};

/// With lower limits than the rules have, so that they find more.
template <class Check>
Check for_small_modules(Check check) {
  if constexpr (requires { check.min_bytes; }) check.min_bytes = 1024;
  if constexpr (requires { check.min_waste; }) check.min_waste = 1024;
  if constexpr (requires { check.min_elements; }) check.min_elements = 256;
  if constexpr (requires { check.min_exposed_us; }) check.min_exposed_us = 0;
  if constexpr (requires { check.max_share; }) check.max_share = 1;
  if constexpr (requires { check.min_percent; }) check.min_percent = 0;
  return check;
}

template <class Check>
comparison compare(expected outcome, std::string_view text, std::string_view not_in_query = {},
                   std::string_view also = {}) {
  return {std::string(Check::about.id),
          compiled(text, match::all_properties<context>()),
          outcome,
          not_in_query,
          also,
          [](const context& dump, std::vector<diagnostic>& to) {
            const auto report = [&](const diagnostic& d) { to.push_back(d); };
            const catalogue list(for_small_modules(Check{}));
            return run(list, dump, report, all_settings(list)).empty();
          }};
}

std::vector<comparison> comparisons() {
  using enum expected;
  std::vector<comparison> out;
  out.push_back(compare<large_constant>(same, "constant where bytes >= 1KiB"));
  out.push_back(compare<layout_copy>(same, "_[...] where reorders and sequential and bytes >= 1KiB"));
  out.push_back(compare<replicated_large>(
      same, "parameter where in entry and partitions >= 2 and sharding = \"{replicated*\" and bytes >= 1KiB"));
  out.push_back(compare<host_callback>(
      same,
      "outfeed | custom-call | send where backend != cpu and (sequential or in fusion) and (opcode = outfeed or"
      " (target = \"*python*\" and target = \"*callback*\" and target != \"*_cpu_*\") or"
      " (text = \"*is_host_transfer=true*\" and (op_name = \"*callback*\" or text = \"*pjrt_rendezvous*\")))"));
  out.push_back(compare<host_transfer_in_loop>(
      same,
      "_($from, ...) where (operation = copy or operation = slice or operation = dynamic-slice) and backend != cpu"
      " and in loop and sequential and bytes >= 1KiB and memory space != memory_space($from)"
      " and (memory space = 5 or memory space($from) = 5)"));
  out.push_back(compare<dus_not_in_place>(
      same,
      "_[...] where operation = dynamic-update-slice and in loop and sequential and bytes >= 1KiB"
      " and has operand ($base: _) and operation($base) = copy and one user($base) and bytes = bytes($base)"));
  out.push_back(compare<unknown_trip_count>(
      same,
      "while where sequential and not counted and (holds (copy | copy-start | collective | async-start)"
      " or holds ($inner: any) and $inner holds (copy | copy-start | collective | async-start))"));
  out.push_back(compare<sync_collective>(
      same,
      "any where overlap = synchronous and transfer bytes >= 1KiB and backend != cpu and (backend != unknown or"
      " opcode = \"*-start\" or text = \"*is_sync*:true*\" or text = \"*async_collective_name*\")"));
  out.push_back(compare<empty_overlap_window>(
      same,
      "any where exposed share > 0 and (overlap = exposed or overlap = hidden and exposed share > 33%"
      " or overlap = tight and exposed share > 66%)"
      " and not transfer bytes < 1KiB and backend != cpu"));
  out.push_back(compare<thin_overlap_window>(
      same,
      "any where overlap = tight and not exposed share > 66% and opcode != copy-start and transfer bytes >= 1KiB"
      " and backend != cpu"));
  out.push_back(compare<collective_in_loop_invariant>(
      same, "collective(_, ...) where repeats >= 50% and sequential and bytes >= 1KiB and not moves nothing"));
  out.push_back(compare<wasteful_reshard>(same, "collective where wasted transfer >= 1KiB"));
  out.push_back(compare<copy_in_loop>(
      same,
      "_[...]($from) where operation = copy and not reorders and sequential and bytes >= 1KiB"
      " and memory space = memory_space($from) and (carried element($from) >= 0 or result element >= 0)",
      {}, "copies its new value"));
  const std::string computes =
      "add|and|compare|convert|divide|exponential|maximum|minimum|multiply|negate|or|power|select|subtract|xor|reduce"
      "|fusion,kind=kLoop|fusion,kind=kInput";
  out.push_back(compare<materialised_broadcast>(
      same,
      "_[...] where (operation = broadcast or operation = iota) and sequential and not root and bytes >= 1KiB"
      " and users > 0 and not (has user ($reader: any) and not $reader is (bitcast|" +
          computes +
          "))"
          " and not (has user ($same: bitcast) and (root($same) or $same has user ($behind: any) and not $behind is (" +
          computes +
          ")))"
          " and not (enters ($inside: parameter) and $inside has user "
          "(dynamic-update-slice|scatter|gather|dynamic-slice"
          "|tuple|sort|custom-call))"));
  const std::string reshapes = "bitcast|copy|reshape|transpose|convert", spread = "maybe(" + reshapes + "|broadcast) ";
  const std::string equal = "maybe(" + reshapes + ") compare(" + spread + "iota, !" + spread +
                            "iota|constant),direction=EQ | maybe(" + reshapes + ") compare(!" + spread +
                            "iota|constant, " + spread + "iota),direction=EQ";
  out.push_back(compare<materialised_one_hot>(
      same,
      "_[...] where sequential and takes time and bytes >= 1KiB and not (one user and has user (convert)) and (is (" +
          equal + ") or opcode = fusion and holds ($result: any) and root($result) and $result is (" + equal + "))"));
  out.push_back(compare<f64_on_accelerator>(
      biggest, "any where (f64 elements >= 256 or c128 elements >= 256) and sequential and backend != cpu"));
  out.push_back(compare<remat_volume>(biggest, "any where name = \"*.remat*\" and takes time and sequential"));
  out.push_back(compare<unpaired_async>(more, "*-start | *-done | send | recv | async-update | async-start",
                                        "how a start is used: by its done alone, or carried along to it"));
  out.push_back(compare<repeated_collective>(more, "collective where sequential and bytes >= 1KiB",
                                             "another collective of the same operands and devices before it"));
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
        std::set<place> by_rule, by_query;
        for (const diagnostic& d : found) {
          by_rule.emplace(d.computation, d.instruction);
          for (const related_place& other : d.related)
            if (!row.also.empty() && other.message == row.also) by_rule.emplace(d.computation, other.instruction);
        }
        for (const match::found& m : match::matches(row.query.pattern(), dump))
          by_query.emplace(m.instruction().computation().name(), m.instruction().name());
        row.found += by_rule.size(), row.matched += by_query.size(), ++row.modules;
        INFO(row.rule, " in ", files.front());
        if (row.outcome == expected::same) {
          for (const place& at : by_rule)
            CHECK_MESSAGE(by_query.count(at) == 1, at.second, " is found by the rule only");
          for (const place& at : by_query)
            CHECK_MESSAGE(by_rule.count(at) == 1, at.second, " is found by the query only");
        } else {
          for (const place& at : by_rule) CHECK_MESSAGE(by_query.count(at) == 1, at.second);
        }
        if (row.outcome == expected::biggest) {
          REQUIRE(found.size() == (by_query.empty() ? 0 : 1));
          if (!found.empty()) CHECK(found[0].message.starts_with(std::to_string(by_query.size()) + ' '));
        }
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
