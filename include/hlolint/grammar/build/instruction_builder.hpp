// The functions of the builder that the rules of instructions call.
#pragma once

#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/grammar/build/module_state.hpp>
#include <hlolint/grammar/hlo/bracket_scan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::build {

using grammar::written_attribute;

class instruction_builder {
 public:
  using context_tag = module_builder;

  explicit instruction_builder(module_state& all) : in_(all) {}

  // -------------------- the line
  pending_instruction& begin_instruction() {
    pending_instruction& i = in_.pending.instructions.emplace_back();
    i.first_operand = in_.pending.operands.size();
    i.first_attribute = in_.pending.attributes.size();
    i.first_call = in_.pending.calls.size();
    return i;
  }
  void result_shape(id number) { in_.pending.instructions.back().record.shape = number; }
  void opcode(std::string_view word) {
    instruction_record& i = in_.pending.instructions.back().record;
    i.opcode_at = in_.text.offset(word);
    i.opcode = find_hlo_opcode(word);
    if (i.opcode == hlo_opcode::unknown && !async_opcode(i, word))
      in_.pending.instructions.back().unknown_opcode = word;
  }
  argument_kind wanted_argument() const {
    const hlo_opcode opcode = in_.pending.instructions.back().record.opcode;
    return opcode == hlo_opcode::parameter  ? argument_kind::number
           : opcode == hlo_opcode::constant ? argument_kind::literal
                                            : argument_kind::operands;
  }
  void argument(std::string_view text) { in_.pending.instructions.back().record.argument = in_.text.at(text); }
  /// The shape that a literal has to fit; of unknown type if none is written.
  const shape& literal_shape() const {
    static const shape not_written;
    const shape* const found = in_.pools.shape_of(in_.pending.instructions.back().record);
    return found ? *found : not_written;
  }
  /// Drops a literal that cannot be read and keeps its instruction. False if the text ends in the literal, or if it
  /// runs into another instruction.
  bool unreadable_literal(std::string_view text) {
    if (in_.messages.failed_at_end() || runs_into_instruction(text)) return false;
    in_.messages.report_failure();
    return true;
  }

  // -------------------- operands
  operand_record& begin_operand(std::string_view where) {
    return in_.pending.operands.emplace_back(operand_record{none, none, in_.text.offset(where)});
  }
  void operand_name(std::string_view name) {
    operand_record& o = in_.pending.operands.back();
    open_computation& c = in_.open.innermost();
    o.at = in_.text.offset(name);
    o.instruction = c.names.find(name);
    if (o.instruction != none) return;
    if (c.single && (o.declared_shape != none || in_.pools.data->fragment))
      o.instruction = implicit_parameter(name, o.declared_shape);
    else if (in_.pools.data->fragment)
      c.record.lacks_names = true;
    else if (!c.lost_names && c.undefined.insert(name).second)
      undefined_operand(name);
  }
  /// A shape alone is a parameter of an instruction without a computation. Anywhere else XLA drops it silently.
  void operand_without_name(std::string_view where) {
    operand_record& o = in_.pending.operands.back();
    if (in_.open.innermost().single && o.declared_shape != none) {
      o.instruction = implicit_parameter(where, o.declared_shape);
    } else {
      in_.messages.warn(in_.text.offset(where), "there is no name here; as XLA does, the operand is left out");
      in_.pending.operands.pop_back();
    }
  }
  /// `#element` after the last operand.
  void operand_element(std::int64_t&& element) { take_element(in_.pending.operands.back(), element); }
  /// Makes an operand one of its elements: a get-tuple-element, which all uses of this element share.
  void take_element(operand_record& o, std::int64_t element) {
    open_computation& c = in_.open.innermost();
    if (o.instruction == none) return;
    const shape* const from = in_.pools.shape_of(c.instructions[o.instruction]);
    const bool there = element >= 0 && element < none &&
                       (!from || (from->is_tuple() && static_cast<std::size_t>(element) < from->elements.size()));
    if (!there) {
      c.faults.push_back({name_fault::kind::no_element, {o.at, o.at}, none, none, o.instruction, element});
      o.instruction = none;
      return;
    }
    const std::uint64_t key = static_cast<std::uint64_t>(o.instruction) << 32 | static_cast<std::uint64_t>(element);
    const auto [entry, fresh] = c.elements.try_emplace(key, static_cast<id>(c.instructions.size()));
    if (fresh) {
      c.element_keys.push_back(key);
      c.instructions.push_back(get_tuple_element(o, element, from));
    }
    o.instruction = entry->second;
  }
  /// The shape before a nested instruction is its result shape, not the declared shape of an operand.
  void begin_nested() {
    const id result = std::exchange(in_.pending.operands.back().declared_shape, none);
    begin_instruction().record.shape = result;
  }
  void end_nested(std::string_view text) {
    instruction_record& i = in_.pending.instructions.back().record;
    i.origin = node_origin::synthesized;
    i.name = in_.pools.synthesize_name(
        str_cat({hlolint::name_of(i.opcode), ".anon", in_.open.innermost().instructions.size() + 1}));
    const id local = complete_instruction(text);
    in_.pending.operands.back().instruction = local;
    in_.pending.operands.back().at = in_.text.offset(text);
  }

  // -------------------- attributes
  void begin_attribute(std::string_view where) {
    in_.pending.before_attribute.at = in_.text.offset(where);
    in_.pending.before_attribute.body_begun = false;
    in_.pending.before_attribute.parts = in_.here();
  }
  /// Whether the failure may belong to this attribute itself, and not to an instruction of a body in the attribute.
  bool may_be_unreadable(std::string_view attribute) const {
    const std::uint32_t begin = in_.text.offset(attribute), end = in_.messages.furthest();
    return !in_.state.failed_deep_down() &&
           (end <= begin || !runs_into_instruction(in_.text.whole().substr(begin, end - begin)));
  }
  void keep_attribute(written_attribute&& a) {
    if (a.key == attribute_key::unknown && !is_old_attribute(a.name)) in_.messages.unknown("attribute", a.name);
    // An attribute that does not belong to the opcode calls nothing. verify/ reports it.
    if (in_.pending.calls.size() > in_.pending.before_attribute.parts.calls) {
      const instruction_record& i = in_.pending.instructions.back().record;
      if (!grammar::form_of(i.opcode, i.wrapped, a.key))
        in_.pending.calls.resize(in_.pending.before_attribute.parts.calls);
    }
    in_.pending.attributes.push_back({a.key, true, in_.text.at(a.name), in_.text.at(a.value)});
  }
  /// Only the value is lost if it ends in the line of the failure.
  bool unreadable_attribute(written_attribute&& a) {
    const std::uint32_t end = in_.text.offset(a.value) + static_cast<std::uint32_t>(a.value.size());
    if (in_.messages.failed_at_end() || end == in_.text.size()) return false;
    if (in_.messages.furthest() < end &&
        in_.text.whole().substr(in_.messages.furthest(), end - in_.messages.furthest()).find('\n') !=
            in_.text.whole().npos)
      return false;
    if (runs_into_instruction(in_.text.whole().substr(in_.text.offset(a.name), end - in_.text.offset(a.name))))
      return false;
    attribute_mark& before = in_.pending.before_attribute;
    // The last attribute that began may stand in a body that has failed.
    while (before.at != in_.text.offset(a.name)) before = in_.open.number(before.parts.open - 1).before_attribute;
    in_.rewind(before.parts);
    if (before.body_begun) in_.pools.take_back(before.before_body);
    in_.messages.report_failure();
    in_.pending.attributes.push_back({a.key, false, in_.text.at(a.name), in_.text.at(a.value)});
    return true;
  }
  /// An attribute names a computation. One that is not known yet is looked up when the module is complete.
  void call_computation(std::string_view name) {
    in_.pending.calls.push_back({in_.pools.computation_names.find(name), name});
  }
  void control_predecessor(std::string_view name) {
    open_computation& c = in_.open.innermost();
    if (c.names.find(name) == none) c.predecessors.push_back({name, none});
  }

  // -------------------- the end
  void end_instruction(std::string_view text) {
    const std::string_view name = in_.pending.instructions.back().name;
    complete_instruction(text);
    in_.open.innermost().name_last(name, in_.text.at(name), name_map::hash_of(name));
    in_.messages.report_unknown();
    in_.messages.report_broken(name);
  }
  /// The end of an instruction without a name: `f32[] add(f32[] x, f32[] y)`.
  void end_nameless(std::string_view text) {
    in_.pending.instructions.back().record.origin = node_origin::synthesized;
    in_.pending.instructions.back().record.name = in_.pools.synthesize_name("_");
    in_.open.innermost().marked_root = complete_instruction(text);
    in_.messages.report_unknown();
    in_.messages.report_broken({});
  }

 private:
  /// Whether an instruction begins at a line inside a value: a missing quote or bracket let the value run on.
  static bool runs_into_instruction(std::string_view value) { return scan::runs_into_instruction(value); }
  /// Reads `X-start`, `X-update` or `X-done`, the sugar for an async op around X. False for other words.
  [[gnu::noinline]] static bool async_opcode(instruction_record& i, std::string_view word) {
    const std::pair<std::string_view, hlo_opcode> endings[] = {
        {"-start", hlo_opcode::async_start}, {"-update", hlo_opcode::async_update}, {"-done", hlo_opcode::async_done}};
    for (const auto& [ending, async] : endings) {
      if (!word.ends_with(ending)) continue;
      const hlo_opcode wrapped = find_hlo_opcode(word.substr(0, word.size() - ending.size()));
      if (wrapped == hlo_opcode::unknown || grammar::has_own_async_form(wrapped)) break;
      i.opcode = async;
      i.wrapped = wrapped;
      return true;
    }
    return false;
  }
  [[gnu::noinline, gnu::cold]] void undefined_operand(std::string_view name) {
    in_.open.innermost().faults.push_back(
        {name_fault::kind::undefined_operand, in_.text.at(name), none, none, none, 0});
  }
  /// Makes a parameter of an unknown operand, in an instruction without a computation.
  [[gnu::noinline]] id implicit_parameter(std::string_view name, id number) {
    open_computation& c = in_.open.innermost();
    const id local = static_cast<id>(c.instructions.size());
    instruction_record p;
    p.opcode = hlo_opcode::parameter;
    p.shape = number;
    p.origin = node_origin::synthesized;
    p.name = in_.pools.synthesize_name(name.empty() ? str_cat({"param_", local}) : std::string(name));
    p.text = in_.text.at(name);
    c.instructions.push_back(p);
    if (!name.empty()) {
      c.names.insert(name, local);
      c.implicit_parameters.emplace_back(name, local);
    }
    return local;
  }
  [[gnu::noinline]] instruction_record get_tuple_element(const operand_record& o, std::int64_t element,
                                                         const shape* tuple) {
    instruction_record gte;
    gte.opcode = hlo_opcode::get_tuple_element;
    gte.origin = node_origin::synthesized;
    gte.name = in_.pools.synthesize_name(
        str_cat({std::string(in_.pools.name_of(in_.open.innermost().instructions[o.instruction])), "_", element}));
    gte.argument = {gte.name.end - static_cast<std::uint32_t>(std::to_string(element).size()), gte.name.end};
    gte.text = {o.at, o.at};
    gte.operands = {static_cast<id>(in_.pools.data->operands.size()), 1};
    in_.pools.data->operands.push_back({o.instruction, none, o.at});
    if (tuple) gte.shape = in_.pools.shapes.copy_of(tuple->elements[static_cast<std::size_t>(element)]);
    return gte;
  }

  /// Moves the pending instruction from the stacks into the open computation. Returns its local number.
  id complete_instruction(std::string_view text) {
    pending_instruction& i = in_.pending.instructions.back();
    instruction_record& record = i.record;
    open_computation& c = in_.open.innermost();
    const id local = static_cast<id>(c.instructions.size());
    if (!i.name.empty()) record.name = in_.text.at(i.name);
    if (i.marked_root) record.root = true;
    record.operands = move_from(in_.pending.operands, i.first_operand, in_.pools.data->operands);
    record.attributes = move_from(in_.pending.attributes, i.first_attribute, in_.pools.data->attribute_pool);
    record.calls = in_.move_calls(i.first_call);
    record.text = in_.text.at(text);
    if (!i.unknown_opcode.empty())
      in_.messages.unknown("opcode", i.unknown_opcode, {hlo_opcode_names.begin(), hlo_opcode_names.end()});
    for (std::size_t k = c.faults.size(); k-- != 0 && c.faults[k].instruction == none;) c.faults[k].instruction = local;
    for (std::size_t k = c.predecessors.size(); k-- != 0 && c.predecessors[k].instruction == none;)
      c.predecessors[k].instruction = local;
    if (is_generic_all_reduce(record)) {
      record.opcode = record.opcode == hlo_opcode::all_reduce_start ? hlo_opcode::async_start : hlo_opcode::async_done;
      record.wrapped = hlo_opcode::all_reduce;
    }
    if (record.wrapped != hlo_opcode::unknown) note_sugar(record, local);
    c.instructions.push_back(record);
    in_.pending.instructions.pop_back();
    return local;
  }

  // -------------------- async sugar
  /// Whether an all-reduce-start or -done is that of a generic async operation around an all-reduce, which XLA writes
  /// like its own form, but with the result `((operands), result)` (hlo_text.md 8).
  bool is_generic_all_reduce(const instruction_record& i) const {
    if (i.opcode == hlo_opcode::all_reduce_start) {
      const shape* const result = in_.pools.shape_of(i);
      return result && result->is_tuple() && result->elements.size() > 1 && result->elements[0].is_tuple();
    }
    if (i.opcode != hlo_opcode::all_reduce_done || i.operands.count == 0) return false;
    const id start = in_.pools.data->operands[i.operands.first].instruction;
    return start != none && in_.open.innermost().instructions[start].opcode == hlo_opcode::async_start;
  }
  void note_sugar(const instruction_record& i, id local) {
    if (i.opcode == hlo_opcode::async_start) note_implied(i, local);
    if (i.opcode == hlo_opcode::async_update && i.operands.count != 0) widen_implied(i);
  }
  std::size_t parameter_count(id number) const {
    const id_range range = in_.pools.data->computations[number].instructions;
    std::size_t count = 0;
    for (id k = range.first; k != range.first + range.count; ++k)
      count += in_.pools.data->instructions[k].opcode == hlo_opcode::parameter;
    return count;
  }
  /// Notes the computation that `X-start` stands for. It has one parameter per operand shape.
  [[gnu::noinline]] void note_implied(const instruction_record& i, id local) {
    implied_computation implied;
    implied.start = local;
    implied.root_calls = i.calls;
    std::size_t count = grammar::arity(i.wrapped).value_or(0);
    const bool passes_all = i.wrapped == hlo_opcode::call || i.wrapped == hlo_opcode::fusion;
    for (id k = i.calls.first; passes_all && k != i.calls.first + i.calls.count; ++k)
      if (in_.pools.data->called[k] != none) count = std::max(count, parameter_count(in_.pools.data->called[k]));
    const shape* const result = in_.pools.shape_of(i);
    if (result && result->is_tuple() && result->elements.size() > 1 && result->elements[0].is_tuple()) {
      const std::vector<shape> operands = result->elements[0].elements;
      implied.result_shape = in_.pools.shapes.copy_of(result->elements[1]);
      for (const shape& s : operands) implied.parameter_shapes.push_back(in_.pools.shapes.copy_of(s));
    }
    if (implied.parameter_shapes.size() < count) implied.parameter_shapes.resize(count, none);
    in_.open.innermost().implied.push_back(std::move(implied));
  }
  /// The async-start at the beginning of a chain of updates; `none` if the chain leaves the computation. No real
  /// program has a chain of more than `most` updates, and longer ones are not followed, since each update walks the
  /// whole chain.
  id async_start_of(id local) const {
    constexpr int most = 256;
    const open_instructions& all = in_.open.innermost().instructions;
    for (int steps = 0; local != none && all[local].opcode == hlo_opcode::async_update; ++steps) {
      if (steps == most) return none;
      local = all[local].operands.count == 0 ? none : in_.pools.data->operands[all[local].operands.first].instruction;
    }
    return local != none && all[local].opcode == hlo_opcode::async_start ? local : none;
  }
  /// An update may add operands that the start does not have, and with them the result.
  [[gnu::noinline]] void widen_implied(const instruction_record& update) {
    const id start = async_start_of(in_.pools.data->operands[update.operands.first].instruction);
    const shape* const result = in_.pools.shape_of(update);
    if (start == none || !result || !result->is_tuple() || result->elements.empty() || !result->elements[0].is_tuple())
      return;
    for (implied_computation& implied : in_.open.innermost().implied) {
      if (implied.start != start) continue;
      const std::vector<shape> operands = result->elements[0].elements;
      for (std::size_t k = implied.parameter_shapes.size(); k < operands.size(); ++k)
        implied.parameter_shapes.push_back(in_.pools.shapes.copy_of(operands[k]));
      if (result->elements.size() > 1) implied.result_shape = in_.pools.shapes.copy_of(result->elements[1]);
    }
  }

  module_state& in_;
};

}  // namespace hlolint::build
