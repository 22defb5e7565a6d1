// The only entry to the grammar of HLO.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/source.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace hlolint::grammar {

/// What was read, and what could not be read.
struct hlo_reading {
  std::vector<std::shared_ptr<module_data>> modules;
  std::vector<diagnostic> diagnostics;  ///< in no order
  std::size_t printed_lines = 0;        ///< instructions and heads that were read in one go (grammar/printed/)
};

/// `printed_lines`: whether lines exactly as XLA prints them are read in one go, without the rules.
hlo_reading read_hlo(const source& from, bool printed_lines = true, hlo_extent shown = hlo_extent::whole);

}  // namespace hlolint::grammar

#ifndef HLOLINT_COMPILED
#include <hlolint/grammar/printed/read_rules.hpp>
#endif
