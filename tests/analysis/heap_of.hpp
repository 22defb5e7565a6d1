// The heap of some values of a module, without the rest of an assignment.
#pragma once

#include "facts_of.hpp"

#include <hlolint/analysis/assignment/heap_events.hpp>
#include <hlolint/analysis/assignment/value_handover.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::testing {

/// Of the values with these names.
class heap_of {
 public:
  heap_of(std::string_view text, std::initializer_list<const char*> names)
      : facts(text), storage(facts.ranges.sets(), rules), handover(facts.ranges.sets(), rules) {
    for (const char* const name : names) values.push_back(static_cast<std::uint32_t>(facts.value(name)));
    std::sort(values.begin(), values.end());
  }
  heap_of(const heap_of&) = delete;
  heap_of& operator=(const heap_of&) = delete;

  /// What happens in the heap, for an order of the instructions by name; empty: that of the text.
  heap_events events(const std::vector<std::string_view>& order = {}) {
    const live_ranges in_order(facts.ranges.sets(), order);
    spans.clear();
    for (std::size_t v = 0; v < facts.flow().values().size(); ++v)
      spans.push_back(in_order.of(v) ? *in_order.of(v) : time_span{0, -1});
    return heap_events(facts.ranges.sets(), storage, handover, values, spans, in_order.schedule().size());
  }
  std::uint32_t value(std::string_view name) const { return static_cast<std::uint32_t>(facts.value(name)); }

  facts_of facts;
  assignment_rules rules;
  storage_sets storage;
  value_handover handover;
  std::vector<std::uint32_t> values;  // ascending
  std::vector<time_span> spans;       // of all values, in the order asked for last
};

/// Two values of 256 bytes one after the other in the same bytes, and a third that is there with the second.
inline const std::string heap_text = entry_text(
    "  p = f32[64]{0} parameter(0)\n  a = f32[64]{0} custom-call(p), custom_call_target=\"k\"\n  b = f32[64]{0} "
    "negate(a)\n"
    "  c = f32[64]{0} custom-call(b), custom_call_target=\"k\"\n  z = f32[0]{0} custom-call(p), "
    "custom_call_target=\"k\"\n"
    "  ROOT r = f32[64]{0} custom-call(c, z), custom_call_target=\"k\"\n");
/// Three values that are there together at the end.
inline const std::string three_text = entry_text(
    "  p = f32[64]{0} parameter(0)\n  x = f32[64]{0} custom-call(p), custom_call_target=\"k\"\n"
    "  y = f32[128]{0} custom-call(p), custom_call_target=\"k\"\n  z = f32[64]{0} custom-call(p), "
    "custom_call_target=\"k\"\n"
    "  ROOT r = f32[64]{0} custom-call(x, y, z), custom_call_target=\"k\"\n");

}  // namespace hlolint::testing
