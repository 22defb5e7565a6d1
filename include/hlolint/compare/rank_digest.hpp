// What one process or host contributes to a comparison of ranks: small, and mergeable in any order and grouping.
#pragma once

#include <hlolint/compare/rank_matching.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint::compare {

/// A kind of step that a module takes, once for all of its steps that are equal.
struct step_digest {
  std::uint64_t key = 0;  ///< of `collective_step`
  std::string text;       ///< for people
  friend bool operator==(const step_digest&, const step_digest&) = default;
  /// Member by member; the strings and vectors of libc++ 14 have no <=>.
  friend bool operator<(const step_digest& a, const step_digest& b) {
    return std::tie(a.key, a.text) < std::tie(b.key, b.text);
  }
};

/// What a module takes on each rank, in bytes.
struct memory_digest {
  /// As `memory_need` has them. @{
  std::int64_t total = 0, temporaries = 0;
  /// @}
  bool is_estimated = false;  ///< by rules of XLA that are not all known
  friend bool operator==(const memory_digest&, const memory_digest&) = default;
  /// Member by member, as above.
  friend bool operator<(const memory_digest& a, const memory_digest& b) {
    return std::tie(a.total, a.temporaries, a.is_estimated) < std::tie(b.total, b.temporaries, b.is_estimated);
  }
};

/// The collectives and the need of a module without the module.
struct module_digest {
  std::string name;  ///< without number
  /// Hashes of the parameters and results, of the collectives, and of these without channel ids. @{
  std::uint64_t signature = 0, fingerprint = 0, without_channels = 0;  ///< as `collective_sequence` has them
  /// @}
  /// As the header of the module gives them. @{
  std::int64_t replicas = 1, partitions = 1;
  /// @}
  bool scheduled = false;  ///< whether the text is in the order of the schedule
  record_list<step_digest> kinds;         ///< in order of their first steps
  record_list<std::uint32_t> steps;       ///< positions in `kinds`
  optional<memory_digest> memory{};       ///< if it is scheduled
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

/// A rank and the modules it has, as positions in `rank_digest::modules`.
struct digested_rank {
  std::string name;  ///< name of the rank, as given
  record_list<std::size_t> modules;  ///< ascending; one that it has twice stands twice
  bool whole = true;                 ///< all of its dumps could be read
  friend bool operator==(const digested_rank&, const digested_rank&) = default;
};

/// Any number of ranks. In normal form (`merged` makes it): modules and ranks sorted, each once.
struct rank_digest {
  record_list<module_digest> modules;  ///< each module once
  record_list<digested_rank> ranks;    ///< sorted by name, as people count
  friend bool operator==(const rank_digest&, const rank_digest&) = default;
};

/// As people count: runs of digits are numbers, so `rank2` comes before `rank10`.
inline bool name_before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
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

/// All ranks of all parts, in normal form: the same however the parts are grouped and ordered. A rank that several
/// parts name has the modules of all of them. Positions must be valid.
inline rank_digest merged(record_list<rank_digest> parts) {
  rank_digest out;
  for (const rank_digest& part : parts) out.modules.insert(out.modules.end(), part.modules.begin(), part.modules.end());
  std::sort(out.modules.begin(), out.modules.end());
  out.modules.erase(std::unique(out.modules.begin(), out.modules.end()), out.modules.end());
  std::map<std::string, digested_rank, bool (*)(std::string_view, std::string_view)> ranks(name_before);
  for (const rank_digest& part : parts) {
    record_list<std::size_t> now;  // positions of the part's modules in all
    for (const module_digest& m : part.modules)
      now.push_back(static_cast<std::size_t>(std::lower_bound(out.modules.begin(), out.modules.end(), m) -
                                             out.modules.begin()));
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

/// Where the steps of two modules differ first, in words; the ranks are named as given.
struct digest_difference {
  std::string text;  ///< empty if there is no difference
  bool certain = true;  ///< false: other numbers of devices, another stage, channels only, or an order not yet decided
};
/// The first difference; empty text if the two are equal.
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
  return {position + here + " is " + other.kinds[other.steps[at]].text + ", but on " + there + " " +
              usual.kinds[usual.steps[at]].text,
          usual.scheduled};
}

}  // namespace hlolint::compare
