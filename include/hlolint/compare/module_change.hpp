// One difference between two compilations of a module.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace hlolint::compare {

/// What changed, in the order in which it is reported.
enum class change_kind : std::uint8_t {
  time,             ///< of one step, as it is estimated
  memory,           ///< need, peak, allocations, memory spaces, padding, fragmentation
  donation,         ///< a parameter's buffer is given up no longer, or is now
  synchronous,      ///< a collective became synchronous, or asynchronous
  overlap,          ///< what runs beside an asynchronous collective
  collective_bytes, ///< how much the collectives of one kind transfer
  copy,             ///< a copy or transpose that does nothing else
  constant,         ///< a constant of the program
  new_finding,      ///< it was not there
  worse_finding,    ///< it was there, and loses more bytes or has a higher level now
  fixed_finding,    ///< it is not there any more
  module            ///< a module is there on one side only
};

/// `time`, `memory`, `donation` and so on: as reports write it.
constexpr std::string_view name_of(change_kind kind) {
  constexpr std::string_view names[] = {"time",     "memory",      "donation",      "synchronous",
                                        "overlap",  "collective-bytes", "copy",     "constant",
                                        "new-finding", "worse-finding", "fixed-finding", "module"};
  return names[static_cast<std::size_t>(kind)];
}

/// Which way it went. What is neither only gets a word.
enum class change_verdict : std::uint8_t { worse, better, neither };

/// `worse`, `better` or `changed`.
constexpr std::string_view name_of(change_verdict verdict) {
  return verdict == change_verdict::worse ? "worse" : verdict == change_verdict::better ? "better" : "changed";
}

/// What a number counts.
enum class number_unit : std::uint8_t { bytes, nanoseconds };

/// A number on both sides.
struct changed_number {
  std::string what;  ///< what is counted, in words
  std::int64_t before = 0;  ///< on the old side
  std::int64_t after = 0;  ///< on the new side
  number_unit unit = number_unit::bytes;  ///< of both
  friend bool operator==(const changed_number&, const changed_number&) = default;
};

/// One difference between the two sides of a module.
struct module_change {
  change_kind kind = change_kind::memory;  ///< what changed
  change_verdict verdict = change_verdict::worse;  ///< which way
  std::string module;                  ///< without its number
  std::string file;                    ///< the first of its files
  std::string text;                    ///< what happened, without module and numbers
  optional<changed_number> number;     ///< that it is about
  /// Other numbers that went the same way, for the same reason as far as anybody knows.
  record_list<changed_number> with;
  std::size_t count = 1;               ///< how often it happened, in the same way
  record_list<std::string> before;     ///< the instructions it is about, as the old compilation calls them
  record_list<std::string> after;      ///< and the new one
  record_list<std::string> rules;      ///< of the finding, or of those that repeat the change
  friend bool operator==(const module_change&, const module_change&) = default;
};

/// `16.00MiB`, `4230 ms` or `1.25 ms`.
inline std::string number_text(std::int64_t amount, number_unit unit) {
  if (unit == number_unit::bytes) return human(amount);
  const double ms = static_cast<double>(amount) / 1e6;
  char text[48];
  std::snprintf(text, sizeof text, ms >= 1000 || ms <= -1000 ? "%.0f ms" : "%.3g ms", ms);
  return text;
}

/// `+16.00MiB, +33.3%`
inline std::string difference_text(const changed_number& number) {
  const std::int64_t change = (checked_int64(number.after) - number.before).clamped();
  std::string out = (change > 0 ? "+" : "") + number_text(change, number.unit);
  if (number.before <= 0) return out;
  const double percent = 100 * static_cast<double>(change) / static_cast<double>(number.before);
  if (percent >= 1000) return out;  // no longer meaningful
  const std::int64_t tenths = round_to_tenths(percent < 0 ? -percent : percent);
  return out + ", " + (change > 0 ? "+" : "-") + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "%";
}

}  // namespace hlolint::compare
