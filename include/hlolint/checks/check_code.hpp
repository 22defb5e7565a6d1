// What the code of almost every check uses: beginnings of findings, attributes, sizes and texts of shapes, lists,
// optional values, and the usual containers and algorithms.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
