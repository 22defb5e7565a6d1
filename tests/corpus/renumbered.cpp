// A baseline holds when a program is compiled again and XLA numbers its names differently.
#include "all_settings.hpp"
#include "corpus.hpp"
#include "programs.hpp"

#include <hlolint/checks/all.hpp>
#include <hlolint/lint/accept/baseline.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text with another number wherever XLA made a name unique: `fusion.12` becomes `fusion.112`. Strings stay.
std::string renumbered(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const std::size_t end = std::min(text.find('"', at + 1), text.size() - 1) + 1;
      out += text.substr(at, end - at), at = end;
      continue;
    }
    if (!in_name(text[at])) {
      out += text[at++];
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && in_name(text[at])) {
      const bool numbered = at > begin && text[at - 1] == '.' && is_digit(text[at]);
      std::size_t end = at;
      while (end < text.size() && is_digit(text[end])) ++end;
      const bool ends =
          end == text.size() || !in_name(text[end]) || !std::isalpha(static_cast<unsigned char>(text[end]));
      if (numbered && ends && !is_digit(text[begin]) && text[begin] != '-' && at - 1 > begin) out += '1';
      end = std::max(end, at + 1);
      out += text.substr(at, end - at), at = end;
    }
  }
  return out;
}

std::vector<diagnostic> findings_of(const std::vector<parsed_file>& files) {
  std::vector<input_file> inputs;
  for (const parsed_file& file : files) inputs.push_back({file.text.path(), &file, true});
  std::vector<diagnostic> out;
  for (const module_group& group : pair_files(inputs).groups)
    for (const diagnostic& found : lint(all, context(parts_of(group, inputs)), all_settings(all))) out.push_back(found);
  return out;
}

}  // namespace

TEST_CASE("renumbered") {
  CHECK(renumbered("%fusion.12 = f32[8]{0} add(p.1, 1.5, -2.5), metadata={op_name=\"f.1\"}") ==
        "%fusion.112 = f32[8]{0} add(p.11, 1.5, -2.5), metadata={op_name=\"f.1\"}");
  CHECK(renumbered("region_30.3928_spmd.clone.2 x.1y") == "region_30.13928_spmd.clone.12 x.1y");
}

TEST_CASE("a baseline holds for the same program with all names numbered anew") {
  std::size_t all_findings = 0, dismissed = 0, by_end_numbers = 0, modules = 0;
  for (const std::vector<std::string>& files : programs()) {
    // XLA printed neither these tests nor the HLO of these pairs: names may repeat in them.
    if (files.front().rfind("xla_tests/", 0) == 0 || files.front().rfind("pairs/xla", 0) == 0) continue;
    const std::vector<parsed_file> first = parsed_files(files);
    std::vector<parsed_file> second;
    for (const parsed_file& file : first)
      second.push_back(parse(source(renumbered(file.text.text()), file.text.path())));
    const std::vector<diagnostic> before = findings_of(first);
    baseline known;
    known.findings = baseline_entries(before);
    std::vector<diagnostic> after = findings_of(second);
    dismiss(known, after);
    for (const diagnostic& found : after) {
      if (found.rule.compare(0, 3, "SYN") == 0) continue;
      ++all_findings;
      dismissed += found.dismissed.has_value();
      const std::string key = fingerprint_key(found, fingerprint_version::end_numbers);
      by_end_numbers += std::any_of(before.begin(), before.end(), [&](const diagnostic& d) {
        return fingerprint_key(d, fingerprint_version::end_numbers) == key;
      });
      if (!found.dismissed) {
        const std::string text = files.front() + ": " + found.rule + " " + found.instruction + ": " + found.message;
        CAPTURE(text);
        CHECK(found.dismissed.has_value());
      }
    }
    ++modules;
  }
  REQUIRE(modules > 0);
  CHECK(all_findings > 0);
  std::cout << "renumbered: " << dismissed << " of " << all_findings << " findings dismissed in " << modules
            << " programs (by schema 1: " << by_end_numbers << ")\n";
}
