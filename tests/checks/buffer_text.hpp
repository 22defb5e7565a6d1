// Buffer dumps for tests of rules that read allocations only.
#pragma once

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <hlolint/lint/lint.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

/// The section `BufferAssignment:` with the given lines.
inline buffer_dump assignment_of(const std::string& lines) { return buffers_of("BufferAssignment:\n" + lines); }

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
