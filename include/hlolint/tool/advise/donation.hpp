// Arguments whose memory results could take if the caller donated them, as JAX and XLA would pair them (advise.md 12).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/tool/advise/changes/donation_order.hpp>
#include <hlolint/tool/advise/changes/same_values.hpp>
#include <hlolint/tool/advise/edit_proof.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/order_bound.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// A leaf of a parameter: its number and index.
using argument_leaf = std::pair<std::int64_t, shape_index>;

// What can be donated in a module, and to which result each argument would go.
class donation_pairs {
 public:
  /// Precondition: the state is complete.
  explicit donation_pairs(const edited_module& now) : made_(*now.made), flow_(made_.flow()) {
    const hlo_instruction root = flow_.module().entry().root();
    if (const auto aliases = get<input_output_alias>(flow_.module()))
      for (const input_output_alias_entry& a : aliases->entries)
        aliased_.emplace(argument_leaf(a.parameter, a.parameter_index), a.output);
    if (const auto donors = get<buffer_donor>(flow_.module()))
      for (const buffer_donor_entry& d : donors->entries) unusable_.emplace(d.parameter, d.parameter_index);
    if (root) find_results(root);
    const auto expected = pair_up(aliased_leaves());
    follows_order_ = expected.size() == aliased_.size() &&
                     std::all_of(expected.begin(), expected.end(), [&](const donated_argument& d) {
                       return aliased_.at({d.parameter, d.index}) == d.output;
                     });
  }

  /// Arguments of at least `least` bytes that are not donated and whose shape a result has, the largest first; none if
  /// all of them have fewer than `together` bytes.
  std::vector<argument_leaf> candidates(byte_count least, byte_count together) const {
    std::vector<argument_leaf> out;
    std::vector<byte_count> sizes;
    checked_int64 sum = 0;
    std::set<std::string> shapes;
    for (const result& r : results_) shapes.insert(r.type);
    for (const auto& [leaf, of] : arguments()) {
      const storage_set& set = made_.storage()[of.set];
      if (set.kind != storage_kind::parameter || set.donated || set.lives_out || set.color != 0 || set.size < least ||
          made_.sets().values(of.set).size() != 1 || aliased_.count(leaf) > 0 || unusable_.count(leaf) > 0 ||
          shapes.count(of.type) == 0)
        continue;
      out.push_back(leaf), sizes.push_back(set.size);
      sum += set.size;
    }
    if (sum.clamped() < together) return {};
    std::vector<std::size_t> order(out.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    std::vector<argument_leaf> sorted;
    for (const std::size_t k : order) sorted.push_back(out[k]);
    return sorted;
  }

  /// The results that these arguments go to when they are donated beside those that are: each result in turn takes the
  /// first donated argument of its type. Nothing if an argument that has a result now would go to another one, or if
  /// layouts differ. Arguments that no result takes are left out.
  std::optional<std::vector<donated_argument>> with(const std::vector<argument_leaf>& donated) const {
    std::set<argument_leaf> all(donated.begin(), donated.end());
    if (follows_order_)
      for (const argument_leaf& leaf : aliased_leaves()) all.insert(leaf);
    std::vector<donated_argument> out;
    for (donated_argument& d : pair_up(all)) {
      const auto old = aliased_.find({d.parameter, d.index});
      if (old != aliased_.end() && old->second != d.output) return std::nullopt;
      if (old != aliased_.end()) continue;
      const result& to = *std::find_if(results_.begin(), results_.end(),
                                       [&](const result& r) { return flow_.index(r.at) == d.output; });
      const shape* const there = flow_.shape_of(to.at);
      if (!to.is_free || !there || to_string(*there) != d.shape) return std::nullopt;
      out.push_back(std::move(d));
    }
    return out;
  }

 private:
  struct result {
    hlo_position at;       // its place in the root
    std::string type;      // without the layout, which XLA chooses
    bool is_free = false;  // it has memory of its own, and is one result only
  };
  struct argument {
    std::uint32_t set = 0;
    std::string type;
    donated_argument about;
  };

  std::set<argument_leaf> aliased_leaves() const {
    std::set<argument_leaf> out;
    for (const auto& [leaf, output] : aliased_) out.insert(leaf);
    return out;
  }
  void find_results(hlo_instruction root) {
    std::vector<std::size_t> places(made_.sets().size());
    std::vector<std::uint32_t> set_of;
    for (std::uint32_t n = 0; n < flow_.tables().places.count(root.id()); ++n) {
      std::set<std::uint32_t> sets;
      const hlo_position at{root.id(), n};
      flow_.for_each_at(at, [&](std::uint32_t v) { sets.insert(made_.sets().set_of(v)); });
      for (const std::uint32_t s : sets) ++places[s];
      const shape* const type = flow_.shape_of(at);
      if (!type || !type->is_array()) continue;
      results_.push_back({at, to_string(*type, {.layout = false}), sets.size() == 1});
      set_of.push_back(sets.size() == 1 ? *sets.begin() : 0);
    }
    for (std::size_t k = 0; k < results_.size(); ++k) {
      if (!results_[k].is_free) continue;
      const storage_set& set = made_.storage()[set_of[k]];
      results_[k].is_free = set.kind == storage_kind::shared && set.color == 0 && places[set_of[k]] == 1;
    }
  }
  std::map<argument_leaf, argument> arguments() const {
    std::map<argument_leaf, argument> out;
    for (std::uint32_t v = 0; v < flow_.values().size(); ++v) {
      const hlo_value& value = flow_.values()[v];
      const hlo_instruction parameter = flow_.instruction(value);
      const shape* const own = flow_.shape_of(value.defined);
      const auto number = parameter.parameter_number();
      if (!number || !parameter.computation().is_entry() || !own || !own->is_array()) continue;
      const std::uint32_t s = made_.sets().set_of(v);
      const shape_index index = flow_.index(value.defined);
      out.emplace(argument_leaf(*number, index), argument{s,
                                                          to_string(*own, {.layout = false}),
                                                          {*number,
                                                           index,
                                                           {},
                                                           std::string(parameter.name()),
                                                           to_string(*own),
                                                           program_place_of(parameter).op_name,
                                                           made_.storage()[s].size}});
    }
    return out;
  }
  std::vector<donated_argument> pair_up(const std::set<argument_leaf>& donated) const {
    const std::map<argument_leaf, argument> known = arguments();
    std::vector<donated_argument> out;
    std::set<argument_leaf> left = donated;
    for (const result& r : results_) {
      const bool is_fixed = !follows_order_ && std::any_of(aliased_.begin(), aliased_.end(), [&](const auto& a) {
        return a.second == flow_.index(r.at);
      });
      if (is_fixed) continue;
      for (const argument_leaf& leaf : left) {
        const auto found = known.find(leaf);
        if (found == known.end() || found->second.type != r.type) continue;
        out.push_back(found->second.about);
        out.back().output = flow_.index(r.at);
        left.erase(leaf);
        break;
      }
    }
    return out;
  }

  const buffer_assignment& made_;
  const dataflow& flow_;
  std::map<argument_leaf, shape_index> aliased_;
  std::set<argument_leaf> unusable_;
  std::vector<result> results_;
  bool follows_order_ = true;  // whether results have taken the arguments that are donated now in turn
};

}  // namespace detail

/// The whole file with the arguments added to the module's `input_output_alias`; nothing if the header has an unknown
/// form.
inline std::optional<std::string> donated_text(const hlo_module& module, const std::vector<donated_argument>& given) {
  std::string entries;
  for (const donated_argument& d : given) {
    entries += entries.empty() ? "" : ", ";
    entries += to_string(d.output) + ": (" + std::to_string(d.parameter) + ", " + to_string(d.index) + ", may-alias)";
  }
  const std::string_view whole = module.text().text();
  detail::text_changes changes(whole);
  const auto old = module.attribute(attribute_key::input_output_alias);
  if (old && old->find_first_not_of("{} \t\n") != std::string_view::npos) {
    std::size_t at = detail::offset_of(*old, whole) + old->rfind('}');
    while (at > 0 && whole[at - 1] == ' ') --at;
    changes.insert(at, ", " + entries);
    return changes.apply();
  }
  if (old) return std::nullopt;
  const auto scheduled = module.attribute(attribute_key::is_scheduled);
  if (!scheduled) return std::nullopt;
  const std::size_t at = detail::offset_of(*scheduled, whole) + scheduled->size();
  changes.insert(at, ", input_output_alias={ " + entries + " }");
  return changes.apply();
}

/// Finds arguments whose donation lowers the need of a module: by the assignment of the text that the compiler makes
/// then, with the aliases, without the copies that only saved an argument, and with what is written into an argument
/// behind all that reads it. That text is read again and checked. Nothing if no donation helps. Preconditions: `proof`
/// is of the module before all edits, and `now` is complete.
inline std::optional<donation_advice> advise_donation(const module_editor& editor, const edit_proof& proof,
                                                      const advice_options& how, const edited_module& now) {
  constexpr std::size_t most_alone = 16, most_tried = 48;  // arguments to try one by one; sets of them
  const detail::donation_pairs pairs(now);
  const std::vector<detail::argument_leaf> found = pairs.candidates(now.need / 1000, 1_MiB);
  donation_advice out;
  out.need_before = out.need_after = now.need;
  const auto is_safe = [&](const hlo_module& given, const hlo_module& without) {
    return compute_same_values(now.module(), without) && proof.hazard_of(given).empty() &&
           proof.need_of_module(given) == out.need_after && (!how.refuses || how.refuses(given).empty());
  };
  const auto take = [&](const std::vector<detail::argument_leaf>& donated) {
    auto given = pairs.with(donated);
    if (!given || given->empty()) return false;
    detail::donation_order made(now, *given, how.rules);
    const auto plain = made.text();
    const parsed_file without = plain ? parse_hlo(source(std::string(*plain))) : parsed_file{};
    if (now.number >= without.modules().size()) return false;
    auto text = donated_text(without.modules()[now.number], *given);
    const module_editor::state next = text ? editor.parsed(*text, out.need_after) : nullptr;
    if (!next) return false;
    const byte_count before = std::exchange(out.need_after, next->need);
    if (!is_safe(next->module(), without.modules()[now.number])) {
      out.need_after = before;
      return false;
    }
    out.arguments = std::move(*given), out.text = std::move(*text);
    out.promise = made.promise();
    return true;
  };
  // Some may be in the way of others: all together first, and what cannot be taken together in halves. Few are taken
  // one by one as well, since the order in which they are tried decides.
  std::vector<detail::argument_leaf> kept;
  std::size_t tried = 0;
  const std::function<void(std::size_t, std::size_t)> add = [&](std::size_t begin, std::size_t end) {
    if (begin == end || ++tried > most_tried) return;
    std::vector<detail::argument_leaf> more = kept;
    more.insert(more.end(), found.begin() + static_cast<std::ptrdiff_t>(begin),
                found.begin() + static_cast<std::ptrdiff_t>(end));
    if (take(more)) {
      kept = std::move(more);
    } else if (end - begin > 1) {
      const std::size_t middle = begin + (end - begin) / 2;
      add(begin, middle);
      add(middle, end);
    }
  };
  add(0, found.size());
  if (found.size() <= most_alone) {
    donation_advice together = std::exchange(out, {});
    out.need_before = out.need_after = now.need;
    kept.clear(), tried = 0;
    for (std::size_t k = 0; k < found.size(); ++k) add(k, k + 1);
    if (!together.arguments.empty() && together.need_after < out.need_after) out = std::move(together);
  }
  if (out.arguments.empty()) return std::nullopt;
  out.least_after = out.need_after;
  if (out.promise != certainty::proven) {
    const parsed_file given = parse_hlo(source(out.text));
    const buffer_assignment made(given.modules()[now.number], how.rules);
    out.least_after =
        std::min(out.need_after, order_bound(made, schedule_constraints(made.sets(), constraints::program)).bytes());
  }
  std::stable_sort(out.arguments.begin(), out.arguments.end(),
                   [](const donated_argument& a, const donated_argument& b) { return a.bytes > b.bytes; });
  return out;
}

}  // namespace hlolint::advise
