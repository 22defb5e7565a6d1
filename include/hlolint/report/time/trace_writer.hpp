// The Trace Event format, which Perfetto and chrome://tracing open: processes with tracks, and slices on them.
#pragma once

#include <hlolint/report/json_writer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>

namespace hlolint::report::detail {

/// Writes the object around the events, and each event on a line. Times are whole nanoseconds.
class trace_writer {
 public:
  /// Precondition: `out` outlives it.
  explicit trace_writer(std::ostream& out) : out_(out) { out_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["; }

  /// What follows belongs to a new process.
  void process(std::string_view name) {
    ++process_, tracks_ = 0;
    meta("process_name", 0, "{\"name\":" + text(name) + "}");
  }
  /// A new track of the process; returns its number, of the first 0.
  std::size_t track(std::string_view name) {
    meta("thread_name", tracks_, "{\"name\":" + text(name) + "}");
    meta("thread_sort_index", tracks_, "{\"sort_index\":" + std::to_string(tracks_) + "}");
    return tracks_++;
  }
  /// `args`: a JSON object.
  void slice(std::size_t track, std::int64_t begin, std::int64_t end, std::string_view category, std::string_view name,
             std::string_view args) {
    event(track, "X", begin, category, name, args, ",\"dur\":" + microseconds(std::max<std::int64_t>(end - begin, 0)));
  }
  /// A mark without length.
  void instant(std::size_t track, std::int64_t at, std::string_view category, std::string_view name,
               std::string_view args) {
    event(track, "i", at, category, name, args, ",\"s\":\"t\"");
  }
  /// Slices and marks of all processes.
  std::size_t count() const { return count_; }
  /// The end of the object.
  void finish() { out_ << "\n]}\n"; }

  /// A JSON string.
  static std::string text(std::string_view of) {
    std::ostringstream to;
    json_writer(to, 0).value(of);
    return to.str();
  }

 private:
  static std::string microseconds(std::int64_t nanoseconds) {
    std::string digits = std::to_string(nanoseconds % 1000);
    digits.insert(0, 3 - digits.size(), '0');
    return std::to_string(nanoseconds / 1000) + "." + digits;
  }
  std::ostream& begin(std::string_view phase, std::size_t track) {
    out_ << (first_ ? "\n" : ",\n");
    first_ = false;
    return out_ << "{\"ph\":\"" << phase << "\",\"pid\":" << process_ << ",\"tid\":" << track;
  }
  void meta(std::string_view what, std::size_t track, const std::string& args) {
    begin("M", track) << ",\"name\":\"" << what << "\",\"args\":" << args << '}';
  }
  void event(std::size_t track, std::string_view phase, std::int64_t at, std::string_view category,
             std::string_view name, std::string_view args, std::string_view more) {
    ++count_;
    begin(phase, track) << ",\"ts\":" << microseconds(at) << more << ",\"cat\":" << text(category)
                        << ",\"name\":" << text(name) << ",\"args\":" << args << '}';
  }

  std::ostream& out_;
  std::size_t process_ = 0, tracks_ = 0, count_ = 0;
  bool first_ = true;
};

}  // namespace hlolint::report::detail
