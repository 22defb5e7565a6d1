// A small reader of protocol buffers in text form, such as `..._gpu_target_config.pbtxt` beside GPU dumps.
// Its rules are in text_proto_rules.hpp.
#pragma once

#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <string_view>

namespace hlolint {

/// A field: `name: value`, or `name { ... }` with the fields that follow it one level deeper.
struct text_proto_field {
  std::string_view name;   ///< as written
  std::string_view value;  ///< as written, a string without its quotes; empty for a message
  int depth = 0;           ///< messages around it
  friend bool operator==(const text_proto_field&, const text_proto_field&) = default;
};

namespace grammar::proto {
struct message_state;
}

/// All fields in text order; nothing if the text is not a message. Lists in brackets are not known. The parameter names
/// the grammar, so that it is compiled where a message is read.
template <class State = grammar::proto::message_state>
optional<record_list<text_proto_field>> read_text_proto(std::string_view text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/grammar/proto/text_proto_rules.hpp>
#endif
