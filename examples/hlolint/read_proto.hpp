// Protobuf dumps, where the command was built with protozero.
#pragma once

#include <hlolint/ir/parsed_file.hpp>

#include <cstdint>
#include <string>
#include <string_view>

/// Whether bytes begin as a protobuf message of XLA or a profiler. False for text.
bool begins_as_proto(std::string_view bytes);

/// What the message holds. The text that it stands for has `max_size` bytes at most.
/// Precondition: `begins_as_proto(bytes)`.
hlolint::parsed_file read_proto(std::string_view bytes, const std::string& path, std::uint64_t max_size);

/// Whether a text is such a message in protobuf's text format, which is not read.
bool is_text_proto(std::string_view text);

/// Why no `.pb` can be read; empty if the command was built with protozero.
std::string_view missing_for_proto();
