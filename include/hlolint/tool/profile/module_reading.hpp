// Counts the operations and collectives of a module, for both kinds of devices.
#pragma once

#include <hlolint/text/integer.hpp>
#include <hlolint/tool/profile/collective_names.hpp>
#include <hlolint/tool/profile/events.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/profile/program_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::profiles {

/// The most events that are kept of the run that is drawn.
inline constexpr std::size_t most_events = 100'000;

/// The parts of `jit_f(12)`: the name of a module and a program id.
struct module_name {
  std::string name;                      ///< without the program id
  std::optional<std::uint64_t> program;  ///< nothing if there is none
};
inline module_name module_name_of(std::string_view text) {
  const std::size_t open = text.rfind('(');
  if (open != text.npos && text.ends_with(')'))
    if (const auto id = integer_in<std::uint64_t>(text.substr(open + 1, text.size() - open - 2)))
      return {std::string(text.substr(0, open)), id};
  return {std::string(text), std::nullopt};
}

/// Counts one module.
class module_counter {
 public:
  /// The operation and the collective to which the events of a key are added.
  struct slot {
    std::uint32_t operation = 0;   ///< position in `module.operations`
    std::int32_t collective = -1;  ///< position in `module.collectives`, or -1
    bool starts = false;           ///< an asynchronous start
    bool is_asynchronous = false;  ///< a start or a done
    bool waits = false;            ///< waits for a copy or the host
  };

  profile_module module;  ///< the result

  module_counter(module_name name, program_table& programs) {
    module.name = std::move(name.name), module.program_id = name.program;
    names_ = programs.find(module.program_id, module.name);
  }

  /// The slot of a key; made at its first use. `by_kernel` is true for a GPU: the name of the event is that of a
  /// kernel.
  const slot& slot_of(std::uint32_t key, const event_key& of, bool by_kernel) {
    const auto [found, added] = slots_.try_emplace(key);
    slot& s = found->second;
    if (!added) return s;
    const auto [place, is_new] =
        by_name_.try_emplace(of.operation, static_cast<std::uint32_t>(module.operations.size()));
    s.operation = place->second;
    const std::string kind = kind_of(of.operation, by_kernel ? std::string_view() : of.category,
                                     by_kernel ? std::string_view(of.name) : std::string_view());
    if (is_new) {
      profile_operation& op = module.operations.emplace_back();
      op.instruction = of.operation, op.category = of.category, op.collective = kind;
      op.scope = of.scope, op.source = of.source, op.flops = of.flops, op.bytes = of.bytes;
    }
    const std::string_view opcode = names_ ? names_->opcode_of(of.operation) : std::string_view(of.operation);
    const std::string_view short_name = without_number(of.operation);
    const auto has = [&](std::string_view word) {
      return opcode.find(word) != opcode.npos || short_name.find(word) != short_name.npos;
    };
    s.starts = has("-start"), s.is_asynchronous = s.starts || has("-done");
    if (!kind.empty()) s.collective = collective(kind);
    s.waits = kind.empty() && (waits_for_copy(names_ ? opcode : short_name) || waits_for_copy(of.category));
    return s;
  }

  /// The place of a kind in `module.collectives`.
  std::int32_t collective(const std::string& kind) {
    for (std::size_t i = 0; i < module.collectives.size(); ++i)
      if (module.collectives[i].kind == kind) return static_cast<std::int32_t>(i);
    module.collectives.push_back({kind, 0, 0, 0});
    return static_cast<std::int32_t>(module.collectives.size() - 1);
  }

  /// Adds one execution.
  void count(const slot& s, picoseconds time) {
    profile_operation& op = module.operations[s.operation];
    op.least = op.count == 0 ? time : std::min(op.least, time);
    ++op.count, op.total += time;
  }

  /// The collective of an operation; empty if it is none.
  std::string kind_of(std::string_view operation, std::string_view category, std::string_view kernel) const {
    if (names_) {
      if (const std::string_view kind = names_->collective_of(operation); !kind.empty()) return std::string(kind);
      if (names_->has(operation)) return {};
    }
    return collective_by_names(operation, category, kernel);
  }

  /// Chooses the run to draw: its length is nearest to the median.
  void choose_run() {
    const double middle = module.median();
    const auto away = [&](std::size_t i) { return std::abs(static_cast<double>(module.runs[i].length()) - middle); };
    for (std::size_t i = 0; i < module.runs.size(); ++i)
      if (away(i) < away(module.events_of_run)) module.events_of_run = i;
  }
  /// Keeps an event if it is of the run to draw.
  void draw(std::size_t run, std::uint32_t operation, std::uint32_t lane, const timed_event& e) {
    if (run != module.events_of_run || module.events.size() >= most_events) return;
    module.events.push_back({operation, lane, e.start - module.runs[run].start, e.length});
  }

  /// Sorts the operations by time, longest first.
  void finish() {
    std::vector<std::uint32_t> order(module.operations.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return module.operations[a].total > module.operations[b].total;
    });
    std::vector<std::uint32_t> place(order.size());
    std::vector<profile_operation> sorted;
    sorted.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[order[i]] = static_cast<std::uint32_t>(i);
      sorted.push_back(std::move(module.operations[order[i]]));
    }
    module.operations = std::move(sorted);
    for (profile_event& e : module.events) e.operation = place[e.operation];
    for (const profile_run& r : module.runs) module.idle += r.idle;
  }

 private:
  const program_names* names_ = nullptr;
  std::unordered_map<std::uint32_t, slot> slots_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
};

/// Sets the time before each run in which no module ran.
inline void add_outside(std::vector<module_counter>& modules) {
  std::vector<profile_run*> all;
  for (module_counter& m : modules)
    for (profile_run& r : m.module.runs) all.push_back(&r);
  std::stable_sort(all.begin(), all.end(),
                   [](const profile_run* a, const profile_run* b) { return a->start < b->start; });
  for (std::size_t i = 1, last = 0; i < all.size(); ++i) {
    all[i]->outside = std::max<picoseconds>(0, all[i]->start - all[last]->end);
    if (all[i]->end > all[last]->end) last = i;
  }
}

/// Moves the modules into a device, sorted by time, longest first.
inline void put_modules(std::vector<module_counter>& from, profile_device& to) {
  add_outside(from);
  for (module_counter& m : from) {
    m.finish();
    to.modules.push_back(std::move(m.module));
  }
  std::stable_sort(to.modules.begin(), to.modules.end(),
                   [](const profile_module& a, const profile_module& b) { return a.total() > b.total(); });
}

}  // namespace hlolint::profiles
