// Chrome's trace events, as XLA's profiler writes them beside an XSpace (profiles.md 8).
#pragma once

#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/tool/profile/events.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/profile/stats.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::profiles {

/// The events of one process of a trace. It has the members of `xspace_plane` that the readers of devices use.
class trace_plane {
 public:
  std::string_view name() const { return name_; }                             ///< `/device:TPU:0`
  const std::vector<std::string>& line_names() const { return line_names_; }  ///< in order of their first events
  const std::vector<event_key>& keys() const { return keys_; }                ///< of all events

  /// How many events a line has.
  std::size_t events_of(std::size_t line) const { return lines_[line].size(); }

  /// Calls `use(event)` for the events of a line: sorted by start, of equal starts the longer event first; or in any
  /// order. @{
  template <class Use>
  void each(std::size_t line, Use&& use) {
    lines_[line].sort([](std::uint32_t) { return 0; }, [](std::uint32_t) { return 0; });
    each_in_any_order(line, use);
  }
  template <class Use>
  void each_in_any_order(std::size_t line, Use&& use) const {
    for (std::size_t i = 0; i < lines_[line].size(); ++i) use(lines_[line][i]);
  }
  /// @}

 private:
  friend class trace_reader;
  std::string name_;
  std::vector<std::string> line_names_;
  std::vector<event_store> lines_;
  std::vector<event_key> keys_;
  std::unordered_map<std::string, std::uint32_t> known_;
  std::map<std::string, std::size_t, std::less<>> line_of_;
};

/// Reads the events of the devices in a trace.
class trace_reader {
 public:
  /// Reads a whole trace; false if it is not JSON.
  bool read(std::string_view text) {
    last_ = text.data();
    if (!is_json(text)) {
      const std::size_t list = text.find('[', std::min(text.find("\"traceEvents\""), text.size()));
      if (list != text.npos)  // to find the last good event
        json_for_each(text.substr(list), [&](std::string_view, std::string_view event) { add(event); });
      return false;
    }
    read_events(text);
    for (auto& [process, p] : planes_) {
      if (const auto named = process_names_.find(process); named != process_names_.end()) p.name_ = named->second;
      for (const auto& [thread, line] : p.line_of_) {
        const auto named = thread_names_.find({process, thread});
        p.line_names_[line] = named == thread_names_.end() ? thread : named->second;
      }
    }
    return true;
  }

  std::map<std::string, trace_plane, std::less<>>& planes() { return planes_; }  ///< by the process number as text
  std::size_t impossible() const { return impossible_; }  ///< events left out because of impossible times
  const char* last_good() const { return last_; }         ///< the end of the last event that could be read

 private:
  void read_events(std::string_view text) {
    json_for_each(text, [&](std::string_view key, std::string_view value) {
      if (key == "traceEvents")
        json_for_each(value, [&](std::string_view, std::string_view event) { add(event); });
      else if (key.empty())
        add(value);
    });
  }

  static std::optional<double> number_of(std::string_view written) {
    double out = 0;
    const auto [end, error] = double_from_chars(written.data(), written.data() + written.size(), out);
    return error == std::errc() && end == written.data() + written.size() && std::isfinite(out) ? std::optional(out)
                                                                                                : std::nullopt;
  }

  void add(std::string_view event) {
    last_ = event.data() + event.size();
    std::string_view phase, process, thread, name, begin, length, args;
    const std::pair<std::string_view, std::string_view*> fields[] = {
        {"ph", &phase}, {"pid", &process}, {"tid", &thread}, {"name", &name},
        {"ts", &begin}, {"dur", &length},  {"args", &args}};
    json_for_each(event, [&](std::string_view key, std::string_view value) {
      for (const auto& [known, to] : fields)
        if (key == known) *to = value;
    });
    if (phase == "\"M\"") {
      if (name != "\"process_name\"" && name != "\"thread_name\"") return;
      const std::string given(json_find(args, "name").value_or(std::string_view{}));
      const std::string shown = unescape("\"" + given + "\"");
      if (name == "\"process_name\"")
        process_names_[std::string(process)] = shown;
      else
        thread_names_[{std::string(process), std::string(thread)}] = shown;
    } else if (phase == "\"X\"") {
      add_timed(process, thread, name, begin, length, args);
    }
  }

  void add_timed(std::string_view process, std::string_view thread, std::string_view name, std::string_view begin,
                 std::string_view length, std::string_view args) {
    if (const auto named = process_names_.find(process);
        named != process_names_.end() && !named->second.starts_with("/device:"))
      return;
    const auto at = number_of(begin), takes = length.empty() ? std::optional(0.0) : number_of(length);
    // If the microseconds of one event count from 1970, those of all events do.
    if (at && !base_) base_ = std::abs(*at) > 4e12 ? *at : 0.0;
    const double start = at ? std::nearbyint((*at - *base_) * 1e6) : 0, size = takes ? std::nearbyint(*takes * 1e6) : 0;
    if (!at || !takes || size < 0 || std::abs(start) > 2e18 || size > 2e18) return void(++impossible_);
    auto found = planes_.find(process);
    if (found == planes_.end()) found = planes_.emplace(std::string(process), trace_plane()).first;
    trace_plane& plane = found->second;
    auto line = plane.line_of_.find(thread);
    if (line == plane.line_of_.end()) {
      line = plane.line_of_.emplace(std::string(thread), plane.lines_.size()).first;
      plane.lines_.emplace_back(), plane.line_names_.emplace_back();
    }
    const auto key = key_of(plane, name, args);
    plane.lines_[line->second].add({static_cast<picoseconds>(start), static_cast<picoseconds>(size), 0}, key);
  }

  std::uint32_t key_of(trace_plane& plane, std::string_view name, std::string_view args) {
    text_ = name;
    json_for_each(args, [&](std::string_view key, std::string_view value) {
      if (key == "long_name" || key == "hlo_op" || key == "hlo op" || key == "hlo_module" || key == "hlo module" ||
          key == "program_id" || key == "hlo_category")
        text_ += '\1', text_ += key, text_ += '\2', text_ += value;
    });
    const auto [found, added] = plane.known_.try_emplace(text_, static_cast<std::uint32_t>(plane.keys_.size()));
    if (!added) return found->second;
    event_key& key = plane.keys_.emplace_back();
    key.name = unescape(name);
    const std::string shown = key.name;
    json_for_each(args, [&](std::string_view stat, std::string_view value) {
      stat_value v;
      const std::string text = unescape(value);
      v.is = stat_value::kind::text, v.text = text;
      if (stat == "long_name")
        key.name = text;
      else if (const auto number = number_of(text); number && (stat == "flops" || stat == "bytes_accessed"))
        v.is = stat_value::kind::real, v.real = *number;
      add_stat(key, stat, v);
    });
    if (!key.has_operation) key.operation = shown.empty() ? instruction_of_line(key.name) : shown;
    return found->second;
  }

  std::map<std::string, trace_plane, std::less<>> planes_;
  std::map<std::string, std::string, std::less<>> process_names_;
  std::map<std::pair<std::string, std::string>, std::string> thread_names_;
  std::optional<double> base_;
  std::string text_;
  std::size_t impossible_ = 0;
  const char* last_ = nullptr;
};

}  // namespace hlolint::profiles
