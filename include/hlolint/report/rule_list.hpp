// The rules of a catalogue as values, and the explanation of one for pages.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/lint/rule.hpp>
#include <hlolint/report/markup.hpp>
#include <hlolint/text/str_cat.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// An option of a rule; the value is the default as text.
struct option_entry {
  std::string_view name;  ///< as users write it: `min-waste`
  std::string value;      ///< the default, as users write it
  std::string_view help;  ///< what it does
};

/// A rule with what it reads and what can be set.
struct rule_entry {
  rule about;                           ///< id, name, level and explanations
  std::vector<std::string_view> reads;  ///< inputs that it cannot do without: `hlo`, `buffers`, `schedule`, ...
  std::vector<option_entry> options;    ///< in the order of the check
};

/// The words for a set of needs.
inline std::vector<std::string_view> words_of(need needs) {
  std::vector<std::string_view> words;
  const auto add = [&](need one, std::string_view word) {
    if (contains(needs, one)) words.push_back(word);
  };
  add(need::hlo, "hlo");
  add(need::scheduled, "schedule");
  add(need::buffers, "buffers");
  add(need::live_ranges, "live-ranges");
  add(need::printed_ranges, "live-ranges");
  add(need::used_values, "used-values");
  add(need::target, "target");
  return words;
}

/// The rules of a catalogue, in its order.
template <class... Checks>
std::vector<rule_entry> list_check_rules(const catalogue<Checks...>& checks) {
  std::vector<rule_entry> list;
  for_each_check(checks, [&]<class Check>(const rule& about, const Check& check) {
    list.push_back({about, words_of(needs_of<Check>()), {}});
    for_each_option(check, [&](const auto& entry, const auto& value) {
      list.back().options.push_back({entry.name, option_text(value), entry.help});
    });
  });
  return list;
}

/// The inputs of a rule as one text: `hlo, schedule`; `any dump` if it needs none in particular.
inline std::string reads_text(const rule_entry& entry) {
  std::string out;
  for (const std::string_view word : entry.reads) out.append(out.empty() ? "" : ", ").append(word);
  return out.empty() ? "any dump" : out;
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
    append_to(options, {options.empty() ? "" : "\n", "- `", option.name, " = ", option.value,
                        "`: ", markdown_text(option.help)});
  section("Options", options);
  section("Where this comes from", markdown_text(about.source));
  return out;
}

}  // namespace hlolint::report
