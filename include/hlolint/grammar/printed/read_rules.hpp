// From HLO text to records: what read.hpp declares. Fixes the iterator and the context of the grammar.
#pragma once

#include <hlolint/grammar/build/module_builder.hpp>
#include <hlolint/grammar/hlo/file.hpp>
#include <hlolint/grammar/printed/read.hpp>
#include <hlolint/grammar/printed/reader.hpp>
#include <hlolint/text/compiled.hpp>

#include <string_view>
#include <utility>

namespace hlolint::grammar {

HLOLINT_INLINE hlo_reading read_hlo(const source& from, bool printed_lines, hlo_extent shown) {
  parse_state state;
  build::module_builder into_modules(from, state, shown != hlo_extent::whole);
  const std::string_view whole = from.text();
  const char* first = whole.data();
  const char* open_comment = nullptr;
  const blanks_and_comments blanks(&open_comment);
  const x3::context<x3::skipper_tag, const blanks_and_comments> skipping{blanks};
  const skipping_context inner{state, skipping};
  const auto building = with(into_modules, inner);
  printed::line_cache lines;
  lines.on = printed_lines && shown == hlo_extent::whole;
  const auto context = with(lines, building);
  if (shown == hlo_extent::instruction_list)
    fragment.parse(first, whole.data() + whole.size(), context, x3::unused, x3::unused);
  else
    file.parse(first, whole.data() + whole.size(), context, x3::unused, x3::unused);
  return {std::move(into_modules.modules), into_modules.take_diagnostics(), lines.taken};
}

}  // namespace hlolint::grammar
