// The attribute `control-predecessors={%a, %b}` (hlo_text.md 7).
#pragma once

#include <hlolint/grammar/attribute_access.hpp>
#include <hlolint/grammar/names.hpp>

#include <boost/spirit/home/x3/operator/list.hpp>

#include <string_view>
#include <vector>

namespace hlolint {

namespace grammar {
inline constexpr auto control_predecessor_names = '{'_p >> instruction_name % ','_p >> '}'_p;
}  // namespace grammar

/// Names, as written, of the instructions of the same computation that have to run first; none if nothing is written.
template <class = void>
std::vector<std::string_view> get_control_predecessors(const hlo_instruction& instruction) {
  const auto text = instruction.attribute(attribute_key::control_predecessors);
  if (!text) return {};
  return detail::value_of<std::vector<std::string_view>>(grammar::control_predecessor_names, *text)
      .value_or(std::vector<std::string_view>{});
}

}  // namespace hlolint
