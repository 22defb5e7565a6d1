// The place in the user's program that an instruction comes from.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/source_positions.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace hlolint {

/// A place in the user's program and the framework's name of the operation; unknown parts are empty.
struct program_place {
  source_position at;  ///< file, function and line
  std::string op_name;  ///< the framework's name of the operation
  /// Whether anything is known.
  explicit operator bool() const { return at || !op_name.empty(); }
  friend bool operator==(const program_place&, const program_place&) = default;
};

/// Read from the instruction's metadata or, if that is empty, from the root of a computation that it fuses, wraps or
/// calls.
inline program_place program_place_of(hlo_instruction i) {
  const auto written = [](hlo_instruction by) {
    auto metadata = get<op_metadata>(by);
    return metadata ? program_place{resolve(by), std::move(metadata->op_name)} : program_place{};
  };
  program_place out = written(i);
  for (std::size_t c = 0; !out && c < i.called_computation_count(); ++c)
    if (const hlo_computation called = i.called_computation(c))
      if (const hlo_instruction root = called.root()) out = written(root);
  return out;
}

}  // namespace hlolint
