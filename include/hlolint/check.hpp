// All that a rule of one's own needs: the values it reads, what can be asked of them, how checks are composed and run,
// and the text report. The built-in rules are not in it: each is a header of its own
// (checks/aliasing/alias_duplicate.hpp), and all together are checks/all.hpp.
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
#include <hlolint/lint/catalogue.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/lint.hpp>

// report
#include <hlolint/report/text.hpp>
