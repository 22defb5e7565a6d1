// Protobuf dumps, if the command was built with protozero.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::command {

/// How many of the first bytes of a file `may_be_proto` looks at.
inline constexpr std::size_t proto_test_size = 4096;

/// Whether a file with these first bytes may be a protobuf message; `begins_as_proto` decides with more bytes. False
/// for text.
bool may_be_proto(std::string_view head);

/// Whether the bytes begin a protobuf message of XLA or a profiler. False for text.
bool begins_as_proto(std::string_view bytes);

/// Reads the message. Its module as text may have `max_size` bytes at most.
/// Precondition: `begins_as_proto(bytes)`.
hlolint::parsed_file read_proto(std::string_view bytes, const std::string& path, std::uint64_t max_size);

/// The reason why no `.pb` can be read; empty if the command was built with protozero.
std::string_view missing_for_proto();

}  // namespace hlolint::command
