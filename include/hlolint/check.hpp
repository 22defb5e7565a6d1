// All that a rule of your own needs: the values that it reads, questions about them, how checks are composed and run,
// and the text report. The built-in rules are not included: each has a header of its own
// (checks/aliasing/alias_duplicate.hpp), and checks/all.hpp includes all of them.
#pragma once

// text
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/source.hpp>

// ir
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/text/value_text.hpp>

// grammar
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/parse.hpp>

// analysis
#include <hlolint/analysis/sizes/byte_size.hpp>

// lint
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/lint.hpp>

// report
#include <hlolint/report/text.hpp>
