// The flags that a program was compiled with, as the files beside its dump list them (buffer_dumps.md 1.2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace hlolint {

/// Flags by name, without leading dashes. libtpu's `flagfile` has all flags, `debug_options` those that differ from
/// their defaults.
using compiler_flags = std::map<std::string, std::string, std::less<>>;

/// Reads lines `--name=value` (`flagfile`) and `name: value` (`debug_options`). Other lines are left out. Of a repeated
/// name the last value counts.
inline compiler_flags read_flags(std::string_view text) {
  compiler_flags out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool dashes = line.starts_with("--");
    if (dashes) line.remove_prefix(2);
    const std::string_view separator = dashes ? "=" : ": ";
    const std::size_t cut = line.find(separator);
    if (cut == 0 || cut == line.npos || line.substr(0, cut).find_first_of(" \t{") != line.npos) continue;
    out.insert_or_assign(std::string(line.substr(0, cut)), std::string(line.substr(cut + separator.size())));
  }
  return out;
}

/// Whether a flag is known to be on.
inline bool is_on(const compiler_flags& flags, std::string_view name) {
  const auto found = flags.find(name);
  return found != flags.end() && (found->second == "true" || found->second == "1");
}

}  // namespace hlolint
