// All that is written about a rule, for people.
#pragma once

#include <hlolint/report/rule_list.hpp>

#include <ostream>
#include <string>
#include <string_view>

namespace hlolint {

namespace detail {

/// Text in lines of at most `width` columns, broken at spaces, each after `margin`. Lines of its own are kept.
inline void write_wrapped(std::ostream& out, std::string_view text, std::string_view margin, std::size_t width) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (line.size() + margin.size() > width) {
      std::size_t cut = line.rfind(' ', width - margin.size());
      if (cut == std::string_view::npos || cut == 0) cut = line.find(' ');
      if (cut == std::string_view::npos) break;
      out << margin << line.substr(0, cut) << '\n';
      line.remove_prefix(cut + 1);
    }
    out << (line.empty() ? std::string_view{} : margin) << line << '\n';
  }
}

}  // namespace detail

/// What the rule reports, why, what to do, an example, its options and where the facts come from.
inline void write_explanation(std::ostream& out, const rule_entry& entry, std::size_t width = 100) {
  const rule& about = entry.about;
  out << about.id << ' ' << about.name << " (" << name_of(about.level) << ", since " << about.since << ")\n";
  const auto section = [&](std::string_view title, std::string_view text) {
    if (text.empty()) return;
    out << '\n' << title << '\n';
    detail::write_wrapped(out, text, "  ", width);
  };
  section("What it reports", about.what);
  section("Why this is bad", about.why);
  section("What to do", about.advice);
  if (!about.example.empty()) {
    out << "\nExample\n";
    detail::write_wrapped(out, about.example, "  ", std::string_view::npos);
  }
  section("Reads", reads_text(entry));
  if (!entry.options.empty()) out << "\nOptions\n";
  for (const option_entry& option : entry.options) {
    out << "  " << option.name << " = " << option.value << '\n';
    detail::write_wrapped(out, option.help, "    ", width);
  }
  section("Where this comes from", about.source);
}

}  // namespace hlolint
