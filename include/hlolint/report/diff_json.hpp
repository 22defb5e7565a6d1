// What changed between two compilations, for programs.
#pragma once

#include <hlolint/lint/program_diff.hpp>
#include <hlolint/report/json_writer.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

namespace detail {

inline void write_changed_bytes(json_writer& json, const changed_bytes& number) {
  json.begin_object();
  json.member("what", number.what);
  json.member("before", number.before);
  json.member("after", number.after);
  json.end_object();
}

inline void write_texts(json_writer& json, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  json.key(name);
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

}  // namespace detail

/// `{"modules", "worse", "better", "changed", "changes": [{"kind", "verdict", "module", "text", ...}], "remarks": [...]}`.
/// `before` and `after` of a change are instructions, those of a number are bytes.
inline void write_diff_json(json_writer& json, const program_diff& found) {
  json.begin_object();
  json.member("modules", found.compared);
  for (const change_verdict verdict : {change_verdict::worse, change_verdict::better, change_verdict::neither})
    json.member(name_of(verdict), found.count(verdict));
  json.key("changes");
  json.begin_array();
  for (const module_change& change : found.changes) {
    json.begin_object();
    json.member("kind", name_of(change.kind));
    json.member("verdict", name_of(change.verdict));
    json.member_if("module", change.module);
    json.member_if("file", change.file);
    json.member("text", change.text);
    if (change.bytes) json.key("bytes"), detail::write_changed_bytes(json, *change.bytes);
    if (!change.with.empty()) {
      json.key("with");
      json.begin_array();
      for (const changed_bytes& number : change.with) detail::write_changed_bytes(json, number);
      json.end_array();
    }
    if (change.count > 1) json.member("count", change.count);
    detail::write_texts(json, "before", change.before);
    detail::write_texts(json, "after", change.after);
    detail::write_texts(json, "rules", change.rules);
    json.end_object();
  }
  json.end_array();
  json.key("remarks");
  json.begin_array();
  for (const std::string& remark : found.remarks) json.value(remark);
  json.end_array();
  json.end_object();
}

}  // namespace hlolint
