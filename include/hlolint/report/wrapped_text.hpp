// Text in lines that fit a screen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// Columns that a text of UTF-8 takes, one for each code point.
inline std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// A text of more than `most` columns without its middle: `a_very...fusion.1`. The end distinguishes names, so it gets
/// half; of the path of an installed package the front is left out first, `.../flax/linen/linear.py:271`.
inline std::string shortened(std::string_view text, std::size_t most) {
  if (columns_of(text) <= most || most < 8) return std::string(text);
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"})
    if (const std::size_t at = text.find(folder); at != text.npos && !text.starts_with("..."))
      return shortened("..." + std::string(text.substr(at + folder.size() - 1)), most);
  const std::size_t columns = columns_of(text);
  std::string out;
  const std::size_t back = (most - 3) / 2, front = most - 3 - back;
  std::size_t column = 0;
  for (const char c : text) {
    column += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (column == front + 1 && !out.ends_with("...")) out += "...";
    if (column <= front || column > columns - back) out += c;
  }
  return out;
}

namespace detail {

/// The text with words of more than `most` columns, such as paths, without their middle.
inline std::string with_short_words(std::string_view text, std::size_t most) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    out += shortened(text.substr(at, end - at), most);
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

}  // namespace detail

/// Lines of at most `width` columns, broken at blanks; the first one of at most `first`. A word that is longer is a
/// line of its own. Line ends of the text are kept.
inline std::vector<std::string> wrapped_lines(std::string_view text, std::size_t width, std::size_t first) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string line(rest.substr(0, std::min(rest.find_first_not_of(' '), rest.size())));
    rest.remove_prefix(line.size());
    bool has_word = false;
    while (!rest.empty()) {
      const std::size_t cut = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, cut);
      const std::size_t most = out.empty() ? first : width;
      if (has_word && columns_of(line) + 1 + columns_of(word) > most) {
        out.push_back(std::move(line));
        line.clear(), has_word = false;
      }
      if (has_word) line += ' ';
      line += word;
      has_word = true;
      rest.remove_prefix(std::min(cut + 1, rest.size()));
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace hlolint::report
