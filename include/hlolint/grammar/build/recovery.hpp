// What could not be read so far, and where reading goes on (hlo_text.md 12).
#pragma once

#include <cstddef>
#include <cstdint>

namespace hlolint::build {

struct recovery {
  // -------------------- the module
  std::size_t margin = 0;               ///< indentation of the computation or module that is being read
  bool left_out = false;                ///< lines of the text were left out: an undefined name proves nothing
  bool lost_computation_names = false;  ///< the name of a computation may have been misread
  bool cut = false;                     ///< the text ends inside the module
  bool head_moved = false;              ///< the next computation's first instruction came before its head
  // -------------------- the outermost computation
  bool headless = false;         ///< it has no head, or one that cannot be read
  bool brace_too_early = false;  ///< its closing brace came before its last instruction
  bool just_lost = false;        ///< the instruction before this place could not be read
  bool rest_is_lost = false;     ///< nothing can be read from the lost instruction to the end of the text
  bool string_too_long = false;  ///< a string after the closing brace runs into the next line
  bool touched_end = false;      ///< the last instruction reaches the end of the text
  // -------------------- the instruction that was lost last
  std::uint32_t lost_at = 0;     ///< where it begins
  std::uint32_t resume_at = 0;   ///< reading does not go on before this place
  bool lost_at_end = false;      ///< it may be cut off by the end of the text
  bool lost_opens_body = false;  ///< its first line ends in `{`

  void begin_module(std::size_t indentation) {
    *this = {.margin = indentation, .left_out = left_out, .lost_computation_names = left_out};
  }
  void begin_computation(std::size_t indentation) {
    *this = {.margin = indentation, .left_out = left_out, .lost_computation_names = lost_computation_names, .cut = cut};
  }
};

}  // namespace hlolint::build
