// The numbers that XLA puts before the names of modules: `module_0012.jit_f`.
#pragma once

#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint {

/// What follows `module_NNNN` and its dot in a name or in a file's name; nothing if there is no such number. Something
/// may stand before it, up to a dot.
constexpr optional<std::string_view> after_module_number(std::string_view name) {
  constexpr std::string_view word = "module_";
  constexpr std::size_t least_digits = 4;
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    if (at > 0 && name[at - 1] != '.') continue;
    const std::size_t digits = at + word.size();
    std::size_t end = digits;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    if (end - digits >= least_digits && end < name.size() && name[end] == '.') return name.substr(end + 1);
  }
  return std::nullopt;
}

static_assert(after_module_number("pre.module_0012.jit_f.3") == "jit_f.3" && !after_module_number("jit_module_0012.f"));

}  // namespace hlolint
