// The nearest known word, for messages such as "did you mean ...?".
#pragma once

#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// How many letters have to be inserted, removed or replaced to get from one word to the other (Levenshtein); capital
/// letters are the same as small ones.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t replaced = diagonal + (lower(a[i]) != lower(b[k]));
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row[b.size()];
}

/// The known word nearest to `word`, or empty if none is near. A word of more than 64 letters has no near word.
inline std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  if (word.size() > 64) return best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    if (candidate.size() >= word.size() + least) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) least = distance, best = candidate;
  }
  return best;
}

/// ` (did you mean X?)`, or empty if no known word is near.
inline std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string_view near = nearest_word(word, known);
  return near.empty() ? std::string{} : " (did you mean " + std::string(near) + "?)";
}

}  // namespace hlolint
