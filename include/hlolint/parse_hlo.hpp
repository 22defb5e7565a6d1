// From HLO text to modules, for programs that read no other dumps.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/source.hpp>

namespace hlolint {

/// Reads every module of a text (hlo_text.md). Bad text never throws: `diagnostics` tells what could not be read, and
/// `modules` holds everything else. The text holds nothing but HLO; `parse_parts` of the tool finds HLO in logs and in
/// posts.
parsed_file parse_hlo(source text, hlo_extent extent = hlo_extent::whole);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/parse/hlo.hpp>
#endif
