// Everything, floor by floor. Programs that only parse include <hlolint/parse.hpp> and pay for that alone.
#pragma once

// text
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>
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
#include <hlolint/print/print.hpp>

// lint
#include <hlolint/lint/lint.hpp>
#include <hlolint/lint/inputs/pairing.hpp>

// checks
#include <hlolint/checks/all.hpp>

// report
#include <hlolint/report/json.hpp>
#include <hlolint/report/text.hpp>
