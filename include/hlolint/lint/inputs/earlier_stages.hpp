// Which files hold a module as it was before XLA optimized it.
#pragma once

#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/lint/inputs/input_file.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string_view>

namespace hlolint::detail {

// For the files of final modules, those with the same modules before optimization: by folder and name, else, if it was
// named, the only one whose module has this name.
inline std::map<std::size_t, std::size_t> earlier_stages(const record_list<input_file>& inputs) {
  const auto has_module = [&](std::size_t i) { return inputs[i].content->modules().size() == 1; };
  std::map<std::size_t, std::size_t> out;
  std::map<std::string_view, std::size_t> before;                              // by path without stage
  std::map<std::string_view, record_list<std::size_t>> final_ones, unmatched;  // by the module's name
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const std::string_view stem = unoptimized_stem(inputs[i].path); !stem.empty() && has_module(i))
      before.emplace(stem, i);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!has_module(i) || is_earlier_stage(inputs[i].path)) continue;
    const bool matched = find_unoptimized_stem(inputs[i].path, [&](std::string_view stem) {
      const auto found = before.find(stem);
      return found != before.end() && (out[i] = found->second, true);
    });
    if (!matched) final_ones[inputs[i].content->modules().front().name()].push_back(i);
  }
  std::set<std::size_t> used;
  for (const auto& [last, first] : out) used.insert(first);
  for (const auto& [stem, i] : before)
    if (inputs[i].named && used.count(i) == 0) unmatched[inputs[i].content->modules().front().name()].push_back(i);
  for (const auto& [name, files] : unmatched)
    if (const auto found = final_ones.find(name);
        found != final_ones.end() && files.size() == 1 && found->second.size() == 1)
      out.emplace(found->second.front(), files.front());
  return out;
}

}  // namespace hlolint::detail
