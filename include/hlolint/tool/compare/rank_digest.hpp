// What one process or host contributes to a comparison of ranks. Digests are small, and merge in any grouping.
#pragma once

#include <hlolint/analysis/transfers/collective_sequence.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::compare {

/// One module of one rank.
struct ranked_module {
  std::size_t rank = 0;           ///< number of the rank, 0-based
  std::string name;               ///< without number
  std::uint64_t signature = 0;    ///< `entry_signature` of the module
  std::uint64_t fingerprint = 0;  ///< hash of its collectives
  std::size_t collectives = 0;    ///< their number
};

/// One module on several ranks: positions in the input, at most one of each rank, sorted by rank.
using matched_modules = std::vector<std::size_t>;

/// A hash of the shapes of the entry's parameters and results. Distinguishes the modules of one function for several
/// shapes.
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

/// Matches modules by name. Where ranks have several modules of one name (a function compiled for several shapes,
/// lambdas), those of equal signature and fingerprint match first, in order. The others join modules of equal
/// signature, then any of their name, that their rank does not have. Sorted by the first module of each.
inline std::vector<matched_modules> match_modules(const std::vector<ranked_module>& modules) {
  struct row {
    matched_modules members;
    std::uint64_t signature = 0;
  };
  // The k-th of equal modules of a rank matches the k-th of other ranks.
  std::map<std::tuple<std::string_view, std::uint64_t, std::uint64_t, std::size_t>, row> equal;
  std::map<std::tuple<std::size_t, std::string_view, std::uint64_t, std::uint64_t>, std::size_t> seen;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const ranked_module& m = modules[i];
    const std::size_t k = seen[{m.rank, m.name, m.signature, m.fingerprint}]++;
    row& r = equal[{m.name, m.signature, m.fingerprint, k}];
    r.signature = m.signature;
    r.members.push_back(i);
  }
  std::map<std::string_view, std::vector<row>> of_name;
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
  std::vector<matched_modules> out;
  for (auto& [name, rows] : of_name) {
    for (row& r : rows) std::stable_sort(r.members.begin(), r.members.end(), by_rank);
    // The rows of most ranks come first, so that deviating rows join them.
    std::stable_sort(rows.begin(), rows.end(), [](const row& a, const row& b) {
      return a.members.size() != b.members.size() ? a.members.size() > b.members.size() : a.members < b.members;
    });
    std::set<std::size_t> ranks;
    for (const row& r : rows)
      for (const std::size_t member : r.members) ranks.insert(modules[member].rank);
    for (const bool any_signature : {false, true}) {
      // Rows that some rank does not have, and the first of them that may be disjoint from a row of certain ranks. Rows
      // only grow, so that earlier rows never become disjoint; thousands of rows are searched once.
      struct candidates {
        std::vector<std::size_t> rows;
        std::map<std::vector<std::size_t>, std::size_t> next;
      };
      std::vector<row> joined;
      std::map<std::uint64_t, candidates> open;  // by signature
      for (row& r : rows) {
        if (r.members.size() == ranks.size()) {
          joined.push_back(std::move(r));
          continue;
        }
        candidates& known = open[any_signature ? 0 : r.signature];
        std::vector<std::size_t> on;
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

/// A collective step of a module, stored once for all equal steps.
struct step_digest {
  std::uint64_t key = 0;  ///< of `collective_step`
  std::string text;       ///< description for reports
  friend bool operator==(const step_digest&, const step_digest&) = default;
  /// Compares member by member; strings and vectors of libc++ 14 have no <=>.
  friend bool operator<(const step_digest& a, const step_digest& b) { return in_order(a.key, b.key, a.text, b.text); }
};

/// The memory that a module needs on a rank, in bytes.
struct memory_digest {
  /// As in `memory_need`. @{
  std::int64_t total = 0, temporaries = 0;
  /// @}
  bool is_estimated = false;  ///< whether the assignment's rules are not all known
  friend bool operator==(const memory_digest&, const memory_digest&) = default;
  /// Member by member, as above.
  friend bool operator<(const memory_digest& a, const memory_digest& b) {
    return in_order(a.total, b.total, a.temporaries, b.temporaries, a.is_estimated, b.is_estimated);
  }
};

/// The collectives and the memory of a module.
struct module_digest {
  std::string name;  ///< without number
  /// Hashes of the parameters and results, of the collectives, and of the collectives without channel ids, as in
  /// `collective_sequence`. @{
  std::uint64_t signature = 0, fingerprint = 0, without_channels = 0;
  /// @}
  /// As in the module's header. @{
  std::int64_t replicas = 1, partitions = 1;
  /// @}
  bool scheduled = false;                 ///< whether the text is the schedule
  std::vector<step_digest> kinds;         ///< in order of their first steps
  std::vector<std::uint32_t> steps;       ///< positions in `kinds`
  std::optional<memory_digest> memory{};  ///< empty without a schedule
  friend bool operator==(const module_digest&, const module_digest&) = default;
  /// Member by member, as above.
  friend bool operator<(const module_digest& a, const module_digest& b) {
    const auto members = [](const module_digest& m) {
      return std::tie(m.name, m.signature, m.fingerprint, m.without_channels, m.replicas, m.partitions, m.scheduled,
                      m.kinds, m.steps, m.memory);
    };
    return members(a) < members(b);
  }
};

/// A rank and its modules, as positions in `rank_digest::modules`.
struct digested_rank {
  std::string name;                  ///< as given
  std::vector<std::size_t> modules;  ///< ascending; a module that the rank has twice is listed twice
  bool whole = true;                 ///< whether all of its dumps could be read
  friend bool operator==(const digested_rank&, const digested_rank&) = default;
};

/// Any number of ranks. In normal form (see `merged`), modules and ranks are sorted and unique.
struct rank_digest {
  std::vector<module_digest> modules;  ///< each module once
  std::vector<digested_rank> ranks;    ///< sorted by `name_before`
  friend bool operator==(const rank_digest&, const rank_digest&) = default;
};

/// Orders runs of digits as numbers: `rank2` comes before `rank10`.
inline bool name_before(std::string_view a, std::string_view b) {
  std::size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[k])) {
      if (a[i] != b[k]) return a[i] < b[k];
      ++i, ++k;
      continue;
    }
    const auto number = [&](std::string_view text, std::size_t& at) {
      while (at + 1 < text.size() && text[at] == '0' && is_digit(text[at + 1])) ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view x = number(a, i), y = number(b, k);
    if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
  }
  if (a.size() - i != b.size() - k) return a.size() - i < b.size() - k;
  return a < b;
}

/// All ranks of all parts, in normal form, independent of the grouping and order of the parts. A rank that several
/// parts name has the modules of all of them. Positions must be valid.
inline rank_digest merged(std::vector<rank_digest> parts) {
  rank_digest out;
  for (const rank_digest& part : parts) out.modules.insert(out.modules.end(), part.modules.begin(), part.modules.end());
  sort_unique(out.modules);
  std::map<std::string, digested_rank, bool (*)(std::string_view, std::string_view)> ranks(name_before);
  for (const rank_digest& part : parts) {
    std::vector<std::size_t> now;  // positions of the part's modules in `out.modules`
    for (const module_digest& m : part.modules)
      now.push_back(
          static_cast<std::size_t>(std::lower_bound(out.modules.begin(), out.modules.end(), m) - out.modules.begin()));
    for (const digested_rank& rank : part.ranks) {
      digested_rank& to = ranks.try_emplace(rank.name, digested_rank{rank.name, {}, true}).first->second;
      for (const std::size_t m : rank.modules) to.modules.push_back(now[m]);
      to.whole = to.whole && rank.whole;
    }
  }
  for (auto& [name, rank] : ranks) {
    std::sort(rank.modules.begin(), rank.modules.end());
    out.ranks.push_back(std::move(rank));
  }
  return out;
}

/// The first difference between the steps of two modules.
struct digest_difference {
  std::string text;     ///< in words, with the names of the ranks; empty if there is no difference
  bool certain = true;  ///< false if the modules differ in devices, stage or only in channels, or are not scheduled
};
/// Compares a module of rank `there` with one of rank `here`.
inline digest_difference difference_of(const module_digest& usual, const std::string& there, const module_digest& other,
                                       const std::string& here) {
  const auto devices = [](const module_digest& m) {
    return "replica_count=" + std::to_string(m.replicas) + ", num_partitions=" + std::to_string(m.partitions);
  };
  if (usual.replicas != other.replicas || usual.partitions != other.partitions)
    return {"on " + here + " the module is for " + devices(other) + ", on " + there + " for " + devices(usual) +
                ": not compared",
            false};
  if (usual.scheduled != other.scheduled)
    return {"on " + here + " the module is " + (other.scheduled ? "" : "not ") + "scheduled, on " + there +
                " another stage of it is there: not compared",
            false};
  if (usual.without_channels == other.without_channels)
    return {"the channels of otherwise equal collectives have other numbers on " + here + " than on " + there, false};
  const std::size_t most = std::min(usual.steps.size(), other.steps.size());
  std::size_t at = 0;
  while (at < most && usual.kinds[usual.steps[at]].key == other.kinds[other.steps[at]].key) ++at;
  const std::size_t of_all = at < other.steps.size() ? other.steps.size() : usual.steps.size();
  const std::string position = "collective " + std::to_string(at + 1) + " of " + std::to_string(of_all) + " on ";
  if (at == other.steps.size() && at == usual.steps.size())
    return {"the collectives on " + here + " have other channels in another order than on " + there, true};
  if (at == other.steps.size())
    return {position + there + " is missing on " + here + " (" + std::to_string(other.steps.size()) +
                " in all): " + usual.kinds[usual.steps[at]].text,
            true};
  if (at == usual.steps.size())
    return {position + here + " is not on " + there + " (" + std::to_string(usual.steps.size()) +
                " in all): " + other.kinds[other.steps[at]].text,
            true};
  const std::string &one = other.kinds[other.steps[at]].text, &another = usual.kinds[usual.steps[at]].text;
  if (one == another)  // their keys have more than their texts
    return {position + here + " is " + one + ", and on " + there +
                " one of the same text with other operands, another reduction, mode of groups or repetition",
            usual.scheduled};
  return {position + here + " is " + one + ", but on " + there + " " + another, usual.scheduled};
}

}  // namespace hlolint::compare
