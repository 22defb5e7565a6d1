// What XLA calls fragmentation: all allocations against the least a heap would need (buffer_dumps.md 9).
#pragma once

#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/values/may_share.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace hlolint {

/// The replay behind `total fragmentation` of XLA's statistics. It counts hand-offs inside alias sets twice and
/// constants not at all, so it is neither a bound nor a peak: it only reproduces XLA's own number.
class heap_replay {
 public:
  /// Precondition: both are of one program. `backend` decides which values may share storage.
  heap_replay(const hlo_module& module, const buffer_dump& dump, target backend = target::unknown) {
    const matched_values values(module, dump);
    for (const allocation& a : dump.allocations()) total_ = total_ ? checked_add(*total_, a.size) : std::nullopt;
    const may_share sharing(values.flow());
    run(values, sharing, backend);
  }

  /// The highest running sum, in bytes; nothing if sums do not fit into int64.
  optional<byte_count> least() const { return least_; }
  /// All allocations without that; nothing where XLA does not print the line.
  optional<byte_count> fragmentation() const {
    return total_ && least_ && *total_ >= *least_ ? optional(*total_ - *least_) : std::nullopt;
  }

 private:
  struct event {
    std::int64_t start = 0, end = 0;
    std::uint32_t value = 0;
  };

  void run(const matched_values& values, const may_share& sharing, target backend) {
    const dataflow& flow = values.flow();
    const alias_sets& sets = values.ranges().sets();
    record_list<event> starting;
    record_list<byte_count> size(flow.values().size());
    optional<byte_count> sum = 0;                  // no running sum is larger
    record_list<bool> held(flow.values().size());  // counted, and not yet let go or handed on
    for (std::size_t v = 0; v < flow.values().size(); ++v) {
      const auto& range = values.ranges().of(v);
      const auto assigned = values.assigned(v);
      if (!range || !assigned || flow.instruction(flow.values()[v]).opcode() == hlo_opcode::constant) continue;
      size[v] = values.dump().values()[*assigned].size;
      sum = sum ? checked_add(*sum, size[v]) : std::nullopt;
      starting.push_back({range->start, range->end, static_cast<std::uint32_t>(v)});
    }
    if (!sum) return;
    const auto by = [](auto key) { return [key](const event& a, const event& b) { return key(a) < key(b); }; };
    std::sort(starting.begin(), starting.end(), by([](const event& e) { return std::tuple(e.start, e.end, e.value); }));
    record_list<event> ending = starting;
    std::sort(ending.begin(), ending.end(), by([](const event& e) { return std::tuple(e.end, e.value); }));

    const auto alone = [&](std::size_t v) { return sets.values(sets.set_of(v)).size() == 1; };
    byte_count now = 0, most = 0;
    auto end = ending.begin();
    const auto let_go = [&](std::int64_t before) {
      for (; end != ending.end() && end->end < before; ++end)
        if (held[end->value]) now -= size[end->value], held[end->value] = false;
    };
    for (const event& e : starting) {
      let_go(e.start);
      if (alone(e.value)) {
        for (const hlo_instruction operand : flow.instruction(flow.values()[e.value]).operands()) {
          if (!operand) continue;
          optional<std::size_t> given;
          flow.for_each_at({operand.id(), 0}, [&](std::uint32_t w) {
            const bool dies = held[w] && alone(w) && values.ranges().of(w)->end == e.start &&
                              flow.values()[w].defined.instruction == operand.id();
            if (!given && dies && sharing.rule(w, e.value, backend) != sharing_rule::forbidden) given = w;
          });
          if (!given) continue;
          now -= size[*given], held[*given] = false;
          size[e.value] = std::max(size[e.value], size[*given]);
          break;
        }
      }
      now += size[e.value], held[e.value] = true;
      most = std::max(most, now);
    }
    least_ = most;
  }

  optional<byte_count> total_ = 0;
  optional<byte_count> least_;
};

}  // namespace hlolint
