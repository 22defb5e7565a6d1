// Properties of an instruction that need only HLO.
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/match/predicate.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace hlolint::match {

namespace detail {
template <class Facts>
const written_groups* groups_of(hlo_instruction i, const Facts& facts) {
  const hlo_instruction transfer = facts.template get<transfer_sources>().collective_of(i);
  return transfer ? facts.template get<module_groups>().of(transfer) : nullptr;
}
/// The shape with the element type of an instruction: for a collective that of its first operand.
template <class Facts>
const shape* typed_shape_of(hlo_instruction i, const Facts& facts) {
  const hlo_instruction transfer = facts.template get<transfer_sources>().collective_of(i);
  return transfer ? shape_of_operand(transfer, 0) : i.shape();
}
inline std::string layout_of(const shape& s) {
  std::string out;
  hlolint::detail::append_layout(out, *s.layout);
  return out;
}
inline std::string tiles_of(const shape& s) {
  return s.layout->tiles.empty() ? std::string() : 'T' + tiles_text(*s.layout);
}
/// The target of a context; facts of a module alone have none.
template <class Facts>
target target_of(const Facts& facts) {
  if constexpr (requires { facts.target(); })
    return facts.target();
  else
    return target::unknown;
}
}  // namespace detail

/// Numbers, as their texts describe. @{
inline constexpr auto bytes = number<knowledge::module>(
    "bytes", unit::bytes, "bytes of the elements of the result; of a collective, of its bigger side",
    [](hlo_instruction i, const auto& facts) -> std::optional<byte_count> {
      if (facts.template get<transfer_sources>().collective_of(i)) return collective_bytes(i);
      return i.shape() ? dense_size_of_leaves(*i.shape()) : std::nullopt;
    });
inline constexpr auto padded_bytes =
    number<knowledge::module>("padded bytes", unit::bytes, "bytes of the result in memory, tiles included",
                              [](hlo_instruction i, const auto& facts) {
                                return i.shape() ? size_in_memory(*i.shape(), detail::target_of(facts)) : std::nullopt;
                              });
inline constexpr auto padding = number<knowledge::module>(
    "padding", unit::ratio, "bytes in memory over bytes of elements", [](hlo_instruction i, const auto&) {
      return detail::member_of(i.shape() ? explain_padding(*i.shape()) : std::nullopt, &padding_cost::ratio);
    });
inline constexpr auto rank =
    number<knowledge::module>("rank", unit::count, "dimensions of an array", [](hlo_instruction i, const auto&) {
      return i.shape() && i.shape()->is_array() ? std::optional(i.shape()->rank()) : std::nullopt;
    });
inline constexpr auto operand_count =
    number<knowledge::module>("operands", unit::count, "how many operands it has",
                              [](hlo_instruction i, const auto&) { return i.operand_count(); });
inline constexpr auto user_count = number<knowledge::module>(
    "users", unit::count, "how often the result is read",
    [](hlo_instruction i, const auto& facts) { return facts.template get<users>().count(i); });
inline constexpr auto memory_space = number<knowledge::module>(
    "memory space", unit::count, "N of S(N) in the layout, else 0",
    [](hlo_instruction i, const auto&) { return i.shape() ? std::optional(i.shape()->memory_space()) : std::nullopt; });
inline constexpr auto channel =
    number<knowledge::module>("channel", unit::count, "channel_id",
                              [](hlo_instruction i, const auto&) { return get_integer(i, attribute_key::channel_id); });
inline constexpr auto group_size =
    number<knowledge::module>("group size", unit::count, "devices of the first replica group of a collective",
                              [](hlo_instruction i, const auto& facts) {
                                return detail::member_of(detail::groups_of(i, facts), &written_groups::first_size);
                              });
inline constexpr auto group_count = number<knowledge::module>(
    "groups", unit::count, "replica groups of a collective", [](hlo_instruction i, const auto& facts) {
      return detail::member_of(detail::groups_of(i, facts), &written_groups::group_count);
    });
inline constexpr auto loop_depth = number<knowledge::module>(
    "loop depth", unit::count, "while loops around it", [](hlo_instruction i, const auto& facts) {
      const auto& all = facts.template get<loops>();
      int depth = 0;
      for (hlo_instruction around = all.around(i.computation()); around && depth < 1000; ++depth)
        around = all.around(around.computation());
      return depth;
    });
inline constexpr auto runs = number<knowledge::module>(
    "runs", unit::count, "how often it runs in one step, by the trip counts of the loops around it",
    [](hlo_instruction i, const auto& facts) { return facts.template get<loops>().runs_of(i.computation()).times; });
inline constexpr auto iterations = number<knowledge::module>(
    "trip count", unit::count, "iterations of a while loop, or of the loop around it",
    [](hlo_instruction i, const auto& facts) -> std::optional<std::int64_t> {
      const auto loop = i.opcode() == hlo_opcode::while_ ? i : facts.template get<loops>().around(i.computation());
      if (!loop) return std::nullopt;
      const trip_count count = trip_count_of(loop);
      return count.basis == trip_basis::unknown ? std::nullopt : std::optional(count.times);
    });
/// @}

/// Texts, as their texts describe. @{
inline constexpr auto opcode = text<knowledge::module>("opcode", "as XLA writes it",
                                                       [](hlo_instruction i, const auto&) { return i.opcode_text(); });
inline constexpr auto kind = text<knowledge::module>(
    "kind", "of a collective in any form, its synchronous opcode", [](hlo_instruction i, const auto& facts) {
      const hlo_instruction transfer = collective_of(i);
      return transfer ? name_of(facts.template get<transfer_sources>().kind_of(transfer)) : std::string_view();
    });
inline constexpr auto name =
    text<knowledge::module>("name", "without %", [](hlo_instruction i, const auto&) { return i.name(); });
inline constexpr auto computation_name =
    text<knowledge::module>("computation", "name of the computation that it stands in",
                            [](hlo_instruction i, const auto&) { return i.computation().name(); });
inline constexpr auto module_name = text<knowledge::module>(
    "module", "name of the module", [](hlo_instruction, const auto& facts) { return facts.hlo()->name(); });
inline constexpr auto type_name = text<knowledge::module>(
    "element type", "of an array; of a collective, of its first operand", [](hlo_instruction i, const auto& facts) {
      const shape* const s = detail::typed_shape_of(i, facts);
      return s && s->is_array() ? name_of(s->type) : std::string_view();
    });
inline constexpr auto shape_text = text<knowledge::module>(
    "shape", "as XLA prints it, layout included",
    [](hlo_instruction i, const auto&) { return i.shape() ? to_string(*i.shape()) : std::string(); });
inline constexpr auto dimensions = text<knowledge::module>(
    "dimensions", "sizes of the dimensions of an array, 8,64", [](hlo_instruction i, const auto&) {
      std::string out;
      if (i.shape() && i.shape()->is_array())
        for (const dimension& d : i.shape()->dimensions) out += (out.empty() ? "" : ",") + std::to_string(d.size);
      return out;
    });
inline constexpr auto layout_text = text<knowledge::module>(
    "layout", "of an array as XLA prints it, {1,0:T(8,128)}", [](hlo_instruction i, const auto&) {
      return i.shape() && i.shape()->is_array() && i.shape()->layout ? detail::layout_of(*i.shape()) : std::string();
    });
inline constexpr auto tiles =
    text<knowledge::module>("tiles", "of its layout, T(8,128)(2,1)", [](hlo_instruction i, const auto&) {
      return i.shape() && i.shape()->is_array() && i.shape()->layout ? detail::tiles_of(*i.shape()) : std::string();
    });
inline constexpr auto text_as_written =
    text<knowledge::module>("text", "the whole instruction as written, attributes included",
                            [](hlo_instruction i, const auto&) { return i.text(); });
inline constexpr auto sharding_text = text<knowledge::module>(
    "sharding", "as written",
    [](hlo_instruction i, const auto&) { return i.attribute(attribute_key::sharding).value_or(""); });
inline constexpr auto call_target =
    text<knowledge::module>("target", "custom_call_target", [](hlo_instruction i, const auto&) {
      const auto to = i.opcode() == hlo_opcode::custom_call ? get<custom_call_target>(i) : std::nullopt;
      return to ? to->name : std::string();
    });
inline constexpr auto op_name =
    text<knowledge::module>("op_name", "the framework's name of the operation, scopes included",
                            [](hlo_instruction i, const auto&) { return program_place_of(i).op_name; });
inline constexpr auto source_line =
    text<knowledge::module>("source", "file:line of the user's program", [](hlo_instruction i, const auto&) {
      const source_position at = program_place_of(i).at;
      return at ? at.file + ":" + std::to_string(at.line) : std::string();
    });
/// @}

/// Flags, as their texts describe. @{
inline constexpr auto in_loop =
    flag<knowledge::module>("in loop", "a while loop runs it", [](hlo_instruction i, const auto& facts) {
      return static_cast<bool>(facts.template get<loops>().around(i.computation()));
    });
inline constexpr auto in_fusion = flag<knowledge::module>(
    "in fusion", "it is part of a fusion, reducer or comparator", [](hlo_instruction i, const auto& facts) {
      return facts.template get<call_graph>().execution_of(i.computation()) == execution::embedded;
    });
inline constexpr auto in_entry =
    flag<knowledge::module>("in entry", "it stands in the entry computation",
                            [](hlo_instruction i, const auto&) { return i.computation().is_entry(); });
inline constexpr auto is_root = flag<knowledge::module>("root", "it is the root of its computation",
                                                        [](hlo_instruction i, const auto&) { return i.is_root(); });
inline constexpr auto has_one_user = flag<knowledge::module>(
    "one user", "its result is read once",
    [](hlo_instruction i, const auto& facts) { return facts.template get<users>().count(i) == 1; });
inline constexpr auto is_dynamic =
    flag<knowledge::module>("dynamic", "a dimension of the result is not fixed",
                            [](hlo_instruction i, const auto&) { return i.shape() && !i.shape()->is_static(); });
/// @}

/// The types that arrays of models have, as XLA writes them. @{
using element_type::bf16, element_type::f16, element_type::f32, element_type::f64, element_type::pred;
using element_type::c128, element_type::c64, element_type::f8e4m3fn, element_type::f8e5m2;
using element_type::s16, element_type::s32, element_type::s4, element_type::s64, element_type::s8;
using element_type::u16, element_type::u32, element_type::u4, element_type::u64, element_type::u8;
/// @}
using namespace hlolint::literals;  // 1_MiB

/// element_type_is(f32): an array of this type, or a collective whose first operand is one.
struct element_type_is : tested<element_type_is> {
  element_type type;  ///< the type
  /// For a type.
  constexpr explicit element_type_is(element_type t) : type(t) {}
  /// Whether the instruction is one.
  template <class Facts>
  bool test(hlo_instruction i, const Facts& facts) const {
    const shape* const s = detail::typed_shape_of(i, facts);
    return s && s->is_array() && s->type == type;
  }
};

/// All module properties, by kind. @{
inline constexpr std::tuple module_numbers{bytes,      padded_bytes, padding,   rank,       operand_count,
                                           user_count, memory_space, channel,   group_size, group_count,
                                           loop_depth, runs,         iterations};
inline constexpr std::tuple module_texts{opcode,          kind,          name,        computation_name, module_name,
                                         type_name,       shape_text,    dimensions,  layout_text,      tiles,
                                         text_as_written, sharding_text, call_target, op_name,          source_line};
inline constexpr std::tuple module_flags{in_loop, in_fusion, in_entry, is_root, has_one_user, is_dynamic};
/// @}

}  // namespace hlolint::match
