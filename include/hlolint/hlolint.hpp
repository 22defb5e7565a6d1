// Everything but the rules, floor by floor. checks/all.hpp has all rules; each also has a header of its own. Programs
// that only parse include <hlolint/parse.hpp>, which is cheaper to compile.
#pragma once

/// @namespace hlolint::report
/// Findings, memory, time and differences as text, JSON, HTML and the formats of other tools.
/// @namespace hlolint::compare
/// Differences between compilations or between ranks.
/// @namespace hlolint
/// Reads the text dumps of XLA, answers questions about the programs in them, and lints them. `parse` reads a file; a
/// `context` holds all that was read of one module and its analyses; `lint` runs checks, and `all` are the built-in
/// ones. Values compare by their contents. Unless stated otherwise, sizes are in bytes, and positions are offsets in
/// bytes or places in the schedule, counted from 0.

// text
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/source.hpp>

// ir
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/text/value_text.hpp>

// grammar
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/print/print.hpp>

// lint
#include <hlolint/lint/lint.hpp>
#include <hlolint/lint/inputs/pairing.hpp>

// report
#include <hlolint/report/json.hpp>
#include <hlolint/report/text.hpp>
