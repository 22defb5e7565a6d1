// The one way into the grammar of HLO: fixes the iterator and the context.
#pragma once

#include <hlolint/grammar/hlo/file.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// What was read, and what could not be; the diagnostics are in no order.
struct hlo_reading {
  std::vector<std::shared_ptr<module_data>> modules;
  std::vector<diagnostic> diagnostics;
};

/// A template, so that the grammar is compiled where something is parsed.
template <class Builder>
hlo_reading read_hlo(const source& text_) {
  parse_state state;
  Builder into_modules(text_, state);
  const std::string_view whole = text_.text();
  const char* first = whole.data();
  const char* open_comment = nullptr;
  const blanks_and_comments blanks(&open_comment);
  const x3::context<x3::skipper_tag, const blanks_and_comments> skipping{blanks};
  const skipping_context inner{state, skipping};
  const auto context = with(into_modules, inner);
  file.parse(first, whole.data() + whole.size(), context, x3::unused, x3::unused);
  return {std::move(into_modules.modules), std::move(into_modules.diagnostics)};
}

}  // namespace hlolint::grammar
