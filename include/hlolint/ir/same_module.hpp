// Equality of two modules: of names, instructions and attributes, but not of blanks, comments and positions.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/same_text.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hlolint {

inline bool hlo_module::same(const hlo_module& a, const hlo_module& b) {
  const auto same_shape = [](const shape* x, const shape* y) { return x && y ? *x == *y : x == y; };
  const auto alike = [](const hlo_attribute& one, const hlo_attribute& other) {
    return one.name == other.name && same_text(one.value, other.value);
  };
  const auto same_attributes = [&](const auto& x, const auto& y) {
    const auto own = x.attributes(), theirs = y.attributes();
    return std::equal(own.begin(), own.end(), theirs.begin(), theirs.end(), alike);
  };
  // Without the thread, since that of `main` need not be written.
  const auto same_ends = [&](const hlo_computation& x, const hlo_computation& y) {
    const auto others = [](const hlo_computation& c) {
      std::vector<hlo_attribute> out;
      for (const hlo_attribute one : c.attributes())
        if (one.key != attribute_key::execution_thread) out.push_back(one);
      return out;
    };
    const auto own = others(x), theirs = others(y);
    return std::equal(own.begin(), own.end(), theirs.begin(), theirs.end(), alike);
  };
  const auto same_id = [](const auto& x, const auto& y) { return bool(x) == bool(y) && (!x || x.id() == y.id()); };
  const module_data &da = a.data(), &db = b.data();
  const auto texts = [](const module_data& d, const std::vector<span>& list, std::size_t i) {
    return d.written(list[i]);
  };
  const auto same_list = [&](const std::vector<span>& x, const std::vector<span>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (texts(da, x, i) != texts(db, y, i)) return false;
    return true;
  };
  if (a.name() != b.name() || !same_attributes(a, b) || a.computation_count() != b.computation_count() ||
      a.instruction_count() != b.instruction_count() || da.entry != db.entry ||
      !same_list(da.file_names, db.file_names) || !same_list(da.function_names, db.function_names) ||
      da.file_locations != db.file_locations || da.stack_frames != db.stack_frames)
    return false;
  for (std::size_t i = 0; i < a.computation_count(); ++i) {
    const hlo_computation x = a.computation(i), y = b.computation(i);
    if (x.name() != y.name() || x.instruction_count() != y.instruction_count() || !same_id(x.root(), y.root()) ||
        x.execution_thread() != y.execution_thread() || !same_ends(x, y))
      return false;
  }
  for (std::size_t i = 0; i < a.instruction_count(); ++i) {
    const hlo_instruction x = a.instruction(i), y = b.instruction(i);
    if (x.name() != y.name() || x.opcode_text() != y.opcode_text() || !same_shape(x.shape(), y.shape()) ||
        x.operand_count() != y.operand_count() || x.called_computation_count() != y.called_computation_count() ||
        !same_text(x.argument(), y.argument()) || !same_attributes(x, y))
      return false;
    for (std::size_t k = 0; k < x.operand_count(); ++k)
      if (!same_id(x.operand(k), y.operand(k))) return false;
    for (std::size_t k = 0; k < x.called_computation_count(); ++k)
      if (!same_id(x.called_computation(k), y.called_computation(k))) return false;
  }
  return true;
}

}  // namespace hlolint
