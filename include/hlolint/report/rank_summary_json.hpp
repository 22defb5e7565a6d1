// The comparison of ranks, for programs.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/rank_summary.hpp>
#include <hlolint/report/json_writer.hpp>

namespace hlolint::report {

/// A member `compared`: `{"ranks", "unread", "without_dumps", "modules": [{"module", "sides", "missing_on"}]}`, where a
/// side is `{"ranks", "collectives", "fingerprint"}`.
inline void write_rank_summary_json(json_writer& json, const compare::rank_summary& summary) {
  json.object("compared", [&] {
    json.values("ranks", summary.ranks);
    json.values("unread", summary.unread);
    json.values("without_dumps", summary.without_dumps);
    json.objects("modules", summary.modules, [&](const compare::rank_comparison& module) {
      json.member("module", module.module);
      json.objects("sides", module.sides, [&](const compare::equal_ranks& side) {
        json.values("ranks", side.ranks);
        json.members("collectives", side.collectives, "fingerprint", hex16(side.fingerprint));
      });
      json.values("missing_on", module.missing_on);
    });
  });
}

}  // namespace hlolint::report
