// What the rules of instruction.hpp do when they match: one function per event, on the module builder.
#pragma once

#include <hlolint/grammar/instruction_rules.hpp>
#include <hlolint/grammar/module_builder.hpp>
#include <hlolint/grammar/names.hpp>
#include <hlolint/grammar/opcode_rules.hpp>
#include <hlolint/text/say.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::grammar {

inline void note_unknown_types(module_builder& b, const shape& parsed, std::string_view text) {
  for_each_subshape(parsed, [&](const shape_index&, const shape& part) {
    if (!part.unknown_type.empty()) b.unknown("element type", text.substr(text.find(part.unknown_type), part.unknown_type.size()));
  });
}

// ------------------------------------------------------------------ the line
inline void push_pending(module_builder& b, const char* begin) {
  pending_instruction& i = b.pending.emplace_back();
  i.begin = begin;
  i.operands_at = begin;
  i.first_operand = b.operands.size();
  i.first_attribute = b.attributes.size();
  i.first_call = b.calls.size();
}

inline void root_marked(module_builder& b, std::string_view root) {
  push_pending(b, root.data());
  b.pending.back().record.root = true;
}

inline void instruction_begins(module_builder& b, std::string_view name) {
  // ROOT, if written, has begun the instruction already.
  const bool marked = !b.pending.empty() && b.pending.back().record.root && b.pending.back().name.empty();
  if (!marked) push_pending(b, name.data() != b.text().text().data() && name.data()[-1] == '%' ? name.data() - 1 : name.data());
  pending_instruction& i = b.pending.back();
  i.name = name;
  i.record.name = b.at(name);
  open_computation& c = b.computation();
  if (marked && c.marked_root != none)
    b.broke(name, "a computation has one ROOT", b.name_of(c.instructions[c.marked_root]), "the other ROOT");
  if (!is_legal_instruction_name(name))
    b.broke(name, say({"'", name, "' is not a legal instruction name"}), {}, {});
}

inline void opcode(module_builder& b, std::string_view text) {
  pending_instruction& i = b.pending.back();
  i.record.opcode_at = b.offset(text.data());
  i.operands_at = text.data();
  i.record.opcode = find_hlo_opcode(text);
  if (i.record.opcode != hlo_opcode::unknown) return;
  using enum hlo_opcode;
  const std::pair<std::string_view, hlo_opcode> endings[] = {{"-start", async_start}, {"-update", async_update}, {"-done", async_done}};
  for (const auto& [ending, async] : endings) {
    if (!text.ends_with(ending)) continue;
    const hlo_opcode wrapped = find_hlo_opcode(text.substr(0, text.size() - ending.size()));
    if (wrapped == hlo_opcode::unknown || has_own_async_form(wrapped)) break;
    i.record.opcode = async;
    i.record.wrapped = wrapped;
    return;
  }
  b.unknown("opcode", text);
}

inline void parameter_number(module_builder& b, std::int64_t number, const char* at) {
  auto& numbers = b.computation().parameter_numbers;
  if (number < 0) b.broke(at, "a parameter number is at least 0");
  else if (std::find(numbers.begin(), numbers.end(), number) != numbers.end())
    b.broke(at, say({"parameter number ", number, " is taken"}));
  numbers.push_back(number);
}

// ------------------------------------------------------------------ operands
/// A parameter that nobody wrote: an unknown operand of an instruction that stands alone.
inline id implicit_parameter(module_builder& b, std::string_view name, id shape_number, const char* at) {
  open_computation& c = b.computation();
  const id local = static_cast<id>(c.instructions.size());
  instruction_record p;
  p.opcode = hlo_opcode::parameter;
  p.shape = shape_number;
  p.origin = node_origin::synthesized;
  p.name = b.synthesize_name(name.empty() ? say({"param_", local}) : std::string(name));
  p.text = b.at(at, at + name.size());
  c.instructions.push_back(p);
  c.parameter_numbers.push_back(static_cast<std::int64_t>(c.parameter_numbers.size()));
  if (!name.empty()) c.names.insert(name, local);
  return local;
}

inline void operand_begins(module_builder& b, const char* at) { b.operands.push_back({none, none, b.offset(at)}); }

inline void operand_named(module_builder& b, std::string_view name) {
  operand_record& o = b.operands.back();
  open_computation& c = b.computation();
  o.at = b.offset(name.data());
  o.instruction = c.names.find(name);
  if (o.instruction != none) return;
  if (c.single && o.declared_shape != none) {
    o.instruction = implicit_parameter(b, name, o.declared_shape, name.data());
  } else if (!c.lost_names && std::find(c.undefined.begin(), c.undefined.end(), name) == c.undefined.end()) {
    b.broke(name, say({"no instruction '", name, "' stands before this one in its computation"}), {}, {});
    c.undefined.push_back(name);
  }
}

/// At most a shape: a parameter of an instruction that stands alone; anywhere else XLA drops it without a word.
inline bool operand_unnamed(module_builder& b, const char* first, const char* last) {
  operand_record& o = b.operands.back();
  const char* const next = scan::blanks(first, last);
  if (next == last || (*next != ',' && *next != ')')) return false;
  if (b.computation().single && o.declared_shape != none) {
    o.instruction = implicit_parameter(b, {}, o.declared_shape, first);
  } else {
    b.warn(next, "there is no name here; as XLA does, the operand is left out");
    o.at = none;
  }
  return true;
}

/// `#element`: one get-tuple-element per step, shared by all uses of the same path.
template <class Builder>
void operand_element(Builder& b, std::int64_t element) {
  operand_record& o = b.operands.back();
  open_computation& c = b.computation();
  if (o.instruction == none) return;
  const char* const at = b.text().text().data() + o.at;
  const shape* const from = b.shape_of(c.instructions[o.instruction]);
  if (element < 0 || element > 0xFFFFFFFE || (from && !from->is_tuple()) ||
      (from && static_cast<std::size_t>(element) >= from->elements.size())) {
    b.broke(at, from && !from->is_tuple() ? std::string("only a tuple has elements")
                                          : say({"there is no element ", element}));
    o.instruction = none;
    return;
  }
  const std::uint64_t key = static_cast<std::uint64_t>(o.instruction) << 32 | static_cast<std::uint64_t>(element);
  const auto [entry, fresh] = c.elements.try_emplace(key, static_cast<id>(c.instructions.size()));
  if (fresh) {
    instruction_record gte;
    gte.opcode = hlo_opcode::get_tuple_element;
    gte.origin = node_origin::synthesized;
    gte.name = b.synthesize_name(say({b.name_of(c.instructions[o.instruction]), "_", element}));
    gte.text = b.at(at, at);
    gte.operands = {static_cast<id>(b.data->operands.size()), 1};
    b.data->operands.push_back({o.instruction, none, o.at});
    if (from) {
      gte.shape = static_cast<id>(b.data->shapes.size());
      shape copy = from->elements[static_cast<std::size_t>(element)];
      b.data->shapes.push_back(std::move(copy));
    }
    c.instructions.push_back(gte);
  }
  o.instruction = entry->second;
}

inline void operand_ends(module_builder& b, const char*) {
  const operand_record& o = b.operands.back();
  if (o.at == none) return b.operands.pop_back();
  if (o.instruction == none || o.declared_shape == none) return;
  const instruction_record& from = b.computation().instructions[o.instruction];
  if (from.shape == none || from.shape == o.declared_shape) return;
  if (!compatible(*b.shape_of(o.declared_shape), *b.shape_of(from)))
    b.broke(std::string_view(b.text().text().data() + o.at, 0), "the shape written before the operand differs from the operand's own",
            b.name_of(from), "the operand");
}

// ------------------------------------------------------------------ attributes
/// What an attribute's name says about its value; complains if it should not be here.
template <class Builder>
std::pair<attribute_key, attribute_syntax> attribute_begins(Builder& b, std::string_view name) {
  const pending_instruction& i = b.pending.back();
  const attribute_key key = find_attribute_key(name);
  for (const attribute_record& before : b.attributes_of(i))
    if (before.key == key && b.written(before.name) == name)
      b.broke(name, say({"attribute ", name, " stands here twice"}), b.written(before.name), "the first one");
  if (key == attribute_key::unknown) {
    if (const auto old = old_syntax_of(name)) return {key, *old};
    b.unknown("attribute", name);
    return {key, attribute_syntax::raw};
  }
  if (i.record.opcode == hlo_opcode::conditional) {
    if (key == attribute_key::true_computation || key == attribute_key::false_computation) return {key, attribute_syntax::computation};
    if (key == attribute_key::branch_computations) return {key, attribute_syntax::computations};
  }
  if (const auto syntax = syntax_of(i.record.opcode, i.record.wrapped, key)) return {key, *syntax};
  if (i.record.opcode != hlo_opcode::unknown)
    b.broke(name, say({"attribute ", name, " does not belong to ", name_of(i.record.opcode)}), {}, {});
  return {key, attribute_syntax::raw};
}

inline void attribute_ends(module_builder& b, attribute_key key, std::string_view name, std::string_view value) {
  b.attributes.push_back({key, b.at(name), b.at(value)});
}

inline void control_predecessor(module_builder& b, std::string_view name) {
  open_computation& c = b.computation();
  if (c.names.find(name) == none) c.predecessors.push_back(name);
}

// ------------------------------------------------------------------ the end of an instruction
inline id add_shape(module_builder& b, const shape& s) {
  shape copy = s;
  b.data->shapes.push_back(std::move(copy));
  return static_cast<id>(b.data->shapes.size()) - 1;
}

/// The computation that `X-start` stands for takes one parameter per operand shape.
template <class Builder>
void note_implied(Builder& b, const pending_instruction& i, id local, const instruction_rules<Builder>& rules) {
  implied_computation implied;
  implied.start = local;
  implied.root_calls = i.record.calls;
  std::size_t count = arity(i.record.wrapped).value_or(0);
  const bool passes_all = i.record.wrapped == hlo_opcode::call || i.record.wrapped == hlo_opcode::fusion;
  for (id k = i.record.calls.first; passes_all && k != i.record.calls.first + i.record.calls.count; ++k)
    if (b.data->called[k] != none) count = std::max(count, rules.parameter_count(b.data->called[k]));
  const shape* const result = b.shape_of(i.record);
  if (result && result->is_tuple() && result->elements.size() > 1 && result->elements[0].is_tuple()) {
    const std::vector<shape> operands = result->elements[0].elements;
    implied.result_shape = add_shape(b, shape(result->elements[1]));
    for (const shape& s : operands) implied.parameter_shapes.push_back(add_shape(b, s));
  }
  if (implied.parameter_shapes.size() < count) implied.parameter_shapes.resize(count, none);
  b.computation().implied.push_back(std::move(implied));
}

/// An update may bring operands that the start did not have yet.
template <class Builder>
void widen_implied(Builder& b, const instruction_record& update, const instruction_record* start) {
  const shape* const result = b.shape_of(update);
  if (!start || !result || !result->is_tuple() || result->elements.empty() || !result->elements[0].is_tuple()) return;
  open_computation& c = b.computation();
  const id local = static_cast<id>(start - c.instructions.data());
  for (implied_computation& implied : c.implied) {
    if (implied.start != local) continue;
    const std::vector<shape> operands = result->elements[0].elements;
    for (std::size_t k = implied.parameter_shapes.size(); k < operands.size(); ++k)
      implied.parameter_shapes.push_back(add_shape(b, operands[k]));
  }
}

/// Moves the instruction from the stacks into the open computation; its local number.
template <class Builder>
id instruction_complete(Builder& b, const char* end) {
  instruction_rules rules(b, b.pending.back());
  rules.check();
  pending_instruction& i = b.pending.back();
  instruction_record& record = i.record;
  open_computation& c = b.computation();
  module_data& data = *b.data;
  const instruction_record* const start =
      record.opcode == hlo_opcode::async_update && record.wrapped != hlo_opcode::unknown && rules.operand_count()
          ? rules.async_start_of(rules.operand(0))
          : nullptr;

  const auto move_from = [](auto& stack, std::size_t first, auto& pool) {
    const id_range range{static_cast<id>(pool.size()), static_cast<id>(stack.size() - first)};
    pool.insert(pool.end(), stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
    stack.resize(first);
    return range;
  };
  record.operands = move_from(b.operands, i.first_operand, data.operands);
  record.attributes = move_from(b.attributes, i.first_attribute, data.attribute_pool);
  record.calls = b.move_calls(i.first_call);
  record.text = b.at(i.begin, end);

  if (start) widen_implied(b, record, start);
  const id local = static_cast<id>(c.instructions.size());
  if (record.opcode == hlo_opcode::async_start && record.wrapped != hlo_opcode::unknown) note_implied(b, i, local, rules);
  c.instructions.push_back(record);
  return local;
}

template <class Builder>
void instruction_ends(Builder& b, const char* end) {
  const std::string_view name = b.pending.back().name;
  const bool root = b.pending.back().record.root;
  const id local = instruction_complete(b, end);
  open_computation& c = b.computation();
  if (const id other = c.names.insert(name, local); other != none)
    b.broke(name, say({"instruction '", name, "' is defined twice"}), b.name_of(c.instructions[other]), "the first definition");
  if (root && c.marked_root == none) c.marked_root = local;
  b.pending.pop_back();
  if (!b.broken.empty()) b.report_broken(name);
}

/// The shape before a nested instruction is its result, not a declared operand shape.
inline void nested_begins(module_builder& b, const char* at) {
  const id result = std::exchange(b.operands.back().declared_shape, none);
  push_pending(b, at);
  b.pending.back().record.shape = result;
}

template <class Builder>
void nested_ends(Builder& b, const char* end) {
  const char* const begin = b.pending.back().begin;
  instruction_record& record = b.pending.back().record;
  record.origin = node_origin::synthesized;
  record.name = b.synthesize_name(say({name_of(record.opcode), ".anon", b.computation().instructions.size() + 1}));
  const id local = instruction_complete(b, end);
  b.pending.pop_back();
  operand_record& o = b.operands.back();
  o.instruction = local;
  o.at = b.offset(begin);
}

// ------------------------------------------------------------------ bodies
/// What can be said once a body is complete.
template <class Builder>
void body_complete(Builder& b) {
  open_computation& c = b.computation();
  if (!c.damaged) {
    for (const std::string_view name : c.predecessors)
      if (c.names.find(name) == none) b.broke(name, say({"no instruction '", name, "' in this computation"}), {}, {});
    auto numbers = c.parameter_numbers;
    std::sort(numbers.begin(), numbers.end());
    // A double one was reported, and the one that is missing may be what it should have been.
    const bool doubled = std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
    for (std::size_t k = 0; k < numbers.size() && !doubled; ++k)
      if (numbers[k] >= 0 && numbers[k] != static_cast<std::int64_t>(k) && numbers.front() >= 0) {
        b.broke(c.name.data() ? c.name : std::string_view(c.at, 0),
                say({"parameter ", k, " is missing: the numbers go from 0 to ", numbers.size() - 1}), {}, {});
        break;
      }
  }
  if (!b.broken.empty()) b.report_broken({});
}

inline void anonymous_begins(module_builder& b, const char* at) {
  open_computation& c = b.open_computation_at(at - 1);
  c.record.anonymous = true;
  c.record.name = b.synthesize_name("_");
  c.record.origin = node_origin::written;
}

template <class Builder>
void anonymous_ends(Builder& b, const char* end) {
  body_complete(b);
  b.calls.push_back({b.close_computation(end), {}});
}

}  // namespace hlolint::grammar
