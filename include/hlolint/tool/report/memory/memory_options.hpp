// Options of a memory report.
#pragma once

#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/text/bytes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hlolint::report {

/// The origins that resident bytes can be summed by.
enum class memory_by : std::uint8_t { nothing, source, function, scope, pass, opcode, shape, weight };

/// As the option `--by` has it; empty for `nothing`.
constexpr std::string_view name_of(memory_by by) {
  constexpr std::string_view names[] = {"", "source", "function", "scope", "pass", "opcode", "shape", "weight"};
  return names[static_cast<std::size_t>(by)];
}

/// Bytes of one origin. `depth` > 0 only in the tree of scopes: the group is a part of the last group before it with a
/// smaller depth.
struct memory_group {
  std::string name;          ///< what the bytes have in common, in the words of `by`
  byte_count bytes = 0;      ///< of the need, at the shown position
  byte_count allocated = 0;  ///< that its values occupy at one time or another, each byte once; at least `bytes`
  std::size_t items = 0;     ///< how many items of the need they are
  std::size_t depth = 0;     ///< groups around it
  std::array<byte_count, program_pass_count> of_pass{};  ///< `bytes` by the pass of what makes them
};

/// The parts of a module's memory that are shown.
struct memory_options {
  std::size_t top = 10;               ///< row limit for values; for allocations in text
  std::optional<std::int64_t> at{};   ///< the position whose values are shown; nothing = the peak
  bool blocks = false;                ///< draw with U+2581 to U+2588 instead of `#`
  memory_by by = memory_by::nothing;  ///< else sums instead of allocations and values
  std::size_t depth = 0;              ///< levels of scopes that are shown; 0 = all
  std::size_t width = 0;              ///< columns of the terminal, which tables are fitted to; 0 = no limit
  std::string module{};               ///< only modules of this name; empty = all
};

}  // namespace hlolint::report
