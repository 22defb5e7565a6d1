// Arguments whose memory results could take if the caller donated them (advise.md 12).
#pragma once

#include <hlolint/advise/edit_proof.hpp>
#include <hlolint/advise/edited_module.hpp>
#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::advise {

namespace detail {

class donation_finder {
 public:
  /// Precondition: the state is complete.
  donation_finder(const edited_module& now, byte_count least)
      : made_(*now.made), flow_(made_.flow()), plan_(*now.plan), least_(least) {
    if (const auto donors = get<buffer_donor>(flow_.module()))
      for (const buffer_donor_entry& d : donors->entries) given_.emplace(d.parameter, d.parameter_index);
  }

  /// The arguments, the largest first. Each result is assigned to at most one argument.
  record_list<donated_argument> run() {
    record_list<donated_argument> out;
    const hlo_instruction root = flow_.module().entry().root();
    if (!root) return out;
    find_results(root);
    const storage_sets& storage = made_.storage();
    for (const std::uint32_t s : storage.order()) {  // the largest first
      const storage_set& set = storage[s];
      if (set.kind != storage_kind::parameter || set.donated || set.lives_out || set.color != 0 || set.size < least_ ||
          made_.sets().values(s).size() != 1)
        continue;
      const std::uint32_t v = made_.sets().values(s).front();
      const hlo_value& value = flow_.values()[v];
      const hlo_instruction parameter = flow_.instruction(value);
      const auto number = parameter.parameter_number();
      const shape* const own = flow_.shape_of(value.defined);
      const auto last = last_read(value);
      if (!number || !own || !last || given_.count({*number, flow_.index(value.defined)}) > 0) continue;
      for (result& r : results_) {
        const shape* const there = flow_.shape_of(r.at);
        if (r.taken || !there || !(*there == *own) || !begins_after(v, *last, r)) continue;
        r.taken = true;
        out.push_back({*number, flow_.index(value.defined), flow_.index(r.at), std::string(parameter.name()),
                       to_string(*own), program_place_of(parameter).op_name, set.size});
        break;
      }
    }
    return out;
  }

 private:
  struct result {
    hlo_position at;        // its place in the root
    std::uint32_t set = 0;  // the only alias set at this place
    bool taken = false;
  };

  // Finds the parts of the result that are not in the memory of a parameter and occur once in the root.
  void find_results(hlo_instruction root) {
    record_list<std::size_t> places(made_.sets().size());
    for (std::uint32_t n = 0; n < flow_.tables().places.count(root.id()); ++n) {
      ordered_set<std::uint32_t> sets;
      flow_.for_each_at({root.id(), n}, [&](std::uint32_t v) { sets.insert(made_.sets().set_of(v)); });
      for (const std::uint32_t s : sets) ++places[s];
      if (sets.size() == 1) results_.push_back({{root.id(), n}, *sets.begin(), false});
    }
    results_.erase(std::remove_if(results_.begin(), results_.end(),
                                  [&](const result& r) {
                                    const storage_set& set = made_.storage()[r.set];
                                    return set.kind != storage_kind::shared || set.color != 0 || places[r.set] != 1;
                                  }),
                   results_.end());
  }
  // The position of the last read; -1 if there is none, nothing if it is unknown.
  optional<std::int64_t> last_read(const hlo_value& value) const {
    std::int64_t out = -1;
    for (const hlo_use& use : flow_.uses(value)) {
      const auto at = plan_.schedule.position_of(flow_.module().instruction(use.user));
      if (!at) return std::nullopt;
      out = std::max(out, *at);
    }
    return out;
  }
  // Whether the result begins after the last read. The last reader itself may make the result in place.
  bool begins_after(std::uint32_t argument, std::int64_t last, const result& r) const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::uint32_t first_value = 0;
    for (const std::uint32_t v : made_.sets().values(r.set)) {
      const time_span range = plan_.ranges[v];
      if (range.end < range.start) return false;
      if (range.start < first) first = range.start, first_value = v;
    }
    return last < first || (last == first && made_.handover().in_place(argument, first_value, plan_.schedule));
  }

  const buffer_assignment& made_;
  const dataflow& flow_;
  const buffer_plan& plan_;
  byte_count least_;
  ordered_set<std::pair<std::int64_t, shape_index>> given_;
  record_list<result> results_;
};

}  // namespace detail

/// The whole file with the arguments added to the module's `input_output_alias`; nothing if the header has an unknown
/// form.
inline optional<std::string> donated_text(const hlo_module& module, const record_list<donated_argument>& given) {
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

/// Finds arguments whose donation lowers the need of a module, by the assignment of the text with the aliases. That
/// text is read again and checked as edits are. Nothing if no donation helps. Preconditions: `proof` is of the module
/// before all edits, and `now` is complete.
inline optional<donation_advice> advise_donation(const module_editor& editor, const edit_proof& proof,
                                                 const advice_options& how, const edited_module& now) {
  constexpr std::size_t most_alone = 16;  // the most arguments to try one by one
  const record_list<donated_argument> found =
      detail::donation_finder(now, std::max<byte_count>(1_MiB, now.need / 1000)).run();
  donation_advice out;
  out.need_before = out.need_after = now.need;
  const auto take = [&](record_list<donated_argument> given) {
    auto text = donated_text(now.module(), given);
    const module_editor::state next = text ? editor.parsed(*text, out.need_after) : nullptr;
    if (!next) return;
    out.need_after = next->need, out.arguments = std::move(given), out.text = std::move(*text);
  };
  if (found.size() > most_alone) {
    take(found);
  } else {
    for (const donated_argument& one : found) {
      record_list<donated_argument> more = out.arguments;
      more.push_back(one);
      take(std::move(more));
    }
  }
  if (out.arguments.empty()) return std::nullopt;
  const parsed_file again = parse_hlo(source(std::string(out.text)));
  const hlo_module& given = again.modules().at(now.number);
  if (!proof.fault_of(given).empty() || proof.need_of_module(given) != out.need_after ||
      (how.refuses && !how.refuses(given).empty()))
    return std::nullopt;
  return out;
}

}  // namespace hlolint::advise
