// Compares every value of every section of a buffer dump with the one computed from the HLO.
#pragma once

#include <hlolint/analysis/buffers/assignment_comparison.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/memory/printed_peak.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// The sections of a buffer dump that are verified.
enum class verified_section : std::uint8_t { sizes, sequence, values, positions, uses, live_ranges, peak };

/// All sections, in the order of reports.
inline constexpr std::array verified_sections{
    verified_section::sizes, verified_section::sequence,    verified_section::values, verified_section::positions,
    verified_section::uses,  verified_section::live_ranges, verified_section::peak};

/// The name in reports: `sizes`, `live_ranges`.
constexpr std::string_view name_of(verified_section section) {
  constexpr std::string_view names[] = {"sizes", "sequence", "values", "positions", "uses", "live_ranges", "peak"};
  return names[static_cast<std::size_t>(section)];
}

/// Compares all sections of a dump. Values match by name and index, never by id.
class verification {
 public:
  /// Precondition: both are of one program.
  verification(const hlo_module& module, const buffer_dump& dump)
      : dump_(dump), ranges_(module, dump_), names_(ranges_.flow()) {
    if (dump_.has_assignment()) verify_sizes();
    if (dump_.has_used_values()) {
      verify_values();
      verify_positions();
      verify_uses();
    }
    if (const live_range_block* const block = dump_.live_ranges()) {
      verify_sequence(*block);
      verify_ranges(*block);
      if (block->peak_known) verify_peak(*block);
    }
  }
  verification(const verification&) = delete;
  verification& operator=(const verification&) = delete;

  /// The result for a section; null if the dump has none.
  const agreement* section(verified_section which) const {
    const auto& found = sections_[static_cast<std::size_t>(which)];
    return found ? &*found : nullptr;
  }
  /// Whether no section has a difference.
  bool all_equal() const {
    return std::ranges::all_of(sections_, [](const auto& s) { return !s || s->equal == s->total; });
  }

 private:
  agreement& open(verified_section which) { return sections_[static_cast<std::size_t>(which)].emplace(); }
  const dataflow& flow() const { return ranges_.flow(); }

  /// Counts an entry; `describe()` gives the disagreement.
  static void count(agreement& in, bool equal, auto&& describe) {
    ++in.total;
    in.equal += equal;
    if (!equal && in.first.size() < agreement::most_listed) in.first.push_back(describe());
  }
  std::optional<std::size_t> find(const value_name& name) const { return names_.value(name.instruction, name.at()); }

  // The size may include the `M(n)` prefix of a TPU array or not, as in `size_agrees`.
  void verify_sizes() {
    agreement& in = open(verified_section::sizes);
    const size_rule rule = choose_size_rule(dump_);
    struct set_size {
      std::optional<byte_count> with_prefix = 0, without = 0;
    };
    std::vector<set_size> sizes(ranges_.sets().size());
    for (std::size_t v = 0; v < flow().values().size(); ++v) {
      set_size& set = sizes[ranges_.sets().set_of(v)];
      const shape* const part = flow().shape_of(flow().values()[v].defined);
      const auto own = part ? byte_size(*part, rule) : std::nullopt;
      if (!own || !set.with_prefix) {
        set.with_prefix = std::nullopt;
        continue;
      }
      const byte_count prefix = is_tiled(rule) && part->layout ? part->layout->dynamic_shape_metadata_prefix_bytes : 0;
      set.with_prefix = std::max(*set.with_prefix, *own);
      set.without = std::max(*set.without, (checked_int64(*own) - prefix).clamped());
    }
    for (const assigned_value& printed : dump_.values()) {
      const auto v = find(printed.name);
      const set_size size = v ? sizes[ranges_.sets().set_of(*v)] : set_size{};
      if (v && !size.with_prefix) {
        ++in.unknown;
        continue;
      }
      const bool empty_table = is_empty_table(printed, dump_.shape(printed), rule);
      count(in, v && (printed.size == *size.with_prefix || printed.size == *size.without || empty_table), [&] {
        return disagreement{to_string(printed.name), std::to_string(printed.size),
                            v ? std::to_string(*size.with_prefix) : std::string{}, dump_.where(printed.text)};
      });
    }
  }

  void verify_values() {
    agreement& in = open(verified_section::values);
    const auto kind = [](bool phi) { return std::string(phi ? "a phi value" : "a value"); };
    std::vector<bool> seen(flow().values().size());
    for (const used_value& printed : dump_.used_values()) {
      const auto v = find(printed.name);
      const bool there = v && flow().is_allocated(flow().values()[*v]);
      if (v) seen[*v] = true;
      count(in, there && flow().values()[*v].phi == printed.name.phi, [&] {
        return disagreement{to_string(printed.name), kind(printed.name.phi),
                            there ? kind(flow().values()[*v].phi) : std::string{}, dump_.where(printed.text)};
      });
    }
    for (std::size_t v = 0; v < seen.size(); ++v) {
      const hlo_value& value = flow().values()[v];
      if (!seen[v] && flow().is_allocated(value))
        count(in, false, [&] {
          return disagreement{names_.text_of(value), {}, kind(value.phi), dump_.where(dump_.total_text())};
        });
    }
  }

  /// Compares two lists as sets; `text` makes an entry readable.
  template <class Entry, class Text>
  void count_lists(agreement& in, const used_value& of, std::vector<Entry> printed, std::vector<Entry> computed,
                   Text&& text) const {
    for (auto* const list : {&printed, &computed}) sort_unique(*list);
    count(in, printed == computed, [&] {
      const auto only = [&](const std::vector<Entry>& a, const std::vector<Entry>& b) {
        std::vector<Entry> left;
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
        std::string out;
        for (const Entry& entry : left) out += (out.empty() ? "" : "; ") + text(entry);
        return out;
      };
      return disagreement{to_string(of.name), only(printed, computed), only(computed, printed), dump_.where(of.text)};
    });
  }

  static std::string text_of(std::string_view instruction, const std::optional<shape_index>& index) {
    return std::string(instruction) + (index ? " " + to_string(*index) : std::string{});
  }

  void verify_positions() {
    using entry = std::pair<std::string_view, std::optional<shape_index>>;
    agreement& in = open(verified_section::positions);
    for (const used_value& value : dump_.used_values()) {
      std::vector<entry> printed, computed;
      for (const value_position& p : dump_.positions(value)) printed.emplace_back(p.instruction, p.index);
      if (const auto v = find(value.name))
        for (const hlo_position p : flow().positions(flow().values()[*v]))
          computed.emplace_back(names_.name_of(p.instruction), names_.printed_index(p));
      count_lists(in, value, std::move(printed), std::move(computed),
                  [](const entry& e) { return text_of(e.first, e.second); });
    }
  }

  void verify_uses() {
    using entry = std::tuple<std::string_view, std::int64_t, std::optional<shape_index>>;
    agreement& in = open(verified_section::uses);
    for (const used_value& value : dump_.used_values()) {
      if (!value.uses_known) {
        ++in.unknown;
        continue;
      }
      std::vector<entry> printed, computed;
      for (const value_use& u : dump_.uses(value)) printed.emplace_back(u.instruction, u.operand, u.index);
      if (const auto v = find(value.name))
        for (const hlo_use& u : flow().uses(flow().values()[*v])) {
          const id operand = flow().module().instruction(u.user).operand(u.operand).id();
          computed.emplace_back(names_.name_of(u.user), u.operand, names_.printed_index({operand, u.part}));
        }
      count_lists(in, value, std::move(printed), std::move(computed), [](const entry& e) {
        return text_of(std::string(std::get<0>(e)) + ", operand " + std::to_string(std::get<1>(e)), std::get<2>(e));
      });
    }
  }

  void verify_sequence(const live_range_block& block) {
    agreement& in = open(verified_section::sequence);
    const std::vector<id>& sequence = ranges_.schedule().sequence();
    for (std::size_t t = 0; t < std::max(block.sequence.size(), sequence.size()); ++t) {
      const std::string_view printed = t < block.sequence.size() ? block.sequence[t] : std::string_view{};
      const std::string_view computed = t < sequence.size() ? names_.name_of(sequence[t]) : std::string_view{};
      count(in, printed == computed, [&] {
        return disagreement{"position " + std::to_string(t), std::string(printed), std::string(computed),
                            dump_.where(printed.empty() ? block.text : printed)};
      });
    }
  }

  void verify_ranges(const live_range_block& block) {
    agreement& in = open(verified_section::live_ranges);
    const auto text = [](std::int64_t start, std::int64_t end) {
      return std::to_string(start) + "-" + std::to_string(end);
    };
    std::vector<bool> seen(flow().values().size());
    for (const live_range& printed : block.ranges) {
      const auto v = names_.value(printed.instruction, printed.index);
      std::optional<time_span> computed;
      if (v) {
        seen[*v] = true;
        computed = ranges_.of(*v);
      }
      count(in, computed == time_span{printed.start, printed.end}, [&] {
        return disagreement{std::string(printed.instruction) + to_string(printed.index),
                            text(printed.start, printed.end),
                            computed ? text(computed->start, computed->end) : std::string{}, dump_.where(printed.text)};
      });
    }
    for (std::size_t v = 0; v < seen.size(); ++v)
      if (!seen[v] && ranges_.of(v))
        count(in, false, [&] {
          return disagreement{names_.text_of(flow().values()[v]),
                              {},
                              text(ranges_.of(v)->start, ranges_.of(v)->end),
                              dump_.where(block.text)};
        });
  }

  /// Tables of parameters that are tuples, which are the caller's where no allocation holds them.
  std::set<std::size_t> tables_of_the_caller() const {
    std::set<std::size_t> out;
    if (!dump_.has_assignment()) return out;
    std::set<std::string_view> held;
    for (const assigned_value& v : dump_.values())
      if (v.name.at().empty()) held.insert(v.name.instruction);
    for (std::size_t v = 0; v < flow().values().size(); ++v) {
      const hlo_position at = flow().values()[v].defined;
      const hlo_instruction i = flow().instruction(flow().values()[v]);
      if (i.opcode() == hlo_opcode::parameter && at.part == 0 && i.shape() && i.shape()->is_tuple() &&
          !held.contains(names_.name_of(at.instruction)))
        out.insert(v);
    }
    return out;
  }

  void verify_peak(const live_range_block& block) {
    agreement& in = open(verified_section::peak);
    peak_form form = peak_form::cumulative_value;
    if (!block.peak.empty() && !block.peak.front().cumulative)
      form = block.peak.front().index ? peak_form::value : peak_form::instruction;
    const printed_peak peak(ranges_, form, tables_of_the_caller());
    count(in, peak.position() == block.peak_position, [&] {
      return disagreement{"position", std::to_string(block.peak_position),
                          peak.position() ? std::to_string(*peak.position()) : std::string{}, dump_.where(block.text)};
    });
    using entry = std::tuple<std::string_view, std::optional<shape_index>, byte_count, std::optional<byte_count>>;
    std::vector<std::pair<entry, std::string_view>> printed, computed;  // with the line
    for (const peak_value& p : block.peak) printed.push_back({{p.instruction, p.index, p.bytes, p.cumulative}, p.text});
    for (const peak_entry& e : peak.entries()) {
      const hlo_position at = flow().values()[e.value].defined;
      entry line{names_.name_of(at.instruction), std::nullopt, e.bytes, std::nullopt};
      if (form != peak_form::instruction) std::get<1>(line) = flow().index(at);
      if (form == peak_form::cumulative_value) std::get<3>(line) = e.cumulative;
      computed.push_back({std::move(line), {}});
    }
    const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(printed.begin(), printed.end(), less);
    std::stable_sort(computed.begin(), computed.end(), less);
    for (auto p = printed.begin(), c = computed.begin(); p != printed.end() || c != computed.end();) {
      const bool has_printed = p != printed.end() && (c == computed.end() || !less(*c, *p));
      const bool has_computed = c != computed.end() && (p == printed.end() || !less(*p, *c));
      const entry& line = has_printed ? p->first : c->first;
      count(in, has_printed && has_computed, [&] {
        const std::string bytes =
            std::to_string(std::get<2>(line)) + " bytes" +
            (std::get<3>(line) ? ", " + std::to_string(*std::get<3>(line)) + " up to here" : std::string{});
        const auto index = std::get<1>(line);
        return disagreement{std::string(std::get<0>(line)) + (index ? to_string(*index) : std::string{}),
                            has_printed ? bytes : std::string{}, has_computed ? bytes : std::string{},
                            dump_.where(has_printed ? p->second : block.text)};
      });
      if (has_printed) ++p;
      if (has_computed) ++c;
    }
  }

  buffer_dump dump_;
  live_ranges ranges_;
  named_values names_;
  std::array<std::optional<agreement>, verified_sections.size()> sections_;
};

}  // namespace hlolint
