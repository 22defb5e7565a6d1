// The owned text that all parsed values refer to, and places in it. Positions are offsets; lines and columns are
// computed when they are asked for.
#pragma once

#include <hlolint/text/line_index.hpp>

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Bytes [begin, end) of a source. 32 bits: a source is at most 4 GiB - 1 bytes (see `source`).
struct span {
  std::uint32_t begin = 0;  ///< offset of the first byte
  std::uint32_t end = 0;    ///< offset one past the last byte

  /// Its size in bytes.
  constexpr std::size_t size() const { return end - begin; }
  /// Whether it holds no byte.
  constexpr bool empty() const { return begin == end; }
  /// The bytes as a view. Precondition: `end <= text.size()`.
  constexpr std::string_view of(std::string_view text) const { return text.substr(begin, size()); }
  friend constexpr auto operator<=>(const span&, const span&) = default;
};

/// The span of `part`, a view into `text`. Precondition: `part` lies inside `text`.
constexpr span span_of(std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::uint32_t>(part.data() - text.data());
  return {begin, begin + static_cast<std::uint32_t>(part.size())};
}

/// Marks a text that is not copied: the caller keeps it alive for as long as anything made from it lives.
struct borrow_t {};
/// Passed to functions that take a text: `parse(text, borrow)`.
inline constexpr borrow_t borrow{};

/// A text and the path that it is known by: a cheap handle on shared, immutable data, which several threads may read. A
/// text of 4 GiB or more is cut to its first 4 GiB - 1 bytes, and `oversized()` is true.
class source {
 public:
  /// The path of a text that was never a file.
  static constexpr const char* unnamed = "<text>";

  source() : source(std::string_view{}, "", borrow) {}

  /// Takes the text over.
  explicit source(std::string text, std::string path = unnamed)
      : data_(std::make_shared<data>(std::move(path), std::move(text), nullptr)) {
    data_->view = data_->text;
    cut();
  }

  /// Copies nothing; see `borrow_t`.
  source(std::string_view text, std::string path, borrow_t)
      : data_(std::make_shared<data>(std::move(path), std::string{}, nullptr)) {
    data_->view = text;
    cut();
  }
  /// A temporary text cannot be borrowed.
  template <std::same_as<std::string> Text>
  source(Text&&, std::string, borrow_t) = delete;

  /// Keeps `owner`, such as a mapped file, alive for as long as the source lives.
  source(std::string_view text, std::string path, std::shared_ptr<const void> owner)
      : data_(std::make_shared<data>(std::move(path), std::string{}, std::move(owner))) {
    data_->view = text;
    cut();
  }

  /// The whole text, at most 4 GiB - 1 bytes.
  std::string_view text() const { return data_->view; }
  /// The path it is known by; `unnamed` for a text that was never a file, and empty for an empty source.
  const std::string& path() const { return data_->path; }
  /// False for a text that was never a file.
  bool has_path() const { return !path().empty() && path() != unnamed; }
  /// Whether the text was longer than 4 GiB - 1 bytes and has been cut.
  bool oversized() const { return data_->oversized; }

  /// Built on first use.
  const line_index& lines() const {
    const line_index* index = data_->index.load(std::memory_order_acquire);
    if (index) return *index;
    // Two threads may both build an index; the first one that is finished is kept.
    auto mine = std::make_unique<const line_index>(data_->view);
    if (!data_->index.compare_exchange_strong(index, mine.get(), std::memory_order_acq_rel)) return *index;
    return *mine.release();
  }

  /// Whether `part` is a view into this text.
  bool contains(std::string_view part) const {
    const std::string_view whole = text();
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
  }

  /// Whether both are handles on the same text object; equal texts are not enough.
  bool same_as(const source& other) const { return data_ == other.data_; }

 private:
  struct data {
    data(std::string p, std::string t, std::shared_ptr<const void> o)
        : path(std::move(p)), text(std::move(t)), owner(std::move(o)) {}
    data(const data&) = delete;
    data& operator=(const data&) = delete;
    ~data() { delete index.load(std::memory_order_relaxed); }
    std::string path;
    std::string text;
    std::shared_ptr<const void> owner;
    std::string_view view;
    bool oversized = false;
    std::atomic<const line_index*> index = nullptr;
  };

  void cut() {
    constexpr std::size_t most = 0xFFFFFFFFu;
    data_->oversized = data_->view.size() > most;
    data_->view = data_->view.substr(0, most);
  }

  std::shared_ptr<data> data_;
};

/// A place in a source. Keeps the source alive.
struct location {
  source in;  ///< the text
  span at;    ///< the bytes of the place

  /// Line and column of the first byte.
  line_column begin() const { return in.lines().at(at.begin); }
  /// Line and column one past the last byte.
  line_column end() const { return in.lines().at(at.end); }
  /// The text of the place.
  std::string_view text() const { return at.of(in.text()); }
  /// Equal spans of the same text object, or of two texts that were read from one file. Texts that were never files are
  /// only equal to themselves.
  friend bool operator==(const location& a, const location& b) {
    if (a.at != b.at) return false;
    const bool empty = a.in.text().empty() && b.in.text().empty();
    return a.in.same_as(b.in) || (a.in.path() == b.in.path() && (a.in.has_path() || empty));
  }
};

}  // namespace hlolint
