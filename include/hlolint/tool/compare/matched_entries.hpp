// Matches entries of two lists by keys, from the strictest to the loosest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::compare {

/// Positions in the two lists. `pairs` and `added` are in the order of the second list, `gone` in that of the first.
struct matched_entries {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< positions in the first and the second list
  std::vector<std::size_t> gone;                           ///< entries of the first list without a partner
  std::vector<std::size_t> added;                          ///< entries of the second list without a partner
};

/// Matches by one key after the other, strictest first: an entry gets the first free entry of an equal key. An entry
/// whose key is empty has no partner by that key. O(n) for each key.
template <class T, class... Keys>
matched_entries match_entries(const std::vector<T>& before, const std::vector<T>& after, const Keys&... keys) {
  std::vector<std::size_t> partner(after.size(), before.size());
  std::vector<bool> taken(before.size());
  const auto match_by = [&](const auto& key) {
    // by key: positions, and the next free one
    std::unordered_map<std::string, std::pair<std::vector<std::size_t>, std::size_t>> free;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (std::string text = taken[i] ? std::string{} : key(before[i]); !text.empty())
        free[std::move(text)].first.push_back(i);
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (partner[i] != before.size()) continue;
      const auto found = free.find(key(after[i]));
      if (found == free.end() || found->second.second == found->second.first.size()) continue;
      partner[i] = found->second.first[found->second.second++];
      taken[partner[i]] = true;
    }
  };
  (match_by(keys), ...);

  matched_entries out;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (partner[i] == before.size())
      out.added.push_back(i);
    else
      out.pairs.emplace_back(partner[i], i);
  }
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!taken[i]) out.gone.push_back(i);
  return out;
}

/// A key of several fields; `ab`,`c` differs from `a`,`bc`.
template <class... Texts>
std::string joined_key(const Texts&... fields) {
  std::string out;
  ((out.append(fields), out.push_back('\x1f')), ...);
  return out;
}

/// The same, but an empty key, and so no partner, if the first field is empty.
template <class... Texts>
std::string key_with(std::string_view needed, const Texts&... others) {
  return needed.empty() ? std::string{} : joined_key(needed, others...);
}

}  // namespace hlolint::compare
