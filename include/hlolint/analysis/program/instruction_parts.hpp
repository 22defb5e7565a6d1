// Looks up parts of instructions: operands, called computations, parameters, the written form; and which operations
// compute each result element from the elements at the same position (buffer_dumps.md 5.3).
// Lists of the instructions of a module: those that call computations, and those of each opcode.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/ir/view_range.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The shape of an operand: its own, else the one written before its name; null if neither is written, or there is no
/// such operand.
inline const shape* shape_of_operand(hlo_instruction i, std::size_t at) {
  if (at >= i.operand_count()) return nullptr;
  const hlo_instruction from = i.operand(at);
  return from && from.shape() ? from.shape() : i.operand_shape(at);
}

/// An operand; an empty view if there is no such operand, or the text lacks it.
inline hlo_instruction operand_of(hlo_instruction i, std::size_t at) {
  return at < i.operand_count() ? i.operand(at) : hlo_instruction{};
}

/// Goes from an instruction to its first operand, and on, as long as `passes(i)` holds and the operand stands before.
template <class Passes>
hlo_instruction follow_first_operands(hlo_instruction i, Passes&& passes) {
  while (i && passes(i) && operand_of(i, 0) && i.operand(0).id() < i.id()) i = i.operand(0);
  return i;
}

/// The first computation that an instruction fuses, wraps or calls; an empty view if there is none, or the text lacks
/// it.
inline hlo_computation first_called(hlo_instruction i) {
  return i.called_computation_count() > 0 ? i.called_computation(0) : hlo_computation{};
}

/// The root; an empty view if the computation is empty.
inline hlo_instruction root_of(hlo_computation c) { return c ? c.root() : hlo_instruction{}; }

/// A number of the text as a position in a list: the number of a parameter, the element that a get-tuple-element takes.
/// Nothing if it is missing, not a number, or negative. @{
inline std::optional<std::size_t> parameter_position(hlo_instruction i) {
  const auto number = i.parameter_number();
  return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}
inline std::optional<std::size_t> element_position(hlo_instruction i) {
  const auto index = get_integer(i, attribute_key::index);
  return index && *index >= 0 ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}
/// @}

/// Whether the result has the operand's elements with their values, possibly at other positions.
constexpr bool keeps_elements(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == bitcast || opcode == copy || opcode == reshape || opcode == transpose;
}

/// XLA's `IsElementwise`, as far as the opcode decides it; bitcast-convert only with equal widths.
constexpr bool is_elementwise(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    // clang-format off
    case abs: case acos: case acosh: case add: case and_: case asin: case asinh: case atan2: case atanh:
    case bitcast_convert: case cbrt: case ceil: case clamp: case compare: case complex: case constant: case convert:
    case copy: case cosh: case cosine: case count_leading_zeros: case divide: case erf: case exponential:
    case exponential_minus_one: case floor: case imag: case is_finite: case log: case log_plus_one: case logistic:
    case map: case maximum: case minimum: case mulhi: case multiply: case negate: case not_: case or_: case popcnt:
    case power: case real: case reduce_precision: case remainder: case rng: case round_nearest_afz:
    case round_nearest_even: case rsqrt: case select: case shift_left: case shift_right_arithmetic:
    case shift_right_logical: case sign: case sine: case sinh: case sqrt: case stochastic_convert: case subtract:
    case tan: case tanh: case xor_:
      // clang-format on
      return true;
    default: return false;
  }
}

/// Whether the operation is elementwise and the result has the element type of the last operand.
constexpr bool keeps_element_type(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case bitcast_convert:
    case compare:
    case complex:
    case constant:
    case convert:
    case imag:
    case is_finite:
    case map:
    case real:
    case rng:
    case stochastic_convert: return false;
    default: return is_elementwise(opcode);
  }
}

/// Whether the unescaped value of an attribute may contain a word; false is certain. Only searches the bytes: reading
/// the value would check and copy a text of often a kilobyte, which rarely has the word.
inline bool may_hold(hlo_instruction i, attribute_key key, std::string_view word) {
  const auto text = i.attribute(key);
  return text && (text->find(word) != text->npos || text->find('\\') != text->npos);
}

/// The computations of a while; views are empty if one is missing.
struct while_parts {
  /// The computation that decides whether to continue, and the repeated one. @{
  hlo_computation condition, body;
  /// @}
};

/// Precondition: `loop` is a while. The attributes may stand in any order.
inline while_parts parts_of_while(hlo_instruction loop) {
  while_parts out;
  std::size_t at = 0;
  for (const hlo_attribute a : loop.attributes()) {
    if (a.key != attribute_key::condition && a.key != attribute_key::body) continue;
    if (at == loop.called_computation_count()) break;
    (a.key == attribute_key::body ? out.body : out.condition) = loop.called_computation(at++);
  }
  return out;
}

/// The value of a key in `frontend_attributes`.
inline std::optional<std::string> frontend_value(hlo_instruction i, std::string_view key) {
  const bool may_have = may_hold(i, attribute_key::frontend_attributes, key);
  const auto attributes = may_have ? get<frontend_attributes>(i) : std::nullopt;
  const std::string* const found = attributes ? attributes->find(key) : nullptr;
  return found ? std::optional(*found) : std::nullopt;
}

/// The parameters of all computations by number.
class computation_parameters {
 public:
  /// Linear in the module.
  explicit computation_parameters(const hlo_module& module) : module_(module), first_(module.computation_count() + 1) {
    for (const hlo_computation c : module.computations()) {
      first_[c.id()] = static_cast<id>(parameters_.size());
      for (const hlo_instruction i : c.instructions()) {
        const auto number = parameter_position(i);
        if (!number || *number >= c.instruction_count()) continue;
        const std::size_t at = first_[c.id()] + *number;
        if (at >= parameters_.size()) parameters_.resize(at + 1, none);
        if (parameters_[at] == none) parameters_[at] = i.id();
      }
    }
    first_.back() = static_cast<id>(parameters_.size());
  }

  /// One more than the highest parameter number.
  std::size_t count(hlo_computation c) const { return first_[c.id() + 1] - first_[c.id()]; }
  /// The parameter with a number; an empty view if there is none, or the computation is empty.
  template <class Integer>
  hlo_instruction of(hlo_computation c, Integer number) const {
    const bool there = c && std::in_range<std::size_t>(number) && static_cast<std::size_t>(number) < count(c);
    const id found = there ? parameters_[first_[c.id()] + static_cast<std::size_t>(number)] : none;
    return found == none ? hlo_instruction{} : module_.instruction(found);
  }

 private:
  hlo_module module_;
  std::vector<id> first_;  // by computation, into parameters_
  std::vector<id> parameters_;
};

/// The instruction that a reader can look up: `i` itself if it is written. A nested operand or an element (`%a#1`)
/// belongs to the instruction that it was written in, and the computation behind `X-start` to that start. Also `i` if
/// nothing around it is written, as with the operands of a lone instruction. Logarithmic in the size of the
/// computation, apart from synthesized neighbors.
inline hlo_instruction written_instruction(hlo_instruction i) {
  if (!i || !i.is_synthesized()) return i;
  const module_data& data = i.data();
  const auto record = [&](id at) -> const instruction_record& { return data.instructions[at]; };
  // The pools hold implied records right before the instruction or computation that implies them.
  hlo_computation in = i.computation();
  id at = i.id();
  if (in.is_synthesized()) {
    const std::uint32_t begin = in.record().text.begin;
    id outer = in.id();
    while (outer != data.computations.size() && data.computations[outer].origin == node_origin::synthesized) ++outer;
    if (outer == data.computations.size()) return i;
    in = hlo_computation(&data, outer);
    // Written instructions are in text order, and the text of implied ones begins after them.
    const id_range range = in.record().instructions;
    at = static_cast<id>(std::partition_point(data.instructions.begin() + range.first,
                                              data.instructions.begin() + range.first + range.count,
                                              [&](const instruction_record& r) { return r.text.begin < begin; }) -
                         data.instructions.begin());
  }
  const id_range range = in.record().instructions;
  const id end = range.first + range.count;
  while (at != end && record(at).origin == node_origin::synthesized) ++at;
  return at == end ? i : hlo_instruction(&data, at);
}

/// All instructions that call computations, by the computation they are in. Most instructions of a big program are in
/// fusions and call nothing, so analyses of calls scan only these.
class calling_instructions {
 public:
  /// Linear in the module, which is kept. Half a dozen analyses make one, so records are read without views, which
  /// would take most of the time.
  explicit calling_instructions(const hlo_module& module) : module_(module), of_(module.computation_count()) {
    const std::vector<instruction_record>& records = module.data().instructions;
    const instruction_record* const first = records.data();
    for (const instruction_record *r = first, *const last = first + records.size(); r != last; ++r) {
      if (r->calls.count == 0) continue;
      id_range& own = of_[r->computation];
      if (own.count++ == 0) own.first = static_cast<id>(all_.size());
      all_.push_back(static_cast<id>(r - first));
    }
  }

  /// All ids, in text order.
  const std::vector<id>& all() const { return all_; }
  /// The ids in one computation, in text order.
  std::span<const id> in(hlo_computation c) const {
    return std::span(all_).subspan(of_[c.id()].first, of_[c.id()].count);
  }
  /// The module.
  const hlo_module& module() const { return module_; }

 private:
  hlo_module module_;
  std::vector<id> all_;
  std::vector<id_range> of_;  // by computation, into all_
};

/// Computations in an order in which each comes after all its callers; reversed, callees come first. Computations in a
/// cycle of calls, which no legal module has, are left out, with all that only they call.
inline std::vector<hlo_computation> callers_first(const calling_instructions& calling) {
  const hlo_module& module = calling.module();
  std::vector<id> open_calls(module.computation_count());
  for (const id at : calling.all())
    for (const hlo_computation called : module.instruction(at).called_computations())
      if (called) ++open_calls[called.id()];
  std::vector<hlo_computation> order;
  order.reserve(module.computation_count());
  for (const hlo_computation c : module.computations())
    if (open_calls[c.id()] == 0) order.push_back(c);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const id at : calling.in(order[next]))
      for (const hlo_computation called : module.instruction(at).called_computations())
        if (called && --open_calls[called.id()] == 0) order.push_back(called);
  return order;
}

/// The order, for callers that need no `calling_instructions`.
inline std::vector<hlo_computation> callers_first(const hlo_module& module) {
  return callers_first(calling_instructions(module));
}

/// The same in reverse order.
inline std::vector<hlo_computation> callees_first(const hlo_module& module) {
  const std::vector<hlo_computation> order = callers_first(module);
  return {order.rbegin(), order.rend()};
}

/// Made once by a context, so that a dozen rules that look for loops or collectives need not scan a whole module, most
/// of which is arithmetic.
class instructions_by_opcode {
 public:
  /// Linear in the module, which is kept.
  explicit instructions_by_opcode(const hlo_module& module)
      : module_(module), ids_(hlo_opcode_names.size(), [&](auto&& add) {
          const std::vector<instruction_record>& records = module.data().instructions;
          for (id at = 0; at < records.size(); ++at) add(static_cast<std::size_t>(records[at].opcode), at);
        }) {}

  /// The instructions with an opcode, in text order.
  auto of(hlo_opcode opcode) const {
    const std::span<const id> listed = ids_.of(static_cast<std::size_t>(opcode));
    return view_range{listed.size(), detail::views_listed<hlo_instruction>{&module_.data(), listed.data()}};
  }
  /// The instructions for whose opcode `wanted(opcode)` is true, in text order.
  template <class Predicate>
  std::vector<hlo_instruction> where(Predicate&& wanted) const {
    std::vector<hlo_instruction> out;
    for (std::size_t op = 0; op < ids_.size(); ++op)
      if (ids_.count(op) > 0 && wanted(static_cast<hlo_opcode>(op)))
        for (const hlo_instruction i : of(static_cast<hlo_opcode>(op))) out.push_back(i);
    std::stable_sort(out.begin(), out.end(), [](hlo_instruction a, hlo_instruction b) { return a.id() < b.id(); });
    return out;
  }

 private:
  hlo_module module_;
  grouped_list<id> ids_;  // by opcode
};

}  // namespace hlolint
