// Where instructions come from in the user's program: metadata, and the module's stack tables (hlo_text.md 2, 7).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/escape.hpp>

#include <vector>

namespace hlolint {

namespace detail {

/// The row with a 1-based id, or null.
template <class Table>
const typename Table::value_type* table_row(const Table& table, std::int64_t id) {
  return id < 1 || static_cast<std::size_t>(id) > table.size() ? nullptr : &table[static_cast<std::size_t>(id - 1)];
}
inline source_position position_of(const module_data& data, const stack_frame_record& frame) {
  source_position out;
  const file_location_record* const at = table_row(data.file_locations, frame.file_location_id);
  if (!at) return out;
  if (const span* const file = table_row(data.file_names, at->file_name_id)) out.file = unescape(data.written(*file));
  if (const span* const function = table_row(data.function_names, at->function_name_id))
    out.function = unescape(data.written(*function));
  out.line = at->line, out.end_line = at->end_line, out.column = at->column, out.end_column = at->end_column;
  return out;
}

}  // namespace detail

/// The frames of an instruction's call stack, innermost first; empty if the module does not give it.
inline std::vector<source_position> call_stack(const hlo_instruction& instruction) {
  std::vector<source_position> out;
  const auto metadata = get<op_metadata>(instruction);
  if (!metadata) return out;
  const module_data& data = instruction.data();
  const stack_frame_record* frame = detail::table_row(data.stack_frames, metadata->stack_frame_id);
  // A parent is written as its id plus one. Rows may point in a circle, so there are at most as many frames as rows.
  while (frame && out.size() < data.stack_frames.size()) {
    out.push_back(detail::position_of(data, *frame));
    frame = detail::table_row(data.stack_frames, frame->parent_frame_id - 1);
  }
  return out;
}

/// The place in the user's program that the metadata of one of a module's instructions gives: the innermost stack
/// frame, else its own file and line.
inline source_position resolve(const module_data& data, const op_metadata& metadata) {
  source_position out;
  if (const stack_frame_record* const frame = detail::table_row(data.stack_frames, metadata.stack_frame_id))
    out = detail::position_of(data, *frame);
  if (out) return out;
  return {metadata.source_file,      {}, metadata.source_line, metadata.source_end_line, metadata.source_column,
          metadata.source_end_column};
}
/// The place of an instruction.
inline source_position resolve(const hlo_instruction& instruction) {
  const auto metadata = get<op_metadata>(instruction);
  return metadata ? resolve(instruction.data(), *metadata) : source_position{};
}

}  // namespace hlolint
