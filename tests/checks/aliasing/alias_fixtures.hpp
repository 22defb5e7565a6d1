// Modules with aliases in their headers, and the messages of errors about them.
#pragma once

#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hlolint::testing::aliases {

/// Two parameters, two outputs.
inline std::string with_header(const std::string& header, const std::string& first = "f32[8]{0}",
                               const std::string& second = "f32[16]{0}") {
  return "HloModule m, " + header + "entry_computation_layout={(" + first + ", (" + second + ", token[]))->(" + first +
         ", " + second + ")}\n\nENTRY %main {\n  %p = " + first + " parameter(0)\n  %q = (" + second +
         ", token[]) parameter(1)\n  %q0 = " + second + " get-tuple-element(%q), index=0\n  ROOT %t = (" + first +
         ", " + second + ") tuple(%p, %q0)\n}\n";
}

template <class Check>
std::vector<std::string> messages(const std::string& text, target backend = target::unknown) {
  std::vector<std::string> out;
  for (const diagnostic& d : lint(Check{}, context({.hlo = module_of(text), .target = backend}))) {
    CHECK(d.level == severity::error);
    CHECK(!d.where.text().empty());
    out.push_back(d.message);
  }
  return out;
}

using texts = std::vector<std::string>;

}  // namespace hlolint::testing::aliases
