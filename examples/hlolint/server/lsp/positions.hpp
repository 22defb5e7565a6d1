// Positions as the protocol has them: lines from 0, and columns in units of an encoding.
#pragma once

#include "../rpc/message.hpp"

#include <hlolint/text/source.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint::command::server::lsp {

/// The unit of columns.
enum class encoding : std::uint8_t { utf8, utf16, utf32 };

/// `utf-16` and so on.
std::string_view name_of(encoding of);

/// How many units a text has. Bytes that are no UTF-8 count as one unit each.
std::size_t units(std::string_view text, encoding in);

/// A place in a document.
struct position {
  std::size_t line = 0, column = 0;  ///< from 0; the column in units of the encoding
};

/// Converts between offsets and positions in one text.
class position_map {
 public:
  position_map(hlolint::source text, encoding in) : text_(std::move(text)), in_(in) {}

  /// The position of an offset.
  position at(std::size_t offset) const;
  /// The offset of a position. Beyond the end of a line it is that end, beyond the last line the end of the text.
  std::size_t offset(const position& of) const;

  /// `{"line": ..., "character": ...}` of an offset.
  output json(std::size_t offset) const;
  /// `{"start": ..., "end": ...}` of a span.
  output json(hlolint::span of) const;

  const hlolint::source& text() const { return text_; }

 private:
  hlolint::source text_;
  encoding in_;
};

/// Reads a `Position`; throws `request_failure` if it is none.
position position_of(const input& from);

}  // namespace hlolint::command::server::lsp
