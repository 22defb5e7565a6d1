// Reads the text dumps that are not HLO: buffer assignments, live ranges, memory reports, thunk sequences.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/source.hpp>

namespace hlolint {

/// Parses a buffer dump of any form. `buffers` holds all that can be read, `diagnostics` tells what cannot.
parsed_file parse_buffers(source text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/parse/buffers.hpp>
#endif
