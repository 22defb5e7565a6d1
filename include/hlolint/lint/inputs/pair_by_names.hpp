// Pairs HLO and buffer dumps by names of instructions, if names of files do not pair them.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/hash_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlolint::detail {

// A module in a file.
struct hlo_unit {
  std::size_t file;
  hlo_module module;
  bool taken = false;
};

// Buffer files of one stem.
struct buffer_unit {
  record_list<std::size_t> files;
  record_list<buffer_dump> parts;
  optional<std::size_t> partner;  // position of a hlo_unit
};

// The names of instructions in a buffer dump.
inline hash_set<std::string_view> names_in_dump(const buffer_dump& dump) {
  hash_set<std::string_view> names;
  for (const assigned_value& v : dump.values()) names.insert(v.name.instruction);
  for (const used_value& v : dump.used_values()) names.insert(v.name.instruction);
  if (const live_range_block* block = dump.live_ranges()) names.insert(block->sequence.begin(), block->sequence.end());
  return names;
}

// Whether both have a section that a joined dump can hold only once.
inline bool same_sections(const buffer_dump& a, const buffer_dump& b) {
  return (a.has_assignment() && b.has_assignment()) || (a.has_used_values() && b.has_used_values()) ||
         (a.live_ranges() && b.live_ranges());
}

// Finds the module with at least 90 % of a dump's names.
class name_index {
 public:
  explicit name_index(const record_list<hlo_unit>& hlo) {
    for (std::size_t i = 0; i < hlo.size(); ++i)
      for (const hlo_instruction instruction : hlo[i].module.instructions()) {
        record_list<std::size_t>& in = modules_[instruction.name()];
        if (in.empty() || in.back() != i) in.push_back(i);
      }
  }

  // The only module that fits; nothing if none or several do.
  optional<std::size_t> find(const hash_set<std::string_view>& names) {
    // A fitting module has at least one of any set of more than a tenth of the names, so only the rarest names are
    // looked up.
    record_list<const record_list<std::size_t>*> found;
    for (const std::string_view name : names) {
      const auto at = modules_.find(name);
      found.push_back(at == modules_.end() ? &nowhere_ : &at->second);
    }
    const std::size_t telling = names.size() / 10 + 1;
    if (names.empty()) return std::nullopt;
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(telling, found.size()) - 1),
                     found.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
    record_list<std::size_t> candidates;
    for (std::size_t k = 0; k < std::min(telling, found.size()); ++k) {
      if (!afford(found[k]->size())) return std::nullopt;
      candidates.insert(candidates.end(), found[k]->begin(), found[k]->end());
    }
    sort_records(candidates);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    optional<std::size_t> fitting;
    for (const std::size_t candidate : candidates) {
      if (!afford(names.size())) return std::nullopt;
      const auto has = [&](const auto* in) { return std::binary_search(in->begin(), in->end(), candidate); };
      const auto count = static_cast<std::size_t>(std::count_if(found.begin(), found.end(), has));
      if (count * 10 < names.size() * 9) continue;
      if (fitting) return std::nullopt;
      fitting = candidate;
    }
    return fitting;
  }

 private:
  // A limit for thousands of dumps that nearly fit thousands of modules.
  bool afford(std::size_t cost) {
    if (cost > left_) return false;
    left_ -= cost;
    return true;
  }

  hash_map<std::string_view, record_list<std::size_t>> modules_;  // by name, in order
  const record_list<std::size_t> nowhere_;
  std::size_t left_ = 50'000'000;
};

// Pairs the remaining dumps: at least 90 % of a dump's instruction names are in one HLO, and in no other.
// `of_one_module`: whether the names of files allow it.
template <class OfOneModule>
void pair_by_names(record_list<hlo_unit>& hlo, record_list<buffer_unit>& buffers, OfOneModule&& of_one_module) {
  const auto lonely = [](const buffer_unit& b) { return !b.partner; };
  const auto free = [](const hlo_unit& h) { return !h.taken; };
  if (std::none_of(buffers.begin(), buffers.end(), lonely) || std::none_of(hlo.begin(), hlo.end(), free)) return;
  name_index index(hlo);
  record_list<optional<buffer_dump>> given(hlo.size());
  for (buffer_unit& unit : buffers) {
    if (unit.partner) continue;
    const buffer_dump whole = join(unit.parts);
    const optional<std::size_t> i = index.find(names_in_dump(whole));
    if (!i || !of_one_module(hlo[*i], unit) || (hlo[*i].taken && (!given[*i] || same_sections(*given[*i], whole))))
      continue;
    given[*i] = given[*i] ? join({*given[*i], whole}) : whole;
    hlo[*i].taken = true;
    unit.partner = *i;
  }
}

}  // namespace hlolint::detail
