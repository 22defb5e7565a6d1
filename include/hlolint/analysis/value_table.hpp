// What the sections of a buffer dump say about one value, brought together.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/text/name_table.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hlolint {

/// For every assigned value of a dump (by its position in `values()`) its live range and its entry under `Used
/// values:`, found by defining instruction and index; and the schedule position of every instruction.
class value_table {
 public:
  explicit value_table(const buffer_dump& dump) : dump_(dump) {
    std::unordered_map<key, std::uint32_t, hash> of_name;
    of_name.reserve(dump.values().size());
    for (std::size_t i = 0; i < dump.values().size(); ++i) {
      const value_name& name = dump.values()[i].name;
      of_name.emplace(key{name.instruction, name.at()}, static_cast<std::uint32_t>(i));
    }
    ranges_.resize(dump.values().size());
    used_.resize(dump.values().size());
    if (const live_range_block* block = dump.live_ranges()) {
      for (const live_range& r : block->ranges)
        if (const auto found = of_name.find(key{r.instruction, r.index}); found != of_name.end())
          ranges_[found->second] = &r;
      positions_.reserve(block->sequence.size());
      for (std::size_t t = 0; t < block->sequence.size(); ++t)
        positions_.emplace(block->sequence[t], static_cast<std::int64_t>(t));
    }
    for (const used_value& u : dump.used_values())
      if (const auto found = of_name.find(key{u.name.instruction, u.name.at()}); found != of_name.end())
        used_[found->second] = &u;
  }

  /// Null if the dump has none: values of embedded computations, and dumps without the block.
  const live_range* range(std::size_t value) const { return ranges_[value]; }
  const used_value* used(std::size_t value) const { return used_[value]; }

  /// Schedule position of an instruction; nothing for one of an embedded computation.
  std::optional<std::int64_t> position_of(std::string_view instruction) const {
    const auto found = positions_.find(instruction);
    return found == positions_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The last schedule position at which a value is read; nothing if no use has a position.
  std::optional<std::int64_t> last_use(std::size_t value) const {
    std::optional<std::int64_t> last;
    if (used_[value])
      for (const value_use& use : dump_.uses(*used_[value]))
        if (const auto at = position_of(use.instruction); at && (!last || *at > *last)) last = at;
    return last;
  }

  const buffer_dump& dump() const { return dump_; }

 private:
  struct key {
    std::string_view instruction;
    shape_index index;
    friend bool operator==(const key&, const key&) = default;
  };
  struct hash {
    std::size_t operator()(const key& k) const {
      std::uint64_t h = detail::hash(k.instruction);
      for (const std::uint32_t step : k.index) h = (h ^ step) * 0x9E3779B97F4A7C15u;
      return static_cast<std::size_t>(h ^ (h >> 32));
    }
  };

  buffer_dump dump_;
  std::vector<const live_range*> ranges_;
  std::vector<const used_value*> used_;
  std::unordered_map<std::string_view, std::int64_t> positions_;
};

}  // namespace hlolint
