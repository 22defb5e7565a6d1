// Paths into a shape, `{}` or `{0,1}` (hlo_text.md 2).
#pragma once

#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <string_view>

namespace hlolint::grammar {

namespace shape_index_rules {

inline void check_step(parse_state& s, std::string_view text, std::int64_t step) {
  if (step < 0 || step > 0xFFFFFFFF) s.broke(text.data(), str_cat({"a shape has no element ", step}));
}
inline void append_step(hlolint::shape_index& index, std::int64_t step) {
  if (step >= 0 && step <= 0xFFFFFFFF) index.push_back(static_cast<std::uint32_t>(step));
}

}  // namespace shape_index_rules

// {0,1}    a comma may come before the closing brace, as in XLA
inline constexpr auto shape_index = rule<hlolint::shape_index>("shape index") =
    with_last_comma(in_braces("an integer, ',' or '}' in a shape index"))
        [update<&shape_index_rules::append_step>[checked<&shape_index_rules::check_step>[integer]]];

}  // namespace hlolint::grammar
