// The only entry to the grammar of HLO: fixes the iterator and the context.
#pragma once

#include <hlolint/grammar/hlo/file.hpp>
#include <hlolint/grammar/printed/reader.hpp>
#include <hlolint/ir/parsed_file.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// What was read, and what could not be read.
struct hlo_reading {
  std::vector<std::shared_ptr<module_data>> modules;
  std::vector<diagnostic> diagnostics;  ///< in no order
  std::size_t printed_lines = 0;        ///< instructions and heads that were read in one go (grammar/printed/)
};

/// A template, so that the grammar is compiled where something is parsed. `printed_lines`: whether lines exactly as XLA
/// prints them are read in one go, without the rules.
template <class Builder>
hlo_reading read_hlo(const source& text_, bool printed_lines = true, hlo_extent shown = hlo_extent::whole) {
  parse_state state;
  Builder into_modules(text_, state, shown != hlo_extent::whole);
  const std::string_view whole = text_.text();
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
