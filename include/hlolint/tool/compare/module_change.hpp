// One difference between two compilations of a module, and the options that decide what counts as one.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/option_setting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::compare {

/// What changed, in the order of reports.
enum class change_kind : std::uint8_t {
  time,              ///< estimated time of one step, and calls of unknown time
  memory,            ///< need, peak, allocations, memory spaces, padding, fragmentation
  donation,          ///< a parameter is no longer donated, or is now
  synchronous,       ///< a collective became synchronous, or asynchronous
  overlap,           ///< the work beside an asynchronous collective
  collective_bytes,  ///< bytes that the collectives of one kind transfer
  copy,              ///< a copy or transpose that does nothing else
  constant,          ///< a constant of the program
  new_finding,       ///< on the new side only
  worse_finding,     ///< now has more bytes or a higher level
  better_finding,    ///< an error that now has fewer bytes
  fixed_finding,     ///< on the old side only
  module,            ///< a module that only one side has
  program            ///< operations, where nothing else differs
};

/// `time`, `memory`, `donation` and so on, as reports write them.
constexpr std::string_view name_of(change_kind kind) {
  constexpr std::string_view names[] = {
      "time",     "memory",      "donation",      "synchronous",    "overlap",       "collective-bytes", "copy",
      "constant", "new-finding", "worse-finding", "better-finding", "fixed-finding", "module",           "program"};
  return names[static_cast<std::size_t>(kind)];
}

/// The direction of a change.
enum class change_verdict : std::uint8_t { worse, better, neither };

/// `worse`, `better` or `changed`.
constexpr std::string_view name_of(change_verdict verdict) {
  return verdict == change_verdict::worse ? "worse" : verdict == change_verdict::better ? "better" : "changed";
}

/// The unit of a number.
enum class number_unit : std::uint8_t { bytes, nanoseconds };

/// A number on both sides.
struct changed_number {
  std::string what;                       ///< what is counted, as reports call it
  std::int64_t before = 0;                ///< on the old side
  std::int64_t after = 0;                 ///< on the new side
  number_unit unit = number_unit::bytes;  ///< of both numbers
  bool is_rough = false;                  ///< whether a rate behind it is a guess: reports write `~`
};

/// One difference between the two sides of a module.
struct module_change {
  change_kind kind = change_kind::memory;          ///< what changed
  change_verdict verdict = change_verdict::worse;  ///< in which direction
  std::string module;                              ///< without its number
  bool helper = false;                             ///< whether that is one operation outside of a program
  std::string file;                                ///< the first of its files
  std::string text;                                ///< the change in words, without module and numbers
  std::optional<changed_number> number;            ///< the main number that changed
  /// Other numbers that changed in the same direction, probably for the same reason.
  std::vector<changed_number> with;
  std::size_t count = 1;            ///< number of equal changes
  byte_count bytes = 0;             ///< of the array that it is about; 0 if `number` has them
  std::vector<std::string> before;  ///< the instructions that changed, by their old names
  std::vector<std::string> after;   ///< the instructions that changed, by their new names
  std::vector<std::string> rules;   ///< rules of the finding, or of findings that repeat the change
};

/// Adds a change. `text`: the change in words.
inline module_change& add_change(std::vector<module_change>& to, change_kind kind, change_verdict verdict,
                                 std::string text) {
  module_change& out = to.emplace_back();
  out.kind = kind, out.verdict = verdict, out.text = std::move(text);
  return out;
}

/// `16.00MiB`, `4230 ms` or `1.25 ms`.
inline std::string amount_text(std::int64_t amount, number_unit unit) {
  return unit == number_unit::bytes ? human(amount) : duration_text(static_cast<double>(amount) / 1e9);
}

/// `+16.00MiB, +33.3 %`
inline std::string difference_text(const changed_number& number) {
  const std::int64_t change = (checked_int64(number.after) - number.before).clamped();
  std::string out = (change > 0 ? "+" : "") + amount_text(change, number.unit);
  const auto grown = static_cast<double>(change), before = static_cast<double>(number.before);
  if (before <= 0 || grown >= 10 * before) return out;  // a share means nothing then
  return out + ", " + (change > 0 ? "+" : "-") + share_text(std::abs(grown), before, 3);
}

/// The larger of two limits within which a number of bytes or a time may change.
struct change_tolerance {
  double ratio = 0;      ///< part of the old number
  byte_count bytes = 0;  ///< absolute limit, in the unit of the number
  friend bool operator==(const change_tolerance&, const change_tolerance&) = default;

  /// Whether a change from `before` to `after` is within the limit.
  bool covers(byte_count before, byte_count after) const {
    const double change = std::max(static_cast<double>(after) - static_cast<double>(before),
                                   static_cast<double>(before) - static_cast<double>(after));
    return change <= std::max(static_cast<double>(bytes), ratio * static_cast<double>(before));
  }
};

/// Sets one limit of `value` from `1.5%` or `16MiB`. Returns the expected form if the text is neither.
inline std::optional<std::string> read_tolerance(std::string_view text, change_tolerance& value) {
  const std::string wanted = "a percentage such as 1% or a number of bytes such as 16MiB";
  if (text.empty() || text.back() != '%') return read_option(text, value.bytes) ? std::optional(wanted) : std::nullopt;
  double percent = 0;
  const auto got = double_from_chars(text.data(), text.data() + text.size() - 1, percent, std::chars_format::fixed);
  if (got.ec != std::errc{} || got.ptr != text.data() + text.size() - 1 || !(percent >= 0)) return wanted;
  value.ratio = percent / 100;
  return std::nullopt;
}

/// Findings of a rule that only repeat a change of some kind, if both are about one instruction. Changes of memory are
/// about the whole module.
struct same_cause {
  change_kind kind = change_kind::memory;  ///< the kind of the change
  std::string_view rule;                   ///< the rule's id, or its beginning
};

/// What counts as a change.
struct diff_options {
  /// For numbers of bytes. Things of at most `tolerance.bytes` may appear and disappear, except errors.
  change_tolerance tolerance;
  double time_ratio = 0.01;          ///< tolerated change of an estimated time, as a part of the old one
  std::int64_t time_least = 10'000;  ///< tolerated change of any estimated time, in nanoseconds
  byte_count large = 1_MiB;          ///< copies and constants below this size are not compared
  /// New findings below this level are neither worse nor better; if empty, none are worse or better.
  std::optional<severity> fail_on = severity::warning;
  /// Only changes of these kinds are worse; empty: all kinds are.
  std::vector<change_kind> fail_on_kinds{};
  std::span<const same_cause> causes;  ///< built-in ones: checks/same_causes.hpp

  /// The tolerance of times, in nanoseconds. The ratio for bytes applies to times too, if it is larger.
  change_tolerance time_tolerance() const { return {std::max(time_ratio, tolerance.ratio), time_least}; }
};

}  // namespace hlolint::compare
