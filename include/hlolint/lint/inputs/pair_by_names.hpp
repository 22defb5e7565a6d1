// Pairs HLO and buffer dumps by names of instructions, if names of files do not pair them.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/lint/inputs/element_names.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hlolint::detail {

// A module in a file.
struct hlo_unit {
  std::size_t file;
  hlo_module module;
  bool taken = false;
};

// Buffer files of one stem.
struct buffer_unit {
  std::vector<std::size_t> files;
  std::vector<buffer_dump> parts;
  std::optional<std::size_t> partner;   // position of a hlo_unit
  std::optional<std::size_t> unpaired;  // of one that fits by its instructions, but has the name of another module
};

// The names of instructions in a buffer dump.
inline std::unordered_set<std::string_view> names_in_dump(const buffer_dump& dump) {
  std::unordered_set<std::string_view> names;
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

// Finds the module with at least 90 % of a dump's names, counting those of get-tuple-elements in the short form, which
// only the dump has.
class name_index {
 public:
  explicit name_index(const std::vector<hlo_unit>& hlo) : hlo_(hlo) {
    for (std::size_t i = 0; i < hlo.size(); ++i) {
      bool is_short = false;
      for (const hlo_instruction instruction : hlo[i].module.instructions()) {
        is_short = is_short || instruction.is_short_element();
        std::vector<std::size_t>& in = modules_[instruction.name()];
        if (in.empty() || in.back() != i) in.push_back(i);
      }
      is_short_.push_back(is_short);
    }
  }

  // The only module that `may` fit and does; nothing if none or several do. `names`: those in the dump.
  template <class May>
  std::optional<std::size_t> find(const buffer_dump& dump, const std::unordered_set<std::string_view>& names,
                                  May&& may) {
    // A fitting module has at least one of any set of more than a tenth of the names, so only the rarest names are
    // looked up. Those that no text has are get-tuple-elements in the short form, if any module fits.
    std::vector<const std::vector<std::size_t>*> found;
    for (const std::string_view name : names)
      if (const auto at = modules_.find(name); at != modules_.end()) found.push_back(&at->second);
    const std::size_t telling = names.size() / 10 + 1;
    if (found.empty()) return std::nullopt;
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(telling, found.size()) - 1),
                     found.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
    std::vector<std::size_t> candidates;
    for (std::size_t k = 0; k < std::min(telling, found.size()); ++k) {
      if (!afford(found[k]->size())) return std::nullopt;
      candidates.insert(candidates.end(), found[k]->begin(), found[k]->end());
    }
    sort_unique(candidates);
    std::optional<std::size_t> fitting;
    for (const std::size_t candidate : candidates) {
      if (!may(candidate)) continue;
      if (!afford(names.size())) return std::nullopt;
      const auto has = [&](const auto* in) { return std::binary_search(in->begin(), in->end(), candidate); };
      auto count = static_cast<std::size_t>(std::count_if(found.begin(), found.end(), has));
      if (count * 10 < names.size() * 9 && is_short_[candidate]) {
        const hlo_module& text = hlo_[candidate].module;
        if (!afford(text.instruction_count() + names.size())) return std::nullopt;
        const hlo_module named = with_element_names(text, dump);
        count = static_cast<std::size_t>(std::count_if(named.instructions().begin(), named.instructions().end(),
                                                       [&](hlo_instruction i) { return names.contains(i.name()); }));
      }
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

  const std::vector<hlo_unit>& hlo_;
  std::vector<bool> is_short_;                                              // by module
  std::unordered_map<std::string_view, std::vector<std::size_t>> modules_;  // by name, in order
  std::size_t left_ = 50'000'000;
};

// Pairs the remaining dumps: at least 90 % of a dump's instruction names are in one HLO, and in no other.
// `of_one_module`: whether the names of files allow it.
template <class OfOneModule>
void pair_by_names(std::vector<hlo_unit>& hlo, std::vector<buffer_unit>& buffers, OfOneModule&& of_one_module) {
  const auto lonely = [](const buffer_unit& b) { return !b.partner; };
  const auto free = [](const hlo_unit& h) { return !h.taken; };
  if (std::none_of(buffers.begin(), buffers.end(), lonely) || std::none_of(hlo.begin(), hlo.end(), free)) return;
  name_index index(hlo);
  std::vector<std::optional<buffer_dump>> given(hlo.size());
  for (buffer_unit& unit : buffers) {
    if (unit.partner) continue;
    const buffer_dump whole = join(unit.parts);
    const std::unordered_set<std::string_view> names = names_in_dump(whole);
    const std::optional<std::size_t> i =
        index.find(whole, names, [&](std::size_t module) { return of_one_module(hlo[module], unit); });
    if (!i) unit.unpaired = index.find(whole, names, [&](std::size_t module) { return !hlo[module].taken; });
    if (!i || (hlo[*i].taken && (!given[*i] || same_sections(*given[*i], whole)))) continue;
    given[*i] = given[*i] ? join({*given[*i], whole}) : whole;
    hlo[*i].taken = true;
    unit.partner = *i;
  }
}

}  // namespace hlolint::detail
