// Which modules of several ranks are one program: a pure function of their names and of what is in them.
#pragma once

#include <hlolint/analysis/transfers/collective_step.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint::compare {

/// One module of one rank.
struct ranked_module {
  std::size_t rank = 0;  ///< number of the rank, 0-based
  std::string name;               ///< without number
  std::uint64_t signature = 0;    ///< of the entry, see `entry_signature`
  std::uint64_t fingerprint = 0;  ///< of its collectives
};

/// What ranks have in common: positions in the input, at most one of each rank, by rank.
using matched_modules = record_list<std::size_t>;

/// Equal for entries with equal parameters and results; distinguishes the programs of one function for several shapes.
inline std::uint64_t entry_signature(const hlo_module& module) {
  hlolint::detail::step_hash hash;
  const hlo_computation entry = module.entry();
  if (!entry) return hash.value();
  for (const hlo_instruction i : entry.instructions())
    if (i.opcode() == hlo_opcode::parameter && i.shape()) {
      hash.add(i.parameter_number().value_or(-1));
      hash.add(*i.shape());
    }
  if (entry.root() && entry.root().shape()) hash.add(*entry.root().shape());
  return hash.value();
}

/// Modules match by name. Where ranks have several of one name (a function compiled for several shapes, lambdas), equal
/// ones match first: those of equal signature and fingerprint, in order. What is left over joins modules of equal
/// signature, then any of the name, that are missing on its rank. In the order of the first ranks' modules.
inline record_list<matched_modules> match_modules(const record_list<ranked_module>& modules) {
  struct row {
    matched_modules members;
    std::uint64_t signature = 0;
  };
  // Equal ones: the k-th of each rank with the k-th of the others.
  std::map<std::tuple<std::string_view, std::uint64_t, std::uint64_t, std::size_t>, row> equal;
  std::map<std::tuple<std::size_t, std::string_view, std::uint64_t, std::uint64_t>, std::size_t> seen;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const ranked_module& m = modules[i];
    const std::size_t k = seen[{m.rank, m.name, m.signature, m.fingerprint}]++;
    row& r = equal[{m.name, m.signature, m.fingerprint, k}];
    r.signature = m.signature;
    r.members.push_back(i);
  }
  std::map<std::string_view, record_list<row>> of_name;
  for (auto& [key, r] : equal) of_name[std::get<0>(key)].push_back(std::move(r));

  const auto by_rank = [&](std::size_t a, std::size_t b) { return modules[a].rank < modules[b].rank; };
  const auto disjoint = [&](const row& a, const row& b) {
    std::size_t i = 0, k = 0;
    while (i < a.members.size() && k < b.members.size()) {
      if (modules[a.members[i]].rank == modules[b.members[k]].rank) return false;
      by_rank(a.members[i], b.members[k]) ? ++i : ++k;
    }
    return true;
  };
  record_list<matched_modules> out;
  for (auto& [name, rows] : of_name) {
    for (row& r : rows) std::sort(r.members.begin(), r.members.end(), by_rank);
    // The rows of most ranks come first: what differs from them joins them, not the other way round.
    std::sort(rows.begin(), rows.end(), [](const row& a, const row& b) {
      return a.members.size() != b.members.size() ? a.members.size() > b.members.size() : a.members < b.members;
    });
    std::set<std::size_t> ranks;
    for (const row& r : rows)
      for (const std::size_t member : r.members) ranks.insert(modules[member].rank);
    for (const bool any_signature : {false, true}) {
      // Rows that are missing on some rank, and the first of them that may be disjoint from a row of certain ranks:
      // rows only grow, so none before it will ever be, and thousands of rows are gone through once.
      struct candidates {
        record_list<std::size_t> rows;
        std::map<record_list<std::size_t>, std::size_t> next;
      };
      record_list<row> joined;
      std::map<std::uint64_t, candidates> open;  // by signature
      for (row& r : rows) {
        if (r.members.size() == ranks.size()) {
          joined.push_back(std::move(r));
          continue;
        }
        candidates& known = open[any_signature ? 0 : r.signature];
        record_list<std::size_t> on;
        for (const std::size_t member : r.members) on.push_back(modules[member].rank);
        std::size_t& home = known.next[std::move(on)];
        while (home < known.rows.size() && !disjoint(joined[known.rows[home]], r)) ++home;
        if (home == known.rows.size()) {
          known.rows.push_back(joined.size());
          joined.push_back(std::move(r));
          continue;
        }
        matched_modules& members = joined[known.rows[home]].members;
        matched_modules all_members;
        std::merge(members.begin(), members.end(), r.members.begin(), r.members.end(), std::back_inserter(all_members),
                   by_rank);
        members = std::move(all_members);
      }
      rows = std::move(joined);
    }
    for (row& r : rows) out.push_back(std::move(r.members));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace hlolint::compare
