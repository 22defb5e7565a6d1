// A small reader of protocol buffers in text form, such as `..._gpu_target_config.pbtxt` beside GPU dumps.
// Its rules are in text_proto_rules.hpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// A field: `name: value`, or `name { ... }`, whose fields follow one level deeper.
struct text_proto_field {
  std::string_view name;   ///< as written
  std::string_view value;  ///< as written, a string without its quotes; empty for a message
  int depth = 0;           ///< how many messages it is in
  friend bool operator==(const text_proto_field&, const text_proto_field&) = default;
};

/// All fields in text order; nothing if the text is not a message. Does not know lists in brackets.
std::optional<std::vector<text_proto_field>> read_text_proto(std::string_view text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/tool/device/text_proto_rules.hpp>
#endif
