// The pools of the module that is being read, and the calls that are resolved when it is complete.
#pragma once

#include <hlolint/grammar/build/name_map.hpp>
#include <hlolint/grammar/build/shape_pool.hpp>
#include <hlolint/ir/module_data.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace hlolint::build {

class module_builder;

/// A call of a computation by its name; `none` if the computation is not known yet.
struct named_call {
  id computation = none;
  std::string_view name;
};
/// A call in `module_data::called` of a computation that comes later in the text, or not at all.
struct unresolved_call {
  id slot = none;
  std::string_view name;
};

/// The sizes of the pools when a part began that may fail.
struct pool_mark {
  std::size_t computations = 0, instructions = 0, operands = 0, attributes = 0, called = 0, names = 0, faults = 0,
              unresolved = 0;
};

/// The records of a pool from `first` to its end.
template <class Records>
id_range range_from(std::size_t first, const Records& pool) {
  return {static_cast<id>(first), static_cast<id>(pool.size() - first)};
}
/// Moves the records of a finished part from a stack into a pool. Returns their place in the pool.
template <class Record>
id_range move_from(std::vector<Record>& stack, std::size_t first, std::vector<Record>& pool) {
  const id_range range{static_cast<id>(pool.size()), static_cast<id>(stack.size() - first)};
  pool.insert(pool.end(), stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
  stack.resize(first);
  return range;
}

struct module_pools {
  using context_tag = module_builder;

  explicit module_pools(std::string_view text) : computation_names(text) {}

  std::shared_ptr<module_data> data;
  module_shapes shapes;
  name_map computation_names;
  std::vector<unresolved_call> unresolved_calls;

  /// Begins with the pools of another module of the text.
  void open(const source& text) {
    data = std::make_shared<module_data>();
    data->text = text;
    shapes.open(data->shapes);
    unresolved_calls.clear();
  }

  const shape* shape_of(id number) const { return number == none ? nullptr : &data->shapes[number]; }
  const shape* shape_of(const instruction_record& i) const { return shape_of(i.shape); }
  std::string_view name_of(const instruction_record& i) const { return data->name_of(i.name, i.origin); }
  span synthesize_name(std::string_view name) {
    const auto begin = static_cast<std::uint32_t>(data->synthesized_names.size());
    data->synthesized_names += name;
    return {begin, begin + static_cast<std::uint32_t>(name.size())};
  }

  /// Adds calls from number `first` of a list on. Those of computations that are not known yet are noted by name.
  id_range add_calls(const std::vector<named_call>& calls, std::size_t first) {
    for (std::size_t k = first; k != calls.size(); ++k) {
      if (calls[k].computation == none)
        unresolved_calls.push_back({static_cast<id>(data->called.size()), calls[k].name});
      data->called.push_back(calls[k].computation);
    }
    return {static_cast<id>(data->called.size() - (calls.size() - first)), static_cast<id>(calls.size() - first)};
  }

  pool_mark here() const {
    const module_data& d = *data;
    return {d.computations.size(), d.instructions.size(),      d.operands.size(),    d.attribute_pool.size(),
            d.called.size(),       d.synthesized_names.size(), d.name_faults.size(), unresolved_calls.size()};
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
    unresolved_calls.resize(to.unresolved);
  }
};

}  // namespace hlolint::build
