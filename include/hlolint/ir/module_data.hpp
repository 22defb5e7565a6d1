// The storage behind hlo_module: contiguous pools of plain records. Users see it through the views of module.hpp; only
// the parser's builder fills it.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/source.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// Ids are positions in the pools; `none` is no position.
using id = std::uint32_t;
/// No position.
inline constexpr id none = 0xFFFFFFFFu;

/// `count` entries of a pool from `first` on.
struct id_range {
  id first = 0;  ///< position of the first one
  id count = 0;  ///< how many
};

/// Who wrote a node: the text, or the reader on behalf of sugar (a nested operand, the computation of a sugared async
/// op, an implicit parameter). XLA counts synthesized nodes like any other.
enum class node_origin : std::uint8_t { written, synthesized };

/// One operand of an instruction.
struct operand_record {
  id instruction = none;      ///< `none`: the name was not defined
  id declared_shape = none;   ///< shape written before the name
  std::uint32_t at = 0;       ///< offset of the operand's text
};

/// One `key=value` of an instruction, a computation or a module header.
struct attribute_record {
  attribute_key key = attribute_key::unknown;  ///< `unknown`: no key of today, see `name`
  bool readable = true;  ///< false: the value breaks its syntax and is kept as text
  span name;  ///< the key as written
  span value;  ///< raw text
};

/// One instruction.
struct instruction_record {
  span name;              ///< in the source, or in `synthesized_names` if synthesized
  span text;              ///< from the name (or ROOT) to the last attribute
  span argument;          ///< parameter number or literal, raw
  id shape = none;        ///< `none`: not written
  id computation = none;  ///< it stands in
  id_range operands;  ///< in text order
  id_range attributes;  ///< in text order
  id_range calls;         ///< called computations, in attribute order
  std::uint32_t opcode_at = 0;  ///< offset of the opcode as written
  hlo_opcode opcode = hlo_opcode::unknown;  ///< `unknown`: none of XLA's
  hlo_opcode wrapped = hlo_opcode::unknown;  ///< X of the sugar `X-start`, `X-update`, `X-done`
  bool root : 1 = false;  ///< `ROOT` is written
  bool odd_name : 1 = false;  ///< its first letter and its length do not rule out that the name is illegal
  node_origin origin : 1 = node_origin::written;  ///< who wrote it
};
static_assert(sizeof(instruction_record) == 64, "a million of them are most of the memory that a large dump takes");

/// One computation.
struct computation_record {
  span name;  ///< without `%`
  span text;  ///< from the name to the closing brace
  span signature;  ///< `(p: f32[]) -> f32[]`, empty if not written
  id_range instructions;  ///< contiguous, in text order
  id_range attributes;  ///< contiguous, in text order
  id root = none;  ///< the marked root, else the last instruction; `none`: nothing could be read
  id declared_result = none;  ///< the result shape of the signature; `none`: not written
  bool entry = false;  ///< `ENTRY` is written
  bool complete = true;    ///< false: the text is cut off inside; its whole instructions are kept
  bool damaged = false;    ///< an instruction of it could not be read
  bool lacks_names = false;  ///< an operand of it names an instruction that is not there
  bool anonymous = false;  ///< `{ ... }` in place of a name, which is then synthesized
  node_origin origin = node_origin::written;  ///< who wrote it
};

/// Rows of the stack tables, 1-based ids into the table before (hlo_text.md 2).
struct file_location_record {
  /// 1-based ids of the names in their tables; 1-based lines and columns, the ends inclusive. @{
  std::int64_t file_name_id = 0, function_name_id = 0, line = 0, end_line = 0, column = 0, end_column = 0;
  /// @}
  friend bool operator==(const file_location_record&, const file_location_record&) = default;
};
/// A row of `StackFrames`: both ids are 1-based, a parent of 0 means none.
struct stack_frame_record {
  /// 1-based rows of the tables. @{
  std::int64_t file_location_id = 0, parent_frame_id = 0;
  /// @}
  friend bool operator==(const stack_frame_record&, const stack_frame_record&) = default;
};

/// A rule about names that the text breaks and that the records alone no longer show: the reader resolves names, so it
/// notes these, and verify/ reports them. Only what is certain is noted: after an instruction or a computation that
/// could not be read, an unknown name proves nothing.
struct name_fault {
  /// The rule that is broken, and what `at` is then.
  enum class kind : std::uint8_t {
    undefined_operand,      ///< `at`: the name; once per name and computation
    undefined_predecessor,  ///< the same for `control-predecessors`
    undefined_computation,  ///< the same for a called computation, once per name and module
    no_element,             ///< `%a#7`: `other`, the operand before `#`, is not a tuple or has no such element
    second_instruction,     ///< `other`: the first instruction of that name in the computation
    second_computation,     ///< `other`: the first computation of that name in the module
    recursive_call,         ///< a call that leads back to the computation it stands in; the record calls nothing
    empty_computation       ///< `at`: its closing brace
  };
  kind what = kind::undefined_operand;  ///< the rule that is broken
  span at;  ///< the text at fault
  id computation = none;      ///< it stands in; `none`: in none
  id instruction = none;      ///< it is about; `none`: the computation as a whole
  id other = none;            ///< an instruction or a computation, see `kind`
  std::int64_t element = 0;   ///< of `no_element`
};

/// All of a module. The records name each other by their positions in these pools.
struct module_data {
  source text;  ///< other modules may stand in it
  span extent;  ///< of this module in the text
  span name;    ///< empty without a header
  std::string implied_name;  ///< of a module without header
  bool has_header = false;  ///< `HloModule` is written
  bool complete = true;  ///< false: a computation could not be read, or the text is cut off
  id entry = none;  ///< `none`: which one it is cannot be known
  id_range attributes;  ///< of the header
  record_list<computation_record> computations;  ///< in text order, a body before the computation that holds it
  record_list<instruction_record> instructions;  ///< those of one computation are contiguous, in text order
  record_list<operand_record> operands;  ///< those of one instruction are contiguous
  record_list<attribute_record> attribute_pool;  ///< those of one owner are contiguous
  record_list<id> called;                        ///< computations, or `none` for those that are not in the text
  record_list<shape> shapes;  ///< equal texts share one
  std::string synthesized_names;  ///< names of nodes that are not written
  bool has_stack_tables = false;  ///< the header is followed by `FileNames` and the other tables
  /// Rows of `FileNames` and `FunctionNames`. @{
  record_list<span> file_names, function_names;  ///< quoted strings
  /// @}
  record_list<file_location_record> file_locations;  ///< rows of `FileLocations`
  record_list<stack_frame_record> stack_frames;  ///< rows of `StackFrames`
  record_list<name_fault> name_faults;  ///< in text order
  record_list<span> embedded_modules;   ///< quoted texts of `origin_recovery_table` that have to be modules themselves

  /// The text there.
  std::string_view written(span at) const { return at.of(text.text()); }
  /// A name, from the text or from `synthesized_names`.
  std::string_view name_of(span at, node_origin origin) const {
    return origin == node_origin::written ? written(at) : at.of(synthesized_names);
  }
};

}  // namespace hlolint
