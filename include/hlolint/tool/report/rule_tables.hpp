// Lists of rules for people and programs, and the explanation of one.
#pragma once

#include <hlolint/report/rule_list.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// The entry with this id or name, or null.
inline const rule_entry* find_rule(const std::vector<rule_entry>& list, std::string_view word) {
  for (const rule_entry& entry : list)
    if (entry.about.id == word || entry.about.name == word) return &entry;
  return nullptr;
}

/// Writes each rule with its id, name, level and inputs, and below what it reports, in lines of at most `width`
/// columns.
inline void write_rule_table(std::ostream& out, const std::vector<rule_entry>& list, std::size_t width = 80) {
  std::size_t name_width = 4;
  for (const rule_entry& entry : list) name_width = std::max(name_width, entry.about.name.size());
  const auto cell = [&](std::string_view text, std::size_t columns) {
    out << text << std::string(columns - std::min(columns, text.size()) + 2, ' ');
  };
  for (const rule_entry& entry : list) {
    cell(entry.about.id, 6), cell(entry.about.name, name_width), cell(name_of(entry.about.level), 7);
    // The longest names leave no room for the inputs.
    const bool fits = 6 + 2 + name_width + 2 + 7 + 2 + reads_text(entry).size() <= width;
    out << (fits ? "" : "\n        reads ") << reads_text(entry) << '\n';
    detail::write_wrapped(out, entry.about.what, std::string(8, ' '), width);
  }
}

/// `{"schema":1,"rules":[{"id","name","level","since","reads","what","why","advice","example","source","options"}]}`
inline void write_rules_json(std::ostream& out, const std::vector<rule_entry>& list) {
  json_writer json(out);
  json.object([&] {
    json.member("schema", 1);
    json.objects("rules", list, [&](const rule_entry& entry) {
      json.members("id", entry.about.id, "name", entry.about.name, "level", name_of(entry.about.level));
      json.member_if("since", entry.about.since);
      json.values("reads", entry.reads);
      json.members_if("what", entry.about.what, "why", entry.about.why, "advice", entry.about.advice);
      json.members_if("example", entry.about.example, "source", entry.about.source);
      json.objects("options", entry.options, [&](const option_entry& option) {
        json.members("name", option.name, "default", option.value);
        json.member_if("help", option.help);
      });
    });
  });
}

/// Writes what a rule reports, why that is bad, what to do, an example, its options and where the facts come from.
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
  section("Example", about.example);
  section("Reads", reads_text(entry));
  if (!entry.options.empty()) out << "\nOptions\n";
  for (const option_entry& option : entry.options) {
    out << "  " << option.name << " = " << option.value << '\n';
    detail::write_wrapped(out, option.help, "    ", width);
  }
  section("Where this comes from", about.source);
}

}  // namespace hlolint::report
