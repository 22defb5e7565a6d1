// Source-target pairs of collective-permute, send and recv: who sends to whom (scheduling.md 2).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace hlolint {

using device_pair = std::pair<std::int64_t, std::int64_t>;  ///< source and target

/// A device that stands in more pairs, as source or as target, than it may.
struct repeated_device {
  std::int64_t device = 0;  ///< its number
  bool as_source = false;  ///< else as target
  friend bool operator==(const repeated_device&, const repeated_device&) = default;
};

/// The first device that is source, or target, of more than `allowed` pairs.
inline optional<repeated_device> find_repeated_device(const record_list<device_pair>& pairs, std::size_t allowed = 1) {
  std::map<std::int64_t, std::size_t> sources, targets;
  for (const auto& [source, target] : pairs) {
    if (++sources[source] > allowed) return repeated_device{source, true};
    if (++targets[target] > allowed) return repeated_device{target, false};
  }
  return std::nullopt;
}

/// Whether following pairs from source to target leads back to where it began; a pair of a device with itself does.
inline bool has_cycle(const record_list<device_pair>& pairs) {
  // Devices that receive nothing are taken away with what they send, until only cycles are left.
  std::map<std::int64_t, std::size_t> incoming;
  std::multimap<std::int64_t, std::int64_t> edges(pairs.begin(), pairs.end());
  for (const auto& [source, target] : pairs) incoming[source], ++incoming[target];
  record_list<std::int64_t> open;
  for (const auto& [device, count] : incoming)
    if (count == 0) open.push_back(device);
  std::size_t removed = 0;
  while (!open.empty()) {
    const std::int64_t device = open.back();
    open.pop_back();
    ++removed;
    for (auto [at, last] = edges.equal_range(device); at != last; ++at)
      if (--incoming[at->second] == 0) open.push_back(at->second);
  }
  return removed != incoming.size();
}

/// The sets of devices that pairs connect, each sorted, the smallest device's first. Devices in no pair are in no set.
inline record_list<record_list<std::int64_t>> connected_devices(const record_list<device_pair>& pairs) {
  std::map<std::int64_t, std::size_t> set_of;
  record_list<record_list<std::int64_t>> sets;
  for (const auto& [source, target] : pairs) {
    const auto a = set_of.find(source), b = set_of.find(target);
    if (a == set_of.end() && b == set_of.end()) {
      set_of[source] = set_of[target] = sets.size();
      sets.push_back({source});
      if (target != source) sets.back().push_back(target);
    } else if (a == set_of.end() || b == set_of.end()) {
      const std::size_t set = a == set_of.end() ? b->second : a->second;
      const std::int64_t added = a == set_of.end() ? source : target;
      set_of[added] = set;
      sets[set].push_back(added);
    } else if (a->second != b->second) {
      std::size_t into = a->second, from = b->second;
      if (sets[into].size() < sets[from].size()) std::swap(into, from);
      for (const std::int64_t device : sets[from]) set_of[device] = into;
      sets[into].insert(sets[into].end(), sets[from].begin(), sets[from].end());
      sets[from].clear();
    }
  }
  sets.erase(std::remove_if(sets.begin(), sets.end(), [](const auto& set) { return set.empty(); }), sets.end());
  for (auto& set : sets) std::sort(set.begin(), set.end());
  std::sort(sets.begin(), sets.end());
  return sets;
}

/// The pairs of a send or recv, from `_xla_send_recv_source_target_pairs`.
inline optional<source_target_pairs> send_recv_pairs(hlo_instruction transfer) {
  const auto attributes = get<frontend_attributes>(transfer);
  const std::string* const text = attributes ? attributes->find("_xla_send_recv_source_target_pairs") : nullptr;
  return text ? value_from_text<source_target_pairs>(*text) : std::nullopt;
}

/// Whether a send or recv belongs to a pipelined loop: its other half may stand before, in or after the loop.
inline bool is_pipelined_send_recv(hlo_instruction transfer) {
  const auto attributes = get<frontend_attributes>(transfer);
  return attributes && attributes->find("_xla_send_recv_pipeline");
}

/// `{{0,1},{1,0}}`; no more than `most` pairs.
inline std::string pairs_text(const record_list<device_pair>& pairs, std::size_t most = 8) {
  std::string out = "{";
  for (std::size_t i = 0; i < pairs.size() && i < most; ++i)
    out += (i ? ",{" : "{") + std::to_string(pairs[i].first) + ',' + std::to_string(pairs[i].second) + '}';
  return out + (pairs.size() > most ? ",...}" : "}");
}

}  // namespace hlolint
