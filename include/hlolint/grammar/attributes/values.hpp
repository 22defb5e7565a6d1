// From what the rules of attribute values read to the types that users hold: texts are unescaped, defaults filled in.
#pragma once

#include <hlolint/grammar/attributes/devices.hpp>
#include <hlolint/grammar/attributes/group_decoding.hpp>
#include <hlolint/grammar/attributes/metadata.hpp>
#include <hlolint/grammar/attributes/texts.hpp>
#include <hlolint/grammar/attributes/windows.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// What get.hpp makes of the values of rules.
namespace attribute_values {

inline std::optional<replica_groups> groups(grammar::groups_text&& text) {
  return grammar::device_rules::decode(std::move(text));
}

inline source_target_pairs target_pairs(std::vector<std::vector<std::int64_t>>&& lists) {
  source_target_pairs out;
  for (const auto& pair : lists) out.pairs.emplace_back(pair[0], pair[1]);
  return out;
}

inline window window_of(grammar::window_fields&& fields) {
  window out;
  out.dimensions.resize(fields.size.size());
  for (std::size_t i = 0; i != out.dimensions.size(); ++i) {
    window_dimension& d = out.dimensions[i];
    d.size = fields.size[i];
    if (!fields.stride.empty()) d.stride = fields.stride[i];
    if (!fields.lhs_dilate.empty()) d.base_dilation = fields.lhs_dilate[i];
    if (!fields.rhs_dilate.empty()) d.window_dilation = fields.rhs_dilate[i];
    if (!fields.rhs_reversal.empty()) d.reversed = fields.rhs_reversal[i] != 0;
    if (!fields.pad.empty()) d.padding_low = fields.pad[i].low, d.padding_high = fields.pad[i].high;
  }
  return out;
}
inline convolution_dimension_numbers labels(hlolint::scan::label_parts&& text) {
  grammar::parse_state checked_before;
  return grammar::window_rules::numbers_of(checked_before, text);
}

inline op_metadata metadata(grammar::metadata_text&& m) {
  op_metadata out;
  out.op_type = unescape(m.op_type);
  out.op_name = unescape(m.op_name);
  out.source_file = unescape(m.source_file);
  out.source_line = m.source_line;
  out.source_end_line = m.source_end_line;
  out.source_column = m.source_column;
  out.source_end_column = m.source_end_column;
  out.deduplicated_name = unescape(m.deduplicated_name);
  out.scheduling_name = unescape(m.scheduling_name);
  out.stack_frame_id = m.stack_frame_id;
  out.payload = unescape(m.metadata_payload);
  return out;
}
inline frontend_attributes frontend(std::vector<grammar::frontend_attribute_text>&& list) {
  frontend_attributes out;
  for (const auto& [key, value] : list) out.entries.emplace_back(std::string(key), unescape(value));
  return out;
}
inline backend_config config(std::string_view&& text) { return {unescape(text)}; }
inline custom_call_target target(std::string_view&& text) { return {unescape(text)}; }
inline async_execution_thread thread(std::string_view&& text) { return {unescape(text)}; }
inline channel_id channel(std::int64_t&& value) { return {value}; }
inline parameter_replication replication(std::vector<bool>&& leaves) { return {std::move(leaves)}; }
inline operand_layout_constraints constraints(record_list<shape>&& shapes) { return {std::move(shapes)}; }
inline control_predecessors predecessors(std::vector<std::string_view>&& names) { return {std::move(names)}; }

}  // namespace attribute_values

}  // namespace hlolint::detail
