// What a program says about its instructions: OpMetadata, frontend attributes, original values, the tables of stack
// frames (protobuf_dumps.md 6, 8.6, 9).
#pragma once

#include <hlolint/protobuf/reading.hpp>
#include <hlolint/protobuf/text_parts.hpp>
#include <hlolint/protobuf/wire.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

/// The fields of OpMetadata that are printed.
struct metadata_fields {
  std::string_view op_type, op_name, source_file, deduplicated_name, scheduling_name, payload;
  std::int64_t source_line = 0, source_end_line = 0, source_column = 0, source_end_column = 0, stack_frame = 0;
  record_list<std::int64_t> profile_types;
  std::int64_t payload_id = 0;
  bool has_payload = false, has_payload_id = false;  ///< the payload is in the module's table, if it has an id

  /// XLA prints metadata only with one of these; a line alone is not enough.
  bool is_printed() const {
    return !op_type.empty() || !op_name.empty() || !source_file.empty() || !scheduling_name.empty() || stack_frame ||
           has_payload;
  }
};

inline metadata_fields read_metadata(std::string_view bytes) {
  metadata_fields out;
  for_each_field(bytes, [&](const field& f) {
    switch (f.key()) {
      case sized(1): out.op_type = f.bytes; break;
      case sized(2): out.op_name = f.bytes; break;
      case sized(3): out.source_file = f.bytes; break;
      case varint(4): out.source_line = f.number(); break;
      case varint(5):
      case sized(5): add_numbers(f, out.profile_types); break;
      case sized(12): out.deduplicated_name = f.bytes; break;
      case varint(15): out.stack_frame = f.number(); break;
      case sized(16): out.scheduling_name = f.bytes; break;
      case varint(17): out.source_end_line = f.number(); break;
      case varint(18): out.source_column = f.number(); break;
      case varint(19): out.source_end_column = f.number(); break;
      case sized(20):
        out.has_payload = true;
        out.payload = message(f.bytes).text(1);
        out.payload_id = message(f.bytes).number(2);
        out.has_payload_id = message(f.bytes).has(2);
        break;
      default: break;
    }
  });
  return out;
}

/// The inside of `metadata={}`.
inline void put_metadata(std::string& out, const metadata_fields& m) {
  bool first = true;
  const auto key = [&](std::string_view name) {
    if (!first) out += ' ';
    first = false;
    out += name;
    out += '=';
  };
  const auto text = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) key(name), put_quoted(out, value);
  };
  const auto number = [&](std::string_view name, std::int64_t value) {
    if (value) key(name), put(out, value);
  };
  text("op_type", m.op_type), text("op_name", m.op_name), text("source_file", m.source_file);
  number("source_line", m.source_line), number("source_end_line", m.source_end_line);
  number("source_column", m.source_column), number("source_end_column", m.source_end_column);
  if (!m.profile_types.empty()) key("profile_type"), put_list(out, m.profile_types);
  text("deduplicated_name", m.deduplicated_name), text("scheduling_name", m.scheduling_name);
  number("stack_frame_id", m.stack_frame);
  text("metadata_payload", m.payload);
}

/// `{k=v,...}` by key; of one key the last value counts. Nothing for an empty map.
inline void put_frontend_attributes(std::string& out, std::string_view key, std::string_view bytes) {
  std::map<std::string_view, std::string_view> entries;
  for_each_field(bytes, [&](const field& f) {
    if (f.key() != sized(1)) return;
    std::string_view name, value;
    for_each_field(f.bytes, [&](const field& part) {
      if (part.key() == sized(1)) name = part.bytes;
      if (part.key() == sized(2)) value = part.bytes;
    });
    entries[name] = value;
  });
  if (entries.empty()) return;
  out += key;
  out += '{';
  bool first = true;
  for (const auto& [name, value] : entries) {
    if (!first) out += ',';
    first = false;
    put_name(out, name);
    out += '=';
    put_dictionary_or_quoted(out, value);
  }
  out += '}';
}

/// OriginalArray: `{"a" {0}}`, the index only if there is one.
inline void put_original_array(std::string& out, std::string_view bytes) {
  const message m(bytes);
  out += '{';
  put_quoted(out, m.text(1));
  if (const auto index = m.numbers(2); !index.empty()) out += ' ', put_list(out, index);
  out += '}';
}

/// The value of `origin={}`: its leaves, in parentheses as the tuples of the result are.
class original_value_text {
 public:
  explicit original_value_text(std::string_view bytes) : value_(bytes) {
    value_.each(1, [&](std::string_view element) {
      message& m = elements_.emplace_back(element);
      leaves_.emplace_back(m.numbers(1), elements_.size() - 1);
    });
    std::sort(leaves_.begin(), leaves_.end());
  }
  void put(std::string& out) {
    if (value_.number(2)) return void(out += "[synthetic_call]");
    put(out, 0, leaves_.size(), 0);
  }

 private:
  /// Leaves [begin, end) agree in the first `level` steps of their indices.
  void put(std::string& out, std::size_t begin, std::size_t end, std::size_t level) {
    if (level > static_cast<std::size_t>(deepest))
      throw bad_message("an index of more than " + std::to_string(deepest) + " steps");
    if (begin < end && leaves_[begin].first.size() == level) {
      if (end - begin == 1 || leaves_[end - 1].first.size() == level)
        return put_leaf(out, elements_[leaves_[end - 1].second]);
      ++begin;  // the tuple itself, which its elements stand for
    }
    out += '(';
    for (std::size_t at = begin; at < end;) {
      std::size_t next = at + 1;
      if (leaves_[at].first.size() <= level) {
        at = next;
        continue;
      }
      while (next < end && leaves_[next].first[level] == leaves_[at].first[level]) ++next;
      if (at != begin) out += ", ";
      put(out, at, next, level + 1);
      at = next;
    }
    out += ')';
  }
  static void put_leaf(std::string& out, message& element) {
    if (element.has(2)) put_original_array(out, element.bytes(2));
    else out += "{}";
  }

  message value_;
  record_list<message> elements_;
  record_list<std::pair<record_list<std::int64_t>, std::size_t>> leaves_;
};

/// The four tables after the header; nothing if they are empty.
inline void put_stack_tables(std::string& out, std::string_view bytes) {
  const auto rows = [&](const char* title, std::uint32_t tag, auto&& put_row) {
    out += title;
    std::int64_t number = 0;
    for_each_field(bytes, [&](const field& f) {
      if (f.key() != sized(tag)) return;
      put(out, ++number);
      out += ' ';
      put_row(f.bytes);
      out += '\n';
    });
  };
  const auto names = [&](std::string_view name) { put_quoted(out, name); };
  const auto number = [&](const char* key, std::int64_t value) { out += key, put(out, value); };
  if (bytes.empty()) return;
  rows("\n\nFileNames\n", 1, names);
  rows("\nFunctionNames\n", 2, names);
  rows("\nFileLocations\n", 3, [&](std::string_view location) {
    const message m(location);
    number("{file_name_id=", m.number(1)), number(" function_name_id=", m.number(2)), number(" line=", m.number(3));
    number(" end_line=", m.number(5)), number(" column=", m.number(4)), number(" end_column=", m.number(6));
    out += '}';
  });
  rows("\nStackFrames\n", 4, [&](std::string_view frame) {
    const message m(frame);
    number("{file_location_id=", m.number(1));
    const auto parent = static_cast<std::uint64_t>(m.number(2));
    number(" parent_frame_id=", static_cast<std::int64_t>(parent + 1));  // as XLA prints it
    out += '}';
  });
}

}  // namespace hlolint::protobuf
