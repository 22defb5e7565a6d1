// Arrays that a loop takes apart and puts together again.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

/// A carried array that each iteration of a loop makes anew of slices of the old one, each at most updated in part.
struct reassembly {
  std::size_t parts = 0;               ///< how many slices
  hlo_instruction last;                ///< what completes the new array
  std::vector<hlo_instruction> moves;  ///< instructions of the body that slice or write parts, in text order, each once
};

namespace detail {

/// Follows the new value of one element of the tuple that a loop carries.
class reassembly_finder {
 public:
  reassembly_finder(hlo_computation body, std::int64_t element) : body_(body), element_(element) {}

  std::optional<reassembly> find(hlo_instruction new_value) {
    place at = follow({new_value, {}, {}});
    if (!at.at) return std::nullopt;
    found_.last = outermost(at);
    if (at.at.opcode() == hlo_opcode::concatenate)
      for (std::size_t k = 0; k < at.at.operand_count(); ++k)
        if (!add_part(at, k, static_cast<std::int64_t>(k))) return std::nullopt;
    while (at.at && at.at.opcode() == hlo_opcode::dynamic_update_slice) {
      const auto start = start_of_update(at);
      if (!start || !add_part(at, 1, *start)) return std::nullopt;
      at = follow({operand_of(at.at, 0), at.callers, {}});
    }
    // The slices stand in the new value as they stood in the old one, and fill it.
    std::ranges::sort(starts_);
    const auto increases = [&](auto member) {
      return std::ranges::adjacent_find(starts_, std::ranges::greater_equal{}, member) == starts_.end();
    };
    if (starts_.size() < 2 || covered_.clamped() != bytes_of(new_value) || !increases(&part_starts::new_start) ||
        !increases(&part_starts::old_start))
      return std::nullopt;
    found_.parts = starts_.size();
    std::ranges::sort(found_.moves, {}, &hlo_instruction::id);
    found_.moves.erase(std::unique(found_.moves.begin(), found_.moves.end()), found_.moves.end());
    return found_;
  }

 private:
  using place = value_follower::place;
  /// Sums of the starts in all dimensions, or the number of the operand of a concatenate.
  struct part_starts {
    std::int64_t new_start, old_start;
    friend auto operator<=>(const part_starts&, const part_starts&) = default;
  };

  place follow(place from) { return left_-- > 0 ? value_follower().source_of(std::move(from)) : place{}; }
  static byte_count bytes_of(hlo_instruction i) {
    return i && i.shape() && i.shape()->is_array() ? dense_size(*i.shape()).value_or(0) : 0;
  }
  static hlo_instruction outermost(const place& p) { return p.callers.empty() ? p.at : p.callers.front(); }

  std::optional<std::int64_t> start_of_update(const place& update) {
    checked_int64 sum = 0;
    for (std::size_t k = 2; k < update.at.operand_count(); ++k) {
      const place start = follow({operand_of(update.at, k), update.callers, {}});
      const bool is_constant = start.at && start.at.opcode() == hlo_opcode::constant;
      const auto value = is_constant ? integer_in<std::int64_t>(start.at.argument()) : std::nullopt;
      if (!value) return std::nullopt;
      sum = sum + *value;
    }
    return sum.exact();
  }

  /// Adds a part, if it is a slice of the old value that is updated in at most half of it.
  bool add_part(const place& assembly, std::size_t operand, std::int64_t new_start) {
    const hlo_instruction written = operand_of(assembly.at, operand);
    place part = follow({written, assembly.callers, {}});
    while (part.at && part.at.opcode() == hlo_opcode::dynamic_update_slice) {
      if (bytes_of(operand_of(part.at, 1)) > bytes_of(part.at) / 2) return false;
      part = follow({operand_of(part.at, 0), part.callers, {}});
    }
    const bool is_slice = part.at && part.elements.empty() && part.at.opcode() == hlo_opcode::slice;
    const auto ranges = is_slice ? get<slices>(part.at) : std::nullopt;
    if (!ranges || bytes_of(part.at) != bytes_of(written)) return false;
    const place old = follow({operand_of(part.at, 0), part.callers, {}});
    if (!old.at || old.at.opcode() != hlo_opcode::parameter || old.at.computation().id() != body_.id() ||
        old.elements != std::vector{element_})
      return false;
    checked_int64 old_start = 0;
    for (const slice_range& range : ranges->dimensions) old_start = old_start + range.start;
    starts_.push_back({new_start, old_start.clamped()});
    covered_ = covered_ + bytes_of(written);
    found_.moves.push_back(outermost(assembly));
    found_.moves.push_back(outermost(part));
    return true;
  }

  hlo_computation body_;
  std::int64_t element_;
  reassembly found_;
  std::vector<part_starts> starts_;
  checked_int64 covered_ = 0;  ///< bytes of all parts
  int left_ = 1 << 14;         ///< values to follow: slices may share a long history
};

}  // namespace detail

/// How the body of a loop makes an element of the tuple that it carries of slices of its old value; nothing if it does
/// not. Linear in the instructions between the two.
inline std::optional<reassembly> reassembly_of(hlo_computation body, std::size_t element) {
  const hlo_instruction root = root_of(body);
  if (!root || root.opcode() != hlo_opcode::tuple || !operand_of(root, element)) return std::nullopt;
  return detail::reassembly_finder(body, static_cast<std::int64_t>(element)).find(root.operand(element));
}

}  // namespace hlolint
