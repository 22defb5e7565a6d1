// The functions of the builder that the rules of instructions call.
#pragma once

#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/grammar/build/module_state.hpp>
#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::build {

using grammar::written_attribute;

class instruction_builder : public module_state {
 public:
  using module_state::module_state;

  // -------------------- the line
  pending_instruction& begin_instruction() {
    pending_instruction& i = pending_.emplace_back();
    i.first_operand = operands_.size();
    i.first_attribute = attributes_.size();
    i.first_call = calls_.size();
    return i;
  }
  void result_shape(id number) { pending_.back().record.shape = number; }
  void opcode(std::string_view word) {
    instruction_record& i = pending_.back().record;
    i.opcode_at = offset(word);
    i.opcode = find_hlo_opcode(word);
    if (i.opcode == hlo_opcode::unknown && !async_opcode(i, word)) pending_.back().unknown_opcode = word;
  }
  argument_kind wanted_argument() const {
    const hlo_opcode opcode = pending_.back().record.opcode;
    return opcode == hlo_opcode::parameter  ? argument_kind::number
           : opcode == hlo_opcode::constant ? argument_kind::literal
                                            : argument_kind::operands;
  }
  void argument(std::string_view text) { pending_.back().record.argument = at(text); }
  /// The shape that a literal has to fit; of unknown type if none is written.
  const shape& literal_shape() const {
    static const shape not_written;
    const shape* const written = shape_of(pending_.back().record);
    return written ? *written : not_written;
  }
  /// Only the literal is lost, unless the text ends in it or it runs into another instruction.
  bool unreadable_literal(std::string_view text) {
    if (failed_at_end() || runs_into_instruction(text)) return false;
    report_failure();
    return true;
  }

  // -------------------- operands
  operand_record& begin_operand(std::string_view where) {
    return operands_.emplace_back(operand_record{none, none, offset(where)});
  }
  void operand_name(std::string_view name) {
    operand_record& o = operands_.back();
    open_computation& c = computation();
    o.at = offset(name);
    o.instruction = c.names.find(name);
    if (o.instruction != none) return;
    if (c.single && o.declared_shape != none)
      o.instruction = implicit_parameter(name, o.declared_shape);
    else if (!c.lost_names && c.undefined.insert(name).second)
      undefined_operand(name);
  }
  /// A shape alone is a parameter of an instruction without a computation. Anywhere else XLA drops it silently.
  void operand_without_name(std::string_view where) {
    operand_record& o = operands_.back();
    if (computation().single && o.declared_shape != none) {
      o.instruction = implicit_parameter(where, o.declared_shape);
    } else {
      warn(offset(where), "there is no name here; as XLA does, the operand is left out");
      operands_.pop_back();
    }
  }
  /// `#element`: makes a get-tuple-element, which all uses of this element share.
  void operand_element(std::int64_t&& element) {
    operand_record& o = operands_.back();
    open_computation& c = computation();
    if (o.instruction == none) return;
    const shape* const from = shape_of(c.instructions[o.instruction]);
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
    const id result = std::exchange(operands_.back().declared_shape, none);
    begin_instruction().record.shape = result;
  }
  void end_nested(std::string_view text) {
    instruction_record& i = pending_.back().record;
    i.origin = node_origin::synthesized;
    i.name = synthesize_name(str_cat({hlolint::name_of(i.opcode), ".anon", computation().instructions.size() + 1}));
    const id local = complete_instruction(text);
    operands_.back().instruction = local;
    operands_.back().at = offset(text);
  }

  // -------------------- attributes
  void begin_attribute() {
    before_attribute_ = here();
    body_begun_ = false;
  }
  void keep_attribute(written_attribute&& a) {
    if (a.key == attribute_key::unknown && !is_old_attribute(a.name)) unknown("attribute", a.name);
    // Compilers of 2022 to 2024 wrote this for the original version; later ones refuse it (hlo_text.md 12.2).
    if (a.key == attribute_key::api_version && a.value == "API_VERSION_UNSPECIFIED") unknown("API version", a.value);
    // An attribute that does not belong to the opcode calls nothing. verify/ reports it.
    if (calls_.size() > before_attribute_.calls) {
      const instruction_record& i = pending_.back().record;
      if (!grammar::form_of(i.opcode, i.wrapped, a.key)) calls_.resize(before_attribute_.calls);
    }
    attributes_.push_back({a.key, true, at(a.name), at(a.value)});
  }
  /// Only the value is lost if it ends in the line of the failure.
  bool unreadable_attribute(written_attribute&& a) {
    const std::uint32_t end = offset(a.value) + static_cast<std::uint32_t>(a.value.size());
    if (failed_at_end() || end == size()) return false;
    if (furthest() < end && whole_.substr(furthest(), end - furthest()).find('\n') != whole_.npos) return false;
    if (runs_into_instruction(whole_.substr(offset(a.name), end - offset(a.name)))) return false;
    rewind(before_attribute_);
    if (body_begun_) take_back(before_body_);
    report_failure();
    attributes_.push_back({a.key, false, at(a.name), at(a.value)});
    return true;
  }
  /// An attribute names a computation. One that is not known yet is looked up when the module is complete.
  void call_computation(std::string_view name) { calls_.push_back({computation_names.find(name), name}); }
  void control_predecessor(std::string_view name) {
    open_computation& c = computation();
    if (c.names.find(name) == none) c.predecessors.push_back({name, none});
  }

  // -------------------- the end
  void end_instruction(std::string_view text) {
    const std::string_view name = pending_.back().name;
    complete_instruction(text);
    computation().name_last(name, at(name), name_map::hash_of(name));
    report_unknown();
    report_broken(name);
  }
  /// The end of an instruction without a name: `f32[] add(f32[] x, f32[] y)`.
  void end_nameless(std::string_view text) {
    pending_.back().record.origin = node_origin::synthesized;
    pending_.back().record.name = synthesize_name("_");
    computation().marked_root = complete_instruction(text);
    report_unknown();
    report_broken({});
  }

  pool_mark pools() const {
    const module_data& d = *data;
    return {d.computations.size(), d.instructions.size(),      d.operands.size(),    d.attribute_pool.size(),
            d.called.size(),       d.synthesized_names.size(), d.name_faults.size(), unresolved_calls_.size()};
  }
  void take_back(const pool_mark& to) {
    module_data& d = *data;
    d.computations.resize(to.computations);
    d.instructions.resize(to.instructions);
    d.operands.resize(to.operands);
    d.attribute_pool.resize(to.attributes);
    d.called.resize(to.called);
    d.synthesized_names.resize(to.names);
    d.name_faults.resize(to.faults);
    unresolved_calls_.resize(to.unresolved);
  }
  mark here() const {
    return {open_,         pending_.size(),     operands_.size(), attributes_.size(),
            calls_.size(), state.broken.size(), state.depth};
  }
  void rewind(const mark& to) {
    drop_computations(to.open);
    pending_.resize(to.pending);
    operands_.resize(to.operands);
    attributes_.resize(to.attributes);
    calls_.resize(to.calls);
    state.broken.resize(to.broken);
    state.depth = to.depth;
  }

 protected:
  record_list<pending_instruction> pending_;
  record_list<operand_record> operands_;      ///< of the pending instructions
  record_list<attribute_record> attributes_;  ///< of the pending instructions
  record_list<named_call> calls_;             ///< of the pending instructions
  record_list<unresolved_call> unresolved_calls_;
  mark before_attribute_;
  pool_mark before_body_;    ///< before the first body in the attribute that is being read
  bool body_begun_ = false;  ///< whether the attribute has a body

  id_range move_calls(std::size_t from) {
    const id_range range{static_cast<id>(data->called.size()), static_cast<id>(calls_.size() - from)};
    for (std::size_t k = from; k != calls_.size(); ++k) {
      if (calls_[k].computation == none)
        unresolved_calls_.push_back({static_cast<id>(data->called.size()), calls_[k].name});
      data->called.push_back(calls_[k].computation);
    }
    calls_.resize(from);
    return range;
  }

 private:
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
    computation().faults.push_back({name_fault::kind::undefined_operand, at(name), none, none, none, 0});
  }
  /// Makes a parameter of an unknown operand, in an instruction without a computation.
  [[gnu::noinline]] id implicit_parameter(std::string_view name, id number) {
    open_computation& c = computation();
    const id local = static_cast<id>(c.instructions.size());
    instruction_record p;
    p.opcode = hlo_opcode::parameter;
    p.shape = number;
    p.origin = node_origin::synthesized;
    p.name = synthesize_name(name.empty() ? str_cat({"param_", local}) : std::string(name));
    p.text = at(name);
    c.instructions.push_back(p);
    if (!name.empty()) c.names.insert(name, local);
    return local;
  }
  [[gnu::noinline]] instruction_record get_tuple_element(const operand_record& o, std::int64_t element,
                                                         const shape* tuple) {
    instruction_record gte;
    gte.opcode = hlo_opcode::get_tuple_element;
    gte.origin = node_origin::synthesized;
    gte.name =
        synthesize_name(str_cat({std::string(name_of(computation().instructions[o.instruction])), "_", element}));
    gte.argument = {gte.name.end - static_cast<std::uint32_t>(std::to_string(element).size()), gte.name.end};
    gte.text = {o.at, o.at};
    gte.operands = {static_cast<id>(data->operands.size()), 1};
    data->operands.push_back({o.instruction, none, o.at});
    if (tuple) gte.shape = shapes.add_copy(tuple->elements[static_cast<std::size_t>(element)]);
    return gte;
  }

  /// Moves the pending instruction from the stacks into the open computation. Returns its local number.
  id complete_instruction(std::string_view text) {
    pending_instruction& i = pending_.back();
    instruction_record& record = i.record;
    open_computation& c = computation();
    const id local = static_cast<id>(c.instructions.size());
    if (!i.name.empty()) record.name = at(i.name);
    if (i.marked_root) record.root = true;
    record.operands = move_from(operands_, i.first_operand, data->operands);
    record.attributes = move_from(attributes_, i.first_attribute, data->attribute_pool);
    record.calls = move_calls(i.first_call);
    record.text = at(text);
    if (!i.unknown_opcode.empty()) unknown("opcode", i.unknown_opcode);
    for (std::size_t k = c.faults.size(); k-- != 0 && c.faults[k].instruction == none;) c.faults[k].instruction = local;
    for (std::size_t k = c.predecessors.size(); k-- != 0 && c.predecessors[k].instruction == none;)
      c.predecessors[k].instruction = local;
    if (is_generic_all_reduce(record)) {
      record.opcode = record.opcode == hlo_opcode::all_reduce_start ? hlo_opcode::async_start : hlo_opcode::async_done;
      record.wrapped = hlo_opcode::all_reduce;
    }
    if (record.wrapped != hlo_opcode::unknown) note_sugar(record, local);
    c.instructions.push_back(record);
    pending_.pop_back();
    return local;
  }

  // -------------------- async sugar
  /// Whether an all-reduce-start or -done is that of a generic async operation around an all-reduce, which XLA writes
  /// like its own form, but with the result `((operands), result)` (hlo_text.md 8).
  bool is_generic_all_reduce(const instruction_record& i) const {
    if (i.opcode == hlo_opcode::all_reduce_start) {
      const shape* const result = shape_of(i);
      return result && result->is_tuple() && result->elements.size() > 1 && result->elements[0].is_tuple();
    }
    if (i.opcode != hlo_opcode::all_reduce_done || i.operands.count == 0) return false;
    const id start = data->operands[i.operands.first].instruction;
    return start != none && computations_[open_ - 1]->instructions[start].opcode == hlo_opcode::async_start;
  }
  void note_sugar(const instruction_record& i, id local) {
    if (i.opcode == hlo_opcode::async_start) note_implied(i, local);
    if (i.opcode == hlo_opcode::async_update && i.operands.count != 0) widen_implied(i);
  }
  std::size_t parameter_count(id number) const {
    const id_range range = data->computations[number].instructions;
    std::size_t count = 0;
    for (id k = range.first; k != range.first + range.count; ++k)
      count += data->instructions[k].opcode == hlo_opcode::parameter;
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
      if (data->called[k] != none) count = std::max(count, parameter_count(data->called[k]));
    const shape* const result = shape_of(i);
    if (result && result->is_tuple() && result->elements.size() > 1 && result->elements[0].is_tuple()) {
      const record_list<shape> operands = result->elements[0].elements;
      implied.result_shape = shapes.add_copy(result->elements[1]);
      for (const shape& s : operands) implied.parameter_shapes.push_back(shapes.add_copy(s));
    }
    if (implied.parameter_shapes.size() < count) implied.parameter_shapes.resize(count, none);
    computation().implied.push_back(std::move(implied));
  }
  /// The async-start at the beginning of a chain of updates; `none` if the chain leaves the computation. No real
  /// program has a chain of more than `most` updates, and longer ones are not followed, since each update walks the
  /// whole chain.
  id async_start_of(id local) const {
    constexpr int most = 256;
    const open_instructions& all = computations_[open_ - 1]->instructions;
    for (int steps = 0; local != none && all[local].opcode == hlo_opcode::async_update; ++steps) {
      if (steps == most) return none;
      local = all[local].operands.count == 0 ? none : data->operands[all[local].operands.first].instruction;
    }
    return local != none && all[local].opcode == hlo_opcode::async_start ? local : none;
  }
  /// An update may add operands that the start does not have.
  [[gnu::noinline]] void widen_implied(const instruction_record& update) {
    const id start = async_start_of(data->operands[update.operands.first].instruction);
    const shape* const result = shape_of(update);
    if (start == none || !result || !result->is_tuple() || result->elements.empty() || !result->elements[0].is_tuple())
      return;
    for (implied_computation& implied : computation().implied) {
      if (implied.start != start) continue;
      const record_list<shape> operands = result->elements[0].elements;
      for (std::size_t k = implied.parameter_shapes.size(); k < operands.size(); ++k)
        implied.parameter_shapes.push_back(shapes.add_copy(operands[k]));
    }
  }
};

}  // namespace hlolint::build
