// Protobuf dumps, where the command was built with protozero.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// How many of the first bytes of a file `may_be_proto` looks at.
inline constexpr std::size_t proto_test_size = 4096;

/// Whether a file that begins so may be what `begins_as_proto` looks for, which is asked with more of it then. False
/// for text.
bool may_be_proto(std::string_view head);

/// Whether bytes begin as a protobuf message of XLA or a profiler. False for text.
bool begins_as_proto(std::string_view bytes);

/// What the message holds. The text that it stands for has `max_size` bytes at most.
/// Precondition: `begins_as_proto(bytes)`.
hlolint::parsed_file read_proto(std::string_view bytes, const std::string& path, std::uint64_t max_size);

/// Whether a text is such a message in protobuf's text format, which is not read.
bool is_text_proto(std::string_view text);

/// Why no `.pb` can be read; empty if the command was built with protozero.
std::string_view missing_for_proto();
