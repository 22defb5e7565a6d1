// The storage behind hlo_module: contiguous pools of plain records. Users see them through the views of module.hpp;
// only the parser's builder fills them.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/source.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// A position in a pool.
using id = std::uint32_t;
/// The id of nothing.
inline constexpr id none = 0xFFFFFFFFu;

/// `count` entries of a pool from `first` on.
struct id_range {
  id first = 0;  ///< position of the first one
  id count = 0;  ///< how many
};

/// Where a node comes from: `written` in the text, or `synthesized` by the reader for sugar (a nested operand, the
/// computation of a sugared async op, an implicit parameter). XLA counts synthesized nodes like any other.
enum class node_origin : std::uint8_t { written, synthesized };

/// One operand of an instruction.
struct operand_record {
  id instruction = none;     ///< `none`: the name was not defined
  id declared_shape = none;  ///< shape written before the name
  std::uint32_t at = 0;      ///< where the operand's text begins
};

/// One `key=value` of an instruction, a computation or a module header.
struct attribute_record {
  attribute_key key = attribute_key::unknown;  ///< `unknown`: not one of the known keys, see `name`
  bool readable = true;                        ///< false: the value breaks its syntax and is kept as text
  span name;                                   ///< the key as written
  span value;                                  ///< raw text
};

/// One instruction.
struct instruction_record {
  span name;                    ///< in the source, or in `synthesized_names` if synthesized
  span text;                    ///< from the name (or ROOT) to the last attribute
  span argument;                ///< parameter number or literal, raw; in `synthesized_names` the element of `%a#1`
  id shape = none;              ///< `none`: not written
  id computation = none;        ///< the one that holds it
  id_range operands;            ///< in text order
  id_range attributes;          ///< in text order
  id_range calls;               ///< called computations, in attribute order
  std::uint32_t opcode_at = 0;  ///< offset of the opcode as written
  hlo_opcode opcode = hlo_opcode::unknown;   ///< `unknown`: none of XLA's
  hlo_opcode wrapped = hlo_opcode::unknown;  ///< X of the sugar `X-start`, `X-update`, `X-done`
  bool root : 1 = false;                     ///< `ROOT` is written
  bool odd_name : 1 = false;                 ///< the name may be illegal, judged by its first letter and its length
  node_origin origin : 1 = node_origin::written;  ///< where it comes from
};
static_assert(sizeof(instruction_record) == 64, "instructions take most of the memory of a large dump");

/// One computation.
struct computation_record {
  span name;                  ///< without `%`
  span text;                  ///< from the name to the closing brace
  span signature;             ///< `(p: f32[]) -> f32[]`, empty if not written
  id_range instructions;      ///< contiguous, in text order
  id_range attributes;        ///< contiguous, in text order
  id root = none;             ///< the marked root, else the last instruction; `none`: nothing could be read
  id declared_result = none;  ///< the result shape of the signature; `none`: not written
  bool entry = false;         ///< `ENTRY` is written
  bool complete = true;       ///< false: the text is cut off inside; its whole instructions are kept
  bool damaged = false;       ///< one of its instructions could not be read
  bool lacks_names = false;   ///< an operand of one of its instructions names an instruction that is not there
  bool anonymous = false;     ///< `{ ... }` stands in place of a name; the name is synthesized
  node_origin origin = node_origin::written;  ///< where it comes from
};

/// A row of `FileLocations` (hlo_text.md 2).
struct file_location_record {
  /// The names are 1-based rows of their tables. Lines and columns are 1-based, the ends inclusive. @{
  std::int64_t file_name_id = 0, function_name_id = 0, line = 0, end_line = 0, column = 0, end_column = 0;
  /// @}
  friend bool operator==(const file_location_record&, const file_location_record&) = default;
};
/// A row of `StackFrames`.
struct stack_frame_record {
  /// 1-based rows of `FileLocations` and `StackFrames`; a parent of 0 means none. @{
  std::int64_t file_location_id = 0, parent_frame_id = 0;
  /// @}
  friend bool operator==(const stack_frame_record&, const stack_frame_record&) = default;
};

/// A broken rule about names that the records alone do not show. The reader notes it while it resolves names, and
/// verify/ reports it. Only certain faults are noted: after an instruction or a computation that could not be read, an
/// unknown name proves nothing.
struct name_fault {
  /// The rule that is broken.
  enum class kind : std::uint8_t {
    undefined_operand,      ///< `at`: the name; noted once per name and computation
    undefined_predecessor,  ///< a name in `control-predecessors`; noted in the same way
    later_predecessor,      ///< `other`: the instruction of that name, which is the one at fault or stands after it
    undefined_computation,  ///< the name of a called computation; noted once per name and module
    no_element,             ///< `%a#7`: `other`, the operand before `#`, is not a tuple or has no such element
    second_instruction,     ///< `other`: the first instruction of that name in the computation
    second_computation,     ///< `other`: the first computation of that name in the module
    recursive_call,         ///< a call that leads back to its own computation; the record has no such call
    empty_computation       ///< `at`: the closing brace
  };
  kind what = kind::undefined_operand;  ///< the rule that is broken
  span at;                              ///< the text at fault
  id computation = none;                ///< the one around `at`; `none`: the text is in no computation
  id instruction = none;                ///< the one at fault; `none`: the computation as a whole
  id other = none;                      ///< an instruction or a computation, see `kind`
  std::int64_t element = 0;             ///< the number after `#`, of `no_element`
};

/// All of a module. The records refer to each other by their positions in these pools.
struct module_data {
  source text;                                   ///< the whole text; other modules may stand in it
  span extent;                                   ///< the part of the text that is this module
  span name;                                     ///< empty without a header
  std::string implied_name;                      ///< the name of a module without header
  bool has_header = false;                       ///< `HloModule` is written
  bool complete = true;                          ///< false: a computation could not be read, or the text is cut off
  bool fragment = false;                         ///< instructions without their computation, or lines were left out
  id entry = none;                               ///< `none`: it cannot be known which computation is the entry
  id_range attributes;                           ///< of the header
  std::vector<computation_record> computations;  ///< in text order, a body before the computation that holds it
  std::vector<instruction_record> instructions;  ///< those of one computation are contiguous, in text order
  std::vector<operand_record> operands;          ///< those of one instruction are contiguous
  std::vector<attribute_record> attribute_pool;  ///< those of one owner are contiguous
  std::vector<id> called;                        ///< computations; `none` for one that is not in the text
  std::vector<shape> shapes;                     ///< equal texts share one
  std::string synthesized_names;                 ///< names of nodes that are not written
  bool has_stack_tables = false;                 ///< the header is followed by `FileNames` and the other tables
  /// Rows of `FileNames` and `FunctionNames`. @{
  std::vector<span> file_names, function_names;  ///< quoted strings
  /// @}
  std::vector<file_location_record> file_locations;  ///< rows of `FileLocations`
  std::vector<stack_frame_record> stack_frames;      ///< rows of `StackFrames`
  std::vector<name_fault> name_faults;               ///< in text order
  std::vector<span> embedded_modules;                ///< quoted modules in `origin_recovery_table`

  /// The text at a place.
  std::string_view written(span at) const { return at.of(text.text()); }
  /// The first attribute of an owner with this key, or null.
  const attribute_record* find(id_range attributes_of, attribute_key key) const {
    for (id i = attributes_of.first; i != attributes_of.first + attributes_of.count; ++i)
      if (attribute_pool[i].key == key) return &attribute_pool[i];
    return nullptr;
  }
  /// A name, from the text or from `synthesized_names`.
  std::string_view name_of(span at, node_origin origin) const {
    return origin == node_origin::written ? written(at) : at.of(synthesized_names);
  }
};

class hlo_computation;
class hlo_instruction;

/// `key=value` as raw text. grammar/attributes/get.hpp has typed values (`get<T>(instruction)`).
struct hlo_attribute {
  attribute_key key = attribute_key::unknown;  ///< `unknown`: not one of XLA's keys, see `name`
  std::string_view name;                       ///< as written
  std::string_view value;                      ///< raw text after `=`
};

namespace detail {

// The function objects by which the ranges of a module make their views.
/// Makes views of contiguous ids from `first` on.
template <class View>
struct views_from {
  const module_data* data = nullptr;
  id first = 0;
  View operator()(std::size_t i) const { return {data, first + static_cast<id>(i)}; }
};
/// Makes views of a list of ids; an empty view for the id `none`.
template <class View>
struct views_listed {
  const module_data* data = nullptr;
  const id* ids = nullptr;
  View operator()(std::size_t i) const { return ids[i] == none ? View{} : View{data, ids[i]}; }
};
struct operands_from {
  const module_data* data = nullptr;
  id first = 0;
  hlo_instruction operator()(std::size_t i) const;
};
struct attributes_from {
  const module_data* data = nullptr;
  id first = 0;
  hlo_attribute operator()(std::size_t i) const {
    const attribute_record& a = data->attribute_pool[first + i];
    return {a.key, data->written(a.name), data->written(a.value)};
  }
};
}  // namespace detail

}  // namespace hlolint
