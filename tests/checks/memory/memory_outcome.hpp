// What MEM001, MEM002 and MEM003 together make of a dump, in a line.
#pragma once

#include <hlolint/checks/memory/overlapping_live_buffers.hpp>
#include <hlolint/checks/memory/partial_overlap_in_place.hpp>
#include <hlolint/checks/memory/touching_not_shareable.hpp>

#include "all_settings.hpp"
#include "checks/memory_fixtures.hpp"

#include <string>

namespace hlolint::testing::memory {

inline constexpr auto memory_rules = overlapping_live_buffers{} | touching_not_shareable{} | partial_overlap_in_place{};

// `MEM001 error, MEM002 note`: everything, notes included.
inline std::string outcome(const context& dump) {
  std::string out;
  for (const diagnostic& d : lint(memory_rules, dump, all_settings(memory_rules)))
    out += (out.empty() ? "" : ", ") + d.rule + " " + std::string(name_of(d.level));
  return out;
}
inline std::string outcome(const buffer_dump& dump, target backend = target::gpu) {
  return outcome(context({.buffers = dump, .target = backend}));
}

}  // namespace hlolint::testing::memory
