// From HLO text to modules. Include this to read HLO and nothing else.
#pragma once

#include <hlolint/grammar/hlo_reader.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Reads every module of a text (hlo_text.md). Never throws for bad text: what could not be read is in `diagnostics`,
/// everything else in `modules`.
template <class Reader = grammar::hlo_reader<>>
parsed_file parse_hlo(source text) {
  return Reader(std::move(text)).read();
}

}  // namespace hlolint
