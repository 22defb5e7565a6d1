// Runs checks with pauses in between, in which another thread's wish to end the work is noticed.
#pragma once

#include <hlolint/lint/run.hpp>

#include <functional>
#include <span>
#include <vector>

namespace hlolint::command {

/// As `hlolint::run`, with a call of `pause` before each check, and now and then while checks walk over instructions.
/// What it throws is passed on. Without a `pause` nothing is called.
inline std::vector<hlolint::skipped_check> run_with_pauses(std::span<const hlolint::listed_check> list,
                                                           const hlolint::context& dump,
                                                           hlolint::diagnostic_sink_ref emit,
                                                           const hlolint::rule_settings& settings,
                                                           const std::function<void()>& pause) {
  if (!pause) return hlolint::run(list, dump, emit, settings);
  // Pauses are checks that find nothing.
  static constexpr hlolint::rule about{.id = "PAUSE", .name = "pause"};
  const hlolint::listed_check between{.about = &about,
                                      .needs = hlolint::need::nothing,
                                      .once = [&pause](const hlolint::context&, hlolint::sink_ref) { pause(); }};
  const hlolint::listed_check at_instruction{
      .about = &about,
      .needs = hlolint::need::nothing,
      .each = [&pause](hlolint::hlo_instruction i, const hlolint::context&, hlolint::sink_ref) {
        if (i.id() % 1024 == 0) pause();
      }};
  std::vector<hlolint::listed_check> all;
  hlolint::rule_settings with;
  const auto add = [&](const hlolint::listed_check& check, const hlolint::rule_setting& setting) {
    all.push_back(check), with.push_back(setting);
  };
  constexpr hlolint::rule_setting on{.enabled = true};
  if (dump.hlo()) add(at_instruction, on);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (settings[i].runs()) add(between, on);
    add(list[i], settings[i]);
  }
  return hlolint::run(all, dump, emit, with);
}

}  // namespace hlolint::command
