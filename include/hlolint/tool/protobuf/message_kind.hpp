// Finds out which of XLA's messages some bytes are (protobuf_dumps.md 1.1). Protobuf has no magic numbers.
#pragma once

#include <hlolint/tool/protobuf/reading.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint::protobuf {

/// A message that XLA or XProf writes to files.
enum class message_kind : std::uint8_t {
  none,                  ///< no known message
  hlo_proto,             ///< `.hlo.pb`
  hlo_module,            ///< a bare HloModuleProto, as frameworks hand it out
  hlo_snapshot,          ///< with arguments and result
  unoptimized_snapshot,  ///< HloUnoptimizedSnapshot
  framed_snapshot,       ///< HloUnoptimizedSnapshot with its length before it and literals after it
  memory_usage_report,   ///< `-memory-usage-report.pb`
  profile,               ///< XSpace: `.xplane.pb`
  riegeli                ///< records, which are not protobuf
};

namespace detail {

/// Whether a text can be a name: it is printable and not empty.
inline bool is_name(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  return !text.empty();
}

/// Calls `use(field)` for the fields of a message, as far as the bytes are a message.
template <class Use>
bool look(std::string_view bytes, Use&& use) {
  reading nowhere("", 0);
  return nowhere.guarded([&] { for_each_field<cut_field::used>(bytes, use); });
}

/// Whether the bytes are an HloModuleProto: it has a name and computations with names. A cut-off file may have lost the
/// computations.
inline bool is_module(std::string_view bytes) {
  bool named = false, refused = false, cut = false;
  std::size_t good = 0;
  look(bytes, [&](const field& f) {
    if (refused || good > 3) return;
    cut = cut || f.missing > 0;
    if (f.tag == 1) named = f.type == wire_type::length_delimited && is_name(f.bytes), refused = !named;
    if (f.tag == 3) {
      bool computation = false;
      look(f.bytes, [&](const field& inner) {
        if (inner.tag == 1) computation = inner.type == wire_type::length_delimited && is_name(inner.bytes);
      });
      good += computation;
      refused = f.type != wire_type::length_delimited || (!computation && !f.missing);
    }
  });
  return named && !refused && (good > 0 || cut);
}

/// Whether the bytes are an outer message: field 1 `is_inside`, and each other field has the type that XLA gives it.
template <class Inside>
bool wraps(std::string_view bytes, std::uint32_t most_tag, bool any_type_of_3, Inside&& is_inside) {
  bool inside = false, refused = false;
  look(bytes, [&](const field& f) {
    if (refused) return;
    if (f.tag == 1 && !inside) inside = f.type == wire_type::length_delimited && is_inside(f.bytes), refused = !inside;
    const bool sized_field = f.type == wire_type::length_delimited || (any_type_of_3 && f.tag == 3);
    refused = refused || (f.tag <= most_tag && !sized_field);
  });
  return inside && !refused;
}

inline bool is_hlo_proto(std::string_view bytes) { return wraps(bytes, 3, false, is_module); }

/// Field 3 is a message in HloProto and a number in a snapshot. Only a snapshot has inputs (field 2).
inline bool is_unoptimized_snapshot(std::string_view bytes) {
  bool marked = false;
  look(bytes, [&](const field& f) {
    marked = marked || (f.tag == 2 && f.type == wire_type::length_delimited) || f.key() == varint(3);
  });
  return marked && wraps(bytes, 2, true, is_module);
}

inline bool is_memory_report(std::string_view bytes) {
  bool any = false, refused = false;
  const bool whole = look(bytes, [&](const field& f) {
    if (f.key() != sized(1)) return void(refused = true);
    bool total = false;
    const bool inner = look(f.bytes, [&](const field& part) {
      total = total || part.key() == varint(1);
      refused = refused || (part.tag <= 2 && part.type != wire_type::varint) ||
                (part.tag == 3 && part.key() != sized(3)) || part.tag > 8;
    });
    any = any || total;
    refused = refused || !inner;
  });
  return whole && any && !refused;
}

/// Whether the bytes are an XSpace: it has planes, whose names begin with a slash.
inline bool is_profile(std::string_view bytes) {
  bool plane = false, refused = false;
  look(bytes, [&](const field& f) {
    if (f.tag != 1 || plane || refused) return;
    if (f.type != wire_type::length_delimited) return void(refused = true);
    look(f.bytes, [&](const field& part) {
      if (part.key() == sized(2) && !part.bytes.empty() && part.bytes[0] == '/') plane = true;
      if (part.tag == 1 && part.type != wire_type::varint) refused = true;
    });
  });
  return plane && !refused;
}

}  // namespace detail

/// The message in an `hlo_unoptimized_snapshot.pb`, which begins with the length of the message. Shorter if the file is
/// cut off; empty if the file does not begin with a length.
inline std::string_view framed_message(std::string_view bytes) {
  std::size_t size = 0, at = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (at == bytes.size() || at == 5) return {};
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    size |= static_cast<std::size_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return bytes.substr(at, size);
}

/// How many bytes at the beginning decide whether a file can be text.
inline constexpr std::size_t text_test_size = 4096;

/// Whether some bytes can be text, judged by their beginning. Every message of XLA has a control character there: a
/// small number for a tag, a type or a length. No text has one.
inline bool may_be_text(std::string_view bytes) {
  // Shortcut for most texts. "Hlo" begins no message, as no wire type fits its third byte. "Bu" would begin a field of
  // 117 bytes, and no message of XLA has "fferAssignment:" there.
  if (bytes.starts_with("HloModule ") || bytes.starts_with("BufferAssignment:")) return true;
  constexpr std::uint32_t in_text =
      1u << '\a' | 1u << '\t' | 1u << '\n' | 1u << '\v' | 1u << '\f' | 1u << '\r' | 1u << 0x1b;
  const auto is_control = [](char c) { return c >= 0 && c < 32 && !(in_text >> c & 1); };
  const std::string_view head = bytes.substr(0, text_test_size);
  return std::none_of(head.begin(), head.end(), is_control);
}

/// The kind of message, judged by the content alone. Reads no more than the decision needs.
inline message_kind kind_of_message(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x83\xaf\x70\xd1\x0d\x88\x4a\x3f"sv)) return message_kind::riegeli;
  if (may_be_text(bytes)) return message_kind::none;
  if (detail::is_unoptimized_snapshot(bytes)) return message_kind::unoptimized_snapshot;
  if (detail::is_hlo_proto(bytes)) return message_kind::hlo_proto;
  if (detail::is_module(bytes)) return message_kind::hlo_module;
  if (detail::wraps(bytes, 4, false, detail::is_hlo_proto)) return message_kind::hlo_snapshot;
  if (detail::is_profile(bytes)) return message_kind::profile;
  if (const std::string_view framed = framed_message(bytes);
      detail::is_unoptimized_snapshot(framed) || detail::is_hlo_proto(framed))
    return message_kind::framed_snapshot;
  if (detail::is_memory_report(bytes)) return message_kind::memory_usage_report;
  return message_kind::none;
}

}  // namespace hlolint::protobuf
