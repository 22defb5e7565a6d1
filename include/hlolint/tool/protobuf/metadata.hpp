// Notes about the origin of instructions: OpMetadata, frontend attributes, original values, tables of stack frames
// (protobuf_dumps.md 6, 8.6, 9).
#pragma once

#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::protobuf {

/// XLA prints OpMetadata only with one of these fields; a line alone is not enough.
inline bool metadata_is_printed(const message& m) {
  return !m.text(1).empty() || !m.text(2).empty() || !m.text(3).empty() || !m.text(16).empty() || m.number(15) ||
         m.has(20);
}

/// The inside of `metadata={}`.
inline void put_metadata(std::string& out, const message& m, std::string_view payload) {
  const std::size_t begin = out.size();
  const auto key = [&](std::string_view name) { append_to(out, {out.size() == begin ? "" : " ", name, "="}); };
  const auto text = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) key(name), put_quoted(out, value);
  };
  const auto number = [&](std::string_view name, std::uint32_t tag) {
    if (m.flag(tag)) key(name), put(out, m.number(tag));
  };
  text("op_type", m.text(1)), text("op_name", m.text(2)), text("source_file", m.text(3));
  number("source_line", 4), number("source_end_line", 17);
  number("source_column", 18), number("source_end_column", 19);
  if (m.has(5)) key("profile_type"), put_list(out, m.numbers(5));
  text("deduplicated_name", m.text(12)), text("scheduling_name", m.text(16));
  number("stack_frame_id", 15);
  text("metadata_payload", payload);
}

/// `frontend_attributes={k=v,...}`, sorted by key. The last value of a key counts. Writes nothing for an empty map.
inline void put_frontend_attributes(std::string& out, std::string_view bytes) {
  std::map<std::string_view, std::string_view> entries;
  for (const std::string_view one : message(bytes).all(1)) {
    const message entry(one);
    entries[entry.text(1)] = entry.text(2);
  }
  if (entries.empty()) return;
  out += ", frontend_attributes={";
  put_each(out, entries, ",", [&](const auto& entry) {
    put_name(out, entry.first);
    out += '=';
    put_dictionary_or_quoted(out, entry.second);
  });
  out += '}';
}

/// OriginalArray: `{"a" {0}}`, or `{"a"}` without an index.
inline void put_original_array(std::string& out, std::string_view bytes) {
  const message m(bytes);
  out += '{';
  put_quoted(out, m.text(1));
  if (const auto index = m.numbers(2); !index.empty()) out += ' ', put_list(out, index);
  out += '}';
}

/// The value of `origin={}`: one leaf for each array of the result, in parentheses that follow the result's tuples.
class original_value_text {
 public:
  explicit original_value_text(std::string_view bytes) : value_(bytes) {
    for (const std::string_view element : value_.all(1)) {
      const message& m = elements_.emplace_back(element);
      leaves_.emplace_back(m.numbers(1), elements_.size() - 1);
    }
    std::sort(leaves_.begin(), leaves_.end());
  }
  void put(std::string& out) const {
    if (value_.number(2)) return void(out += "[synthetic_call]");
    put(out, 0, leaves_.size(), 0);
  }

 private:
  /// Precondition: the indices of the leaves [begin, end) agree in their first `level` steps.
  void put(std::string& out, std::size_t begin, std::size_t end, std::size_t level) const {
    if (level > static_cast<std::size_t>(deepest))
      throw bad_message("an index of more than " + std::to_string(deepest) + " steps");
    if (begin < end && leaves_[begin].first.size() == level) {
      if (end - begin == 1 || leaves_[end - 1].first.size() == level)
        return put_leaf(out, elements_[leaves_[end - 1].second]);
      ++begin;  // an entry for the tuple itself; its elements are printed instead
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
  static void put_leaf(std::string& out, const message& element) {
    if (element.has(2))
      put_original_array(out, element.bytes(2));
    else
      out += "{}";
  }

  message value_;
  std::vector<message> elements_;
  std::vector<std::pair<std::vector<std::int64_t>, std::size_t>> leaves_;
};

/// Writes the four tables after the header; nothing if they are empty.
inline void put_stack_tables(std::string& out, std::string_view bytes) {
  if (bytes.empty()) return;
  const message tables(bytes);
  const auto rows = [&](const char* title, std::uint32_t tag, auto&& put_row) {
    out += title;
    std::int64_t number = 0;
    for (const std::string_view row : tables.all(tag)) {
      append_to(out, {++number, " "});
      put_row(row);
      out += '\n';
    }
  };
  const auto name = [&](std::string_view row) { put_quoted(out, row); };
  rows("\n\nFileNames\n", 1, name);
  rows("\nFunctionNames\n", 2, name);
  rows("\nFileLocations\n", 3, [&](std::string_view row) {
    const message m(row);
    append_to(out, {"{file_name_id=", m.number(1), " function_name_id=", m.number(2), " line=", m.number(3),
                    " end_line=", m.number(5), " column=", m.number(4), " end_column=", m.number(6), "}"});
  });
  rows("\nStackFrames\n", 4, [&](std::string_view row) {
    const message m(row);
    const auto parent = static_cast<std::uint64_t>(m.number(2));  // XLA prints it plus 1
    append_to(out, {"{file_location_id=", m.number(1), " parent_frame_id=", parent + 1, "}"});
  });
}

}  // namespace hlolint::protobuf
