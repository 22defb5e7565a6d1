// Typed values of attributes (hlo_text.md 2, 7). `get<T>(instruction)` of grammar/attributes/get.hpp makes them.
#pragma once

#include <hlolint/ir/shape.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// One entry of `input_output_alias`: an entry parameter's leaf shares its buffer with a leaf of the result.
struct input_output_alias_entry {
  shape_index output;
  std::int64_t parameter = 0;
  shape_index parameter_index;
  bool must_alias = false;  ///< `must-alias`, else `may-alias`
  std::string_view text;    ///< the entry as written
};
struct input_output_alias {
  std::vector<input_output_alias_entry> entries;
};

/// An entry parameter's leaf whose buffer may be given to anything.
struct buffer_donor_entry {
  std::int64_t parameter = 0;
  shape_index parameter_index;
  std::string_view text;
};
struct buffer_donor {
  std::vector<buffer_donor_entry> entries;
};

/// One entry of `output_to_operand_aliasing`: part of the result lies in an operand's buffer.
struct operand_alias_entry {
  shape_index output;
  std::int64_t operand = 0;
  shape_index operand_index;
  std::string_view text;
};
struct output_to_operand_aliasing {
  std::vector<operand_alias_entry> entries;
};

/// `replica_groups`, decoded to lists of device ids from whichever form was written. `{}` gives no groups: one group
/// of everything.
struct replica_groups {
  enum class form : std::uint8_t { lists, iota, mesh };
  form written = form::lists;
  std::vector<std::vector<std::int64_t>> groups;
};

struct source_target_pairs {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
};

struct channel_id {
  std::int64_t value = 0;
};

/// The JSON text of `backend_config` (unescaped if it was quoted); read it with grammar/attributes/json.hpp.
struct backend_config {
  std::string text;
};

/// Where the instruction comes from in the user's program; empty or 0 where not written.
struct op_metadata {
  std::string op_type;
  std::string op_name;
  std::string source_file;
  std::int64_t source_line = 0;
  std::int64_t source_end_line = 0;
  std::int64_t source_column = 0;
  std::int64_t source_end_column = 0;
  std::string deduplicated_name;
  std::string scheduling_name;
  std::int64_t stack_frame_id = 0;  ///< 1-based row of `StackFrames`; 0 = none
  std::string payload;
};

/// Keys and unescaped (or raw JSON) values, in text order.
struct frontend_attributes {
  std::vector<std::pair<std::string, std::string>> entries;
  const std::string* find(std::string_view key) const {
    for (const auto& [name, value] : entries)
      if (name == key) return &value;
    return nullptr;
  }
};

/// `entry_computation_layout`
struct computation_layout {
  std::vector<shape> parameters;
  shape result;
};

struct custom_call_target {
  std::string name;
};

/// The thread that an async operation runs on.
struct async_execution_thread {
  std::string name;
};

/// `parameter_replication={true,false}`: for each array of the result, whether all replicas get the same value.
struct parameter_replication {
  std::vector<bool> leaves;
};

/// `operand_layout_constraints={f32[2]{0}, ...}` of a custom call: one shape per operand.
struct operand_layout_constraints {
  std::vector<shape> shapes;
};

/// `control-predecessors={%a, %b}`: names of instructions of the same computation that have to run first.
struct control_predecessors {
  std::vector<std::string_view> names;
};

}  // namespace hlolint
