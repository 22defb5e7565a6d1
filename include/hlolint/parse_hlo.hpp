// From HLO text to modules. Include this to read HLO and nothing else.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/source.hpp>

namespace hlolint {

namespace build {
class module_builder;
}

/// Reads every module of a text (hlo_text.md). Never throws for bad text: what could not be read is in `diagnostics`,
/// everything else in `modules`. Modules in a log are found; what else the log holds is passed over. The parameter
/// names the grammar, so that it is compiled where something is parsed.
template <class Builder = build::module_builder>
parsed_file parse_hlo(source text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/parse/hlo.hpp>
#endif
