// The flags that a program was compiled with, as the files beside its dump list them (buffer_dumps.md 1.2).
#pragma once

#include <hlolint/text/source.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// The flags that texts list: libtpu's `flagfile` all, which are thousands, `debug_options` those that differ from
/// their defaults.
class compiler_flags {
 public:
  compiler_flags() = default;
  /// Those of one text; see `add`.
  explicit compiler_flags(source text) { add(std::move(text)); }

  /// Adds lines `--name=value` (`flagfile`) and `name: value` (`debug_options`, `tpu_comp_env.txt`), and those of
  /// messages `debug_options { ... }` (`compile_options.textproto`, `config.pbtxt`). Other lines are left out. Of
  /// several texts that have a flag the first one counts, and the last of its values there. Linear in all texts.
  void add(source text) {
    table all = values_ ? *values_ : table();
    all.merge(flags_in(text.text()));  // those that are known stay
    values_ = std::make_shared<const table>(std::move(all));
    texts_.push_back(std::move(text));
  }

  /// The value of a flag, whose name has no leading dashes; nothing if it is in no text. Valid as long as the flags or
  /// a copy of them.
  std::optional<std::string_view> value(std::string_view name) const {
    if (!values_) return std::nullopt;
    const auto found = values_->find(name);
    return found != values_->end() ? std::optional(found->second) : std::nullopt;
  }

 private:
  using table = std::unordered_map<std::string_view, std::string_view>;  // from names to values

  static table flags_in(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    table out;
    std::vector<std::string_view> messages;  // that the line is in
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      at = end + 1;
      while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
      while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
      if (line.ends_with('{')) {
        messages.push_back(line.substr(0, line.find_first_of(" :{")));
      } else if (line == "}") {
        if (!messages.empty()) messages.pop_back();
      } else if (messages.empty() || messages.back() == "debug_options") {
        const bool dashes = line.starts_with("--");
        if (dashes) line.remove_prefix(2);
        const std::string_view separator = dashes ? "=" : ": ";
        if (const std::size_t split = line.find(separator); split != line.npos)
          out.insert_or_assign(line.substr(0, split), line.substr(split + separator.size()));
      }
    }
    return out;
  }

  std::shared_ptr<const table> values_;  // copies of the flags share it
  std::vector<source> texts_;            // that it points into
};

/// Whether a flag is known to be on.
inline bool is_on(const compiler_flags& flags, std::string_view name) {
  const auto found = flags.value(name);
  return found == "true" || found == "1";
}

/// Whether a flag is known to be off.
inline bool is_off(const compiler_flags& flags, std::string_view name) {
  const auto found = flags.value(name);
  return found == "false" || found == "0";
}

}  // namespace hlolint
