// One plane of an XSpace (profiles.md 2). Events are read from the bytes at each call.
#pragma once

#include <hlolint/text/checked.hpp>
#include <hlolint/tool/profile/events.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/profile/stats.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hlolint::profiles {

/// A function that is called with bytes that are not needed soon: the memory of a mapped file can be given back.
using bytes_done = std::function<void(std::string_view)>;

/// A plane. Refers to the bytes.
class xspace_plane {
 public:
  /// Throws the exceptions of reading protobuf.
  xspace_plane(std::string_view bytes, const bytes_done& done) : done_(done), bytes_(bytes) {
    using namespace protobuf;
    message entry;
    for_each_field(bytes, [&](const field& f) {
      if (f.key() == sized(2)) name_ = f.bytes;
      if (f.key() == sized(3)) lines_.push_back(f.bytes);
      if (f.key() == sized(6)) stats_.push_back(f.bytes);
      if (f.key() != sized(4) && f.key() != sized(5)) return;
      entry.read(f.bytes);
      if (f.tag == 4)
        metadata_.insert_or_assign(entry.number(1), metadata{entry.text(2), {}, no_key, false});
      else
        stat_names_.insert_or_assign(entry.number(1), text_field(entry.text(2), 2));
    });
    line_names_.resize(lines_.size());
    stamps_.resize(lines_.size());
    looked_.resize(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string_view shown;
      in_windows(lines_[i], [&](const field& f) {
        if (f.key() == sized(2)) line_names_[i] = std::string(f.bytes);
        if (f.key() == sized(11)) shown = f.bytes;
        if (f.key() == varint(3)) stamps_[i] = f.number();
      });
      if (line_names_[i].empty()) line_names_[i] = std::string(shown);
      if (i == 0 || stamps_[i] < base_) base_ = stamps_[i];
    }
  }

  std::string_view name() const { return name_; }                             ///< `/device:TPU:0`
  const std::vector<std::string>& line_names() const { return line_names_; }  ///< in file order
  const std::vector<event_key>& keys() const { return keys_; }                ///< of the events read so far
  /// How many events were left out because their times are impossible.
  std::size_t impossible() const { return impossible_; }

  /// How many events a line has.
  std::size_t events_of(std::size_t line) { return look(line).count; }

  /// Calls `use(event)` for the events of a line, sorted by start; of equal starts the longer event comes first. Takes
  /// no memory if the file has this order. Otherwise takes 16 bytes for each of `at_a_time` events, and reads the line
  /// once for each such part.
  template <class Use>
  void each(std::size_t line, Use&& use, std::size_t at_a_time = std::size_t{4} << 20) {
    const line_facts seen = look(line);
    if (seen.sorted) return each_in_any_order(line, use);
    event_store all;
    all.reserve(std::min(seen.count, at_a_time));
    const std::vector<picoseconds> ends = ends_of_parts(line, seen, at_a_time);
    for (std::size_t part = 0; part < ends.size(); ++part) {
      all.clear();
      each_between(line, part == 0 ? seen.first : ends[part - 1], ends[part],
                   [&](const timed_event& e) { all.add(e, e.key); });
      all.sort([](std::uint32_t) { return 0; }, [](std::uint32_t) { return 0; });
      for (std::size_t i = 0; i < all.size(); ++i) use(all[i]);
    }
  }
  /// Calls `use(event)` for the events of a line in the order of the file.
  template <class Use>
  void each_in_any_order(std::size_t line, Use&& use) {
    each_between(line, INT64_MIN, INT64_MAX, use);
  }

  /// Calls `use(name, value)` for the stats of the plane.
  template <class Use>
  void each_stat(Use&& use) const {
    for (const std::string_view stat : stats_) with_stat(stat, use);
  }
  /// Calls `use(name, bytes)` for the programs of a plane that holds metadata, in file order.
  template <class Use>
  void each_program(Use&& use) const {
    using namespace protobuf;
    for_each_field(bytes_, [&](const field& f) {
      if (f.key() != sized(4)) return;
      const std::string_view entry = text_field(f.bytes, 2), name = text_field(entry, 2);
      for_each_field(entry, [&](const field& part) {
        if (part.key() != sized(5)) return;
        with_stat(part.bytes, [&](std::string_view stat, const stat_value& value) {
          if (value.is == stat_value::kind::bytes &&
              (stat == "Hlo Proto" || stat == "hlo_proto" || stat == "hlo proto"))
            use(name, value.text);
        });
      });
    });
  }

 private:
  static constexpr std::uint32_t no_key = static_cast<std::uint32_t>(-1);
  static constexpr std::size_t window = std::size_t{16} << 20;

  struct metadata {
    std::string_view bytes;
    event_key key;
    std::uint32_t plain = no_key;  // of events without stats that tell them apart
    bool read = false;
  };

  template <class Use>
  void with_stat(std::string_view bytes, Use&& use) const {
    using namespace protobuf;
    std::int64_t id = 0;
    stat_value value;
    using kind = stat_value::kind;
    for_each_field(bytes, [&](const field& f) {
      switch (f.tag) {
        case 1: id = f.number(); break;
        case 2: value.is = kind::real, value.real = f.real(); break;
        case 3:
        case 4: value.is = kind::number, value.number = f.bits; break;
        case 5: value.is = kind::text, value.text = f.bytes; break;
        case 6: value.is = kind::bytes, value.text = f.bytes; break;
        case 7: {
          const auto found = stat_names_.find(f.number());
          value.is = kind::text, value.text = found == stat_names_.end() ? std::string_view() : found->second;
          break;
        }
        default: break;
      }
    });
    const auto name = stat_names_.find(id);
    if (name != stat_names_.end()) use(name->second, static_cast<const stat_value&>(value));
  }

  void release(std::string_view part) const {
    if (done_) done_(part);
  }

  // Calls `use(field)` for the fields of a line, and gives back the memory of the bytes behind it.
  template <class Use>
  void in_windows(std::string_view line, Use&& use) const {
    const char* begin = line.data();
    protobuf::for_each_field(line, [&](const protobuf::field& f) {
      use(f);
      const char* const at = f.bytes.data();
      if (!at || static_cast<std::size_t>(at - begin) < window) return;
      release({begin, static_cast<std::size_t>(at - begin)});
      begin = at;
    });
    release({begin, static_cast<std::size_t>(line.data() + line.size() - begin)});
  }

  // Calls `use(bytes, metadata id, event)` for events that have a place in time.
  template <class Use>
  void each_event(std::size_t line, Use&& use) {
    using namespace protobuf;
    const std::string_view all = lines_[line];
    // The clock of a plane may count from 1970, so times are taken relative to the first line.
    const auto base = checked_add(stamps_[line], base_ == INT64_MIN ? INT64_MAX : -base_);
    const auto from = base ? checked_multiply(*base, 1000) : std::nullopt;
    const bool first_time = !looked_[line];
    in_windows(all, [&](const field& f) {
      if (f.key() != sized(4)) return;
      std::int64_t id = 0, offset = 0, length = 0;
      bool counted = false;
      for_each_field(f.bytes, [&](const field& part) {
        if (part.key() == varint(1)) id = part.number();
        if (part.key() == varint(2)) offset = part.number();
        if (part.key() == varint(3)) length = part.number();
        if (part.tag == 5) counted = true;
      });
      if (counted) return;
      const auto start = from ? checked_add(*from, offset) : std::nullopt;
      if (!start || length < 0 || !checked_add(*start, length) || *start < -furthest || *start > furthest)
        return void(impossible_ += first_time);
      use(f.bytes, id, timed_event{*start, length, 0});
    });
  }
  static constexpr picoseconds furthest = picoseconds{1} << 61;

  // Calls `use(event)` for the events that start in [first, end).
  template <class Use>
  void each_between(std::size_t line, picoseconds first, picoseconds end, Use&& use) {
    each_event(line, [&](std::string_view bytes, std::int64_t id, timed_event e) {
      if (e.start < first || e.start >= end) return;
      const auto found = metadata_.find(id);
      if (found == metadata_.end()) return;
      e.key = key_of(id, found->second, bytes);
      use(static_cast<const timed_event&>(e));
    });
  }

  struct line_facts {
    std::size_t count = 0;  // events
    bool sorted = true;
    picoseconds first = INT64_MAX, last = INT64_MIN;  // starts
  };
  line_facts look(std::size_t line) {
    if (!looked_[line]) {
      line_facts out;
      timed_event before{INT64_MIN, 0, 0};
      each_event(line, [&](std::string_view, std::int64_t, const timed_event& e) {
        out.sorted = out.sorted && (e.start > before.start || (e.start == before.start && e.length <= before.length));
        ++out.count, before = e;
        out.first = std::min(out.first, e.start), out.last = std::max(out.last, e.start);
      });
      looked_[line] = out;
    }
    return *looked_[line];
  }

  // Where parts of the line's time end, each with no more events than that if they do not all start at once.
  std::vector<picoseconds> ends_of_parts(std::size_t line, const line_facts& seen, std::size_t most) {
    if (seen.count <= most) return {INT64_MAX};
    constexpr std::size_t slots = 1 << 16;
    const picoseconds width = (seen.last - seen.first) / static_cast<picoseconds>(slots) + 1;
    std::vector<std::size_t> counts(slots);
    each_event(line, [&](std::string_view, std::int64_t, const timed_event& e) {
      ++counts[static_cast<std::size_t>((e.start - seen.first) / width)];
    });
    std::vector<picoseconds> out;
    std::size_t together = 0;
    for (std::size_t i = 0; i < slots; ++i) {
      if (together > 0 && together + counts[i] > most) {
        out.push_back(seen.first + static_cast<picoseconds>(i) * width);
        together = 0;
      }
      together += counts[i];
    }
    out.push_back(INT64_MAX);
    return out;
  }

  std::uint32_t key_of(std::int64_t id, metadata& entry, std::string_view event) {
    if (!entry.read) read(entry);
    own_ = false;
    double flops = 0, bytes = 0;
    protobuf::for_each_field(event, [&](const protobuf::field& f) {
      if (f.key() != protobuf::sized(4) || !is_asked_for(f.bytes)) return;
      with_stat(f.bytes, [&](std::string_view name, const stat_value& value) {
        if (name == "flops")
          flops = value.as_real();
        else if (name == "bytes_accessed")
          bytes = value.as_real();
        else if (tells_apart(name)) {
          if (!own_) own_key_ = entry.key, own_ = true, own_text_ = std::to_string(id);
          add_stat(own_key_, name, value);
          own_text_ += '\1', own_text_ += name, own_text_ += '\2', own_text_ += value.as_text();
        }
      });
    });
    std::uint32_t out = no_key;
    if (!own_) {
      if (entry.plain == no_key) entry.plain = new_key(entry.key);
      out = entry.plain;
    } else {
      const auto [found, added] = own_keys_.try_emplace(own_text_, no_key);
      if (added) found->second = new_key(own_key_);
      out = found->second;
    }
    if (flops > 0) keys_[out].flops = flops;
    if (bytes > 0) keys_[out].bytes = bytes;
    return out;
  }
  // Decides by the number of the stat, which comes first: most stats of events are not used.
  bool is_asked_for(std::string_view stat) {
    if (stat.size() < 2 || stat[0] != 8) return true;
    std::size_t number = static_cast<unsigned char>(stat[1]) & 0x7F, at = 2;
    if (static_cast<unsigned char>(stat[1]) >= 0x80) {
      if (stat.size() < 3 || static_cast<unsigned char>(stat[2]) >= 0x80) return true;
      number |= static_cast<std::size_t>(stat[at]) << 7;
    }
    if (asked_for_.empty()) {
      asked_for_.resize(1 << 14);
      for (const auto& [id, name] : stat_names_)
        if (id >= 0 && id < (1 << 14))
          asked_for_[static_cast<std::size_t>(id)] = name == "flops" || name == "bytes_accessed" || tells_apart(name);
    }
    return asked_for_[number];
  }
  static bool tells_apart(std::string_view stat) {
    return stat == "hlo_op" || stat == "hlo_module" || stat == "program_id" || stat == "hlo_category";
  }
  std::uint32_t new_key(const event_key& key) {
    keys_.push_back(key);
    return static_cast<std::uint32_t>(keys_.size() - 1);
  }

  void read(metadata& entry) {
    entry.read = true;
    std::string_view shown;
    protobuf::for_each_field(entry.bytes, [&](const protobuf::field& f) {
      if (f.key() == protobuf::sized(2)) entry.key.name = std::string(f.bytes);
      if (f.key() == protobuf::sized(4)) shown = f.bytes;
      if (f.key() == protobuf::sized(5))
        with_stat(f.bytes, [&](std::string_view name, const stat_value& value) { add_stat(entry.key, name, value); });
    });
    if (!entry.key.has_operation)
      entry.key.operation = shown.empty() ? instruction_of_line(entry.key.name) : std::string(shown);
  }

  const bytes_done& done_;
  std::string_view bytes_;
  std::string_view name_;
  std::vector<std::string_view> lines_, stats_;
  std::vector<std::string> line_names_;
  std::vector<std::int64_t> stamps_;
  std::int64_t base_ = 0;
  std::unordered_map<std::int64_t, metadata> metadata_;
  std::unordered_map<std::int64_t, std::string_view> stat_names_;
  std::vector<std::optional<line_facts>> looked_;
  std::vector<bool> asked_for_;
  std::vector<event_key> keys_;
  std::unordered_map<std::string, std::uint32_t> own_keys_;
  event_key own_key_;
  std::string own_text_;
  bool own_ = false;
  std::size_t impossible_ = 0;
};

}  // namespace hlolint::profiles
