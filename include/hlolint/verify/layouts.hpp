// The rules of XLA's layout-sensitive verifier, which hold once layouts are assigned and so in every scheduled module:
// what is passed on keeps its layout (hlo_text.md 8.2). Only layouts that both sides write are compared.
#pragma once

#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/verify/async_results.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/operands.hpp>
#include <hlolint/verify/shapes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::module_rules {

/// The parts of a layout that two sides have in common. The order of the dimensions is always one of them.
enum class layout_parts : std::uint8_t {
  order,            ///< no others
  order_and_tiles,  ///< all but the memory space
  order_and_space,  ///< all but the tiles
  all               ///< all of them
};

/// The name of the first part in which the layouts of two arrays differ; empty if they agree or one is not written.
inline std::string_view differing_part(const shape& a, const shape& b, layout_parts parts) {
  using enum layout_parts;
  if (!a.layout || !b.layout || a.rank() != b.rank()) return {};
  const layout &one = *a.layout, &other = *b.layout;
  if (one.minor_to_major != other.minor_to_major) return "dimension order";
  if ((parts == all || parts == order_and_space) && one.memory_space != other.memory_space) return "memory space";
  if ((parts == all || parts == order_and_tiles) && a.type == b.type && one.tiles != other.tiles) return "tiles";
  return {};
}

/// Two arrays whose layouts differ, parts of two shapes.
struct layout_difference {
  std::string_view what;  ///< the part of the layout that differs; empty if none does
  const shape *one = nullptr, *other = nullptr;
  explicit operator bool() const { return !what.empty(); }
};
/// The first two arrays at one place of both shapes whose layouts differ.
inline layout_difference difference_of(const shape& a, const shape& b, layout_parts parts) {
  if (&a == &b || a.is_tuple() != b.is_tuple()) return {};
  if (!a.is_tuple()) return {differing_part(a, b, parts), &a, &b};
  if (a.elements.size() == b.elements.size())
    for (std::size_t k = 0; k < a.elements.size(); ++k)
      if (const auto d = difference_of(a.elements[k], b.elements[k], parts)) return d;
  return {};
}

/// Which operands have their dimensions in the order of the result.
enum class kept_order : std::uint8_t {
  none,           ///< not known
  first,          ///< operand 0
  each,           ///< all operands
  each_in_fusion  ///< all operands, inside of a fusion
};
inline constexpr auto kept_orders = [] {
  std::array<kept_order, grammar::detail::opcode_count> out{};
  for (std::size_t k = 0; k != out.size(); ++k)
    if (types_of(static_cast<hlo_opcode>(k)) != elementwise_types::none) out[k] = kept_order::each_in_fusion;
  const auto set = [&](hlo_opcode opcode, kept_order value) { out[static_cast<std::size_t>(opcode)] = value; };
  using enum hlo_opcode;
  set(copy, kept_order::none);
  set(concatenate, kept_order::each);
  for (const hlo_opcode opcode : {select, clamp}) set(opcode, kept_order::each_in_fusion);
  for (const hlo_opcode opcode : {slice, dynamic_slice, dynamic_update_slice, pad, hlo_opcode::reverse})
    set(opcode, kept_order::first);
  return out;
}();

/// Checks the layouts of one module.
class layout_rules {
 public:
  layout_rules(const hlo_module& m, findings& out) : data_(m.data()), out_(out), scheduled_(m.is_scheduled()) {
    if (!scheduled_) return;
    fused_.resize(data_.computations.size());
    for (const instruction_record& i : data_.instructions)
      if (i.opcode == hlo_opcode::parameter)
        parameters_.push_back(static_cast<id>(&i - data_.instructions.data()));
      else if (i.opcode == hlo_opcode::fusion)
        for (id k = 0; k != i.calls.count; ++k)
          if (const id called = data_.called[i.calls.first + k]; called != none) fused_[called] = true;
  }

  /// Checks an instruction whose shapes are right. False after a finding, as all that follow.
  bool check(const hlo_instruction& i, std::uint32_t place) {
    if (!scheduled_) return true;
    place_ = place;
    if (const kept_order kept = kept_orders[static_cast<std::size_t>(i.opcode())]; kept != kept_order::none)
      return check_kept(i, kept);
    if (!i.shape()) return true;
    switch (i.opcode()) {
      using enum hlo_opcode;
      using enum layout_parts;
      case fusion: return check_called(i, order_and_tiles);  // the space of the fused side is not always written
      case call: return check_called(i, all);
      case while_: return check_while(i);
      case conditional: return check_conditional(i);
      case tuple: return check_tuple(i);
      case get_tuple_element: return check_element(i);
      case opt_barrier:
      case all_reduce_start:
      case all_reduce_done: return compare_operand(i, 0, i.shape(), "the result", all);
      case all_gather_start:
      case collective_permute_start:
        return compare_operand(i, 0, element_of(i.shape(), 0), "element 0 of the result", order_and_space);
      case all_gather_done:
      case collective_permute_done:
      case copy_done: return compare_result(i, promised_shape(i), all);
      case copy_start:  // the first element of the result may lie in another memory
        return compare_operand(i, 0, element_of(i.shape(), 1), "element 1 of the result", all) &&
               compare_operand(i, 0, element_of(i.shape(), 0), "element 0 of the result", order_and_tiles);
      case async_start: return check_async_start(i);
      case async_done: return compare_result(i, promised_shape(i), order_and_space);
      default: return true;
    }
  }

 private:
  [[gnu::cold, gnu::noinline]] bool report(const layout_difference& d, std::string_view one, std::string_view other,
                                           const hlo_instruction& related = {}) {
    const std::string text = str_cat({one, " is ", to_string(*d.one), ", but ", other, " is ", to_string(*d.other),
                                      ": in a scheduled module they have the same ", d.what});
    if (related)
      out_.add_beside(place_, related.where().at.begin, other, text);
    else
      out_.add(place_, text);
    return false;
  }
  /// Compares operand number `k` with what it becomes.
  bool compare_operand(const hlo_instruction& i, std::size_t k, const shape* own, std::string_view what,
                       layout_parts parts) {
    const shape* const operand = operand_shape(i, k);
    if (!operand || !own) return true;
    const auto d = difference_of(*operand, *own, parts);
    return !d || report(d, str_cat({"operand ", k}), what);
  }
  /// Compares the result with that of its start.
  bool compare_result(const hlo_instruction& i, const shape* from, layout_parts parts) {
    if (!from) return true;
    const auto d = difference_of(*i.shape(), *from, parts);
    return !d || report(d, "the result", "the result of its start");
  }

  /// Operands from number `first` on are the parameters of what is called, and its root is the result.
  bool check_computation(const hlo_instruction& i, const hlo_computation& called, std::size_t first,
                         const shape* result, std::string_view result_name, layout_parts parts) {
    if (!called || called.record().damaged) return true;
    const id_range all = called.record().instructions;
    for (auto at = std::lower_bound(parameters_.begin(), parameters_.end(), all.first);
         at != parameters_.end() && *at - all.first < all.count; ++at) {
      const hlo_instruction p{&data_, *at};
      if (!p.shape()) continue;
      const std::int64_t number = p.parameter_number().value_or(-1);
      const shape* const own = number < 0 ? nullptr : operand_shape(i, first + static_cast<std::size_t>(number));
      if (!own || own == p.shape()) continue;
      if (const auto d = difference_of(*own, *p.shape(), parts))
        return report(d, str_cat({"operand ", first + static_cast<std::size_t>(number)}),
                      str_cat({"parameter ", number, " of ", called.name()}), p);
    }
    const hlo_instruction root = called.root();
    if (!result || !root || !root.shape() || result == root.shape()) return true;
    const auto d = difference_of(*result, *root.shape(), parts);
    return !d || report(d, result_name, str_cat({"the root of ", called.name()}), root);
  }
  bool check_called(const hlo_instruction& i, layout_parts parts) {
    return i.called_computation_count() != 1 ||
           check_computation(i, i.called_computation(0), 0, i.shape(), "the result", parts);
  }
  /// Init, result, the parameters of body and condition, and the root of the body are one state.
  bool check_while(const hlo_instruction& i) {
    using enum layout_parts;
    return compare_operand(i, 0, i.shape(), "the result", all) &&
           check_computation(i, called_by(i, attribute_key::condition), 0, nullptr, {}, all) &&
           check_computation(i, called_by(i, attribute_key::body), 0, i.shape(), "the result", all);
  }
  bool check_conditional(const hlo_instruction& i) {
    if (i.called_computation_count() + 1 != i.operand_count()) return true;
    for (std::size_t k = 0; k != i.called_computation_count(); ++k)
      if (!check_computation(i, i.called_computation(k), k + 1, i.shape(), "the result", layout_parts::order_and_tiles))
        return false;
    return true;
  }
  bool check_tuple(const hlo_instruction& i) {
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (!compare_operand(i, k, element_of(i.shape(), k), "its element of the tuple", layout_parts::all)) return false;
    return true;
  }
  bool check_element(const hlo_instruction& i) {
    const auto index = taken_element({i, place_, out_});
    if (!index) return true;
    const auto d = difference_of(*i.shape(), operand_shape(i, 0)->elements[*index], layout_parts::all);
    return !d || report(d, "the result", str_cat({"element ", *index}));
  }
  bool check_async_start(const hlo_instruction& i) {
    const shape* const operands = element_of(i.shape(), 0);
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (!compare_operand(i, k, element_of(operands, k), "its element of the result", layout_parts::all)) return false;
    return i.called_computation_count() != 1 ||
           check_computation(i, i.called_computation(0), 0, element_of(i.shape(), 1), "element 1 of the result",
                             layout_parts::all);
  }
  /// Operations that do not change the order of the dimensions.
  [[gnu::always_inline]] bool check_kept(const hlo_instruction& i, kept_order kept) {
    if (kept == kept_order::each_in_fusion && !fused_[i.computation().id()]) return true;
    const instruction_record& record = data_.instructions[i.id()];
    const id count = kept == kept_order::first && record.operands.count ? 1 : record.operands.count;
    for (id k = 0; k != count; ++k) {
      const id operand = data_.operands[record.operands.first + k].instruction;
      if (operand == none || data_.instructions[operand].shape == record.shape) continue;  // equal shapes are one
      return check_order(i, count);
    }
    return true;
  }
  [[gnu::noinline]] bool check_order(const hlo_instruction& i, std::size_t count) {
    const shape* const result = i.shape();
    for (std::size_t k = 0; result && result->is_array() && k < count; ++k)
      if (const shape* const own = operand_shape(i, k))
        if (const auto d = difference_of(*own, *result, layout_parts::order))
          return report(d, str_cat({"operand ", k}), "the result");
    return true;
  }

  const module_data& data_;
  findings& out_;
  bool scheduled_;
  std::uint32_t place_ = 0;
  std::vector<id> parameters_;  ///< all parameters, in the order of the pool
  std::vector<bool> fused_;     ///< by computation: a fusion calls it
};

}  // namespace hlolint::module_rules
