// ALI009: a donation that the unoptimized module has and the final module lacks.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One finding per module, at the largest parameter. A donor that became an alias counts as honored; donors that are
/// left in the final module are ALI005. Partitioning changes shapes and may flatten tuples of parameters, so a
/// parameter is found again by its op_name, else by its position among all leaves.
struct alias_lost_in_pipeline {
  static constexpr rule about{
      .id = "ALI009",
      .name = "alias-lost-in-pipeline",
      .needs = need::hlo | need::earlier,
      .what =
          "Large parameters were aliased to outputs or donated before XLA optimized the module, but are neither "
          "in the final module.",
      .why = "The caller gave up the arguments, yet arguments and results are in memory together.",
      .advice =
          "Search the dumps between passes (--xla_dump_hlo_pass_re=.*) for the first one without the entry: a "
          "pass that makes a new entry computation or a new module must take over input_output_alias and "
          "buffer_donor. Report it as a bug of the compiler or the framework.",
      .example =
          "HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }, ...      in "
          "...before_optimizations.txt\n"
          "HloModule m, is_scheduled=true, ...                                   in ...after_optimizations.txt",
      .source = "pytorch/xla #5606, #7822"};

  byte_count min_bytes = 16_MiB;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &alias_lost_in_pipeline::min_bytes, "losses of fewer bytes in total are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/aliasing/free_leaves.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

namespace ali009 {

using position = std::pair<std::int64_t, shape_index>;  // number and index of a parameter

struct donation {
  position at;
  std::optional<shape_index> output;  // none for a donor
  std::string_view text;
};
inline std::vector<donation> donations_of(const hlo_module& module) {
  std::vector<donation> out;
  if (const auto aliases = get<input_output_alias>(module))
    for (const input_output_alias_entry& e : aliases->entries)
      out.push_back({{e.parameter, e.parameter_index}, e.output, e.text});
  if (const auto donors = get<buffer_donor>(module))
    for (const buffer_donor_entry& e : donors->entries) out.push_back({{e.parameter, e.parameter_index}, {}, e.text});
  return out;
}

// The parameters of a program, by name and leaf by leaf.
class parameters {
 public:
  explicit parameters(const hlo_module& module) : shapes_(module) {
    if (!shapes_) return;
    names_.resize(shapes_.parameter_count());
    if (module.entry()) add_names(module.entry());
    for (std::size_t p = 0; p < names_.size(); ++p) {
      const auto number = static_cast<std::int64_t>(p);
      if (const shape* const whole = shapes_.parameter(number))
        for_each_subshape(*whole, [&](const shape_index& index, const shape& part) {
          if (part.is_tuple()) return;
          places_.emplace(position(number, index), leaves_.size());
          leaves_.push_back({{number, index}, &part});
        });
      const auto [known, is_new] = by_name_.emplace(names_[p], number);
      if (!is_new) known->second = -1;  // several parameters share the name
    }
  }
  parameters(const parameters&) = delete;
  parameters& operator=(const parameters&) = delete;

  const detail::entry_shapes& shapes() const { return shapes_; }

  /// Finds a leaf of this program in another stage of the program; nothing if the match is not certain.
  std::optional<position> find_in(const parameters& other, const position& at) const {
    const auto own = places_.find(at);
    if (own == places_.end()) return std::nullopt;
    const leaf* found = nullptr;
    if (const auto number = same_name(other, static_cast<std::size_t>(at.first)))
      if (const auto named = other.places_.find(position(*number, at.second)); named != other.places_.end())
        found = &other.leaves_[named->second];
    if (!found && leaves_.size() == other.leaves_.size()) {
      const leaf& there = other.leaves_[own->second];
      const auto back = other.same_name(*this, static_cast<std::size_t>(there.at.first));
      if (!back || *back == at.first) found = &there;  // else the name shows that it is another one
    }
    const shape& array = *leaves_[own->second].array;
    if (!found || found->array->type != array.type || found->array->rank() != array.rank()) return std::nullopt;
    return found->at;
  }

  struct leaf {
    position at;
    const shape* array;
  };

  void add_names(hlo_computation entry) {
    for (const hlo_instruction i : entry.instructions()) {
      const auto number = parameter_position(i);
      if (!number || *number >= names_.size()) continue;
      if (auto written = get<op_metadata>(i)) names_[*number] = std::move(written->op_name);
    }
  }

  std::optional<std::int64_t> same_name(const parameters& other, std::size_t p) const {
    if (names_[p].empty() || by_name_.at(names_[p]) < 0) return std::nullopt;
    const auto found = other.by_name_.find(names_[p]);
    return found == other.by_name_.end() || found->second < 0 ? std::nullopt : std::optional(found->second);
  }

  detail::entry_shapes shapes_;
  std::vector<leaf> leaves_;
  std::map<position, std::size_t> places_;
  std::vector<std::string> names_;  // op_names by number
  std::map<std::string, std::int64_t> by_name_;
};

inline constexpr std::size_t max_named = 4;

}  // namespace ali009

HLOLINT_INLINE void alias_lost_in_pipeline::operator()(const context& dump, sink_ref emit) const {
  const std::vector<ali009::donation> asked = ali009::donations_of(*dump.earlier());
  if (asked.empty()) return;
  const ali009::parameters before(*dump.earlier()), after(*dump.hlo());
  const detail::free_leaves leaves(dump, 0);
  std::map<ali009::position, const detail::entry_leaf*> unaliased;
  for (const detail::entry_leaf& leaf : leaves.parameters())
    unaliased.emplace(ali009::position(leaf.parameter, leaf.index), &leaf);
  for (const ali009::donation& d : ali009::donations_of(*dump.hlo())) unaliased.erase(d.at);
  std::vector<std::pair<const detail::entry_leaf*, const ali009::donation*>> lost;
  byte_count bytes = 0;
  for (const ali009::donation& d : asked) {
    const auto now = before.find_in(after, d.at);
    const auto found = now ? unaliased.find(*now) : unaliased.end();
    if (found != unaliased.end())
      lost.emplace_back(found->second, &d), bytes = checked_add(bytes, found->second->size).value_or(bytes);
  }
  if (lost.empty() || bytes < min_bytes) return;
  std::stable_sort(lost.begin(), lost.end(),
                   [](const auto& a, const auto& b) { return a.first->size > b.first->size; });

  const auto [leaf, first] = lost.front();
  std::string message = str_cat(
      {detail::sized_text(*leaf), " was ", first->output ? "aliased to output " + to_string(*first->output) : "donated",
       " before XLA optimized the module, and is neither aliased nor donated in the final one"});
  if (lost.size() > 1)
    append_to(message,
              {"; this affects ", lost.size(), " of ", asked.size(), " such parameters, ", human(bytes), " in all"});
  const hlo_instruction parameter = dump.get<computation_parameters>().of(dump.hlo()->entry(), leaf->parameter);
  finding d = parameter ? finding_at(parameter, std::move(message)) : finding_at(*dump.hlo(), std::move(message));
  d.subject.shape = to_string(*leaf->array);
  d.bytes = bytes;
  for (std::size_t i = 0; i < lost.size() && i < ali009::max_named; ++i)
    d.related.push_back({before.shapes().where(lost[i].second->text),
                         {},
                         {},
                         "what was asked for " + detail::sized_text(*lost[i].first)});
  emit(std::move(d));
}

}  // namespace hlolint
#endif
