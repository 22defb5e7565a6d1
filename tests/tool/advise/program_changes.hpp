// Finds changes of a program and checks the properties that every change has.
#pragma once

#include "tool/advise/fixtures.hpp"

#include <hlolint/print/print.hpp>
#include <hlolint/tool/advise/schedule_advice.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

namespace hlolint::testing {

/// The text with `old` replaced by `changed`. Precondition: `old` occurs in it.
inline std::string with(std::string text, std::string_view old, std::string_view changed) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), changed);
}

/// The proposed changes, without edits of the schedule. Checks that the changed text keeps the promises.
inline std::optional<advise::program_changes> changes_of(const std::string& text, target on = target::gpu) {
  advise::advice_options how;
  how.rules = assignment_rules::of(on);
  how.most_evaluations = 0;
  how.donations = false;
  const hlo_module before = module_of(text);
  std::optional<advise::program_changes> out;
  if (auto found = advise::advise_memory(before, how).changes) out = std::move(*found);
  if (!out) return out;
  REQUIRE(!out->list.empty());
  const hlo_module after = module_of(out->text);
  CHECK(out->need_before == buffer_assignment(before, how.rules).plan().need);
  CHECK(out->need_after == buffer_assignment(after, how.rules).plan().need);
  CHECK(out->need_before == out->list.front().need_before);
  CHECK(out->need_after == out->list.back().need_after);
  CHECK(advise::compute_same_values(before, after));
  CHECK(advise::edit_proof(before, how.rules).hazard_of(after).empty());
  CHECK_FALSE(changes_of(out->text, on));  // no more
  how.changes = false;
  CHECK_FALSE(advise::advise_memory(before, how).changes);
  return out;
}
/// Checks that the changes do not depend on the form in which the text is written.
inline void check_in_every_form(const std::string& text, target on = target::gpu) {
  const auto found = changes_of(text, on);
  REQUIRE(found);
  for (const print_form form : {short_form, long_form, print_form{true, true, true, true, true}}) {
    const auto other = changes_of(print(module_of(text), form), on);
    REQUIRE(other);
    CHECK(other->need_after == found->need_after);
    CHECK(other->list.size() == found->list.size());
    CHECK(advise::compute_same_values(module_of(other->text), module_of(print(module_of(found->text), form))));
  }
}

/// The only proposed change; nothing if there is none.
inline std::optional<advise::program_change> change_of(const std::string& text, target on = target::gpu) {
  const auto found = changes_of(text, on);
  if (!found) return std::nullopt;
  REQUIRE(found->list.size() == 1);
  return found->list.front();
}

}  // namespace hlolint::testing
