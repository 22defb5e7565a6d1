// The state that all parts of the builder share: the module that is being filled, its text, and its diagnostics.
#pragma once

#include <hlolint/grammar/build/open_computation.hpp>
#include <hlolint/grammar/build/shape_pool.hpp>
#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/x3/state.hpp>
#include <hlolint/text/containers/hash_map.hpp>
#include <hlolint/text/containers/new_shared.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::build {

using grammar::broken_rule;
using grammar::parse_state;

class module_builder;

/// The token at the beginning of a text for a message: `'%add.1'`, or `the end of the text`.
inline std::string found_token(std::string_view rest) {
  constexpr std::string_view name_bytes = "_.-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (rest.empty()) return "the end of the text";
  const std::size_t sign = rest.front() == '%' || rest.front() == '-';
  const std::size_t word = std::min(rest.find_first_not_of(name_bytes, sign), rest.size());
  const std::size_t size = std::clamp(word, std::size_t{1}, std::size_t{40});
  const auto byte = static_cast<unsigned char>(rest.front());
  if (size == 1 && (byte < 0x20 || byte > 0x7e)) {
    constexpr char digits[] = "0123456789abcdef";
    return std::string("the byte 0x") + digits[byte >> 4] + digits[byte & 15];
  }
  return str_cat({"'", rest.substr(0, size), "'"});
}

/// The base of the builder. A context holds each part of the builder under one tag.
class module_state {
 public:
  using context_tag = module_builder;

  module_state(source text, parse_state& with)
      : state(with),
        shapes(text.text()),
        computation_names(text.text()),
        text_(std::move(text)),
        whole_(text_.text()) {}

  // ---------------------------------------------------------------- places
  std::uint32_t offset(std::string_view part) const { return static_cast<std::uint32_t>(part.data() - whole_.data()); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(whole_.size()); }
  span at(std::string_view part) const {
    return {offset(part), offset(part) + static_cast<std::uint32_t>(part.size())};
  }
  std::string_view written(span where) const { return where.of(whole_); }
  std::string_view from(std::uint32_t begin) const { return whole_.substr(begin); }
  /// The offset of the furthest failure; the end of the text if there is none.
  std::uint32_t furthest() const {
    return state.furthest ? static_cast<std::uint32_t>(state.furthest - whole_.data()) : size();
  }
  /// Whether reading failed because the text ends.
  bool failed_at_end() const { return !state.furthest || furthest() == size(); }
  bool on_last_line(std::uint32_t where) const { return whole_.find('\n', where) == whole_.npos; }

  /// Whether an instruction begins at a line inside a value: a missing quote or bracket let the value run on.
  static bool runs_into_instruction(std::string_view value) { return scan::runs_into_instruction(value); }

  /// Whether the failure may belong to this attribute itself, and not to an instruction of a body in the attribute.
  bool may_be_unreadable(std::string_view attribute) const {
    const std::uint32_t begin = offset(attribute);
    return !state.failed_deep_down() &&
           (furthest() <= begin || !runs_into_instruction(whole_.substr(begin, furthest() - begin)));
  }

  // ---------------------------------------------------------------- shapes and names
  const shape* shape_of(id number) const { return number == none ? nullptr : &data->shapes[number]; }
  const shape* shape_of(const instruction_record& i) const { return shape_of(i.shape); }
  std::string_view name_of(const instruction_record& i) const { return data->name_of(i.name, i.origin); }
  span synthesize_name(std::string_view name) {
    const auto begin = static_cast<std::uint32_t>(data->synthesized_names.size());
    data->synthesized_names += name;
    return {begin, begin + static_cast<std::uint32_t>(name.size())};
  }

  // ---------------------------------------------------------------- diagnostics
  [[gnu::noinline, gnu::cold]] diagnostic about(const char* rule, std::uint32_t where, std::string message,
                                                severity level = severity::error) {
    diagnostic d = reading_problem(rule, std::move(message), {text_, {where, where}}, level);
    if (data->has_header) d.module = std::string(written(data->name));
    if (open_ > 0) d.computation = std::string(computation().name);
    return d;
  }
  [[gnu::noinline, gnu::cold]] void list(diagnostic&& d) {
    if (diagnostics.size() < most_listed) return diagnostics.push_back(std::move(d));
    if (unlisted_++ == 0) first_unlisted_ = d;
    first_unlisted_.level = std::max(first_unlisted_.level, d.level);
  }
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
    syntax(where, str_cat({"expected ", what, ", found ", found_token(from(where))}));
  }
  /// Reports SYN001 at the furthest failure and forgets that failure.
  [[gnu::noinline, gnu::cold]] void report_failure() {
    expected(furthest(), state.furthest ? state.expected : "HLO text");
    state.forget();
  }
  /// Reports the rules of numbers that values broke since the last call, as diagnostics of this instruction.
  void report_broken(std::string_view instruction) {
    if (!state.broken.empty()) report_all_broken(instruction);
  }
  /// Reports a word that is not known and is kept as text, once per word and module.
  [[gnu::noinline, gnu::cold]] void unknown(std::string_view kind, std::string_view word) {
    std::string what = str_cat({kind, " '", word, "'"});
    if (!unknown_seen_.insert(what).second) return;
    diagnostic d = about("DMP006", offset(word), str_cat({"unknown ", what, ", kept as text"}), severity::note);
    d.where.at = at(word);
    list(std::move(d));
  }
  void report_unknown() {
    if (shapes.unknown_types.empty() && state.unknown_words.empty()) return;
    for (const std::string_view type : std::exchange(shapes.unknown_types, {})) unknown("element type", type);
    for (const std::string_view key : std::exchange(state.unknown_words, {})) unknown("metadata key", key);
  }
  /// Reports a construct that XLA refuses although it can be read.
  [[gnu::noinline, gnu::cold]] void warn(std::uint32_t where, std::string message) {
    list(about("SYN002", where, std::move(message), severity::warning));
  }

  // ---------------------------------------------------------------- computations
  open_computation& computation() { return *computations_[open_ - 1]; }
  open_computation& open_computation_at(std::uint32_t where) {
    if (open_ == computations_.size()) computations_.push_back(std::make_unique<open_computation>(whole_));
    open_computation& c = *computations_[open_++];
    c.open(where, data->instructions, open_ == 1);
    return c;
  }
  /// Closes all open computations but the outermost `kept` ones, without keeping them.
  void drop_computations(std::size_t kept) {
    for (; open_ > kept; --open_) computation().instructions.drop();
  }
  /// Makes up the name of a computation that is not written or has no name.
  void name_nothing(open_computation& c) {
    c.name = {};
    c.record.anonymous = true;
    c.record.name = synthesize_name("_");
  }

  parse_state& state;
  std::shared_ptr<module_data> data;
  module_shapes shapes;
  name_map computation_names;
  record_list<diagnostic> diagnostics;

 protected:
  void open_module() {
    data = new_shared<module_data>();
    data->text = text_;
    shapes.open(data->shapes);
    unknown_seen_.clear();
    open_ = 0;
    state.depth = 0;
  }

  source text_;
  std::string_view whole_;
  record_list<std::unique_ptr<open_computation>> computations_;  ///< the innermost open one is number open_ - 1
  std::size_t open_ = 0;
  hash_set<std::string> unknown_seen_;

 private:
  std::size_t unlisted_ = 0;
  diagnostic first_unlisted_;
  [[gnu::noinline, gnu::cold]] void report_all_broken(std::string_view instruction) {
    for (broken_rule& rule : state.broken) {
      const auto place = [&](const char* p) { return static_cast<std::uint32_t>(p - whole_.data()); };
      diagnostic d = about("SYN002", place(rule.where), std::move(rule.message));
      d.instruction = std::string(instruction);
      if (rule.other)
        d.related.push_back(
            {{text_, {place(rule.other), place(rule.other)}}, {}, std::nullopt, std::move(rule.other_message)});
      list(std::move(d));
    }
    state.broken.clear();
  }
};

}  // namespace hlolint::build
