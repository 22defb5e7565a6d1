// JSON-RPC messages as values.
#pragma once

#include "frames.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::command::server {

/// What clients send. Members are found in logarithmic time, however many there are.
using input = nlohmann::json;
/// What the server sends: members in the order in which they were added.
using output = nlohmann::ordered_json;

/// The error codes of JSON-RPC, LSP and MCP.
enum class error_code : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  server_not_initialized = -32002,  ///< of LSP; in MCP the same number means that there is no such resource
  resource_not_found = -32002,
  unsupported_version = -32022,  ///< of MCP since 2026
  content_modified = -32801,     ///< of LSP
  request_cancelled = -32800,    ///< of LSP
  request_failed = -32803        ///< of LSP
};

/// A text that may repeat what the client has sent, however long that is: without its middle if it is too long.
std::string echoed(const std::string& text);

/// Thrown by a handler: the request fails with this error.
struct request_failure {
  error_code code = error_code::internal_error;
  std::string message;
  output data{};
};

/// How far the reading of a message came.
enum class reading : std::uint8_t { whole, malformed, too_deep, too_many_values };

/// Reads the message that `from` is at. Strings are moved into the result as they are read, so a message that carries
/// a large text needs little more memory than the text.
reading read_message(frame_reader& from, input& out);

/// The member of an object; null if it is no object or has no such member.
const input& member(const input& of, std::string_view name);
/// The member if it is a string; else empty.
std::string text_member(const input& of, std::string_view name);
/// The member if it is a whole number that a `std::int64_t` holds; else `otherwise`.
std::int64_t number_member(const input& of, std::string_view name, std::int64_t otherwise = 0);
/// Whether the member is `true`.
bool flag_member(const input& of, std::string_view name);

/// The text of a message. Bytes that are no UTF-8 are replaced.
std::string text_of(const output& message);

}  // namespace hlolint::command::server
