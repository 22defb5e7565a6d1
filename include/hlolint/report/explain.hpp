// All that is written about a rule, for people.
#pragma once

#include <hlolint/report/markup.hpp>
#include <hlolint/report/rule_list.hpp>
#include <hlolint/report/wrapped_text.hpp>

#include <ostream>
#include <string>
#include <string_view>

namespace hlolint::report {

/// What the rule reports, why, what to do, an example, its options and where the facts come from.
inline void write_explanation(std::ostream& out, const rule_entry& entry, std::size_t width = 80) {
  const rule& about = entry.about;
  out << about.id << ' ' << about.name << " (" << name_of(about.level);
  if (!about.since.empty()) out << ", since " << about.since;
  out << ")\n";
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
    detail::write_wrapped(out, about.example, "  ", width);
  }
  section("Reads", reads_text(entry));
  if (!entry.options.empty()) out << "\nOptions\n";
  for (const option_entry& option : entry.options) {
    out << "  " << option.name << " = " << option.value << '\n';
    detail::write_wrapped(out, option.help, "    ", width);
  }
  section("Where this comes from", about.source);
}

/// The explanation as Markdown, for pages that explain findings.
inline std::string explanation_markdown(const rule_entry& entry) {
  const rule& about = entry.about;
  std::string out = "# " + std::string(about.id) + " " + std::string(about.name) + "\n";
  const auto section = [&](std::string_view title, const std::string& text) {
    if (!text.empty()) out.append("\n## ").append(title).append("\n\n").append(text).append("\n");
  };
  section("What it reports", markdown_text(about.what));
  section("Why this is bad", markdown_text(about.why));
  section("What to do", markdown_text(about.advice));
  if (!about.example.empty()) section("Example", "```text\n" + std::string(about.example) + "\n```");
  section("Reads", reads_text(entry));
  std::string options;
  for (const option_entry& option : entry.options)
    options.append(options.empty() ? "" : "\n").append("- `").append(option.name).append(" = ").append(option.value)
        .append("`: ").append(markdown_text(option.help));
  section("Options", options);
  section("Where this comes from", markdown_text(about.source));
  return out;
}

}  // namespace hlolint::report
