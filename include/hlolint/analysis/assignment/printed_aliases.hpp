// Which operands an instruction writes over, as libtpu prints it: `aliasing_operands` of a `backend_config`
// (assignment.md 11).
#pragma once

#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// Answers for pairs of values of one module. One thread uses one object.
class printed_aliases {
 public:
  /// Refers to the dataflow, which must outlive it.
  explicit printed_aliases(const dataflow& flow) : flow_(flow) {}

  /// Whether the instruction that makes `to` writes it over `from`, one of its operands; nothing if the text of the
  /// instruction does not list what it writes over, as before buffers were assigned.
  std::optional<bool> writes_over(std::uint32_t from, std::uint32_t to) const {
    const hlo_value& made = flow_.values()[to];
    const hlo_instruction user = flow_.instruction(made);
    read(user);
    if (!is_listed_) return std::nullopt;
    if (listed_.empty()) return false;
    const std::int64_t result = first_.back() + leaves_before(user, made.defined.part);
    for (const hlo_use& use : flow_.uses(flow_.values()[from])) {
      if (use.user != user.id()) continue;
      const std::int64_t read = first_[use.operand] + leaves_before(user.operand(use.operand), use.part);
      for (auto at = std::lower_bound(listed_.begin(), listed_.end(), std::pair(read, std::size_t{0}));
           at != listed_.end() && at->first == read; ++at)
        if (std::binary_search(listed_.begin(), listed_.end(), std::pair(result, at->second))) return true;
    }
    return false;
  }

 private:
  /// The parts of a result that are no tuples, up to a part.
  std::int64_t leaves_before(hlo_instruction i, std::uint32_t part) const {
    std::int64_t count = 0;
    for (std::uint32_t n = 0; n < std::min(part, flow_.tables().places.count(i.id())); ++n)
      count += !flow_.tables().places.is_tuple(i.id(), n);
    return count;
  }

  /// Reads the lists of an instruction, which hold the numbers of its operands and, behind them, of its results. Those
  /// of the last instruction are kept, since questions about it come in a row.
  void read(hlo_instruction of) const {
    if (of_ == of.id()) return;
    of_ = of.id();
    listed_.clear();
    first_.assign(1, 0);
    const auto config = of.attribute(attribute_key::backend_config);
    const auto lists = config ? json_find(*config, "aliasing_operands", "lists") : std::nullopt;
    is_listed_ = lists.has_value();
    if (!lists) return;
    std::size_t number_of_list = 0;
    json_for_each(*lists, [&](std::string_view, std::string_view list) {
      if (const auto indices = json_find(list, "indices"))
        json_for_each(*indices, [&](std::string_view, std::string_view index) {
          if (const auto number = leading_integer(index.substr(index.starts_with('"') ? 1 : 0)))
            listed_.emplace_back(*number, number_of_list);
        });
      ++number_of_list;
    });
    std::sort(listed_.begin(), listed_.end());
    for (const hlo_instruction operand : of.operands())
      first_.push_back(first_.back() + (operand ? leaves_before(operand, none) : 0));
  }

  const dataflow& flow_;
  mutable id of_ = none;
  mutable bool is_listed_ = false;
  mutable std::vector<std::pair<std::int64_t, std::size_t>> listed_;  // number and list, sorted
  mutable std::vector<std::int64_t> first_;                           // number of each operand, and of the result
};

}  // namespace hlolint
