// The shapes of a text: equal texts are parsed once and share a number in a pool.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/hash.hpp>
#include <hlolint/text/huge_pages.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::build {

/// From the text of a shape to its number in a pool.
class shape_table {
 public:
  void clear() {
    numbers_.clear();
    recent_.assign(recent_.size(), known{});
    short_.fill({});
  }

  /// A shape that was read before, and its number.
  struct known {
    std::string_view text;
    id number = none;
  };
  /// The slot of the last shape whose first 16 bytes had the hash of those at `p`. Most shapes are found in it, so that
  /// their end need not be searched for.
  known& recent(const char* p) {
    const std::uint64_t both =
        hlolint::detail::load8(p) * 0x9E3779B97F4A7C15u ^ hlolint::detail::load8(p + 8) * 0xC2B2AE3D27D4EB4Fu;
    return recent_[both >> 54];
  }

  /// The first bytes of a text up to a blank, and how many there are: 0 if no blank comes within 16 bytes.
  struct short_text {
    std::uint64_t low = 0, high = 0;
    std::size_t size = 0;
    bool is(const short_text& other) const { return low == other.low && high == other.high && size == other.size; }
  };
  /// Precondition: `p` has at least 16 bytes.
  static short_text up_to_blank(const char* p) {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    const auto blanks = [](std::uint64_t v) {  // the lowest set bit belongs to the first blank
      v ^= ones * ' ';
      return (v - ones) & ~v & (ones << 7);
    };
    short_text out{hlolint::detail::load8(p), 0, 0};
    std::uint64_t found = blanks(out.low);
    if (found != 0) {
      out.size = static_cast<std::size_t>(__builtin_ctzll(found)) / 8;
      out.low &= (std::uint64_t{1} << (8 * out.size)) - 1;
    } else if (out.high = hlolint::detail::load8(p + 8), found = blanks(out.high); found != 0) {
      const auto size = static_cast<std::size_t>(__builtin_ctzll(found)) / 8;
      out.size = 8 + size;
      out.high &= (std::uint64_t{1} << (8 * size)) - 1;
    }
    return out;
  }
  /// The slot of the last short shape with the hash of this text.
  struct short_known {
    short_text text;
    id number = none;
  };
  short_known& known_short(const short_text& text) {
    return short_[(text.low * 0x9E3779B97F4A7C15u ^ text.high * 0xC2B2AE3D27D4EB4Fu) >> 56];
  }

  /// The number of `text`, which is `none` until the caller stores one.
  id& operator[](std::string_view text) { return numbers_.try_emplace(text, none).first->second; }

 private:
  std::unordered_map<std::string_view, id> numbers_;
  std::vector<known> recent_ = std::vector<known>(1024);
  std::array<short_known, 256> short_;  ///< shapes of less than 16 bytes before a blank
};

/// The pool behind `interned`: holds the shapes of a text and their numbers.
class shape_pool {
 public:
  using number_type = id;
  static constexpr id unknown = none;

  /// Sets the list that new shapes are added to.
  void open(std::vector<shape>& shapes) { shapes_ = &shapes; }
  id& number(std::string_view text) { return numbers_[text]; }
  shape& add() {
    if (shapes_->size() == shapes_->capacity()) hlolint::detail::reserve_large(*shapes_, 2 * shapes_->size() + 1);
    return shapes_->emplace_back();
  }
  void drop() { shapes_->pop_back(); }
  id keep(std::string_view) const { return static_cast<id>(shapes_->size()) - 1; }

 protected:
  std::vector<shape>* shapes_ = nullptr;
  shape_table numbers_;
};

/// The pool of a module. It notes words in shapes that are not known types.
class module_shapes : public shape_pool {
 public:
  using shape_pool::shape_pool;

  /// Starts over with the pool of another module.
  void open(std::vector<shape>& shapes) {
    if (shapes_) numbers_.clear(), unknown_types.clear(), copies_.clear();  // of the module before
    shape_pool::open(shapes);
  }
  id keep(std::string_view text) {
    for_each_subshape(shapes_->back(), [&](const shape_index&, const shape& part) {
      if (!part.unknown_type.empty())
        unknown_types.push_back(text.substr(text.find(part.unknown_type), part.unknown_type.size()));
    });
    return keep_known();
  }
  /// `keep` for a shape whose types are all known.
  id keep_known() const { return shape_pool::keep({}); }
  /// Most shapes were read before: one that begins like an earlier shape is recognized without searching for its end.
  std::pair<std::size_t, id> recent(std::string_view rest) {
    if (rest.size() < 17) return {};
    if (const auto start = up_to_blank(rest); start.size != 0) {
      const auto& known = numbers_.known_short(start);
      if (known.number == none || !known.text.is(start)) return {};
      const char next = rest[start.size + 1];
      if (rest[start.size - 1] == ']' && (is_blank(next) || next == '{' || next == '/')) return {};
      return {start.size, known.number};
    }
    const auto& [text, number] = numbers_.recent(rest.data());
    const std::size_t size = text.size();
    if (size == 0 || rest.size() < size + 2 || !hlolint::detail::same(rest.substr(0, size), text)) return {};
    // A layout may follow the bracket of this array that the known shape does not have.
    if (text.back() == ']' &&
        (rest[size] == '{' || rest[size] == '/' ||
         (is_blank(rest[size]) && (is_blank(rest[size + 1]) || rest[size + 1] == '{' || rest[size + 1] == '/'))))
      return {};
    return {size, number};
  }
  void remember(std::string_view rest, std::string_view text, id number) {
    if (rest.size() < 17) return;
    if (const auto start = up_to_blank(rest); start.size == 0)
      numbers_.recent(rest.data()) = {text, number};
    else if (start.size == text.size())
      numbers_.known_short(start) = {start, number};
  }
  /// The number of a copy of a shape that has no text of its own, such as the shape of an element. Equal ones share it:
  /// loops take the same few shapes out of their state again and again.
  id copy_of(const shape& s) {
    const std::uint64_t hash = hash_of(s);
    for (auto [at, end] = copies_.equal_range(hash); at != end; ++at)
      if ((*shapes_)[at->second] == s) return at->second;
    shape copy = s;  // s may be an element of the pool, which grows
    add() = std::move(copy);
    return copies_.emplace(hash, keep_known())->second;
  }

  std::vector<std::string_view> unknown_types;

 private:
  /// No short text for tuples, which hold blanks.
  static shape_table::short_text up_to_blank(std::string_view rest) {
    return rest.front() == '(' ? shape_table::short_text{} : shape_table::up_to_blank(rest.data());
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  /// Of what differs most between shapes.
  static std::uint64_t hash_of(const shape& s) {
    number_hash out;
    out.add(s.type), out.add(s.elements.size()), out.add(s.memory_space());
    for (const dimension& d : s.dimensions) out.add(d.size);
    return out.value();
  }

  std::unordered_multimap<std::uint64_t, id> copies_;  // by hash
};

}  // namespace hlolint::build
