// Values that share a buffer because an instruction's `output_to_operand_aliasing` declares it, from a buffer dump
// alone.
#pragma once

#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/parse/lone_instruction.hpp>
#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint {

/// The part of XLA's alias sets (buffer_dumps.md 5.1) that the `from instruction` texts declare.
class declared_aliases {
 public:
  /// O(n log n) in the values and their uses.
  explicit declared_aliases(const value_table& table) : sets_(table.dump().values().size()) {
    const buffer_dump& dump = table.dump();
    const std::string_view key = name_of(attribute_key::output_to_operand_aliasing);
    const auto declares = [&](std::size_t i) {
      return table.used(i) && table.used(i)->from_instruction.find(key) != std::string_view::npos;
    };
    // What the declaring instructions read, by instruction, operand and index.
    std::map<std::tuple<std::string_view, std::int64_t, shape_index>, std::size_t> read;
    // The entries of each, by the index of the output that they are about.
    using entries_by_output = std::multimap<shape_index, std::pair<std::int64_t, shape_index>>;
    std::map<std::string_view, optional<entries_by_output>> declared;
    for (std::size_t i = 0; i < dump.values().size(); ++i)
      if (declares(i)) declared.emplace(dump.values()[i].name.instruction, std::nullopt);
    if (declared.empty()) return;
    for (std::size_t i = 0; i < dump.values().size(); ++i)
      if (table.used(i))
        for (const value_use& use : dump.uses(*table.used(i)))
          if (declared.count(use.instruction))
            read.emplace(std::tuple(use.instruction, use.operand, use.index.value_or(shape_index{})), i);
    for (std::size_t i = 0; i < dump.values().size(); ++i) {
      if (!declares(i)) continue;
      const value_name& name = dump.values()[i].name;
      optional<entries_by_output>& entries = declared[name.instruction];
      if (!entries) {
        entries.emplace();
        const lone_instruction alone(table.used(i)->from_instruction);
        if (const auto written = alone.get() ? get<output_to_operand_aliasing>(alone.get()) : std::nullopt)
          for (const operand_alias_entry& entry : written->entries)
            entries->emplace(entry.output, std::pair(entry.operand, entry.operand_index));
      }
      for (auto [entry, last] = entries->equal_range(name.at()); entry != last; ++entry) {
        const auto& [number, index] = entry->second;
        const auto operand = read.find(std::tuple(name.instruction, number, index));
        if (operand != read.end()) sets_.merge(i, operand->second);
      }
    }
  }

  /// Whether two values, by their positions in `values()`, are declared to be of one set.
  bool same(std::size_t a, std::size_t b) const { return sets_.same(a, b); }

 private:
  disjoint_sets sets_;
};

}  // namespace hlolint
