#include "measured.hpp"

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/tool/costs/weights_read.hpp>
#include <hlolint/tool/profile/module_reading.hpp>
#include <hlolint/tool/report/time/measured_json.hpp>
#include <hlolint/tool/report/time/measured_text.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

// The program id on a GPU: `jit_f(12)` for jit_f(12).hlo_proto.pb, 12 for module_0012.jit_f...txt.
std::optional<std::uint64_t> program_in(std::string_view path) {
  path.remove_prefix(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
  if (const std::size_t end = path.rfind(").hlo_proto.pb"); end != path.npos)
    return profiles::module_name_of(path.substr(0, end + 1)).program;
  if (const auto rest = after_module_number(path)) {
    const std::string_view head = path.substr(0, path.size() - rest->size());
    const std::size_t first =
        head.find_first_of("0123456789", head.rfind("module_") == head.npos ? 0 : head.rfind("module_"));
    if (first != head.npos) return leading_integer<std::uint64_t>(head.substr(first));
  }
  return std::nullopt;
}

}  // namespace

measured_choice measured_for(const arguments& given, const hlo_module& module, const std::string& path) {
  measured_choice out;
  if (given.measured.empty()) return out;
  const std::optional<std::uint64_t> id = program_in(path);
  std::vector<std::shared_ptr<const measured_module>> candidates, exact;
  for (const auto& m : given.measured) {
    if (m->name != module.name()) continue;
    candidates.push_back(m);
    if (id && m->program_id == id) exact.push_back(m);
  }
  if (!exact.empty()) candidates = std::move(exact);
  if (candidates.empty()) return out;
  const instruction_names names(module);
  profile_join best;
  for (const auto& m : candidates) {
    const profile_join join = join_of(*m, names);
    if (join.holds() && !out.module) out.module = m;
    if (best.names == 0 || join.found * best.names > best.found * join.names) best = join;
  }
  if (!out.module)
    out.refused = "not joined: the program has " + std::to_string(best.found) + " of the " +
                  std::to_string(best.names) +
                  " names of instructions in the profile, and 95 % are needed: dump and profile are of different "
                  "compilations";
  return out;
}

const measured_results::joined* measured_results::find(const measured_module* of) const {
  const auto found = joined_.find(of);
  return found == joined_.end() ? nullptr : &found->second;
}
bool measured_results::is_meant(const measured_module& m) const {
  return given_.time.module.empty() || m.name == given_.time.module;
}

void measured_results::add(const context& module, const shown_device& on) {
  if (!module.hlo()) return;
  if (!module.measured()) {
    if (!module.not_measured().empty()) refused_.emplace(module.name(), module.not_measured());
    return;
  }
  joined& to = joined_[module.measured()];
  if (to.step) return;
  to.on = on.device;
  to.refused = missing_for_time(module);
  if (!to.refused.empty()) return;
  to.module = *module.hlo();
  const exposed_time time(*module.hlo(), on.device, given_.time.trips);
  to.step = std::make_shared<const measured_step>(*module.measured(), *module.hlo(), time);
}

void measured_results::write(std::ostream& out) const {
  measured_text text(out, given_.time);
  text.head(*given_.measured_hosts);
  constexpr std::size_t most_in_full = 3;
  std::vector<std::shared_ptr<const measured_module>> rest;
  std::size_t shown = 0, meant = 0;
  for (const auto& m : given_.measured) meant += is_meant(*m);
  for (const auto& m : given_.measured) {
    if (!is_meant(*m)) continue;
    if (shown == (meant <= most_in_full ? most_in_full : most_in_full - 1)) {
      rest.push_back(m);
      continue;
    }
    ++shown;
    const joined* const with = find(m.get());
    const auto refused = refused_.find(m->name);
    const std::string why = with ? with->refused : refused == refused_.end() ? std::string() : refused->second;
    std::optional<step_grouping> grouping;
    if (with && with->module && given_.time.by != time_by::nothing)
      grouping.emplace(*with->module, given_.time.by, given_.time.depth);
    if (with && with->step)
      text(*with->step, why, &with->on, grouping ? &*grouping : nullptr);
    else
      text(measured_step(*m), why, nullptr);
  }
  if (!rest.empty()) text.table(rest);
}

void measured_results::write_json(json_writer& json) const {
  json.array("measured", [&] {
    for (const auto& m : given_.measured) {
      if (!is_meant(*m)) continue;
      const joined* const with = find(m.get());
      write_measured_json(json, *m, with ? with->step.get() : nullptr);
    }
  });
}

}  // namespace hlolint::command
