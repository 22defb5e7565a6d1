// A buffer dump as records that a test can change one by one and print as XLA prints them: placed here for any module.
#pragma once

#include "analysis/module_of.hpp"

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/memory/printed_peak.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

struct written_value {
  std::int64_t id = 0;
  std::string instruction, index;  ///< `{1}`, where XLA prints one
  bool phi = false, parameter = false, array = false;
  std::int64_t color = 0;
  std::string shape;
  byte_count offset = 0, size = 0;
  std::size_t set = 0;                 ///< values of one alias set lie at one place
  std::optional<time_span> lives{};    ///< as computed; the printed list is `written_dump::ranges`
  std::vector<std::string> readers{};  ///< instructions
  std::string used;                    ///< the lines under `Used values:`, up to the uses
  std::string made_by;                 ///< and the last one

  std::string name() const { return instruction + index; }
  byte_count end() const { return offset + size; }
  std::string head() const {
    return "<" + std::to_string(id) + " " + name() + (phi ? " (phi)" : "") + " @" + std::to_string(color) + ">";
  }
};

struct written_allocation {
  byte_count size = 0;
  std::string flags;  ///< after size, color and page
  std::vector<written_value> values{};
  bool is_temp() const { return flags == ", preallocated-temp"; }
};

struct written_range {
  std::string instruction, index;
  time_span lives;
};

struct written_dump {
  std::vector<written_allocation> allocations{};
  byte_count total = 0;
  std::vector<std::string> sequence{};
  std::vector<written_range> ranges{};
  std::string peak{};

  written_dump() = default;
  /// Places the values of a module: what may share bytes in time does, operation after operation in place or not.
  written_dump(const std::string& hlo, target backend, bool combined);

  /// The parts of a dump: files of their own since 2026, or sections of one file (`combined`).
  std::string assignment_text(bool combined) const {
    std::string out = "BufferAssignment:\n";
    for (std::size_t n = 0; n < allocations.size(); ++n) {
      const written_allocation& a = allocations[n];
      out += "allocation " + std::to_string(n) + ": size " + std::to_string(a.size) + (combined ? "" : ", page 0") +
             a.flags + ":\n";
      for (const written_value& v : a.values)
        out += " value: " + v.head() + " (size=" + std::to_string(v.size) + ",offset=" + std::to_string(v.offset) +
               "): " + v.shape + "\n";
    }
    return out;
  }
  std::string values_text(bool combined) const {
    std::vector<const written_value*> all_values;
    for (const written_allocation& a : allocations)
      for (const written_value& v : a.values) all_values.push_back(&v);
    std::sort(all_values.begin(), all_values.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
    std::string out = "Total bytes used: " + std::to_string(total) + " (" + human(total) + ")\n\nUsed values:\n";
    for (const written_value* v : all_values)
      out += v->head() + "\n" + v->used + (v->readers.empty() && !combined ? "  (none)\n" : "") + v->made_by;
    return out;
  }
  std::string ranges_text() const {
    std::string out = "HloLiveRange (max " + std::to_string(sequence.size()) + "):\n  InstructionSequence:\n";
    for (std::size_t t = 0; t < sequence.size(); ++t) out += "    " + std::to_string(t) + ":" + sequence[t] + "\n";
    out += "  BufferLiveRange:\n";
    for (const written_range& r : ranges)
      out += "    " + r.instruction + (r.index.empty() ? "{}" : r.index) + ":" + std::to_string(r.lives.start) + "-" +
             std::to_string(r.lives.end) + "\n";
    return out + peak;
  }

  /// Calls `f(allocation, value)` for every value.
  template <class F>
  void for_each(F&& f) {
    for (written_allocation& a : allocations)
      for (written_value& v : a.values) f(a, v);
  }
  /// Gives all values of an alias set another place.
  void move(std::size_t set, byte_count offset) {
    for_each([&](written_allocation&, written_value& v) {
      if (v.set == set) v.offset = offset;
    });
  }
  void resize(std::size_t set, byte_count size) {
    for_each([&](written_allocation&, written_value& v) {
      if (v.set == set) v.size = size;
    });
  }
  void enlarge(std::size_t number, byte_count by) {
    allocations[number].size += by;
    total += by;
  }
};

namespace detail {

// A buffer to be placed: the values of one alias set.
struct placed_set {
  std::vector<std::uint32_t> values;
  byte_count size = 0, offset = 0;
  std::int64_t start = 0, end = 0;
};

// Whether `later` may take over the bytes of `earlier`, in which its only operand at that place ends.
inline bool hands_over(const live_ranges& ranges, const placed_set& earlier, const placed_set& later) {
  if (earlier.end != later.start || earlier.size != later.size) return false;
  const dataflow& flow = ranges.flow();
  const hlo_value& v = flow.values()[later.values.front()];
  const hlo_instruction by = flow.instruction(v);
  if (v.phi || !is_elementwise(by.opcode()) || by.is_root() || earlier.values.size() != 1) return false;
  const hlo_instruction from = flow.instruction(flow.values()[earlier.values.front()]);
  const shape* const a = by.shape();
  const shape* const b = from.shape();
  return a && b && *a == *b &&
         std::any_of(by.operands().begin(), by.operands().end(), [&](hlo_instruction i) { return i == from; });
}

}  // namespace detail

inline written_dump::written_dump(const std::string& hlo, target backend, bool combined) {
  const hlo_module module = module_of(hlo);
  const xla_rules rules(combined ? xla_rules::before_late_ranges : xla_rules::newest);
  const live_ranges computed(alias_sets(dataflow(module, rules)), {});
  const dataflow& flow = computed.flow();
  const named_values names(flow);
  const call_graph calls(module);
  const size_rule rule = backend == target::tpu ? size_rule::tpu_tiled : size_rule::plain;
  const byte_count alignment = backend == target::tpu ? 512 : 256;
  constexpr byte_count smallest = 4;

  for (const id at : computed.schedule().sequence())
    sequence.push_back(std::string(names.name_of(module.instruction(at))));

  const auto index_text = [&](hlo_position p) {
    return flow.tables().places.is_tuple(p.instruction, 0) ? to_string(flow.index(p)) : std::string{};
  };
  const auto name_at = [&](hlo_position p) {
    const std::string index = index_text(p);
    return std::string(names.name_of(module.instruction(p.instruction))) + (index.empty() ? "" : " " + index);
  };
  const auto own_size = [&](std::uint32_t v) {
    const shape* const part = flow.shape_of(flow.values()[v].defined);
    return part ? byte_size(*part, rule).value_or(smallest) : smallest;
  };
  const auto write = [&](written_allocation& into, std::uint32_t number, const detail::placed_set& place,
                         std::size_t set) {
    const hlo_value& v = flow.values()[number];
    const hlo_instruction maker = flow.instruction(v);
    const shape* const part = flow.shape_of(v.defined);
    written_value out;
    out.id = v.number;
    out.instruction = std::string(names.name_of(maker));
    out.index = index_text(v.defined);
    out.phi = v.phi;
    out.parameter = maker.opcode() == hlo_opcode::parameter;
    out.array = part->is_array() && !part->dimensions.empty();
    out.shape = to_string(*part);
    out.offset = place.offset;
    out.size = place.size;
    out.set = set;
    out.lives = computed.of(number);
    out.used = " positions:\n";
    for (const hlo_position p : flow.positions(v)) out.used += "  " + name_at(p) + "\n";
    out.used += " uses:\n";
    for (const hlo_use& use : flow.uses(v)) {
      const hlo_instruction user = module.instruction(use.user);
      const std::string index = index_text({user.operand(use.operand).id(), use.part});
      out.readers.push_back(std::string(names.name_of(user)));
      out.used += "  " + out.readers.back() + ", operand " + std::to_string(use.operand) +
                  (index.empty() ? "" : " " + index) + "\n";
    }
    std::string text(maker.text());
    if (text.rfind("ROOT ", 0) == 0) text.erase(0, 5);
    out.made_by = " from instruction: " + text + "\n";
    into.values.push_back(std::move(out));
  };

  // Values that the entry's root gives back.
  std::vector<bool> goes_out(flow.values().size());
  const hlo_instruction root = module.entry().root();
  for (std::uint32_t n = 0; n < flow.tables().places.count(root.id()); ++n)
    flow.for_each_at({root.id(), n}, [&](std::uint32_t v) { goes_out[v] = true; });

  written_allocation temp{0, ", preallocated-temp"};
  std::vector<std::pair<detail::placed_set, std::size_t>> temporary;
  for (std::uint32_t set = 0; set < computed.sets().size(); ++set) {
    detail::placed_set place;
    std::string flags, kind;
    bool out = false, ranged = false;
    for (const std::uint32_t v : computed.sets().values(set)) {
      const hlo_instruction maker = flow.instruction(flow.values()[v]);
      if (!flow.is_allocated(flow.values()[v])) continue;
      place.values.push_back(v);
      place.size = std::max(place.size, own_size(v));
      if (const auto span = computed.of(v)) {
        place.start = ranged ? std::min(place.start, span->start) : span->start;
        place.end = ranged ? std::max(place.end, span->end) : span->end;
        ranged = true;
      }
      if (maker.opcode() == hlo_opcode::parameter && maker.computation().is_entry())
        kind = ", parameter " + std::to_string(*maker.parameter_number()) + ", shape |" +
               to_string(*maker.shape(), {.layout = false}) + "| at ShapeIndex {}";
      else if (maker.opcode() == hlo_opcode::constant)
        kind = ", constant";
      else if (calls.execution_of(maker.computation()) == execution::embedded)
        kind = ", thread-local";
      if (goes_out[v]) out = true;
      if (goes_out[v] && flow.values()[v].defined == hlo_position{root.id(), 0})
        flags = ", output shape is |" + to_string(*root.shape(), {.layout = false}) + "|";
    }
    if (place.values.empty()) continue;
    if (kind.empty() && !out) {
      temporary.emplace_back(std::move(place), set);
      continue;
    }
    written_allocation& a = allocations.emplace_back();
    a.size = place.size;
    a.flags = kind + flags + (out ? ", maybe-live-out" : "");
    for (const std::uint32_t v : place.values) write(a, v, place, set);
  }

  // First come, first served, at the lowest offset.
  std::sort(temporary.begin(), temporary.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.start, a.second) < std::pair(b.first.start, b.second);
  });
  for (std::size_t i = 0; i < temporary.size(); ++i) {
    detail::placed_set& mine = temporary[i].first;
    const auto fits = [&](byte_count offset) {
      for (std::size_t k = 0; k < i; ++k) {
        const detail::placed_set& other = temporary[k].first;
        const bool apart = other.end < mine.start || mine.end < other.start || offset + mine.size <= other.offset ||
                           other.offset + other.size <= offset;
        if (!apart && !(offset == other.offset && detail::hands_over(computed, other, mine))) return false;
      }
      return true;
    };
    std::optional<byte_count> best;
    for (std::size_t k = 0; k <= i; ++k) {
      const detail::placed_set* const other = k < i ? &temporary[k].first : nullptr;
      for (const byte_count offset :
           {other ? other->offset : 0,
            other ? (other->offset + other->size + alignment - 1) / alignment * alignment : 0})
        if ((!best || offset < *best) && fits(offset)) best = offset;
    }
    mine.offset = *best;
    for (const std::uint32_t v : mine.values) write(temp, v, mine, temporary[i].second);
    temp.size = std::max(temp.size, mine.offset + mine.size);
  }
  if (!temp.values.empty()) allocations.push_back(std::move(temp));
  for (written_allocation& a : allocations) {
    std::sort(a.values.begin(), a.values.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
    total += a.size;
  }

  std::vector<std::pair<std::int64_t, written_range>> of_id;
  for_each([&](const written_allocation&, const written_value& v) {
    if (v.lives) of_id.push_back({v.id, {v.instruction, v.index, *v.lives}});
  });
  std::sort(of_id.begin(), of_id.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& entry : of_id) ranges.push_back(std::move(entry.second));

  const printed_peak found(computed);
  peak = "  Live ranges at " + std::to_string(found.position().value()) + " (peak):\n";
  for (const peak_entry& e : found.entries()) {
    const hlo_position p = flow.values()[e.value].defined;
    peak += "    " + std::string(names.name_of(module.instruction(p.instruction))) + to_string(flow.index(p)) + ": " +
            std::to_string(e.bytes) + " bytes (cumulative: " + std::to_string(e.cumulative) + " bytes)\n";
  }
}

}  // namespace hlolint::testing
