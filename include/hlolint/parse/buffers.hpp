// From a buffer dump to values: what parse_buffers.hpp declares.
#pragma once

#include <hlolint/grammar/buffers/dump.hpp>
#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/parse/dump_diagnostics.hpp>
#include <hlolint/parse_buffers.hpp>
#include <hlolint/text/compiled.hpp>

#include <string_view>
#include <utility>

namespace hlolint {

HLOLINT_INLINE parsed_file parse_buffers(source text) {
  parsed_file out;
  out.kind = kind_of(text.text());
  const std::string_view whole = text.text();
  grammar::dump::read_dump read;
  read.texts.push_back(text);
  // Half of a whole dump are used values, a quarter are allocations and their values.
  read.values.reserve(whole.size() / 400);
  read.positions.reserve(whole.size() / 200);
  read.uses.reserve(whole.size() / 200);

  grammar::parse_state with;
  grammar::dump::dump_state state(whole, with, read);
  grammar::dump::parse(out.kind, state);
  grammar::dump::finish(state);
  if (text.oversized()) state.cut_off = true;

  const bool something = read.has_assignment || read.has_used_values || read.total_bytes_used || read.live_ranges ||
                         read.report || read.info || read.thunk_list;
  const bool wrong = !state.problems.empty() || !with.broken.empty() || state.cut_off;
  if (something || (wrong && out.kind != input_kind::unknown))
    out.diagnostics = detail::diagnostics_of(state, text);
  else
    out.diagnostics.push_back(detail::unreadable_input(text));
  out.status = !something ? parse_status::failed : wrong ? parse_status::partial : parse_status::ok;
  if (something) out.buffers.emplace(grammar::dump::shared(std::move(read)));
  out.text = std::move(text);
  return out;
}

}  // namespace hlolint
