// Typed values of attributes (hlo_text.md 2, 7), as `get<T>(instruction)` of grammar/attributes/get.hpp makes them.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/shape.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// An entry of `input_output_alias`: a leaf of an entry parameter shares its buffer with a leaf of the result.
struct input_output_alias_entry {
  shape_index output;           ///< the leaf of the result
  std::int64_t parameter = 0;   ///< number of the entry parameter, 0-based
  shape_index parameter_index;  ///< the leaf of the parameter
  bool must_alias = false;      ///< `must-alias`, else `may-alias`
  std::string_view text;        ///< the entry as written
};
/// `input_output_alias={ {0}: (1, {}, may-alias) }` of a module header.
struct input_output_alias {
  static constexpr attribute_key key = attribute_key::input_output_alias;  ///< its attribute
  std::vector<input_output_alias_entry> entries;                           ///< in text order
};

/// An entry of `buffer_donor`: a leaf of an entry parameter whose buffer may be used for anything.
struct buffer_donor_entry {
  std::int64_t parameter = 0;   ///< number of the entry parameter, 0-based
  shape_index parameter_index;  ///< the leaf of the parameter
  std::string_view text;        ///< the entry as written
};
/// `buffer_donor={ (0, {}) }` of a module header.
struct buffer_donor {
  static constexpr attribute_key key = attribute_key::buffer_donor;  ///< its attribute
  std::vector<buffer_donor_entry> entries;                           ///< in text order
};

/// An entry of `output_to_operand_aliasing`: a part of the result lies in the buffer of an operand.
struct operand_alias_entry {
  shape_index output;         ///< the part of the result
  std::int64_t operand = 0;   ///< number of the operand, 0-based
  shape_index operand_index;  ///< the part of the operand
  std::string_view text;      ///< the entry as written
};
/// `output_to_operand_aliasing={{0}: (1, {})}` of a fusion or custom call.
struct output_to_operand_aliasing {
  static constexpr attribute_key key = attribute_key::output_to_operand_aliasing;  ///< its attribute
  std::vector<operand_alias_entry> entries;                                        ///< in text order
};

/// `replica_groups`, decoded to lists of device ids whatever form is written. `{}` gives no groups, which means one
/// group of all devices.
struct replica_groups {
  static constexpr attribute_key key = attribute_key::replica_groups;  ///< its attribute
  /// The written form: `{{0,1}}`, `[2,2]<=[4]`, or axes of a mesh.
  enum class form : std::uint8_t { lists, iota, mesh };
  form written = form::lists;                     ///< the form in the text
  std::vector<std::vector<std::int64_t>> groups;  ///< device ids of each group, in the order of the group
  /// An axis of a mesh.
  struct axis {
    std::string name;       ///< without quotes
    std::int64_t size = 0;  ///< devices along it
    bool inside = false;    ///< whether a group lies along it, or along a part of it
  };
  std::vector<axis> axes{};  ///< of the mesh, most major first; empty in other forms
  bool has_order = false;    ///< whether the mesh lists its devices, or names parts of axes
};

/// `source_target_pairs={{0,1},{1,0}}` of a permute: which device sends to which.
struct source_target_pairs {
  static constexpr attribute_key key = attribute_key::source_target_pairs;  ///< its attribute
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;                 ///< (source, target)
};

/// `channel_id=7`
struct channel_id {
  static constexpr attribute_key key = attribute_key::channel_id;  ///< its attribute
  std::int64_t value = 0;                                          ///< as written
};

/// The JSON text of `backend_config` of an instruction, a computation or a module (unescaped if it was quoted); read it
/// with grammar/attributes/json.hpp.
struct backend_config {
  static constexpr attribute_key key = attribute_key::backend_config;  ///< its attribute
  std::string text;                                                    ///< usually JSON; not checked
};

/// Where the instruction comes from in the user's program. Members that are not written are empty or 0.
struct op_metadata {
  static constexpr attribute_key key = attribute_key::metadata;  ///< its attribute
  std::string op_type;                                           ///< the primitive: `dot_general`
  std::string op_name;                 ///< the scopes and the primitive: `jit(f)/layer/dot_general`
  std::string source_file;             ///< path, as the framework recorded it
  std::int64_t source_line = 0;        ///< lines and columns are 1-based
  std::int64_t source_end_line = 0;    ///< the last line, inclusive
  std::int64_t source_column = 0;      ///< in bytes
  std::int64_t source_end_column = 0;  ///< in bytes
  std::string deduplicated_name;       ///< unescaped
  std::string scheduling_name;         ///< unescaped
  std::int64_t stack_frame_id = 0;     ///< 1-based row of `StackFrames`; 0 = none
  std::string payload;                 ///< unescaped
};

/// `frontend_attributes={k="v"}`: keys with unescaped texts or raw JSON.
struct frontend_attributes {
  static constexpr attribute_key key = attribute_key::frontend_attributes;  ///< its attribute
  std::vector<std::pair<std::string, std::string>> entries;                 ///< keys may repeat; `find` takes the first
  /// The value under this name, or null.
  const std::string* find(std::string_view name) const {
    for (const auto& [written, value] : entries)
      if (written == name) return &value;
    return nullptr;
  }
};

/// `entry_computation_layout={(f32[2]{0})->f32[2]{0}}`: the shapes of the entry.
struct computation_layout {
  static constexpr attribute_key key = attribute_key::entry_computation_layout;  ///< its attribute
  std::vector<shape> parameters;  ///< with layouts where they are written
  shape result;                   ///< with layouts where they are written
};

/// `custom_call_target="Sharding"`: the routine that a custom call runs.
struct custom_call_target {
  static constexpr attribute_key key = attribute_key::custom_call_target;  ///< its attribute
  std::string name;                                                        ///< as registered with XLA, unescaped
};

/// `async_execution_thread="sparsecore"`: the thread that an async operation runs on.
struct async_execution_thread {
  static constexpr attribute_key key = attribute_key::async_execution_thread;  ///< its attribute
  std::string name;                                                            ///< unescaped; XLA's own is `main`
};

/// `parameter_replication={true,false}`: whether all replicas get equal values, for each array of the result.
struct parameter_replication {
  static constexpr attribute_key key = attribute_key::parameter_replication;  ///< its attribute
  std::vector<bool> leaves;                                                   ///< in the order of the shape's leaves
};

/// `operand_layout_constraints={f32[2]{0}, ...}` of a custom call: one shape per operand.
struct operand_layout_constraints {
  static constexpr attribute_key key = attribute_key::operand_layout_constraints;  ///< its attribute
  std::vector<shape> shapes;                                                       ///< one per operand, with layouts
};

/// `control-predecessors={%a, %b}`: names of instructions of the same computation that have to run first.
struct control_predecessors {
  static constexpr attribute_key key = attribute_key::control_predecessors;  ///< its attribute
  std::vector<std::string_view> names;                                       ///< without `%`
};

struct sharding;

/// The types that `get<T>` reads from the header of a module.
using header_attribute_types =
    attribute_types<input_output_alias, buffer_donor, computation_layout, frontend_attributes, backend_config>;
/// The types that `get<T>` reads from an instruction, besides `operation_attribute_types` and `control_predecessors`.
using instruction_attribute_types =
    attribute_types<op_metadata, backend_config, frontend_attributes, sharding, parameter_replication, replica_groups,
                    source_target_pairs, channel_id, async_execution_thread, output_to_operand_aliasing,
                    custom_call_target, operand_layout_constraints>;

}  // namespace hlolint
