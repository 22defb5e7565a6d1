// Many modules in one line: beside the step of a program JAX compiles dozens of helpers, such as jit_copy.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/text/number_text.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// `120 modules: jit_copy 14 times, jit_stage 9 times, jit_add and 20 other functions`: how many there are of each
/// function, most first. Precondition: there are some.
inline std::string modules_text(const std::vector<std::string_view>& names) {
  constexpr std::size_t most = 4;
  std::map<std::string, std::size_t> functions;
  for (const std::string_view name : names) ++functions[compiled_function(name)];
  std::vector<std::pair<std::string, std::size_t>> order(functions.begin(), functions.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out = counted(names.size(), "module") + ": ";
  for (std::size_t k = 0; k < order.size() && k < most; ++k) {
    out += (k == 0 ? "" : ", ") + printable(order[k].first);
    if (order[k].second > 1) out += " " + std::to_string(order[k].second) + " times";
  }
  if (order.size() > most) out += " and " + std::to_string(order.size() - most) + " other functions";
  return out;
}

/// `and 14 modules of one operation each, as JAX compiles them outside of jit: jit_copy 9 times, jit_add`; empty
/// without any. `facts`: of them together, after a comma.
inline std::string helpers_text(const std::vector<std::string_view>& names, std::string_view facts = {}) {
  if (names.empty()) return {};
  const std::string all = modules_text(names);
  const std::size_t list = all.find(": ");
  return "and " + all.substr(0, list) + " of one operation" + (names.size() == 1 ? "" : " each") +
         ", as JAX compiles outside of jit" + all.substr(list) + (facts.empty() ? "" : ", ") + std::string(facts);
}

/// How a table names the files of its rows (their `path`): without the folder, or in full if others have the same name.
template <class Rows>
std::vector<std::string> file_names(const Rows& rows) {
  const auto name_of = [](const auto& row) { return row.path.substr(row.path.rfind('/') + 1); };
  std::map<std::string, std::set<std::string>> paths;
  for (const auto& row : rows) paths[name_of(row)].insert(row.path);
  std::vector<std::string> out;
  for (const auto& row : rows) {
    std::string name = name_of(row);
    out.push_back(printable(paths[name].size() > 1 ? row.path : name));
  }
  return out;
}

/// Whether those of a list stand apart from the others: if there are both kinds.
template <class Rows>
bool has_both_kinds(const Rows& rows) {
  const auto helps = [](const auto& row) { return row.helper; };
  return std::any_of(rows.begin(), rows.end(), helps) && !std::all_of(rows.begin(), rows.end(), helps);
}

}  // namespace hlolint::report
