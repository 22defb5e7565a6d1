// Modules whose assignment depends on the version of XLA, in texts of several versions.
#pragma once

#include "analysis/module_of.hpp"

#include <string>

namespace hlolint::testing {

/// Tables of stack frames, as newer texts have them.
inline constexpr const char* frame_tables =
    "\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
    "1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=0 end_column=1}\n\n"
    "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n";

/// Two temporary values of 128 bytes at the same time.
inline hlo_module two_values(const std::string& tables = {}, const std::string& space = {}) {
  return module_of("HloModule m, is_scheduled=true\n" + tables +
                   "\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                   "  %a = f32[32]{0" +
                   space +
                   "} custom-call(%p), custom_call_target=\"a\"\n"
                   "  %b = f32[32]{0" +
                   space +
                   "} custom-call(%p), custom_call_target=\"b\"\n"
                   "  ROOT %r = f32[8]{0} custom-call(%a, %b), custom_call_target=\"c\"\n}\n");
}
/// The same with the shapes of operands.
inline hlo_module two_values_with_shapes() {
  return module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
      "  %a = f32[32]{0} custom-call(f32[8]{0} %p), custom_call_target=\"a\"\n"
      "  %b = f32[32]{0} custom-call(f32[8]{0} %p), custom_call_target=\"b\"\n"
      "  ROOT %r = f32[8]{0} custom-call(f32[32]{0} %a, f32[32]{0} %b), custom_call_target=\"c\"\n}\n");
}
/// The same with a line of a source file.
inline hlo_module two_values_with_lines() {
  return module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
      "  %a = f32[32]{0} custom-call(%p), custom_call_target=\"a\", metadata={op_name=\"a\" source_file=\"a.py\" "
      "source_line=1}\n"
      "  %b = f32[32]{0} custom-call(%p), custom_call_target=\"b\"\n"
      "  ROOT %r = f32[8]{0} custom-call(%a, %b), custom_call_target=\"c\"\n}\n");
}

}  // namespace hlolint::testing
