// The rules that XLA's parser enforces on one instruction after it was read (hlo_text.md 4, 8, 10).
#pragma once

#include <hlolint/verify/attributes.hpp>
#include <hlolint/verify/layouts.hpp>
#include <hlolint/verify/operands.hpp>
#include <hlolint/verify/plain.hpp>
#include <hlolint/verify/shapes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hlolint::module_rules {

/// Checks the instructions of one module in the order of the pool.
class instruction_rules {
 public:
  instruction_rules(const hlo_module& m, findings& out) : m_(m), out_(out), layouts_(m, out) {}

  void check(const hlo_instruction& i) {
    place_ = m_.data().instructions[i.id()].opcode_at;
    const std::size_t found = out_.size();
    if (!is_plain(m_.data(), m_.data().instructions[i.id()])) {
      check_declared_shapes(i, out_);
      check_attributes(i, out_);
      check_operand_count(i, place_, out_);
      check_required(i, place_, out_);
      check_list_sizes(i, out_);
    }
    switch (i.opcode()) {
      using enum hlo_opcode;
      case parameter:
      case constant:
        if (!i.shape()) out_.add(place_, i.opcode(), " needs its shape before it");
        break;
      case conditional: check_conditional(i, place_, out_); break;
      case collective_permute:
      case collective_permute_start: check_permute(i); break;
      case reshape:
      case dynamic_reshape: check_reshape(i, place_, out_); break;
      case dynamic_slice: check_start_indices(i, 1, place_, out_); break;
      case dynamic_update_slice: check_start_indices(i, 2, place_, out_); break;
      case all_reduce:
      case all_reduce_start:
      case reduce_scatter: check_global_ids(i); break;
      case infeed:
      case recv: check_tuple_result(i, place_, out_); break;
      case send_done:
      case recv_done: check_channel(i); break;
      case scan: check_scan(i); break;
      case tuple: check_tuple(i, place_, out_); break;
      case async_start:
      case async_update:
      case async_done: check_async(i); break;
      case fusion:
      case call: check_called(i); break;
      default: break;
    }
    if (out_.size() == found) check_shapes({i, place_, out_});  // else one cause would be reported twice
    if (out_.size() == found) layouts_.check(i, place_);
  }

 private:
  void check_permute(const hlo_instruction& i) {
    if (i.has(attribute_key::slice_sizes) && i.operand_count() != 4)
      out_.add(place_, i.opcode(), " with slice_sizes works in place and takes 4 operands, but has ",
               i.operand_count());
  }

  void check_global_ids(const hlo_instruction& i) {
    if (!i.has(attribute_key::mode) && get_boolean(i, attribute_key::use_global_device_ids) &&
        !i.has(attribute_key::channel_id))
      out_.add(place_, "use_global_device_ids=true needs a channel_id");
  }

  void check_channel(const hlo_instruction& i) {
    using enum hlo_opcode;
    const hlo_instruction o = i.operand_count() ? i.operand(0) : hlo_instruction{};
    if (!o || !opcode_set{send, recv, send_done, recv_done}.has(o.opcode())) return;
    const auto mine = get<channel_id>(i), theirs = get<channel_id>(o);
    if (!is_readable(i, attribute_key::channel_id) || !is_readable(o, attribute_key::channel_id)) return;
    if (mine.has_value() != theirs.has_value() || (mine && mine->value != theirs->value))
      out_.add_beside(mine ? place_of(i, attribute_key::channel_id) : place_, o.where().at.begin, "the operand",
                      i.opcode(), " repeats the channel_id of its operand");
  }

  void check_scan(const hlo_instruction& i) {
    const auto carries = get_integer(i, attribute_key::num_carries);
    if (carries && *carries < 0) return out_.add(place_of(i, attribute_key::num_carries), "num_carries is at least 0");
    if (carries && static_cast<std::int64_t>(i.operand_count()) < *carries)
      out_.add(place_, "scan takes at least one operand per carry, ", *carries, ", but has ", i.operand_count());
    const hlo_computation called =
        i.called_computation_count() ? i.called_computation(i.called_computation_count() - 1) : hlo_computation{};
    if (called && i.operand_count() != parameter_count(called))
      out_.add(place_, "scan takes as many operands as to_apply has parameters, ", parameter_count(called),
               ", but has ", i.operand_count());
  }
  void check_called(const hlo_instruction& i) {
    const hlo_computation called = i.called_computation_count() == 1 ? i.called_computation(0) : hlo_computation{};
    if (called && !called.record().damaged && !called.record().lacks_names)
      check_called_shapes({i, place_, out_}, called);
  }
  /// The number of parameters, counted once per computation.
  std::size_t parameter_count(const hlo_computation& c) {
    if (parameter_counts_.empty()) parameter_counts_.resize(m_.computation_count());
    auto& count = parameter_counts_[c.id()];
    if (!count) count = c.parameter_count();
    return *count;
  }

  /// The async-start at the beginning of a chain of updates, if the chain stays inside the computation.
  hlo_instruction async_start_of(const hlo_instruction& i) const {
    if (i.opcode() == hlo_opcode::async_start) return i;
    const id start = i.opcode() == hlo_opcode::async_update && !async_starts_.empty() ? async_starts_[i.id()] : none;
    return start == none ? hlo_instruction{} : m_.instruction(start);
  }
  static hlo_opcode wrapped_opcode(const hlo_instruction& start) {
    if (start.wrapped_opcode() != hlo_opcode::unknown) return start.wrapped_opcode();
    const hlo_computation called = start.called_computation_count() ? start.called_computation(0) : hlo_computation{};
    return called && called.root() ? called.root().opcode() : hlo_opcode::unknown;
  }

  /// Start, updates and done have results of the right form, and agree along the chain.
  void check_async(const hlo_instruction& i) {
    const shape* const s = i.shape();
    const hlo_instruction producer = i.operand_count() ? i.operand(0) : hlo_instruction{};
    const hlo_instruction start =
        producer && i.opcode() != hlo_opcode::async_start ? async_start_of(producer) : hlo_instruction{};
    if (i.opcode() == hlo_opcode::async_update) {
      if (async_starts_.empty()) async_starts_.resize(m_.instruction_count(), none);
      if (start) async_starts_[i.id()] = start.id();
    }
    if (i.opcode() != hlo_opcode::async_done && s &&
        (!s->is_tuple() || s->elements.size() < 2 || !s->elements[0].is_tuple()))
      return out_.add(place_, i.opcode(), " has a result of the form ((operand shapes), result shape, ...)");
    if (i.opcode() != hlo_opcode::async_start && producer && producer.opcode() == hlo_opcode::async_done)
      return out_.add(place_, i.opcode(), " follows an async-start or async-update, not an async-done");
    if (!start) return;
    const std::uint32_t start_at = start.where().at.begin;
    if (i.wrapped_opcode() != hlo_opcode::unknown) {
      const hlo_opcode wrapped = wrapped_opcode(start);
      if (wrapped != hlo_opcode::unknown && wrapped != i.wrapped_opcode())
        return out_.add_beside(i.where().at.begin, start_at, "the start", "this ", i.opcode(), " is of ",
                               i.wrapped_opcode(), ", but its start is of ", wrapped);
    }
    const auto thread = get<async_execution_thread>(i);
    if (thread && thread->name != get<async_execution_thread>(start).value_or(async_execution_thread{"main"}).name)
      out_.add_beside(place_of(i, attribute_key::async_execution_thread), start_at, "the start",
                      "async_execution_thread differs from that of the start");
    if (!i.has(attribute_key::calls) || start.wrapped_opcode() != hlo_opcode::unknown ||
        i.called_computation_count() == 0 || start.called_computation_count() == 0)
      return;
    const hlo_computation mine = i.called_computation(i.called_computation_count() - 1),
                          theirs = start.called_computation(0);
    if (mine && theirs && mine != theirs)
      out_.add_beside(place_of(i, attribute_key::calls), start_at, "the start",
                      "the computation differs from that of the start");
  }

  const hlo_module& m_;
  findings& out_;
  layout_rules layouts_;
  std::uint32_t place_ = 0;       ///< the opcode: the place of findings that have no better one
  std::vector<id> async_starts_;  ///< of updates, by instruction; empty before the first update
  std::vector<std::optional<std::size_t>> parameter_counts_;
};

}  // namespace hlolint::module_rules
