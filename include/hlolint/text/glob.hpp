// Globs with `*` and `?`, as users write them for names.
#pragma once

#include <cstddef>
#include <string_view>

namespace hlolint {

/// Whether the glob describes the whole text: `*` stands for any text, `?` for any one letter. Takes time linear in
/// most cases and at most proportional to the product of the lengths.
constexpr bool matches_glob(std::string_view glob, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < glob.size() && (glob[p] == '?' || (glob[p] == text[t] && glob[p] != '*'))) {
      ++p, ++t;
    } else if (p < glob.size() && glob[p] == '*') {
      star = p++, star_text = t;
    } else if (star != std::string_view::npos) {
      p = star + 1, t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < glob.size() && glob[p] == '*') ++p;
  return p == glob.size();
}

}  // namespace hlolint
