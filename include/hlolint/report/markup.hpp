// Text inside XML, HTML and Markdown.
#pragma once

#include <hlolint/report/utf8.hpp>

#include <string>
#include <string_view>

namespace hlolint::report {

/// Content or attribute value of XML 1.0 or HTML. Controls, which XML cannot hold, become U+FFFD.
inline std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

/// A table cell or sentence of Markdown that shows the text as it is.
inline std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>#|~$@").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Text in a code span; backticks inside become quotes.
inline std::string markdown_code(std::string_view text) {
  std::string out = "`";
  for (const char c : printable(text)) {
    if (c == '|') out += '\\';
    out += c == '`' ? '\'' : c;
  }
  return out + "`";
}

}  // namespace hlolint::report
