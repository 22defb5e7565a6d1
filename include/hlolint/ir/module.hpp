// A parsed HLO module: one immutable handle and cheap views into it.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/ir/view_makers.hpp>
#include <hlolint/ir/view_range.hpp>
#include <hlolint/text/integer.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// View of one instruction, valid while a handle on its module lives.
class hlo_instruction {
 public:
  hlo_instruction() = default;
  /// Precondition: `data` outlives the view, and `id` is one of its instructions.
  hlo_instruction(const module_data* data, hlolint::id id) : data_(data), id_(id) {}

  /// Position in the module's pool of instructions.
  hlolint::id id() const { return id_; }
  /// False for a view that stands for no instruction.
  explicit operator bool() const { return data_ != nullptr; }
  /// Without `%`; made up for a synthesized instruction.
  std::string_view name() const { return data_->name_of(record().name, record().origin); }
  /// `unknown` for an opcode that is not known: see `opcode_text`.
  hlo_opcode opcode() const { return record().opcode; }
  /// X of X-start, X-update or X-done for an async op; else `unknown`.
  hlo_opcode wrapped_opcode() const { return record().wrapped; }
  /// As written; the opcode's own name where it was not written.
  std::string_view opcode_text() const;
  /// Null if the text gives none.
  const hlolint::shape* shape() const { return record().shape == none ? nullptr : &data_->shapes[record().shape]; }

  /// As many as are written, nested operands included.
  std::size_t operand_count() const { return record().operands.count; }
  /// An empty view (false): the text names an instruction and does not hold it.
  auto operands() const {
    return view_range{operand_count(), detail::operands_from{data_, record().operands.first}};
  }
  /// Precondition: i < operand_count().
  hlo_instruction operand(std::size_t i) const { return operands()[i]; }
  /// The shape written before the operand's name, or null.
  const hlolint::shape* operand_shape(std::size_t i) const {
    const hlolint::id at = operand_at(i).declared_shape;
    return at == none ? nullptr : &data_->shapes[at];
  }

  /// Attributes as written, known or not.
  std::size_t attribute_count() const { return record().attributes.count; }
  /// A random access range of `hlo_attribute`.
  auto attributes() const {
    return view_range{attribute_count(), detail::attributes_from{data_, record().attributes.first}};
  }
  /// Precondition: i < attribute_count().
  hlo_attribute attribute(std::size_t i) const { return attributes()[i]; }
  /// Raw text of an attribute, if it is written. The element
  /// that is made for an operand `%t#1` has an `index`.
  optional<std::string_view> attribute(attribute_key key) const {
    const id_range range = record().attributes;
    for (hlolint::id i = range.first; i != range.first + range.count; ++i)
      if (data_->attribute_pool[i].key == key) return data_->written(data_->attribute_pool[i].value);
    if (key == attribute_key::index && opcode() == hlo_opcode::get_tuple_element && is_synthesized())
      return name().substr(name().rfind('_') + 1);  // it is named after the element
    return std::nullopt;
  }
  /// Whether the attribute is written.
  bool has(attribute_key key) const { return attribute(key).has_value(); }

  /// Computations that attributes name: `calls`, `to_apply`, `body` and so on.
  std::size_t called_computation_count() const { return record().calls.count; }
  /// Empty for a computation that is not in the text. Precondition: i < called_computation_count().
  hlo_computation called_computation(std::size_t i) const;
  auto called_computations() const;

  /// The one that it stands in.
  hlo_computation computation() const;
  /// Position in its computation.
  std::size_t index_in_computation() const {
    return id_ - data_->computations[record().computation].instructions.first;
  }
  /// The marked root, or the last instruction where none is marked.
  bool is_root() const { return data_->computations[record().computation].root == id_; }
  /// Whether `ROOT` is written.
  bool is_marked_root() const { return record().root; }
  /// Whether the reader made it: it is not in the text, and XLA has it.
  bool is_synthesized() const { return record().origin == node_origin::synthesized; }

  /// Raw text between the parentheses of `parameter(...)` and `constant(...)`.
  std::string_view argument() const { return data_->written(record().argument); }
  /// N of `parameter(N)`; nothing for other opcodes.
  optional<std::int64_t> parameter_number() const {
    if (opcode() != hlo_opcode::parameter) return std::nullopt;
    if (is_synthesized() && record().argument.empty()) return static_cast<std::int64_t>(index_in_computation());
    const std::string_view digits = argument();
    // Nearly always one digit, for which the general way takes long.
    if (digits.size() == 1 && digits[0] >= '0' && digits[0] <= '9') return digits[0] - '0';
    return leading_integer(digits);
  }

  /// The instruction's text.
  std::string_view text() const { return data_->written(record().text); }
  /// Where its name stands (for a synthesized one: the text it was made from).
  location where() const {
    return {data_->text, is_synthesized() ? record().text : record().name};
  }
  /// Where the text of an operand begins. Precondition: i < operand_count().
  location operand_location(std::size_t i) const { return {data_->text, {operand_at(i).at, operand_at(i).at}}; }
  /// Where an attribute's value stands, or the instruction.
  location attribute_location(attribute_key key) const {
    const id_range range = record().attributes;
    for (hlolint::id i = range.first; i != range.first + range.count; ++i)
      if (data_->attribute_pool[i].key == key) return {data_->text, data_->attribute_pool[i].value};
    return where();
  }
  /// The records behind the view.
  const module_data& data() const { return *data_; }

  /// Same instruction of the same module object (not just equal text).
  friend bool operator==(const hlo_instruction& a, const hlo_instruction& b) {
    return a.data_ == b.data_ && a.id_ == b.id_;
  }

 private:
  const instruction_record& record() const { return data_->instructions[id_]; }
  const operand_record& operand_at(std::size_t i) const { return data_->operands[record().operands.first + i]; }

  const module_data* data_ = nullptr;
  hlolint::id id_ = none;
};

/// View of one computation.
class hlo_computation {
 public:
  hlo_computation() = default;
  /// Precondition: `data` outlives the view, and `id` is one of its computations.
  hlo_computation(const module_data* data, hlolint::id id) : data_(data), id_(id) {}

  /// Position in the module's pool of computations.
  hlolint::id id() const { return id_; }
  /// False for a view that stands for no computation.
  explicit operator bool() const { return data_ != nullptr; }
  /// Without `%`; made up where none is written.
  std::string_view name() const {
    return data_->name_of(record().name, record().anonymous ? node_origin::synthesized : record().origin);
  }
  /// Synthesized ones included, as XLA counts.
  std::size_t instruction_count() const { return record().instructions.count; }
  /// Precondition: i < instruction_count().
  hlo_instruction instruction(std::size_t i) const {
    return {data_, record().instructions.first + static_cast<hlolint::id>(i)};
  }
  /// In text order, which is the schedule if the module is scheduled.
  auto instructions() const {
    return view_range{instruction_count(), detail::views_from<hlo_instruction>{data_, record().instructions.first}};
  }
  /// The marked root, else the last instruction; empty if nothing could be read.
  hlo_instruction root() const {
    return record().root == none ? hlo_instruction{} : hlo_instruction{data_, record().root};
  }
  /// Whether the module begins here.
  bool is_entry() const { return data_->entry == id_; }
  /// Whether `ENTRY` is written.
  bool is_marked_entry() const { return record().entry; }
  /// `{ ... }` in place of a name.
  bool is_anonymous() const { return record().anonymous; }
  /// Whether the reader made it: it is not in the text, and XLA has it.
  bool is_synthesized() const { return record().origin == node_origin::synthesized; }
  /// False if the text is cut off inside: this is the beginning only.
  bool is_complete() const { return record().complete; }
  /// `(p: f32[2]) -> f32[2]` as written, or empty.
  std::string_view signature() const { return data_->written(record().signature); }
  /// `main` if not written.
  std::string_view execution_thread() const {
    const id_range range = record().attributes;
    for (hlolint::id i = range.first; i != range.first + range.count; ++i)
      if (data_->attribute_pool[i].key == attribute_key::execution_thread) {
        const std::string_view quoted = data_->written(data_->attribute_pool[i].value);
        return quoted.substr(1, quoted.size() - 2);
      }
    return "main";
  }
  /// The parameter with that number, or an empty view.
  hlo_instruction parameter(std::int64_t number) const {
    for (const hlo_instruction i : instructions())
      if (i.opcode() == hlo_opcode::parameter && i.parameter_number() == number) return i;
    return {};
  }
  /// Instructions with the opcode `parameter`. Linear.
  std::size_t parameter_count() const {
    std::size_t count = 0;
    for (const hlo_instruction i : instructions()) count += i.opcode() == hlo_opcode::parameter;
    return count;
  }
  /// By name; empty if there is none. Linear: for many, make a table.
  hlo_instruction find(std::string_view name) const {
    for (const hlo_instruction i : instructions())
      if (i.name() == name) return i;
    return {};
  }
  /// Its name, or its text where it has no name.
  location where() const {
    return {data_->text,
            record().origin == node_origin::written && !record().anonymous ? record().name : record().text};
  }
  /// The record behind the view.
  const computation_record& record() const { return data_->computations[id_]; }
  /// The records of its module.
  const module_data& data() const { return *data_; }

  friend bool operator==(const hlo_computation& a, const hlo_computation& b) {
    return a.data_ == b.data_ && a.id_ == b.id_;
  }

 private:
  const module_data* data_ = nullptr;
  hlolint::id id_ = none;
};

/// A module. Copies share the data; several threads may read one.
class hlo_module {
 public:
  hlo_module() : data_(std::make_shared<module_data>()) {}
  /// What a reader has filled.
  explicit hlo_module(std::shared_ptr<const module_data> data) : data_(std::move(data)) {}

  /// Without a header: `module_` and the entry's name, as XLA calls it.
  std::string_view name() const {
    return data_->has_header ? data_->written(data_->name) : std::string_view(data_->implied_name);
  }
  /// Synthesized ones included, as XLA counts.
  std::size_t computation_count() const { return data_->computations.size(); }
  /// Precondition: i < computation_count().
  hlo_computation computation(std::size_t i) const& { return {data_.get(), static_cast<id>(i)}; }
  /// In text order, an implied body before what holds it.
  auto computations() const& {
    return view_range{computation_count(), detail::views_from<hlo_computation>{data_.get(), 0}};
  }
  /// An empty view if it cannot be known which one it is.
  hlo_computation entry() const& {
    return data_->entry == none ? hlo_computation{} : hlo_computation{data_.get(), data_->entry};
  }
  /// By name; an empty view if there is none. Linear.
  hlo_computation find_computation(std::string_view name) const& {
    for (const hlo_computation c : computations())
      if (c.name() == name) return c;
    return {};
  }
  /// Of all computations.
  std::size_t instruction_count() const { return data_->instructions.size(); }
  /// By its id. Precondition: i < instruction_count().
  hlo_instruction instruction(std::size_t i) const& { return {data_.get(), static_cast<id>(i)}; }
  /// All instructions, by their ids: a random access range of views.
  auto instructions() const& {
    return view_range{instruction_count(), detail::views_from<hlo_instruction>{data_.get(), 0}};
  }

  // Views of a temporary: keep a handle on the module first.
  void computation(std::size_t) const&& = delete;
  void computations() const&& = delete;
  void entry() const&& = delete;
  void find_computation(std::string_view) const&& = delete;
  void instruction(std::size_t) const&& = delete;
  void instructions() const&& = delete;

  /// Attributes of the header as written, known or not.
  std::size_t attribute_count() const { return data_->attributes.count; }
  /// A random access range of `hlo_attribute`.
  auto attributes() const {
    return view_range{attribute_count(), detail::attributes_from{data_.get(), data_->attributes.first}};
  }
  /// Precondition: i < attribute_count().
  hlo_attribute attribute(std::size_t i) const { return attributes()[i]; }
  /// Raw text of an attribute of the header, if it is written.
  optional<std::string_view> attribute(attribute_key key) const {
    for (const hlo_attribute a : attributes())
      if (a.key == key) return a.value;
    return std::nullopt;
  }
  /// The text of an attribute's value; `where()` if it is not written.
  location attribute_location(attribute_key key) const {
    if (const auto value = attribute(key)) return {data_->text, span_of(data_->text.text(), *value)};
    return where();
  }
  /// `is_scheduled=true` is written: text order is the schedule.
  bool is_scheduled() const { return attribute(attribute_key::is_scheduled) == std::string_view("true"); }
  /// 1 if not written.
  std::int64_t replica_count() const { return count(attribute_key::replica_count); }
  /// 1 if not written.
  std::int64_t num_partitions() const { return count(attribute_key::num_partitions); }

  /// Its name in the header; without a header the place where the module begins.
  location where() const {
    return {data_->text, data_->has_header ? data_->name : span{data_->extent.begin, data_->extent.begin}};
  }
  /// The whole text that was read; other modules may stand in it.
  const source& text() const { return data_->text; }
  /// The records behind the views.
  const module_data& data() const { return *data_; }

  /// Same names, instructions and attributes; blanks and comments do not count.
  friend bool operator==(const hlo_module& a, const hlo_module& b) { return a.data_ == b.data_ || same(a, b); }

 private:
  static bool same(const hlo_module& a, const hlo_module& b);
  std::int64_t count(attribute_key key) const {
    const auto text = attribute(key);
    return text ? leading_integer(*text).value_or(1) : 1;
  }

  std::shared_ptr<const module_data> data_;
};

inline hlo_instruction detail::operands_from::operator()(std::size_t i) const {
  const id at = data->operands[first + i].instruction;
  return at == none ? hlo_instruction{} : hlo_instruction{data, at};
}

inline std::string_view hlo_instruction::opcode_text() const {
  if (is_synthesized()) return name_of(opcode());
  const std::string_view rest = data_->text.text().substr(record().opcode_at);
  std::size_t n = 0;
  const auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  while (n < rest.size() && word(rest[n])) ++n;
  return rest.substr(0, n);
}
inline hlo_computation hlo_instruction::called_computation(std::size_t i) const {
  const hlolint::id at = data_->called[record().calls.first + i];
  return at == none ? hlo_computation{} : hlo_computation{data_, at};
}
/// An empty view stands for a computation that is not in the text.
inline auto hlo_instruction::called_computations() const {
  return view_range{called_computation_count(),
                    detail::views_listed<hlo_computation>{data_, data_->called.data() + record().calls.first}};
}
inline hlo_computation hlo_instruction::computation() const { return {data_, record().computation}; }

}  // namespace hlolint

#include <hlolint/ir/same_module.hpp>
#include <hlolint/text/optional.hpp>
