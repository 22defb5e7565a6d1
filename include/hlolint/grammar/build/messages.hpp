// The diagnostics of a text that is being read, and the furthest failure of its rules.
#pragma once

#include <hlolint/grammar/build/module_pools.hpp>
#include <hlolint/grammar/build/open_computation.hpp>
#include <hlolint/grammar/build/text_places.hpp>
#include <hlolint/grammar/x3/state.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/text/suggestion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::build {

using grammar::broken_rule;
using grammar::parse_state;

class messages {
 public:
  messages(parse_state& state, const text_places& text, module_pools& pools, const open_computations& open)
      : state_(state), text_(text), pools_(pools), open_(open) {}

  std::vector<diagnostic> diagnostics;

  /// The offset of the furthest failure; the end of the text if there is none.
  std::uint32_t furthest() const { return state_.furthest ? text_.offset(state_.furthest) : text_.size(); }
  /// Whether reading failed because the text ends.
  bool failed_at_end() const { return !state_.furthest || furthest() == text_.size(); }

  void open_module() { unknown_seen_.clear(); }
  /// Adds a last diagnostic for those that are not listed.
  void list_unlisted() {
    if (unlisted_ == 0) return;
    first_unlisted_.message = unlisted_text(unlisted_);
    first_unlisted_.related.clear();
    diagnostics.push_back(std::move(first_unlisted_));
  }
  [[gnu::noinline, gnu::cold]] void syntax(std::uint32_t where, std::string message) {
    list(about("SYN001", where, std::move(message)));
  }
  [[gnu::noinline, gnu::cold]] void expected(std::uint32_t where, std::string_view what) {
    syntax(where, str_cat({"expected ", what, ", found ", found_token(text_.from(where))}));
  }
  /// Reports SYN001 at the furthest failure and forgets that failure.
  [[gnu::noinline, gnu::cold]] void report_failure() {
    expected(furthest(), state_.furthest ? state_.expected : "HLO text");
    state_.forget();
  }
  /// Reports the rules of numbers that values broke since the last call, as diagnostics of this instruction.
  void report_broken(std::string_view instruction) {
    if (!state_.broken.empty()) report_all_broken(instruction);
  }
  /// Reports a word that is not known and is kept as text, once per word and module. `known`: the words that are.
  [[gnu::noinline, gnu::cold]] void unknown(std::string_view kind, std::string_view word,
                                            const std::vector<std::string_view>& known = {}) {
    std::string what = str_cat({kind, " '", word, "'"});
    if (!unknown_seen_.insert(what).second) return;
    diagnostic d = about("DMP006", text_.offset(word),
                         str_cat({"unknown ", what, did_you_mean(word, known), ", kept as text"}), severity::note);
    d.where.at = text_.at(word);
    list(std::move(d));
  }
  void report_unknown() {
    if (pools_.shapes.unknown_types.empty() && state_.unknown_words.empty()) return;
    for (const std::string_view type : std::exchange(pools_.shapes.unknown_types, {})) unknown("element type", type);
    for (const std::string_view key : std::exchange(state_.unknown_words, {})) unknown("metadata key", key);
  }
  /// Reports a construct that XLA refuses although it can be read.
  [[gnu::noinline, gnu::cold]] void warn(std::uint32_t where, std::string message) {
    list(about("SYN002", where, std::move(message), severity::warning));
  }

 private:
  [[gnu::noinline, gnu::cold]] diagnostic about(const char* rule, std::uint32_t where, std::string message,
                                                severity level = severity::error) {
    diagnostic d = reading_problem(rule, std::move(message), {text_.source(), {where, where}}, level);
    if (pools_.data->has_header) d.module = std::string(text_.written(pools_.data->name));
    if (open_.count() > 0) d.computation = std::string(open_.innermost().name);
    return d;
  }
  [[gnu::noinline, gnu::cold]] void list(diagnostic&& d) {
    if (diagnostics.size() < most_listed) return diagnostics.push_back(std::move(d));
    if (unlisted_++ == 0) first_unlisted_ = d;
    first_unlisted_.level = std::max(first_unlisted_.level, d.level);
  }
  [[gnu::noinline, gnu::cold]] void report_all_broken(std::string_view instruction) {
    for (broken_rule& rule : state_.broken) {
      diagnostic d = about("SYN002", text_.offset(rule.where), std::move(rule.message));
      d.instruction = std::string(instruction);
      if (rule.other) {
        const std::uint32_t other = text_.offset(rule.other);
        d.related.push_back({{text_.source(), {other, other}}, {}, std::nullopt, std::move(rule.other_message)});
      }
      list(std::move(d));
    }
    state_.broken.clear();
  }

  parse_state& state_;
  const text_places& text_;
  module_pools& pools_;
  const open_computations& open_;
  std::unordered_set<std::string> unknown_seen_;
  std::size_t unlisted_ = 0;
  diagnostic first_unlisted_;
};

}  // namespace hlolint::build
