// One finding for many lines of a dump with the same kind of fault: their number, at the place of the first.
#pragma once

#include <hlolint/checks/value_finding.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hlolint::detail {

/// Counts the wrong lines among all lines of a kind and remembers the first. The views refer to the dump.
struct tally {
  std::size_t wrong = 0, all = 0;
  std::string_view instruction, text;  ///< of the first

  void add(bool is_wrong, std::string_view name, std::string_view in_text) {
    ++all;
    if (is_wrong && wrong++ == 0) instruction = name, text = in_text;
  }

  /// `3 of 80 values ...; the first is add.1`, where `what` is the middle part. Nothing if no line is wrong.
  std::optional<finding> finding_about(const buffer_dump& buffers, std::string_view what) const {
    if (wrong == 0) return std::nullopt;
    finding d =
        finding_at(buffers.where(text), str_cat({wrong, " of ", all, " ", what, "; the first is ", instruction}));
    // An empty name has no place in the text.
    if (text.empty() && !buffers.texts().empty()) d.where = {buffers.texts().front(), {}};
    d.subject.instruction = std::string(instruction);
    return d;
  }
};

}  // namespace hlolint::detail
