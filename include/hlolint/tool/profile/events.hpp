// The events of one line of a profile, packed: a profile can have tens of millions.
#pragma once

#include <hlolint/tool/profile/profile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::profiles {

/// The common properties of some events: kernel or instruction, module, and the compiler's numbers.
struct event_key {
  std::string name;                      ///< the instruction as HLO text, or the kernel
  std::string operation;                 ///< the instruction's name
  std::string module;                    ///< `hlo_module` of a GPU
  std::string category;                  ///< `hlo_category`
  std::string scope;                     ///< `tf_op`
  std::string source;                    ///< `file:line`
  std::optional<std::uint64_t> program;  ///< `program_id`
  bool has_operation = false;            ///< there is an `hlo_op`
  bool has_module = false;               ///< there is an `hlo_module`
  double flops = 0;                      ///< of one execution
  double bytes = 0;                      ///< of one execution
};

/// One event: it takes time.
struct timed_event {
  picoseconds start = 0;   ///< since the start of its plane
  picoseconds length = 0;  ///< not negative
  std::uint32_t key = 0;   ///< position in the keys of its plane
  picoseconds end() const { return start + length; }
};

/// Many events in 16 bytes each.
class event_store {
 public:
  /// Makes room for `count` events.
  void reserve(std::size_t count) { events_.reserve(count); }
  /// Adds an event, with `tag` in place of its key.
  void add(const timed_event& e, std::uint32_t tag) {
    std::uint32_t length = static_cast<std::uint32_t>(e.length & 0x7FFFFFFF);
    if (e.length > 0x7FFFFFFF) {
      length = is_long | static_cast<std::uint32_t>(long_.size());
      long_.push_back(e.length);
    }
    events_.push_back({e.start, length, tag});
  }
  void clear() { events_.clear(), long_.clear(); }     ///< removes all events
  std::size_t size() const { return events_.size(); }  ///< how many events it holds
  bool empty() const { return events_.empty(); }       ///< whether it holds none
  /// The event at a position of the current order. Its `key` is the tag.
  timed_event operator[](std::size_t i) const { return whole(events_[i]); }
  /// Sorts by `first(tag)`, then by start, then by `second(tag)`; of equals the longer event comes first.
  template <class First, class Second>
  void sort(First&& first, Second&& second) {
    std::stable_sort(events_.begin(), events_.end(), [&](const packed& a, const packed& b) {
      if (first(a.tag) != first(b.tag)) return first(a.tag) < first(b.tag);
      if (a.start != b.start) return a.start < b.start;
      if (second(a.tag) != second(b.tag)) return second(a.tag) < second(b.tag);
      const picoseconds long_a = whole(a).length, long_b = whole(b).length;
      return long_a != long_b ? long_a > long_b : a.tag < b.tag;
    });
  }

 private:
  static constexpr std::uint32_t is_long = 0x80000000;
  struct packed {
    picoseconds start;
    std::uint32_t length, tag;
  };
  timed_event whole(const packed& e) const {
    return {e.start, e.length & is_long ? long_[e.length & ~is_long] : picoseconds{e.length}, e.tag};
  }

  std::vector<packed> events_;
  std::vector<picoseconds> long_;
};

/// A span of time.
struct interval {
  picoseconds begin = 0;  ///< the first picosecond
  picoseconds end = 0;    ///< after the last picosecond
};

/// Sorts the spans, and joins those that touch. O(n log n).
inline std::vector<interval> union_of(std::vector<interval> spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const interval& a, const interval& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::vector<interval> out;
  for (const interval& s : spans) {
    if (s.end <= s.begin) continue;
    if (!out.empty() && s.begin <= out.back().end)
      out.back().end = std::max(out.back().end, s.end);
    else
      out.push_back(s);
  }
  return out;
}

/// The sum of the lengths. Precondition: the spans do not overlap.
inline picoseconds length_of(const std::vector<interval>& spans) {
  picoseconds sum = 0;
  for (const interval& s : spans) sum += s.end - s.begin;
  return sum;
}

/// The length of the parts of `spans` that are in none of `others`. Precondition: both are sorted and do not overlap.
inline picoseconds length_outside(const std::vector<interval>& spans, const std::vector<interval>& others) {
  picoseconds out = 0;
  std::size_t first = 0;
  for (const interval& s : spans) {
    out += s.end - s.begin;
    while (first < others.size() && others[first].end <= s.begin) ++first;
    for (std::size_t i = first; i < others.size() && others[i].begin < s.end; ++i)
      out -= std::min(s.end, others[i].end) - std::max(s.begin, others[i].begin);
  }
  return out;
}

}  // namespace hlolint::profiles
