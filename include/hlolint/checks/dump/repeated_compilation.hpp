// DMP011: one function, compiled many times.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One note for all modules of a function in a folder, at the first of them. Numbers in module names do not count.
struct repeated_compilation {
  static constexpr rule about{
      .id = "DMP011",
      .name = "repeated-compilation",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .what = "A function was compiled many times: a folder holds several modules of its name.",
      .why =
          "Every compilation takes seconds to minutes, and each program takes memory of its own. Shapes that "
          "change from step to step make XLA compile in every step.",
      .advice =
          "Where parameters differ, pad them to a few shapes. Where they do not, look for functions that are "
          "created anew in a loop, and for arguments that are constants of the program "
          "(jax_explain_cache_misses names them). A function named after one operation (jit_add) runs outside "
          "of any jit: jit its caller.",
      .example =
          "module_0003.jit_step.cpu_after_optimizations.txt: %x = f32[8,100]{1,0} parameter(0)\n"
          "module_0007.jit_step.cpu_after_optimizations.txt: %x = f32[8,101]{1,0} parameter(0)",
      .source = "JAX: jax_log_compiles, jax_explain_cache_misses"};

  int min_count = 5;
  static constexpr auto options = std::tuple{
      option{"min-count", &repeated_compilation::min_count, "functions with fewer modules are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/related_modules.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace hlolint {

namespace dmp011 {

inline std::string parameters_text(const std::vector<std::string>& shapes) {
  constexpr std::size_t most = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(shapes.size(), most); ++i) out += (i ? ", " : ": ") + shapes[i];
  return out + and_more(shapes.size(), most);
}
/// The shapes of a parameter, the most frequent first.
inline std::string shapes_text(const std::map<std::string, std::size_t>& shapes) {
  constexpr std::size_t most = 4;
  std::vector<std::pair<std::size_t, const std::string*>> list;
  for (const auto& [text, count] : shapes) list.emplace_back(count, &text);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (std::size_t i = 0; i < std::min(list.size(), most); ++i) {
    out += (i ? ", " : "") + *list[i].second;
    if (list[i].first > 1) out += " (" + std::to_string(list[i].first) + " times)";
  }
  if (list.size() <= most) return out;
  return out + " and " + std::to_string(list.size() - most) + (list.size() == most + 1 ? " other" : " others");
}

}  // namespace dmp011

HLOLINT_INLINE void repeated_compilation::operator()(const context& dump, sink_ref emit) const {
  const std::vector<recompilation>& all = dump.recompilations();  // empty for all but the first
  if (all.empty() || all.size() < static_cast<std::size_t>(std::max(min_count, 2))) return;
  std::set<std::vector<std::string>> sets;
  std::size_t most_parameters = 0;
  for (const recompilation& one : all) {
    sets.insert(one.parameters);
    most_parameters = std::max(most_parameters, one.parameters.size());
  }
  std::string text = str_cat({compiled_function(dump.name()), " was compiled ", all.size(), " times in this folder, "});
  if (sets.size() == 1) {
    text += "always with the same parameters" + dmp011::parameters_text(*sets.begin());
  } else {
    text += "for " + std::to_string(sets.size()) + " sets of parameters";
    std::size_t shown = 0;
    for (std::size_t number = 0; number < most_parameters; ++number) {
      std::map<std::string, std::size_t> shapes;
      for (const recompilation& one : all) ++shapes[number < one.parameters.size() ? one.parameters[number] : "(none)"];
      if (shapes.size() >= 2 && ++shown <= 3)
        append_to(text, {"; parameter ", number, ": ", dmp011::shapes_text(shapes)});
    }
    text += and_more(shown, 3, "; ", " parameters differ");
  }
  emit(finding_at(dump.hlo() ? dump.hlo()->where() : location{}, std::move(text)));
}

}  // namespace hlolint
#endif
