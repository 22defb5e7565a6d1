// The kind of a file, judged by its content alone.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <string_view>

namespace hlolint {

namespace logs {
class log_reader;
}

/// The kind of a text; `unknown` for text that XLA does not write. The template parameter stands for the reader of
/// logs, so that only a caller compiles it.
template <class Log = logs::log_reader>
input_kind kind_of(std::string_view text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/grammar/kind_of.hpp>
#endif
