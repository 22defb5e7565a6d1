// The rules of names and numbers that XLA's parser enforces on one instruction once its text is read (hlo_text.md 4, 8,
// 10). Shapes are compared as declared; what the text does not say is not inferred and not judged.
#pragma once

#include <hlolint/grammar/module_builder.hpp>
#include <hlolint/grammar/opcode_rules.hpp>
#include <hlolint/text/say.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace hlolint::grammar {

/// What the rules look at: the instruction as read so far, its operands resolved within the open computation.
/// A template, so that it is compiled where something is parsed.
template <class Builder>
class instruction_rules {
 public:
  instruction_rules(Builder& b, pending_instruction& i) : b_(b), i_(i) {}

  void check() {
    check_operand_count();
    check_required();
    check_replication();
    switch (i_.record.opcode) {
      using enum hlo_opcode;
      case conditional: check_conditional(); break;
      case collective_permute: case collective_permute_start: check_permute(); break;
      case reshape: case dynamic_reshape: check_reshape(); break;
      case dynamic_slice: check_indices(1); break;
      case dynamic_update_slice: check_indices(2); break;
      case all_reduce: case all_reduce_start: case reduce_scatter: check_global_ids(); break;
      case infeed: check_tuple_result("infeed"); break;
      case recv: check_tuple_result("recv"); break;
      case send_done: case recv_done: check_channel(); break;
      case scan: check_scan(); break;
      case tuple: check_tuple(); break;
      case custom_call: check_constraints(); break;
      case async_start: case async_update: case async_done: check_async(); break;
      default: break;
    }
  }

  const char* place() const { return i_.operands_at; }
  std::size_t operand_count() const { return b_.operands.size() - i_.first_operand; }
  /// Null if the operand's name is not defined.
  const instruction_record* operand(std::size_t k) const {
    const id at = b_.operands[i_.first_operand + k].instruction;
    return at == none ? nullptr : &b_.computation().instructions[at];
  }
  const shape* operand_shape(std::size_t k) const {
    const instruction_record* const o = operand(k);
    return o ? b_.shape_of(*o) : nullptr;
  }
  const shape* result() const { return b_.shape_of(i_.record); }
  std::optional<std::string_view> attribute(attribute_key key) const {
    for (const attribute_record& a : b_.attributes_of(i_))
      if (a.key == key) return b_.written(a.value);
    return std::nullopt;
  }
  std::optional<std::string_view> attribute(const instruction_record& i, attribute_key key) const {
    for (id k = i.attributes.first; k != i.attributes.first + i.attributes.count; ++k)
      if (b_.data->attribute_pool[k].key == key) return b_.written(b_.data->attribute_pool[k].value);
    return std::nullopt;
  }

  /// The async-start behind a chain of updates, if it can be followed inside the computation.
  const instruction_record* async_start_of(const instruction_record* i) const {
    while (i && i->opcode == hlo_opcode::async_update) {
      if (i->operands.count == 0) return nullptr;
      const id next = b_.data->operands[i->operands.first].instruction;
      i = next == none ? nullptr : &b_.computation().instructions[next];
    }
    return i && i->opcode == hlo_opcode::async_start ? i : nullptr;
  }

 private:
  static std::string count(std::size_t n, std::string_view what) {
    return say({n, " ", what, n == 1 ? "" : "s"});
  }
  std::string_view opcode() const { return name_of(i_.record.opcode); }
  void broke(std::string message) { b_.broke(place(), std::move(message)); }

  static std::int64_t number(std::string_view text) {
    std::int64_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
  }
  /// Number of items of a braced list, commas inside deeper brackets aside.
  static std::size_t list_size(std::string_view text) {
    std::size_t depth = 0, items = 0;
    bool empty = true;
    for (const char* p = text.data(); p != text.data() + text.size(); ++p) {
      const char* const next = scan::blanks(p, text.data() + text.size());
      if (next != p) {
        p = next - 1;
        continue;
      }
      if (*p == '{' || *p == '(' || *p == '[') {
        if (depth++ > 0) empty = false;
      } else if (*p == '}' || *p == ')' || *p == ']') {
        --depth;
      } else {
        empty = false;
        items += *p == ',' && depth == 1;
      }
    }
    return empty ? 0 : items + 1;
  }

  void check_operand_count() {
    const auto opcode_now = i_.record.opcode;
    if (opcode_now == hlo_opcode::parameter || opcode_now == hlo_opcode::constant || opcode_now == hlo_opcode::unknown) return;
    const std::size_t have = operand_count();
    const auto want = arity(opcode_now);
    if (want && opcode_now != hlo_opcode::ragged_all_to_all && have != *want)
      return broke(say({opcode(), " takes ", count(*want, "operand"), ", but has ", have}));
    const auto at_least = [&](std::size_t n) {
      if (have < n) broke(say({opcode(), " takes at least ", count(n, "operand"), ", but has ", have}));
      return have >= n;
    };
    switch (opcode_now) {
      using enum hlo_opcode;
      case reduce: case reduce_window:
        if (have % 2) broke(say({opcode(), " takes an even number of operands, but has ", have}));
        else if (opcode_now == reduce_window) at_least(2);
        break;
      case scatter:
        if (have % 2 == 0) broke(say({"scatter takes an odd number of operands, but has ", have}));
        break;
      case convolution: at_least(2); break;
      case dynamic_slice: case dynamic_reshape: case conditional: case async_update: case async_done: at_least(1); break;
      case dynamic_update_slice: at_least(2); break;
      default: break;
    }
  }

  void check_required() {
    const auto missing = [&](attribute_key key) {
      broke(say({opcode(), " needs the attribute ", hlolint::name_of(key)}));
    };
    for (const attribute_key key : required_attributes(i_.record.opcode, i_.record.wrapped))
      if (!attribute(key)) missing(key);
    if (i_.record.opcode == hlo_opcode::broadcast && operand_count() == 1 && !attribute(attribute_key::dimensions)) {
      const shape* const from = operand_shape(0);
      if (from && from->rank() > 0) missing(attribute_key::dimensions);
    }
  }

  void check_conditional() {
    if (operand_count() == 0) return;
    const bool two = attribute(attribute_key::true_computation) || attribute(attribute_key::false_computation);
    const auto branch_list = attribute(attribute_key::branch_computations);
    if (const shape* const selector = operand_shape(0)) {
      const bool is_pred = selector->type == element_type::pred, is_index = selector->type == element_type::s32;
      if (selector->rank() > 0 || (!is_pred && !is_index))
        return broke("the selector of a conditional is a scalar of pred or s32");
      // What is there and does not fit is the place; what is missing has none.
      const auto foreign = is_pred ? branch_list
                           : attribute(attribute_key::true_computation) ? attribute(attribute_key::true_computation)
                                                                        : attribute(attribute_key::false_computation);
      const char* const where = foreign ? foreign->data() : place();
      if (is_pred && (foreign || !attribute(attribute_key::true_computation) || !attribute(attribute_key::false_computation)))
        return b_.broke(where, "a conditional with a pred selector needs true_computation and false_computation");
      if (is_index && (foreign || !branch_list)) return b_.broke(where, "a conditional with an s32 selector needs branch_computations");
    }
    const std::size_t branches = branch_list ? list_size(*branch_list) : two ? 2 : 0;
    if (branches == 0) return broke("a conditional needs its branch computations");
    if (operand_count() != branches + 1)
      broke(say({"a conditional takes its selector and one operand per branch, ", count(branches + 1, "operand"), ", but has ", operand_count()}));
  }

  void check_permute() {
    if (attribute(attribute_key::slice_sizes) && operand_count() != 4)
      broke(say({opcode(), " with slice_sizes works in place and takes 4 operands, but has ", operand_count()}));
  }

  static std::optional<std::int64_t> element_count(const shape& s) {
    std::int64_t n = 1;
    for (const dimension& d : s.dimensions) {
      if (d.size == dimension::unbounded) return std::nullopt;
      const auto product = checked_multiply(n, d.size);
      if (!product) return std::nullopt;
      n = *product;
    }
    return n;
  }

  void check_reshape() {
    const shape *const to = result(), *const from = operand_count() ? operand_shape(0) : nullptr;
    if (to && from) {
      const auto a = element_count(*to), b = element_count(*from);
      if (!to->is_array() || !from->is_array() || (a && b && *a != *b))
        broke("a reshape keeps the number of elements, but result and operand differ");
    }
    if (to && i_.record.opcode == hlo_opcode::dynamic_reshape && operand_count() != 1 + to->rank())
      broke(say({"dynamic-reshape takes one size per result dimension, ", count(to->rank(), "size"), ", but has ",
                 operand_count() ? operand_count() - 1 : 0}));
  }

  void check_indices(std::size_t first) {
    if (operand_count() < first) return;
    const shape* const sliced = operand_shape(0);
    if (!sliced) return;
    if (operand_count() == first + 1) {
      const shape* const vector = operand_shape(first);
      if (!vector || vector->rank() == 1) return;
    }
    if (operand_count() != first + sliced->rank())
      broke(say({opcode(), " takes one start index per dimension, ", count(sliced->rank(), "index"), ", but has ", operand_count() - first}));
  }

  void check_global_ids() {
    if (!attribute(attribute_key::mode) && attribute(attribute_key::use_global_device_ids) == std::string_view("true") &&
        !attribute(attribute_key::channel_id))
      broke("use_global_device_ids=true needs a channel_id");
  }

  void check_tuple_result(std::string_view what) {
    const shape* const s = result();
    if (s && (!s->is_tuple() || (s->elements.empty() && what == "recv"))) broke(say({what, " has a tuple as its result"}));
  }

  void check_channel() {
    const instruction_record* const o = operand_count() ? operand(0) : nullptr;
    if (!o) return;
    switch (o->opcode) {
      using enum hlo_opcode;
      case send: case recv: case send_done: case recv_done: {
        const auto mine = attribute(attribute_key::channel_id), theirs = attribute(*o, attribute_key::channel_id);
        if (mine.has_value() != theirs.has_value() || (mine && number(*mine) != number(*theirs)))
          b_.broke(mine ? *mine : std::string_view(place(), 0), say({opcode(), " repeats the channel_id of its operand"}), b_.name_of(*o),
                   "the operand");
        break;
      }
      default: break;
    }
  }

  void check_scan() {
    const auto carries = attribute(attribute_key::num_carries);
    if (carries && static_cast<std::int64_t>(operand_count()) < number(*carries))
      broke(say({"scan takes at least one operand per carry, ", *carries, ", but has ", operand_count()}));
    if (b_.calls.size() > i_.first_call && b_.calls.back().computation != none) {
      const std::size_t parameters = parameter_count(b_.calls.back().computation);
      if (operand_count() != parameters)
        broke(say({"scan takes as many operands as to_apply has parameters, ", parameters, ", but has ", operand_count()}));
    }
  }

  void check_tuple() {
    const shape* const s = result();
    if (s && s->elements.size() != operand_count())
      broke(say({"a tuple of ", count(s->elements.size(), "element"), " has ", count(operand_count(), "operand")}));
  }

  void check_replication() {
    const auto replication = attribute(attribute_key::parameter_replication);
    const shape* const s = result();
    if (replication && s && replication->starts_with('{') && list_size(*replication) != leaf_count(*s))
      b_.broke(*replication, say({"parameter_replication has ", count(list_size(*replication), "element"), " for ", count(leaf_count(*s), "array")}), {}, {});
  }

  void check_constraints() {
    const auto constraints = attribute(attribute_key::operand_layout_constraints);
    if (constraints && list_size(*constraints) != operand_count())
      b_.broke(*constraints,
               say({"operand_layout_constraints has ", count(list_size(*constraints), "shape"), " for ", count(operand_count(), "operand")}),
               {}, {});
  }

  void check_async() {
    const bool is_done = i_.record.opcode == hlo_opcode::async_done, is_start = i_.record.opcode == hlo_opcode::async_start;
    const shape* const s = result();
    if (!is_done && s && (!s->is_tuple() || s->elements.size() < 2 || !s->elements[0].is_tuple()))
      return broke(say({opcode(), " has a result of the form ((operand shapes), result shape, ...)"}));
    if (is_start || operand_count() == 0) return;
    const instruction_record* const producer = operand(0);
    if (!producer) return;
    if (producer->opcode == hlo_opcode::async_done)
      return b_.broke(place(), say({opcode(), " follows an async-start or async-update, not an async-done"}));
    const instruction_record* const start = async_start_of(producer);
    if (!start) return;
    if (i_.record.wrapped != hlo_opcode::unknown) {
      const hlo_opcode wrapped = wrapped_opcode(*start);
      if (wrapped != hlo_opcode::unknown && wrapped != i_.record.wrapped)
        return b_.broke(std::string_view(i_.name), say({"this ", opcode(), " is of ", name_of(i_.record.wrapped), ", but its start is of ", name_of(wrapped)}),
                        b_.name_of(*start), "the start");
    }
    const auto thread = [&](std::optional<std::string_view> text) { return text.value_or("\"main\""); };
    const auto mine = attribute(attribute_key::async_execution_thread);
    if (mine && *mine != thread(attribute(*start, attribute_key::async_execution_thread)))
      b_.broke(*mine, "async_execution_thread differs from that of the start", b_.name_of(*start), "the start");
    const auto called = attribute(attribute_key::calls);
    if (called && b_.calls.size() > i_.first_call && start->calls.count > 0 && start->wrapped == hlo_opcode::unknown &&
        b_.calls.back().computation != b_.data->called[start->calls.first])
      b_.broke(*called, "the computation differs from that of the start", b_.name_of(*start), "the start");
  }

  hlo_opcode wrapped_opcode(const instruction_record& start) const {
    if (start.wrapped != hlo_opcode::unknown) return start.wrapped;
    if (start.calls.count == 0) return hlo_opcode::unknown;
    const id called = b_.data->called[start.calls.first];
    if (called == none || b_.data->computations[called].root == none) return hlo_opcode::unknown;
    return b_.data->instructions[b_.data->computations[called].root].opcode;
  }

 public:
  std::size_t parameter_count(id computation) const {
    const id_range range = b_.data->computations[computation].instructions;
    std::size_t count = 0;
    for (id k = range.first; k != range.first + range.count; ++k)
      count += b_.data->instructions[k].opcode == hlo_opcode::parameter;
    return count;
  }

 private:
  Builder& b_;
  pending_instruction& i_;
};

}  // namespace hlolint::grammar
