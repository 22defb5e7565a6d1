// The flags that a program was compiled with, as the files beside its dump list them (buffer_dumps.md 1.2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// Flags by name, without leading dashes. libtpu's `flagfile` has all flags, `debug_options` those that differ from
/// their defaults.
using compiler_flags = std::map<std::string, std::string, std::less<>>;

/// Reads lines `--name=value` (`flagfile`) and `name: value` (`debug_options`, `tpu_comp_env.txt`), and those of
/// messages `debug_options { ... }` (`compile_options.textproto`, `config.pbtxt`). Other lines are left out. Of a
/// repeated name the last value counts.
inline compiler_flags read_flags(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  compiler_flags out;
  std::vector<std::string_view> messages;  // that the line is in
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    line = line.substr(0, line.find_last_not_of(blanks) + 1);
    if (line.ends_with('{')) {
      messages.push_back(line.substr(0, line.find_first_of(" :{")));
    } else if (line == "}") {
      if (!messages.empty()) messages.pop_back();
    } else if (messages.empty() || messages.back() == "debug_options") {
      const bool dashes = line.starts_with("--");
      if (dashes) line.remove_prefix(2);
      const std::string_view separator = dashes ? "=" : ": ";
      const std::size_t cut = line.find(separator);
      if (cut == 0 || cut == line.npos || line.substr(0, cut).find_first_of(" \t{") != line.npos) continue;
      out.insert_or_assign(std::string(line.substr(0, cut)), std::string(line.substr(cut + separator.size())));
    }
  }
  return out;
}

/// Whether a flag is known to be on.
inline bool is_on(const compiler_flags& flags, std::string_view name) {
  const auto found = flags.find(name);
  return found != flags.end() && (found->second == "true" || found->second == "1");
}

/// Whether a flag is known to be off.
inline bool is_off(const compiler_flags& flags, std::string_view name) {
  const auto found = flags.find(name);
  return found != flags.end() && (found->second == "false" || found->second == "0");
}

}  // namespace hlolint
