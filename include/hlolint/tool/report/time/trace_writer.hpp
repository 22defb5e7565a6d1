// The Trace Event format, which Perfetto and chrome://tracing open: processes with tracks, and slices on them.
#pragma once

#include <hlolint/tool/report/writing.hpp>

#include <sstream>

namespace hlolint::report::detail {

/// Writes the object around the events, and each event on a line. Times are whole nanoseconds.
class trace_writer {
 public:
  /// Precondition: `out` outlives it.
  explicit trace_writer(std::ostream& out) : out_(out) { out_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["; }

  /// Begins a new process.
  void process(std::string_view name) {
    ++process_, tracks_ = 0;
    meta("process_name", 0, "{\"name\":" + text(name) + "}");
  }
  /// Begins a track of the process; returns its number, counted from 0.
  std::size_t track(std::string_view name) {
    meta("thread_name", tracks_, "{\"name\":" + text(name) + "}");
    meta("thread_sort_index", tracks_, "{\"sort_index\":" + std::to_string(tracks_) + "}");
    return tracks_++;
  }
  /// Writes a slice. `args`: a JSON object.
  void slice(std::size_t track, std::int64_t begin, std::int64_t end, std::string_view category, std::string_view name,
             std::string_view args) {
    event(track, "X", begin, category, name, args, ",\"dur\":" + microseconds(std::max<std::int64_t>(end - begin, 0)));
  }
  /// Writes a mark without length.
  void instant(std::size_t track, std::int64_t at, std::string_view category, std::string_view name,
               std::string_view args) {
    event(track, "i", at, category, name, args, ",\"s\":\"t\"");
  }
  /// The number of slices and marks of all processes.
  std::size_t count() const { return count_; }
  /// Ends the object.
  void finish() { out_ << "\n]}\n"; }

  /// A JSON string.
  static std::string text(std::string_view of) {
    std::ostringstream to;
    json_writer(to, 0).value(of);
    return to.str();
  }

  /// A JSON object with what `members(json)` writes.
  template <class Members>
  static std::string object(Members&& members) {
    std::ostringstream to;
    json_writer json(to, 0);
    json.object([&] { members(json); });
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
