// What XLA for CPU does with a donated argument: which copies around it stay, and in which order it runs the program
// then (advise.md 12).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint::advise::detail {

// Calls `visit` for what an instruction has to run behind in its computation: operands and control predecessors.
template <class Visit>
void for_each_before(hlo_instruction i, Visit&& visit) {
  const hlo_computation c = i.computation();
  for (const hlo_instruction operand : i.operands())
    if (operand && operand.computation() == c) visit(operand);
  if (!i.has(attribute_key::control_predecessors)) return;
  if (const auto listed = get<control_predecessors>(i))
    for (const std::string_view name : listed->names)
      if (const hlo_instruction before = c.find(name)) visit(before);
}

// By place in the computation: whether an instruction depends on another one, or is it.
inline std::vector<bool> dependences_of(hlo_instruction i) {
  std::vector<bool> out(i.computation().instruction_count());
  std::vector<hlo_instruction> open{i};
  out[i.index_in_computation()] = true;
  while (!open.empty()) {
    const hlo_instruction one = open.back();
    open.pop_back();
    for_each_before(one, [&](hlo_instruction before) {
      if (!out[before.index_in_computation()]) out[before.index_in_computation()] = true, open.push_back(before);
    });
  }
  return out;
}

// The places of a computation's instructions in the order of XLA for CPU: breadth first, as each becomes ready. Those
// that become ready at once keep their order. Nothing if there is a circle.
inline std::optional<std::vector<std::size_t>> breadth_first_order(hlo_computation c) {
  const std::size_t count = c.instruction_count();
  std::vector<std::vector<std::size_t>> behind(count);
  std::vector<std::size_t> waits(count), out;
  for (const hlo_instruction i : c.instructions())
    for_each_before(i, [&](hlo_instruction before) {
      behind[before.index_in_computation()].push_back(i.index_in_computation());
      ++waits[i.index_in_computation()];
    });
  for (std::size_t k = 0; k < count; ++k)
    if (waits[k] == 0) out.push_back(k);
  for (std::size_t done = 0; done < out.size(); ++done)
    for (const std::size_t next : behind[out[done]])
      if (--waits[next] == 0) out.push_back(next);
  if (out.size() != count) return std::nullopt;
  return out;
}

// Whether the text of a computation has this order.
inline bool is_breadth_first(hlo_computation c) {
  const auto order = breadth_first_order(c);
  return order && std::is_sorted(order->begin(), order->end());
}

// A donated argument, the result that is to lie in it, and what reads it.
struct donated_use {
  hlo_instruction first;                 // the first that writes into the result's memory
  hlo_instruction result;                // what makes the result
  std::vector<hlo_instruction> readers;  // of the argument, without `first` and without the copy that `first` may read
  bool first_reads = false;              // `first` reads the argument itself
  bool in_place = false;                 // and may write over it
  bool is_copied = false;                // `first` reads a copy of the argument in the result's memory
};

// Copies around a donated argument.
struct kept_copies {
  bool argument = false;  // all that read the argument read a copy
  bool first = false;     // the copy that `first` reads
  bool result = false;    // the result is copied into the argument
  bool any() const { return argument || first || result; }
};

// XLA copies each donated argument before all that read it and each result before it goes there, and then takes away,
// as long as that is possible, each copy whose removal lets no value be overwritten before its last reader, by what
// depends on what alone.
inline kept_copies copies_kept(const donated_use& use) {
  const std::vector<bool> before_first = dependences_of(use.first), before_result = dependences_of(use.result);
  const auto within = [](const std::vector<bool>& all) {
    return [&](hlo_instruction reader) { return bool(all[reader.index_in_computation()]); };
  };
  const auto& readers = use.readers;
  if (std::all_of(readers.begin(), readers.end(), within(before_first)) && (!use.first_reads || use.in_place))
    return {};
  if (std::all_of(readers.begin(), readers.end(), within(before_result)))
    return {.first = use.is_copied, .result = true};
  // The result can go into the argument only behind the argument's copy.
  const bool is_behind =
      use.first_reads || use.is_copied || std::any_of(readers.begin(), readers.end(), within(before_first));
  return {.argument = true, .first = use.is_copied, .result = !is_behind};
}

}  // namespace hlolint::advise::detail
