// Fills the pools of a module while its text is parsed: the state that the rules of instruction.hpp and hlo.hpp share.
#pragma once

#include <hlolint/grammar/attribute_syntax.hpp>
#include <hlolint/grammar/name_map.hpp>
#include <hlolint/grammar/shape_table.hpp>
#include <hlolint/grammar/state.hpp>
#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/say.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// An instruction that is being read. Nested operands make a stack of them.
struct pending_instruction {
  instruction_record record;
  std::string_view name;             ///< empty for a nested operand
  const char* begin = nullptr;
  const char* operands_at = nullptr; ///< after the opcode
  std::size_t first_operand = 0, first_attribute = 0, first_call = 0;  ///< on the stacks of the builder
};

/// The computation that async sugar stands for: made when the computation around it is complete, because updates may
/// still bring operands.
struct implied_computation {
  id start = none;                ///< local number of the async-start
  std::vector<id> parameter_shapes;
  id_range root_calls;            ///< of the wrapped instruction
  id result_shape = none;
};

/// A computation that is being read.
struct open_computation {
  computation_record record;
  std::string_view name;
  std::vector<instruction_record> instructions;  ///< operands are local numbers until the computation closes
  std::vector<implied_computation> implied;
  std::vector<std::int64_t> parameter_numbers;
  std::unordered_map<std::uint64_t, id> elements;  ///< `%a#1`: (a, 1) and its get-tuple-element
  std::vector<std::string_view> undefined;         ///< names already complained about
  std::vector<std::string_view> predecessors;      ///< control predecessors that stand later in the text, if at all
  name_map names;
  id marked_root = none;
  id declared_result = none;  ///< shape in the signature
  bool damaged = false;       ///< an instruction could not be read
  bool lost_names = false;    ///< after an instruction that could not be read: unknown names prove nothing
  bool single = false;      ///< one instruction alone: unknown operands become parameters

  void open(const char* begin) {
    record = {};
    name = {};
    instructions.clear();
    implied.clear();
    parameter_numbers.clear();
    elements.clear();
    undefined.clear();
    predecessors.clear();
    names.clear();
    marked_root = none;
    declared_result = none;
    damaged = lost_names = single = false;
    at = begin;
  }
  const char* at = nullptr;
};

class module_builder : public parse_state {
 public:
  explicit module_builder(source text) : text_(std::move(text)), whole_(text_.text()) { start_module(); }

  // ---------------------------------------------------------------- the module
  void start_module() {
    data = std::make_shared<module_data>();
    data->text = text_;
    shapes.clear();
    computation_names.clear();
    unresolved_calls_.clear();
    unknown_seen_.clear();
    rootless.clear();
    lost_computations = false;
    open_ = 0;
    pending.clear();
    operands.clear();
    attributes.clear();
    calls.clear();
    depth = 0;
  }

  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - whole_.data()); }
  span at(const char* begin, const char* end) const { return {offset(begin), offset(end)}; }
  span at(std::string_view part) const { return at(part.data(), part.data() + part.size()); }
  std::string_view written(span where) const { return where.of(whole_); }
  const source& text() const { return text_; }
  /// Those read so far of a pending instruction.
  std::span<const attribute_record> attributes_of(const pending_instruction& i) const {
    return {attributes.data() + i.first_attribute, attributes.data() + attributes.size()};
  }

  // ---------------------------------------------------------------- computations
  bool in_computation() const { return open_ > 0; }
  open_computation& computation() { return *computations_[open_ - 1]; }

  open_computation& open_computation_at(const char* begin) {
    if (open_ == computations_.size()) computations_.push_back(std::make_unique<open_computation>());
    open_computation& c = *computations_[open_++];
    c.open(begin);
    return c;
  }

  /// Moves the innermost computation into the pools; its number.
  id close_computation(const char* end) {
    open_computation& c = computation();
    for (const implied_computation& implied : c.implied) add_implied(c, implied);
    const id number = static_cast<id>(data->computations.size());
    const id base = static_cast<id>(data->instructions.size());
    for (instruction_record& i : c.instructions) {
      i.computation = number;
      for (id k = i.operands.first; k != i.operands.first + i.operands.count; ++k)
        if (data->operands[k].instruction != none) data->operands[k].instruction += base;
    }
    data->instructions.insert(data->instructions.end(), c.instructions.begin(), c.instructions.end());
    computation_record& record = c.record;
    record.text = at(c.at, end);
    if (!record.anonymous) record.name = at(c.name);
    record.instructions = {base, static_cast<id>(c.instructions.size())};
    const id last = c.instructions.empty() ? none : base + static_cast<id>(c.instructions.size()) - 1;
    record.root = c.marked_root == none ? last : base + c.marked_root;
    data->computations.push_back(record);
    --open_;
    return number;
  }
  void drop_computation() { --open_; }

  /// How far things were when a part began that may fail.
  struct mark {
    std::size_t open, pending, operands, attributes, calls, broken, depth;
  };
  mark here() const { return {open_, pending.size(), operands.size(), attributes.size(), calls.size(), broken.size(), depth}; }
  void rewind(const mark& to) {
    open_ = to.open;
    pending.resize(to.pending);
    operands.resize(to.operands);
    attributes.resize(to.attributes);
    calls.resize(to.calls);
    broken.resize(to.broken);
    depth = to.depth;
  }

  // ---------------------------------------------------------------- names and shapes
  const shape* shape_of(id shape_number) const { return shape_number == none ? nullptr : &data->shapes[shape_number]; }
  const shape* shape_of(const instruction_record& i) const { return shape_of(i.shape); }
  std::string_view name_of(const instruction_record& i) const { return data->name_of(i.name, i.origin); }

  span synthesize_name(std::string_view text) {
    const auto begin = static_cast<std::uint32_t>(data->synthesized_names.size());
    data->synthesized_names += text;
    return {begin, begin + static_cast<std::uint32_t>(text.size())};
  }

  /// Adds a pool entry for a computation named in an attribute; the name is looked up when the module is complete.
  void push_call(std::string_view name) {
    const id found = computation_names.find(name);
    calls.push_back({found, name});
  }

  struct named_call {
    id computation = none;
    std::string_view name;
  };

  id_range move_calls(std::size_t from) {
    const id_range range{static_cast<id>(data->called.size()), static_cast<id>(calls.size() - from)};
    if (calls.size() == from) return range;
    for (std::size_t i = from; i < calls.size(); ++i) {
      if (calls[i].computation == none) unresolved_calls_.push_back({static_cast<id>(data->called.size()), calls[i].name});
      data->called.push_back(calls[i].computation);
    }
    calls.resize(from);
    return range;
  }

  struct unresolved_call {
    id slot = none;
    std::string_view name;
  };
  const std::vector<unresolved_call>& unresolved_calls() const { return unresolved_calls_; }

  // ---------------------------------------------------------------- what there is to say
  using parse_state::broke;
  [[gnu::noinline, gnu::cold]] void broke(std::string_view where, std::string message, std::string_view other, std::string other_message) {
    broken.push_back({where.data(), std::move(message), other.data(), std::move(other_message)});
  }

  /// Reports what the rules recorded since the last call, as of the given instruction.
  [[gnu::noinline, gnu::cold]] void report_broken(std::string_view instruction) {
    for (broken_rule& rule : broken) {
      diagnostic d = about("SYN002", "name-or-number-rule", rule.where, std::move(rule.message));
      d.instruction = std::string(instruction);
      if (rule.other) {
        const std::uint32_t where = offset(rule.other);
        d.related.push_back({{text_, {where, where}}, {}, std::nullopt, std::move(rule.other_message)});
      }
      diagnostics.push_back(std::move(d));
    }
    broken.clear();
  }

  [[gnu::noinline, gnu::cold]] diagnostic about(std::string_view rule, std::string_view name, const char* where, std::string message) {
    diagnostic d;
    d.rule = std::string(rule);
    d.name = std::string(name);
    d.message = std::move(message);
    const std::uint32_t begin = offset(where);
    d.where = {text_, {begin, begin}};
    if (data->has_header) d.module = std::string(written(data->name));
    if (open_ > 0) d.computation = std::string(computation().name);
    return d;
  }

  /// A word that no XLA knows, kept as text: said once per word and module.
  [[gnu::noinline, gnu::cold]] void unknown(std::string_view kind, std::string_view text) {
    std::string what = say({kind, " '", text, "'"});
    if (std::find(unknown_seen_.begin(), unknown_seen_.end(), what) != unknown_seen_.end()) return;
    diagnostic d = about("DMP006", "unknown-construct", text.data(), say({"unknown ", what, ", kept as text"}));
    d.where.at.end = d.where.at.begin + static_cast<std::uint32_t>(text.size());
    d.level = severity::note;
    diagnostics.push_back(std::move(d));
    unknown_seen_.push_back(std::move(what));
  }

  /// Something that XLA would refuse and that can be read all the same.
  [[gnu::noinline, gnu::cold]] void warn(const char* where, std::string message) {
    diagnostics.push_back(about("SYN002", "name-or-number-rule", where, std::move(message)));
    diagnostics.back().level = severity::warning;
  }

  std::shared_ptr<module_data> data;
  shape_table shapes;
  name_map computation_names;
  std::vector<pending_instruction> pending;
  std::vector<operand_record> operands;      ///< of the pending instructions
  std::vector<attribute_record> attributes;  ///< likewise
  std::vector<named_call> calls;             ///< likewise
  std::vector<diagnostic> diagnostics;
  unsigned row_keys = 0;           ///< the attributes seen of a row of the stack tables, one bit each
  std::vector<id> rootless;        ///< computations whose root may be an instruction that could not be read
  bool lost_computations = false;  ///< after a computation that could not be read

 private:
  /// Parameters and root of the computation behind `X-start`.
  void add_implied(open_computation& outer, const implied_computation& implied) {
    instruction_record& start = outer.instructions[implied.start];
    const id number = static_cast<id>(data->computations.size());
    const id base = static_cast<id>(data->instructions.size());
    const id count = static_cast<id>(implied.parameter_shapes.size());
    for (id k = 0; k != count; ++k) {
      instruction_record parameter;
      parameter.name = synthesize_name(k == 0 ? "async_param" : say({"async_param.", k}));
      parameter.text = start.text;
      parameter.opcode = hlo_opcode::parameter;
      parameter.shape = implied.parameter_shapes[k];
      parameter.computation = number;
      parameter.origin = node_origin::synthesized;
      data->instructions.push_back(parameter);
    }
    instruction_record root;
    root.name = synthesize_name(hlolint::name_of(start.wrapped));
    root.text = start.text;
    root.opcode = start.wrapped;
    root.shape = implied.result_shape;
    root.computation = number;
    root.operands = {static_cast<id>(data->operands.size()), count};
    for (id k = 0; k != count; ++k) data->operands.push_back({base + k, none, start.text.begin});
    root.attributes = start.attributes;
    root.calls = implied.root_calls;
    root.opcode_at = start.opcode_at;
    root.origin = node_origin::synthesized;
    data->instructions.push_back(root);
    computation_record c;
    c.name = synthesize_name("async_wrapped");
    c.text = start.text;
    c.instructions = {base, count + 1};
    c.root = base + count;
    c.origin = node_origin::synthesized;
    data->computations.push_back(c);
    start.calls = {static_cast<id>(data->called.size()), 1};
    data->called.push_back(number);
  }

  source text_;
  std::string_view whole_;
  std::vector<std::unique_ptr<open_computation>> computations_;  ///< reused, the innermost open one is [open_ - 1]
  std::size_t open_ = 0;
  std::vector<unresolved_call> unresolved_calls_;
  std::vector<std::string> unknown_seen_;
};

template <class Context>
module_builder& builder(const Context& context) {
  return static_cast<module_builder&>(state(context));
}

}  // namespace hlolint::grammar
