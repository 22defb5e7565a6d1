// Events of one line of a profile, packed: profiles have tens of millions of them.
#pragma once

#include <hlolint/profile/profile.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint::profiles {

/// What events of one kind have in common: kernel or instruction, module, and what the compiler says of it.
struct event_key {
  std::string name;                      ///< the instruction as HLO text, or the kernel
  std::string operation;                 ///< the instruction's name
  std::string module;                    ///< `hlo_module` of a GPU
  std::string category;                  ///< `hlo_category`
  std::string scope;                     ///< `tf_op`
  std::string source;                    ///< `file:line`
  optional<std::uint64_t> program;       ///< `program_id`
  bool has_operation = false;            ///< there is an `hlo_op`
  bool has_module = false;               ///< there is an `hlo_module`
  double flops = 0;                      ///< of one execution
  double bytes = 0;                      ///< of one execution
};

/// Something that took time.
struct timed_event {
  picoseconds start = 0;   ///< from the begin of its plane
  picoseconds length = 0;  ///< not negative
  std::uint32_t key = 0;   ///< into the keys of its plane
  /// When it ended.
  picoseconds end() const { return start + length; }
};

/// Many events in 16 bytes each.
class event_store {
 public:
  /// So many will be added.
  void reserve(std::size_t count) { events_.reserve(count); }
  /// `tag` is kept with the event, and takes the place of its key.
  void add(const timed_event& e, std::uint32_t tag) {
    std::uint32_t length = static_cast<std::uint32_t>(e.length & 0x7FFFFFFF);
    if (e.length > 0x7FFFFFFF) {
      length = is_long | static_cast<std::uint32_t>(long_.size());
      long_.push_back(e.length);
    }
    events_.push_back({e.start, length, tag});
  }
  void clear() { events_.clear(), long_.clear(); }     ///< no events any more
  std::size_t size() const { return events_.size(); }  ///< events
  bool empty() const { return events_.empty(); }       ///< no events
  /// The event at a place in the present order; `key` is its tag.
  timed_event operator[](std::size_t i) const { return whole(events_[i]); }
  /// By `first(tag)`, then by start, then by `second(tag)`, then the longer first.
  template <class First, class Second>
  void sort(First&& first, Second&& second) {
    std::sort(events_.begin(), events_.end(), [&](const packed& a, const packed& b) {
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

  record_list<packed> events_;
  record_list<picoseconds> long_;
};

/// A span of time.
struct interval {
  picoseconds begin = 0;  ///< first
  picoseconds end = 0;    ///< behind the last
};

/// The spans in order, those that touch as one. O(n log n).
inline record_list<interval> union_of(record_list<interval> spans) {
  std::sort(spans.begin(), spans.end(), [](const interval& a, const interval& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  record_list<interval> out;
  for (const interval& s : spans) {
    if (s.end <= s.begin) continue;
    if (!out.empty() && s.begin <= out.back().end)
      out.back().end = std::max(out.back().end, s.end);
    else
      out.push_back(s);
  }
  return out;
}

/// How long the spans are together. Precondition: they do not overlap.
inline picoseconds length_of(const record_list<interval>& spans) {
  picoseconds sum = 0;
  for (const interval& s : spans) sum += s.end - s.begin;
  return sum;
}

/// How much of `spans` is in none of `others`. Precondition: both are in order and do not overlap.
inline picoseconds length_outside(const record_list<interval>& spans, const record_list<interval>& others) {
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
