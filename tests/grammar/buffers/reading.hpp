// One translation unit instantiates the grammars of buffer dumps and logs; the tests link to it.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <string>
#include <string_view>

namespace buffer_reading {

hlolint::parsed_file read(std::string text);

/// Status and diagnostics in one text: `partial 3:7 SYN001 expected a shape`.
std::string outcome(const hlolint::parsed_file& file);
inline std::string outcome(std::string text) { return outcome(read(std::move(text))); }

/// A whole dump in one file: an aliased parameter, a loop, two colors, all kinds of allocation.
extern const std::string_view combined;

}  // namespace buffer_reading
