// XLA's heap: every request has a known lifetime and goes into the smallest gap that fits (assignment.md 4.3).
#pragma once

#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hlolint {

/// The slots [begin, end) of time.
struct slot_range {
  /// The first slot, and the one after the last. @{
  std::size_t begin = 0, end = 0;
  /// @}
};

namespace detail {

// Bytes taken in some slots of one block of time.
struct taken_piece {
  byte_count begin = 0, end = 0;
  std::uint32_t first = 0, last = 0;  // slots, both inclusive
  friend bool operator<(const taken_piece& a, const taken_piece& b) { return a.begin < b.begin; }
};

// Pieces sorted by their first byte, in short rows: an insertion moves few of them, and a search reads them in a line.
class taken_pieces {
 public:
  using row = std::vector<taken_piece>;

  /// The rows in order, none of them empty.
  const std::vector<row>& rows() const { return rows_; }
  void insert(const taken_piece& p) {
    // The last row that does not begin above the piece, and the place after all pieces that do not.
    const auto next = std::upper_bound(first_.begin(), first_.end(), p.begin);
    if (next == first_.begin()) return insert(0, 0, p);
    const auto in = static_cast<std::size_t>(next - first_.begin()) - 1;
    const auto at = std::upper_bound(rows_[in].begin(), rows_[in].end(), p);
    taken_piece& lower = *std::prev(at);
    if (lower.end == p.begin && lower.first == p.first && lower.last == p.last)
      lower.end = p.end;
    else
      insert(in, at - rows_[in].begin(), p);
  }
  /// Replaces an empty list. Precondition: there are no pieces yet.
  void assign(std::vector<taken_piece> pieces) {
    std::sort(pieces.begin(), pieces.end());
    for (std::size_t k = 0; k < pieces.size(); k += most / 2) {
      first_.push_back(pieces[k].begin);
      const auto begin = pieces.begin() + static_cast<std::ptrdiff_t>(k);
      rows_.emplace_back().reserve(most);
      rows_.back().assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(most / 2, pieces.size() - k)));
    }
  }

 private:
  void insert(std::size_t number, std::ptrdiff_t at, const taken_piece& p) {
    if (rows_.empty()) {
      rows_.push_back({p});
      first_.push_back(p.begin);
      return;
    }
    row& in = rows_[number];
    in.insert(in.begin() + at, p);
    if (at == 0) first_[number] = p.begin;
    if (in.size() < most) return;
    row right(in.begin() + most / 2, in.end());
    in.resize(most / 2);
    const auto next = static_cast<std::ptrdiff_t>(number) + 1;
    first_.insert(first_.begin() + next, right.front().begin);
    rows_.insert(rows_.begin() + next, std::move(right));
  }

  static constexpr std::size_t most = 64;  // in a row
  std::vector<row> rows_;
  std::vector<byte_count> first_;  // byte of each row, side by side for the search
};

// Finds the smallest gap that fits between ranges passed in ascending order; of equal gaps the lowest.
class gap_search {
 public:
  gap_search(byte_count size, byte_count alignment) : size_(size), enough_(size + alignment) {}
  void pass(byte_count begin, byte_count end) {
    const byte_count gap = begin - top_;
    if (gap >= size_ && gap > 0 && gap < least_) best_ = top_, least_ = gap;
    top_ = std::max(top_, end);
  }
  /// Whether no gap is smaller.
  bool is_done() const { return least_ < enough_; }
  /// Nothing if no gap lies within 63 bits.
  std::optional<byte_count> found() const {
    if (best_ >= 0) return best_;
    return checked_add(top_, size_) ? std::optional(top_) : std::nullopt;
  }

 private:
  byte_count size_, enough_;
  byte_count top_ = 0, best_ = -1, least_ = std::numeric_limits<byte_count>::max();
};

}  // namespace detail

/// Time is a row of slots, grouped into blocks. A block records what is taken in only some of its slots. A segment tree
/// over the blocks records the bytes taken in whole blocks: each node has the bytes taken somewhere below it and the
/// bytes taken throughout. Adjacent bytes are one range, so a node has few ranges. A search or an insertion touches the
/// blocks where the times begin and end, and O(log n) nodes. A short row of slots is a single block.
class best_fit_heap {
 public:
  /// `alignment`: of all offsets, a power of two. Fewer than 2^32 slots.
  best_fit_heap(std::size_t slots, byte_count alignment)
      : alignment_(std::max<byte_count>(alignment, 1)),
        width_(slots <= most_in_one_block ? most_in_one_block : std::size_t{64}),
        blocks_(std::max<std::size_t>(1, (slots + width_ - 1) / width_)) {
    while (leaves_ < blocks_.size()) leaves_ *= 2;
    somewhere_.resize(2 * leaves_);
    throughout_.resize(2 * leaves_);
  }

  /// Takes `size` bytes at all these times and returns their offset: the smallest gap that fits, measured from its
  /// aligned start; of equal gaps the lowest. Nothing if no place fits into 63 bits. The times ascend and do not touch.
  std::optional<byte_count> place(std::span<const slot_range> times, byte_count size) {
    if (searches_left_ > 0 && --searches_left_ == 0) sort_pieces();
    const std::optional<byte_count> at = searches_left_ > 0    ? place_among_pieces(times, size)
                                         : blocks_.size() == 1 ? place_in_block(times, size)
                                                               : place_in_tree(times, size);
    if (at) take(times, *at, size);
    return at;
  }
  /// Takes the bytes at `at`. Precondition: `place` could have returned `at`.
  void take(std::span<const slot_range> times, byte_count at, byte_count size) {
    // A gap begins at an aligned offset, so the bytes before it count as taken.
    const byte_count end = rounded_up(at + size);
    for (const slot_range& t : times)
      if (t.begin < t.end && size > 0) take(t.begin, t.end - 1, {at, end});
    highest_ = std::max(highest_, at + size);
  }
  /// For many calls of `take` and few of `place`: nothing is sorted until a few searches were made. Precondition:
  /// nothing is taken.
  void expect_few_searches() { searches_left_ = few_searches; }
  /// One past the last byte taken; not rounded.
  byte_count size() const { return highest_; }
  /// The cost of all searches so far, in sorted ranges of bytes.
  std::size_t steps() const { return steps_; }

 private:
  static constexpr std::size_t most_in_one_block = 1024, few_searches = 12;
  struct bytes {
    bytes() {}  // left uninitialized: more are allocated than used
    bytes(byte_count first, byte_count last) : begin(first), end(last) {}
    byte_count begin, end;
    friend bool operator<(const bytes& a, const bytes& b) { return a.begin < b.begin; }
  };
  using byte_list = std::vector<bytes>;  // ascending, apart from each other

  byte_count rounded_up(byte_count n) const {
    const auto raised = checked_add(n, alignment_ - 1);
    return raised ? *raised & -alignment_ : std::numeric_limits<byte_count>::max();
  }

  // --- Search ---

  std::optional<byte_count> place_in_block(std::span<const slot_range> times, byte_count size) {
    detail::gap_search search(size, checked_add(size, alignment_) ? alignment_ : 0);
    for (const auto& row : blocks_.front().rows()) {
      taken_.clear();
      collect(row, times);
      for (const bytes& t : taken_) search.pass(t.begin, t.end);
      if (search.is_done()) break;
    }
    return search.found();
  }
  std::optional<byte_count> place_in_tree(std::span<const slot_range> times, byte_count size) {
    taken_.clear();
    runs_.clear();
    for (const slot_range& t : times)
      if (t.begin < t.end) collect(t);
    merge_runs();
    steps_ += taken_.size();
    return find_gap(size);
  }

  std::optional<byte_count> place_among_pieces(std::span<const slot_range> times, byte_count size) {
    taken_.clear();
    collect(pieces_, times);
    std::sort(taken_.begin(), taken_.end());
    return find_gap(size);
  }
  std::optional<byte_count> find_gap(byte_count size) const {
    detail::gap_search search(size, checked_add(size, alignment_) ? alignment_ : 0);
    for (const bytes& t : taken_) {
      search.pass(t.begin, t.end);
      if (search.is_done()) break;
    }
    return search.found();
  }

  /// Collects what overlaps any of these times.
  void collect(const std::vector<detail::taken_piece>& row, std::span<const slot_range> times) {
    const std::size_t before = taken_.size();
    steps_ += row.size() / 8 + 1;  // looking at a piece costs much less than sorting a range
    taken_.resize(before + row.size());
    bytes* out = taken_.data() + before;
    // Branch-free: about half of the pieces overlap, unpredictably.
    if (times.size() == 1) {
      const auto begin = static_cast<std::uint32_t>(times.front().begin);
      const auto end = static_cast<std::uint32_t>(times.front().end);
      for (const detail::taken_piece& p : row) {
        *out = {p.begin, p.end};
        out += static_cast<int>(p.first < end) & static_cast<int>(begin <= p.last);
      }
    } else {
      for (const detail::taken_piece& p : row) {
        *out = {p.begin, p.end};
        out += std::ranges::any_of(times, [&](const slot_range& t) { return p.first < t.end && t.begin <= p.last; });
      }
    }
    taken_.resize(static_cast<std::size_t>(out - taken_.data()));
  }
  void collect(slot_range t) {
    const std::size_t first = t.begin / width_, last = (t.end - 1) / width_;
    collect_block(first, t);
    if (first != last) collect_block(last, t);
    std::size_t l = first + 1 + leaves_, r = last + leaves_;
    for (; l < r; l /= 2, r /= 2) {
      if (l & 1) append(somewhere_[l++]);
      if (r & 1) append(somewhere_[--r]);
    }
    for (std::size_t n = first + leaves_; n > 0; n /= 2) append(throughout_[n]);
    for (std::size_t n = last + leaves_, m = first + leaves_; n != m; n /= 2, m /= 2) append(throughout_[n]);
  }
  void collect_block(std::size_t block, slot_range t) {
    begin_run();
    for (const auto& row : blocks_[block].rows()) collect(row, {&t, 1});
  }
  void append(const byte_list& list) {
    if (list.empty()) return;
    begin_run();
    taken_.insert(taken_.end(), list.begin(), list.end());
  }
  void begin_run() {
    if (runs_.empty() || runs_.back() != taken_.size()) runs_.push_back(taken_.size());
  }
  /// Sorts `taken_`, which consists of sorted runs.
  void merge_runs() {
    while (runs_.size() > 1) {
      merged_.resize(taken_.size());
      std::size_t kept = 0;
      for (std::size_t r = 0; r < runs_.size(); r += 2) {
        const auto end_of = [&](std::size_t run) {
          return taken_.begin() + static_cast<std::ptrdiff_t>(run < runs_.size() ? runs_[run] : taken_.size());
        };
        const auto from = static_cast<std::ptrdiff_t>(runs_[r]);
        std::merge(end_of(r), end_of(r + 1), end_of(r + 1), end_of(r + 2), merged_.begin() + from);
        runs_[kept++] = runs_[r];
      }
      runs_.resize(kept);
      taken_.swap(merged_);
    }
  }

  // --- Taking ---

  /// Moves the pieces into blocks and tree, where all later searches look.
  void sort_pieces() {
    const std::vector<detail::taken_piece> pieces = std::exchange(pieces_, {});
    if (blocks_.size() == 1) return blocks_.front().assign(pieces);
    for (const detail::taken_piece& p : pieces) take(p.first, p.last, {p.begin, p.end});
  }
  void take(std::size_t first_slot, std::size_t last_slot, bytes range) {
    if (searches_left_ > 0) {
      pieces_.push_back(
          {range.begin, range.end, static_cast<std::uint32_t>(first_slot), static_cast<std::uint32_t>(last_slot)});
      return;
    }
    std::size_t first = first_slot / width_, last = last_slot / width_;
    const std::size_t first_leaf = first + leaves_, last_leaf = last + leaves_;
    // Blocks that the range covers only in part; a single block needs no tree.
    const bool part_of_first =
        blocks_.size() == 1 || first_slot % width_ != 0 || (first == last && last_slot % width_ != width_ - 1);
    const bool part_of_last = first != last && last_slot % width_ != width_ - 1;
    if (part_of_first) take_in_block(first, first_slot, last_slot, range);
    if (part_of_last) take_in_block(last, first_slot, last_slot, range);
    if (blocks_.size() == 1) return;
    if (part_of_first) ++first;
    const std::size_t end = part_of_last ? last : last + 1;  // of the whole blocks
    for (std::size_t l = first + leaves_, r = end + leaves_; l < r; l /= 2, r /= 2) {
      if (l & 1) take_throughout(l++, range);
      if (r & 1) take_throughout(--r, range);
    }
    // Upwards from both ends. Nodes inside have the range already, and so have all above a node that had it.
    for (std::size_t n = first_leaf, width = 1; n > 0; n /= 2, width *= 2)
      if (!is_inside(n, width, first, end) && !add(somewhere_[n], range)) break;
    for (std::size_t n = last_leaf, m = first_leaf, width = 1; n != m; n /= 2, m /= 2, width *= 2)
      if (!is_inside(n, width, first, end) && !add(somewhere_[n], range)) break;
  }
  void take_in_block(std::size_t block, std::size_t first, std::size_t last, bytes range) {
    const std::size_t begin = block * width_;
    blocks_[block].insert({range.begin, range.end, static_cast<std::uint32_t>(std::max(first, begin)),
                           static_cast<std::uint32_t>(std::min(last, begin + width_ - 1))});
  }
  void take_throughout(std::size_t n, bytes range) { add(throughout_[n], range), add(somewhere_[n], range); }
  bool is_inside(std::size_t n, std::size_t width, std::size_t first, std::size_t end) const {
    const std::size_t begin = n * width - leaves_;
    return begin >= first && begin + width <= end;
  }
  /// Whether some of the range was not in the list before.
  bool add(byte_list& list, bytes range) {
    const auto from = std::lower_bound(list.begin(), list.end(), range.begin,
                                       [](const bytes& b, byte_count begin) { return b.end < begin; });
    if (from == list.end() || from->begin > range.end) {
      list.insert(from, range);
      return true;
    }
    if (from->begin <= range.begin && range.end <= from->end) return false;
    auto to = from;
    for (; to != list.end() && to->begin <= range.end; ++to)
      range.begin = std::min(range.begin, to->begin), range.end = std::max(range.end, to->end);
    *from = range;
    list.erase(from + 1, to);
    return true;
  }

  byte_count alignment_ = 1;
  byte_count highest_ = 0;
  std::size_t steps_ = 0;
  std::size_t searches_left_ = 0;            // 0: pieces are sorted
  std::vector<detail::taken_piece> pieces_;  // all that is taken, until then
  std::size_t width_;                        // of a block
  std::vector<detail::taken_pieces> blocks_;
  std::size_t leaves_ = 1;                         // of the tree, one for each block
  std::vector<byte_list> somewhere_, throughout_;  // by node
  byte_list taken_, merged_;                       // scratch of a search
  std::vector<std::size_t> runs_;                  // where the sorted runs of `taken_` begin
};

}  // namespace hlolint
