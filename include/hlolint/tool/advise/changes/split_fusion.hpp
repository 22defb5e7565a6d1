// Fusions with several results that need less memory as one fusion for each result (advise.md 13).
#pragma once

#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/tool/advise/changes/change_candidate.hpp>
#include <hlolint/tool/advise/changes/changed_text.hpp>
#include <hlolint/tool/advise/changes/program_change.hpp>
#include <hlolint/tool/advise/edited_module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// The part of a fusion that computes one of its results.
struct fusion_part {
  hlo_instruction element;             // the get-tuple-element that reads the result
  std::vector<hlo_instruction> inner;  // in text order, the result last
  std::vector<std::size_t> operands;   // numbers of the operands of the fusion that it reads, ascending
};

// Whether an operation may be computed several times: it always gives the same value, and never works in place.
inline bool may_repeat(hlo_instruction i) {
  using enum hlo_opcode;
  const hlo_opcode op = i.opcode();
  return opcode_set{parameter,     iota, broadcast,   reshape, bitcast, transpose, slice,
                    dynamic_slice, pad,  concatenate, reverse, gather,  reduce,    reduce_window}
             .has(op) ||
         (op != rng && is_elementwise(op));
}

// The parts of a fusion, one for each result; nothing if the fusion cannot be split, or if a split might change more
// than the memory.
inline std::optional<std::vector<fusion_part>> parts_of(hlo_instruction fusion, const module_tables& tables) {
  const shape* const results = fusion.shape();
  const auto kind = fusion.attribute(attribute_key::kind);
  if (fusion.opcode() != hlo_opcode::fusion || (kind != "kLoop" && kind != "kInput") || !results ||
      !results->is_tuple() || fusion.is_root() || fusion.operand_count() == 0 || fusion.called_computation_count() != 1)
    return std::nullopt;
  for (const hlo_attribute a : fusion.attributes())
    if (a.key != attribute_key::kind && a.key != attribute_key::calls && a.key != attribute_key::metadata &&
        a.key != attribute_key::backend_config)
      return std::nullopt;  // aliases, shardings and control edges belong to the whole fusion
  for (const hlo_instruction operand : fusion.operands())
    if (!operand) return std::nullopt;
  const auto config = fusion.attribute(attribute_key::backend_config);
  if (config && config->find("outer_dimension_partitions") != std::string_view::npos)
    return std::nullopt;  // this belongs to the whole fusion too
  const hlo_computation body = fusion.called_computation(0);
  if (!is_plain_body(body) || tables.calls.callers(body).size() != 1) return std::nullopt;
  const hlo_instruction root = body.root();
  if (root.opcode() != hlo_opcode::tuple || root.operand_count() != results->elements.size()) return std::nullopt;
  for (const hlo_instruction i : body.instructions())
    if (i != root && (!may_repeat(i) || !i.shape() || i.has(attribute_key::control_predecessors))) return std::nullopt;

  std::vector<fusion_part> out;
  std::set<std::size_t> seen;
  for (const instruction_use use : tables.all_users.of(fusion)) {
    const auto index = get_integer(use.user, attribute_key::index);
    if (use.user.opcode() != hlo_opcode::get_tuple_element || !index || *index < 0 || !use.user.shape() ||
        use.user.is_root() || use.user.is_synthesized() || use.user.has(attribute_key::control_predecessors))
      return std::nullopt;
    const auto n = static_cast<std::size_t>(*index);
    if (n >= root.operand_count() || !root.operand(n) || !results->elements[n].is_array() ||
        results->elements[n].memory_space() != 0 || root.operand(n).opcode() == hlo_opcode::parameter ||
        !seen.insert(n).second)
      return std::nullopt;
    std::vector<bool> needed(body.instruction_count());
    needed[root.operand(n).index_in_computation()] = true;
    fusion_part part;
    part.element = use.user;
    for (std::size_t k = body.instruction_count(); k-- > 0;) {
      const hlo_instruction i = body.instruction(k);
      if (!needed[k]) continue;
      part.inner.push_back(i);
      for (const hlo_instruction operand : i.operands()) {
        if (!operand || operand.index_in_computation() >= k) return std::nullopt;
        needed[operand.index_in_computation()] = true;
      }
      if (const auto number = i.parameter_number()) {
        if (*number < 0 || static_cast<std::size_t>(*number) >= fusion.operand_count()) return std::nullopt;
        part.operands.push_back(static_cast<std::size_t>(*number));
      }
    }
    std::reverse(part.inner.begin(), part.inner.end());
    std::sort(part.operands.begin(), part.operands.end());
    out.push_back(std::move(part));
  }
  return out.size() > 1 ? std::optional(std::move(out)) : std::nullopt;
}

// The text of the computation of one part. The first part keeps the old names.
inline std::string part_body(const fusion_part& part, const std::vector<std::size_t>& lines, bool has_old_names,
                             std::string_view name, new_names& names) {
  const hlo_computation body = part.inner.front().computation();
  const std::string_view whole = body.data().text.text();
  std::vector<std::string> renamed(body.instruction_count());
  typed_names types;
  std::string text;
  types.parameters.resize(part.operands.size());
  for (const hlo_instruction i : part.inner) {
    const std::size_t k = i.index_in_computation();
    renamed[k] = has_old_names ? std::string(i.name()) : names.make(i.name(), ".split");
    text_changes line(whole);
    line.replace(i.name(), renamed[k]);
    for (std::size_t n = 0; n < i.operand_count(); ++n)
      if (!line.set_operand(i, n, renamed[i.operand(n).index_in_computation()])) return {};
    if (const auto number = i.parameter_number()) {
      const auto at = std::lower_bound(part.operands.begin(), part.operands.end(), static_cast<std::size_t>(*number));
      const auto n = static_cast<std::size_t>(at - part.operands.begin());
      types.parameters[n] = {renamed[k], *i.shape()};
      line.replace(i.argument(), std::to_string(n));
    }
    if (i == part.inner.back()) line.insert(offset_of(i.name(), whole) - mark_of(i.name(), whole).size(), "ROOT ");
    text += line.apply(lines[k], lines[k + 1]);
  }
  types.result = *part.inner.back().shape();
  const std::string signature = body.signature().empty() ? "" : signature_text(types) + " ";
  return std::string(mark_of(body.name(), whole)).append(name).append(" ").append(signature) + "{\n" + text + "}";
}

}  // namespace detail

/// The whole file with a fusion replaced by one fusion for each result, in the order of `order`, which lists the names
/// of the get-tuple-elements. Each new fusion takes the name of its get-tuple-element. Nothing if the fusion cannot be
/// split.
inline std::optional<std::string> split_text(const edited_module& now, std::string_view computation,
                                             std::string_view name, const std::vector<std::string>& order) {
  const hlo_instruction fusion = find_instruction(now.module(), computation, name);
  const auto parts = fusion ? detail::parts_of(fusion, now.made->flow().tables()) : std::nullopt;
  const auto lines = parts ? detail::line_begins(fusion.computation()) : std::nullopt;
  if (!lines || parts->size() != order.size()) return std::nullopt;
  const hlo_computation body = fusion.called_computation(0);
  const auto inner_lines = detail::line_begins(body);
  if (!inner_lines) return std::nullopt;
  const std::string_view whole = now.module().text().text();
  detail::program_text text(whole);
  detail::new_names names(now.module());

  // The text after the operands is the same for each fusion, except for the name of the called computation.
  const std::string_view last = text.operand_text(fusion, fusion.operand_count() - 1);
  const std::size_t place = fusion.index_in_computation(), begin = (*lines)[place], end = (*lines)[place + 1];
  if (last.empty()) return std::nullopt;
  const std::size_t close = whole.find(')', detail::offset_of(last, whole) + last.size());
  const std::string_view calls = *fusion.attribute(attribute_key::calls);
  if (close == std::string_view::npos || close >= detail::offset_of(calls, whole)) return std::nullopt;
  const std::string indent(whole.substr(begin, whole.find_first_not_of(" \t", begin) - begin));

  std::string fusions, bodies;
  for (const std::string& result : order) {
    const auto part = std::find_if(parts->begin(), parts->end(),
                                   [&](const detail::fusion_part& p) { return p.element.name() == result; });
    if (part == parts->end()) return std::nullopt;
    const bool is_first = bodies.empty();
    const std::string called = is_first ? std::string(body.name()) : names.make(body.name(), ".split");
    const std::string inner = detail::part_body(*part, *inner_lines, is_first, called, names);
    if (inner.empty()) return std::nullopt;
    bodies += (is_first ? "" : "\n\n") + inner;
    fusions += indent + std::string(detail::mark_of(part->element.name(), whole)) + result + " = " +
               to_string(*part->element.shape()) + " fusion(";
    for (std::size_t k = 0; k < part->operands.size(); ++k) {
      const std::string_view operand = text.operand_text(fusion, part->operands[k]);
      if (operand.empty()) return std::nullopt;
      fusions.append(k == 0 ? "" : ", ").append(operand);
    }
    detail::text_changes rest(whole);
    rest.set_called(fusion, called);
    fusions += rest.apply(close, end);
  }
  text.replace(begin, end, std::move(fusions));
  for (const detail::fusion_part& part : *parts) {
    const std::size_t at = part.element.index_in_computation();
    text.replace((*lines)[at], (*lines)[at + 1], std::string());
  }
  const std::string_view old = now.module().data().written(body.record().text);
  text.replace(detail::offset_of(body.name(), whole) - detail::mark_of(body.name(), whole).size(),
               detail::offset_of(old, whole) + old.size(), std::move(bodies));
  return text.apply();
}

namespace detail {

// Orders the parts so that results can take the memory of operands that no later part reads: the next part is always
// the one that frees the most bytes.
class split_order {
 public:
  split_order(const edited_module& now, hlo_instruction fusion, std::vector<fusion_part> parts)
      : parts_(std::move(parts)), readers_(fusion.operand_count(), 0), freed_(fusion.operand_count(), 0) {
    const dataflow& flow = now.made->flow();
    const auto at = now.plan->schedule.position_of(fusion);
    for (std::size_t k = 0; k < fusion.operand_count(); ++k)
      flow.for_each_at({fusion.operand(k).id(), 0}, [&](std::uint32_t v) {
        const storage_set& set = now.made->storage()[now.made->sets().set_of(v)];
        if (set.kind == storage_kind::shared && !set.lives_out && at && now.plan->ranges[v].end <= *at)
          freed_[k] = set.size;
      });
    for (const fusion_part& p : parts_)
      for (const std::size_t k : p.operands) ++readers_[k];
  }

  std::vector<std::string> run() && {
    std::vector<std::string> out;
    while (!parts_.empty()) {
      const auto best = std::max_element(parts_.begin(), parts_.end(), [&](const fusion_part& a, const fusion_part& b) {
        return frees(a) < frees(b);
      });
      for (const std::size_t k : best->operands) --readers_[k];
      out.emplace_back(best->element.name());
      parts_.erase(best);
    }
    return out;
  }

 private:
  byte_count frees(const fusion_part& p) const {
    checked_int64 sum = 0;
    for (const std::size_t k : p.operands)
      if (readers_[k] == 1) sum += freed_[k];
    return sum.clamped();
  }

  std::vector<fusion_part> parts_;
  std::vector<std::size_t> readers_;
  std::vector<byte_count> freed_;
};

// Counts the operations and the bytes of operands that several parts of a fusion repeat.
inline void count_repeated(const std::vector<fusion_part>& parts, hlo_instruction fusion, size_rule rule,
                           program_change& out) {
  std::vector<std::size_t> computed(fusion.called_computation(0).instruction_count(), 0);
  std::vector<std::size_t> read(fusion.operand_count(), 0);
  for (const fusion_part& p : parts) {
    for (const hlo_instruction i : p.inner) ++computed[i.index_in_computation()];
    for (const std::size_t k : p.operands) ++read[k];
  }
  for (const hlo_instruction i : fusion.called_computation(0).instructions())
    out.repeated += computed[i.index_in_computation()] > 1 && i.opcode() != hlo_opcode::parameter &&
                    i.opcode() != hlo_opcode::constant && i.opcode() != hlo_opcode::bitcast;
  checked_int64 again = 0;
  for (std::size_t k = 0; k < read.size(); ++k)
    if (const shape* const s = fusion.operand(k).shape(); s && read[k] > 1)
      again += checked_int64(byte_size(*s, rule).value_or(0)) * static_cast<std::int64_t>(read[k] - 1);
  out.read_again = again.clamped();
}

}  // namespace detail

/// Fusions at the peak that can be split and have at least `least` bytes of results, the largest first.
inline std::vector<change_candidate> split_candidates(const edited_module& now, byte_count least) {
  const live_profile live = now.live->evaluate(now.plan->schedule, {}, true);
  const auto is_high = [](const std::vector<byte_count>& bytes, std::int64_t at) {
    const byte_count most = *std::max_element(bytes.begin(), bytes.end());
    return static_cast<double>(bytes[static_cast<std::size_t>(at)]) >= 0.97 * static_cast<double>(most);
  };
  const memory_moves moves(*now.made, *now.rules, *now.live);
  const module_tables& tables = now.made->flow().tables();
  std::vector<change_candidate> out;
  if (is_tiled(now.made->rules().sizes)) return out;
  for (const hlo_instruction i : now.module().instructions()) {
    if (i.opcode() != hlo_opcode::fusion || !i.shape() || !i.shape()->is_tuple() || now.rules->is_effect(i.id()) ||
        !moves.is_editable(i.computation()))
      continue;
    const auto at = now.plan->schedule.position_of(i);
    if (!at || !(is_high(live.live, *at) || is_high(live.occupied, *at))) continue;
    auto parts = detail::parts_of(i, tables);
    if (!parts) continue;
    const size_rule sizes = now.made->rules().sizes;
    program_change change = change_of(change_kind::split, i, i, *i.shape(), *i.shape(), sizes);
    if (change.bytes < least) continue;
    detail::count_repeated(*parts, i, sizes, change);
    change.parts = detail::split_order(now, i, std::move(*parts)).run();
    out.push_back({change, [change](const edited_module& state) {
                     return split_text(state, change.computation, change.instruction, change.parts);
                   }});
  }
  sort_by_size(out);
  return out;
}

}  // namespace hlolint::advise
