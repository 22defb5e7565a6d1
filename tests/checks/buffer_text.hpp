// Buffer dumps for tests of rules that read allocations only.
#pragma once

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <hlolint/lint/lint.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

/// The section `BufferAssignment:` with the given lines.
inline buffer_dump assignment_of(const std::string& lines) { return buffers_of("BufferAssignment:\n" + lines); }

/// The lines with a number of its own for each value, in place of `<0`.
inline std::string numbered(std::string text) {
  int next = 0;
  for (std::size_t at = text.find("<0 "); at != std::string::npos; at = text.find("<0 ", at + 1))
    text.replace(at, 2, "<" + std::to_string(next++));
  return text;
}

/// `MEM004 error` and so on, notes included.
template <class Checks>
std::vector<std::string> outcome(const Checks& checks, const context& dump) {
  std::vector<std::string> out;
  for (const diagnostic& d : lint(checks, dump, all_settings(as_catalogue(checks))))
    out.push_back(std::string(name_of(d.level)) + ": " + d.message);
  return out;
}
template <class Checks>
std::vector<std::string> outcome(const Checks& checks, buffer_dump buffers, target backend = target::unknown) {
  return outcome(checks, context({.buffers = std::move(buffers), .target = backend}));
}

using texts = std::vector<std::string>;

}  // namespace hlolint::testing
