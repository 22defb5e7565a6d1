// How a text is read.
#pragma once

namespace hlolint {

/// What is read is the same whatever the options are.
struct parse_options {
  bool printed_lines = true;  ///< lines exactly as XLA prints them are read in one go, without the rules of the grammar
};

}  // namespace hlolint
