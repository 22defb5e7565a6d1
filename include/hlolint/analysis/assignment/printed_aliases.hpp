// Which operands an instruction writes over, as libtpu prints it: `aliasing_operands` of a `backend_config`
// (assignment.md 11).
#pragma once

#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
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
    if (lists_.empty()) return false;
    std::int64_t operands = 0;
    for (const hlo_instruction operand : user.operands()) operands += operand ? leaves_before(operand, whole) : 0;
    const std::int64_t result = operands + leaves_before(user, made.defined.part);
    for (const hlo_use& use : flow_.uses(flow_.values()[from])) {
      if (use.user != user.id()) continue;
      std::int64_t number = 0;
      for (std::uint32_t k = 0; k < use.operand; ++k)
        if (const hlo_instruction operand = user.operand(k)) number += leaves_before(operand, whole);
      number += leaves_before(user.operand(use.operand), use.part);
      const auto has = [](const std::vector<std::int64_t>& list, std::int64_t n) {
        return std::find(list.begin(), list.end(), n) != list.end();
      };
      for (const std::vector<std::int64_t>& list : lists_)
        if (has(list, number) && has(list, result)) return true;
    }
    return false;
  }

 private:
  static constexpr std::uint32_t whole = none;  // all parts

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
    lists_.clear();
    const auto config = of.attribute(attribute_key::backend_config);
    const auto lists = config ? json_find(*config, "aliasing_operands", "lists") : std::nullopt;
    is_listed_ = lists.has_value();
    if (!lists) return;
    json_for_each(*lists, [&](std::string_view, std::string_view list) {
      std::vector<std::int64_t>& numbers = lists_.emplace_back();
      if (const auto indices = json_find(list, "indices"))
        json_for_each(*indices, [&](std::string_view, std::string_view index) {
          if (const auto number = leading_integer(index.substr(index.starts_with('"') ? 1 : 0)))
            numbers.push_back(*number);
        });
    });
  }

  const dataflow& flow_;
  mutable id of_ = none;
  mutable bool is_listed_ = false;
  mutable std::vector<std::vector<std::int64_t>> lists_;
};

}  // namespace hlolint
