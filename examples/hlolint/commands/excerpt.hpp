// A part of a JSON report that fits: the costliest entries of its lists, and how to ask for the others.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace hlolint::command {

/// How much of a report is wanted.
struct excerpt_options {
  std::optional<std::size_t> top = {};        ///< most entries of each list; nothing = all
  std::optional<std::size_t> max_bytes = {};  ///< of the report; nothing = any number
  std::string cursor = {};  ///< go on with the list and the entry that an excerpt names; empty = the report

  /// Whether less than the whole report is wanted.
  bool is_part() const { return top || max_bytes || !cursor.empty(); }
};

using json_value = nlohmann::ordered_json;

/// A report with its lists cut to at most `top` entries, as few as it takes for `fits` to be true of it. Lists with
/// costs begin with the costliest entry. A member `omitted` counts the entries that are left out, with the cursors that
/// go on with them. Lists of numbers are kept or left out as a whole but on pages of their own, and long texts end in
/// `...`. Where `--by` groups a view, the groups take the room. If nothing fits, the smallest excerpt is returned.
json_value excerpt_of(json_value report, const excerpt_options& wanted,
                      const std::function<bool(const json_value&)>& fits);

/// The same of the text of a report, as text of at most `max_bytes` bytes. Returns the error in `error`: no report, or
/// a cursor that names no list of it.
std::string excerpt_of(const std::string& report, const excerpt_options& wanted, std::string& error);

/// Thrown for a cursor that names no list of the report.
struct wrong_cursor {
  std::string message;
};

}  // namespace hlolint::command
