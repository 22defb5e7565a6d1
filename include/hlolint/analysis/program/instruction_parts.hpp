// Looks up parts of instructions: operands, called computations, parameters, the written form.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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
hlo_instruction follow_first_operands(hlo_instruction i, auto&& passes) {
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

/// What `read(i)` gives or, if that is nothing, what it gives for the root of a computation that `i` fuses, wraps or
/// calls, the first of which it gives anything.
auto read_here_or_at_root(hlo_instruction i, auto&& read) {
  auto out = read(i);
  for (std::size_t c = 0; !out && c < i.called_computation_count(); ++c)
    if (const hlo_instruction root = root_of(i.called_computation(c))) out = read(root);
  return out;
}

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

/// Whether the unescaped value of an attribute may contain a word; false is certain. Only searches the bytes: reading
/// the value would check and copy a text of often a kilobyte, which rarely has the word.
inline bool may_hold(hlo_instruction i, attribute_key key, std::string_view word) {
  const std::string_view text = i.attribute(key).value_or(std::string_view{});
  bool out = text.find(word) != text.npos;
  // The numbers of letters; other escapes, such as those of quotation marks, stand for no letter.
  for (std::size_t at = text.find('\\'); !out && at != text.npos; at = text.find('\\', at + 2))
    out = text.substr(at + 1, 1).find_first_of("01234567xXuU") != text.npos;
  return out;
}

/// The computations of a while; views are empty if one is missing.
struct while_parts {
  /// The computation that decides whether to continue, and the repeated one. @{
  hlo_computation condition, body;
  /// @}
};

/// Precondition: `loop` is a while. The attributes may stand in any order.
inline while_parts parts_of_while(hlo_instruction loop) {
  return {called_by(loop, attribute_key::condition), called_by(loop, attribute_key::body)};
}

/// The value of a key in `frontend_attributes`.
inline std::optional<std::string> frontend_value(hlo_instruction i, std::string_view key) {
  const bool may_have = may_hold(i, attribute_key::frontend_attributes, key);
  const auto attributes = may_have ? get<frontend_attributes>(i) : std::nullopt;
  const std::string* const found = attributes ? attributes->find(key) : nullptr;
  return found ? std::optional(*found) : std::nullopt;
}

/// The value at a path of keys in the JSON of a `backend_config`, as `json_find` gives it. A config that does not name
/// all keys, as nearly all, is only searched for them: reading one would check and copy a text of often a kilobyte.
template <class... Keys>
std::optional<std::string> config_value(hlo_instruction i, Keys... path) {
  const bool names_all = (... && may_hold(i, attribute_key::backend_config, path));
  const auto config = names_all ? get<backend_config>(i) : std::nullopt;
  const auto found = config ? json_find(config->text, path...) : std::nullopt;
  return found ? std::optional(std::string(*found)) : std::nullopt;
}

/// Whether an instruction is a custom call of this target.
inline bool calls_target(hlo_instruction i, std::string_view target) {
  const auto called = i && i.opcode() == hlo_opcode::custom_call ? get<custom_call_target>(i) : std::nullopt;
  return called && called->name == target;
}

/// Whether a target takes no time, since it is only a marker.
inline bool is_free_target(std::string_view target) {
  static constexpr std::string_view free[] = {"AllocateBuffer",
                                              "AssumeGatherIndicesInBound",
                                              "ConcatBitcast",
                                              "MoveToDevice",
                                              "MoveToHost",
                                              "Noop",
                                              "PrepareAsyncCallDone",
                                              "PrepareAsyncCallStart",
                                              "SPMDFullToShardShape",
                                              "SPMDShardToFullShape",
                                              "Sharding",
                                              "annotate_device_placement"};
  static_assert(std::is_sorted(std::begin(free), std::end(free)));
  return target.starts_with("xla.sdy.") || std::binary_search(std::begin(free), std::end(free), target);
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
  hlo_instruction of(hlo_computation c, auto number) const {
    const bool there = c && std::in_range<std::size_t>(number) && static_cast<std::size_t>(number) < count(c);
    const id found = there ? parameters_[first_[c.id()] + static_cast<std::size_t>(number)] : none;
    return found == none ? hlo_instruction{} : module_.instruction(found);
  }
  /// The parameter that stands for an operand inside of a fusion or of what an async-start runs; empty for others.
  hlo_instruction inside(hlo_instruction caller, std::size_t operand) const {
    const bool enters = caller.opcode() == hlo_opcode::fusion || caller.opcode() == hlo_opcode::async_start;
    return enters ? of(first_called(caller), operand) : hlo_instruction{};
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

}  // namespace hlolint
