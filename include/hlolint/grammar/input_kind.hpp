// What a file is, by its content alone.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <string_view>

namespace hlolint {

namespace logs {
class log_reader;
}

/// The kind of a text. Text that is nothing XLA writes is `unknown`. The parameter names the reader of logs, so that it
/// is compiled where the kind of a text is asked for.
template <class Log = logs::log_reader>
input_kind kind_of(std::string_view text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/grammar/kind_of.hpp>
#endif
