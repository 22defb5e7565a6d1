// A parsed HLO module: an immutable handle and cheap views of its parts.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/ir/view_range.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/integer.hpp>

#include <memory>
#include <optional>
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
  /// `unknown` for any opcode that is not one of XLA's: see `opcode_text`.
  hlo_opcode opcode() const { return record().opcode; }
  /// X of the sugar X-start, X-update or X-done; `unknown` for other instructions.
  hlo_opcode wrapped_opcode() const { return record().wrapped; }
  /// The opcode as written, or its name if the instruction is not written.
  std::string_view opcode_text() const;
  /// Null if no shape is written.
  const hlolint::shape* shape() const { return record().shape == none ? nullptr : &data_->shapes[record().shape]; }

  /// How many operands are written; nested ones count.
  std::size_t operand_count() const { return record().operands.count; }
  /// The operands. An empty view (false) stands for a name of no instruction of the text.
  auto operands() const { return view_range{operand_count(), detail::operands_from{data_, record().operands.first}}; }
  /// Precondition: i < operand_count().
  hlo_instruction operand(std::size_t i) const { return operands()[i]; }
  /// The shape written before the operand's name, or null.
  const hlolint::shape* operand_shape(std::size_t i) const {
    const hlolint::id at = operand_at(i).declared_shape;
    return at == none ? nullptr : &data_->shapes[at];
  }

  /// The number of attributes.
  std::size_t attribute_count() const { return record().attributes.count; }
  /// A random access range of `hlo_attribute`.
  auto attributes() const {
    return view_range{attribute_count(), detail::attributes_from{data_, record().attributes.first}};
  }
  /// Precondition: i < attribute_count().
  hlo_attribute attribute(std::size_t i) const { return attributes()[i]; }
  /// The attribute's raw text, if written. The instruction made for an operand `%t#1` has an `index`, too.
  std::optional<std::string_view> attribute(attribute_key key) const {
    const attribute_record* const found = data_->find(record().attributes, key);
    if (found) return data_->written(found->value);
    if (key == attribute_key::index && opcode() == hlo_opcode::get_tuple_element && is_synthesized())
      return record().argument.of(data_->synthesized_names);
    return std::nullopt;
  }
  /// Whether the attribute is written.
  bool has(attribute_key key) const { return attribute(key).has_value(); }

  /// How many computations its attributes name: `calls`, `to_apply`, `body` and so on.
  std::size_t called_computation_count() const { return record().calls.count; }
  /// An empty view for a computation that is not in the text. Precondition: i < called_computation_count().
  hlo_computation called_computation(std::size_t i) const;
  auto called_computations() const;

  /// The computation that holds it.
  hlo_computation computation() const;
  /// Position in its computation.
  std::size_t index_in_computation() const {
    return id_ - data_->computations[record().computation].instructions.first;
  }
  /// Whether it is the root: the marked one, or the last instruction if none is marked.
  bool is_root() const { return data_->computations[record().computation].root == id_; }
  /// Whether `ROOT` is written.
  bool is_marked_root() const { return record().root; }
  /// Whether the reader made it, because XLA has it although it is not written.
  bool is_synthesized() const { return record().origin == node_origin::synthesized; }
  /// Whether it is a get-tuple-element that stands in operands only, as `%a#1` (hlo_text.md 4). It has no text.
  bool is_short_element() const {
    return is_synthesized() && opcode() == hlo_opcode::get_tuple_element && text().empty();
  }

  /// The raw text between the parentheses of `parameter(...)` and `constant(...)`.
  std::string_view argument() const {
    return opcode() == hlo_opcode::get_tuple_element ? std::string_view() : data_->written(record().argument);
  }
  /// N of `parameter(N)`; nothing for other opcodes.
  std::optional<std::int64_t> parameter_number() const {
    if (opcode() != hlo_opcode::parameter) return std::nullopt;
    if (is_synthesized() && record().argument.empty()) return static_cast<std::int64_t>(index_in_computation());
    const std::string_view digits = argument();
    // Nearly always there is one digit, for which from_chars would take long.
    if (digits.size() == 1 && is_digit(digits[0])) return digits[0] - '0';
    return leading_integer(digits);
  }

  /// The instruction's text.
  std::string_view text() const { return data_->written(record().text); }
  /// The place of its name; for a synthesized one, the text that it was made from.
  location where() const { return {data_->text, is_synthesized() ? record().text : record().name}; }
  /// The place where the text of an operand begins. Precondition: i < operand_count().
  location operand_location(std::size_t i) const { return {data_->text, {operand_at(i).at, operand_at(i).at}}; }
  /// The place of an attribute's value; `where()` if the attribute is not written.
  location attribute_location(attribute_key key) const {
    const attribute_record* const found = data_->find(record().attributes, key);
    return found ? location{data_->text, found->value} : where();
  }
  /// The records behind the view.
  const module_data& data() const { return *data_; }

  /// Whether both are views of one instruction of one module object; equal texts are not enough.
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
  /// Without `%`; made up if no name is written.
  std::string_view name() const {
    return data_->name_of(record().name, record().anonymous ? node_origin::synthesized : record().origin);
  }
  /// How many instructions it has; synthesized ones count, as in XLA. None in a view that stands for no computation.
  std::size_t instruction_count() const { return data_ ? record().instructions.count : 0; }
  /// Precondition: i < instruction_count().
  hlo_instruction instruction(std::size_t i) const {
    return {data_, record().instructions.first + static_cast<hlolint::id>(i)};
  }
  /// In text order, which is the schedule if the module is scheduled.
  auto instructions() const {
    return view_range{instruction_count(),
                      detail::views_from<hlo_instruction>{data_, data_ ? record().instructions.first : 0}};
  }
  /// The marked root, else the last instruction; an empty view if nothing could be read.
  hlo_instruction root() const {
    return !data_ || record().root == none ? hlo_instruction{} : hlo_instruction{data_, record().root};
  }
  /// Whether it is the entry of its module.
  bool is_entry() const { return data_->entry == id_; }
  /// Whether `ENTRY` is written.
  bool is_marked_entry() const { return record().entry; }
  /// Whether it stands as `{ ... }` in place of a name.
  bool is_anonymous() const { return record().anonymous; }
  /// Whether the reader made it, because XLA has it although it is not written.
  bool is_synthesized() const { return record().origin == node_origin::synthesized; }
  /// False if the text is cut off inside it, so that only its beginning is there.
  bool is_complete() const { return record().complete; }
  /// `(p: f32[2]) -> f32[2]` as written, or empty.
  std::string_view signature() const { return data_->written(record().signature); }
  /// A random access range of `hlo_attribute`: those after its closing brace.
  auto attributes() const {
    return view_range{record().attributes.count, detail::attributes_from{data_, record().attributes.first}};
  }
  /// The raw text of an attribute, if it is written.
  std::optional<std::string_view> attribute(attribute_key key) const {
    const attribute_record* const found = data_->find(record().attributes, key);
    return found ? std::optional(data_->written(found->value)) : std::nullopt;
  }
  /// `main` if no thread is written.
  std::string_view execution_thread() const {
    const auto quoted = attribute(attribute_key::execution_thread);
    return quoted ? quoted->substr(1, quoted->size() - 2) : "main";
  }
  /// The parameter with this number, or an empty view.
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
  /// The instruction with this name, or an empty view. Linear: make a table to find many.
  hlo_instruction find(std::string_view name) const {
    for (const hlo_instruction i : instructions())
      if (i.name() == name) return i;
    return {};
  }
  /// The place of its name, or of its text if it has no name.
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

/// A module. Copies share the data, which several threads may read.
class hlo_module {
 public:
  hlo_module() : data_(std::make_shared<module_data>()) {}
  /// A handle on records that a reader has filled.
  explicit hlo_module(std::shared_ptr<const module_data> data) : data_(std::move(data)) {}

  /// The name in the header; without a header `module_` and the name of the entry, as in XLA.
  std::string_view name() const {
    return data_->has_header ? data_->written(data_->name) : std::string_view(data_->implied_name);
  }
  /// How many computations it has; synthesized ones count, as in XLA.
  std::size_t computation_count() const { return data_->computations.size(); }
  /// Precondition: i < computation_count().
  hlo_computation computation(std::size_t i) const& { return {data_.get(), static_cast<id>(i)}; }
  /// The computations in text order, an implied body before the computation that holds it.
  auto computations() const& {
    return view_range{computation_count(), detail::views_from<hlo_computation>{data_.get(), 0}};
  }
  /// An empty view if it cannot be known which computation is the entry.
  hlo_computation entry() const& {
    return data_->entry == none ? hlo_computation{} : hlo_computation{data_.get(), data_->entry};
  }
  /// The computation with this name, or an empty view. Linear.
  hlo_computation find_computation(std::string_view name) const& {
    for (const hlo_computation c : computations())
      if (c.name() == name) return c;
    return {};
  }
  /// How many instructions all computations have.
  std::size_t instruction_count() const { return data_->instructions.size(); }
  /// The instruction with this id. Precondition: i < instruction_count().
  hlo_instruction instruction(std::size_t i) const& { return {data_.get(), static_cast<id>(i)}; }
  /// All instructions, by their ids: a random access range of views.
  auto instructions() const& {
    return view_range{instruction_count(), detail::views_from<hlo_instruction>{data_.get(), 0}};
  }

  // Views of a temporary module would dangle: keep a handle first.
  void computation(std::size_t) const&& = delete;
  void computations() const&& = delete;
  void entry() const&& = delete;
  void find_computation(std::string_view) const&& = delete;
  void instruction(std::size_t) const&& = delete;
  void instructions() const&& = delete;

  /// How many attributes the header has, known or not.
  std::size_t attribute_count() const { return data_->attributes.count; }
  /// A random access range of `hlo_attribute`.
  auto attributes() const {
    return view_range{attribute_count(), detail::attributes_from{data_.get(), data_->attributes.first}};
  }
  /// Precondition: i < attribute_count().
  hlo_attribute attribute(std::size_t i) const { return attributes()[i]; }
  /// The raw text of an attribute of the header, if it is written.
  std::optional<std::string_view> attribute(attribute_key key) const {
    const attribute_record* const found = data_->find(data_->attributes, key);
    return found ? std::optional(data_->written(found->value)) : std::nullopt;
  }
  /// The place of an attribute's value; `where()` if the attribute is not written.
  location attribute_location(attribute_key key) const {
    const attribute_record* const found = data_->find(data_->attributes, key);
    return found ? location{data_->text, found->value} : where();
  }
  /// `is_scheduled=true` is written: text order is the schedule.
  bool is_scheduled() const { return attribute(attribute_key::is_scheduled) == std::string_view("true"); }
  /// 1 if not written.
  std::int64_t replica_count() const { return count(attribute_key::replica_count); }
  /// 1 if not written.
  std::int64_t num_partitions() const { return count(attribute_key::num_partitions); }

  /// The place of its name in the header; without a header, the place where the module begins.
  location where() const {
    return {data_->text, data_->has_header ? data_->name : span{data_->extent.begin, data_->extent.begin}};
  }
  /// The whole text that was read, which may hold other modules, too.
  const source& text() const { return data_->text; }
  /// The records behind the views.
  const module_data& data() const { return *data_; }

  /// Whether names, instructions and attributes are equal; blanks and comments do not count.
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
  while (n < rest.size() && is_name_character(rest[n])) ++n;
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
