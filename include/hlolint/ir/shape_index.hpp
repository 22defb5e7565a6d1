// A path into a tuple shape: `{}` is the whole shape, `{1,0}` the first element of its second element.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace hlolint {

/// A path. Paths are ordered lexicographically, as in XLA, and allocate no memory for up to three steps.
class shape_index {
 public:
  shape_index() = default;
  /// The path, the outermost step first.
  shape_index(std::initializer_list<std::uint32_t> steps) {
    for (const std::uint32_t step : steps) push_back(step);
  }

  /// How many steps it has.
  std::size_t size() const { return steps_.size(); }
  /// Whether it stands for the whole value.
  bool empty() const { return steps_.empty(); }
  /// Precondition: i < size().
  std::uint32_t operator[](std::size_t i) const { return steps_[i]; }
  /// The outermost step.
  auto begin() const { return steps_.begin(); }
  /// One past the innermost step.
  auto end() const { return steps_.end(); }
  /// Adds a step: the element of the tuple at the path so far.
  void push_back(std::uint32_t step) { steps_.push_back(step); }
  /// Precondition: it is not empty.
  void pop_back() { steps_.pop_back(); }

  /// The path without its first `count` steps.
  shape_index without_first(std::size_t count) const {
    shape_index out;
    out.steps_ = steps_.substr(count);
    return out;
  }
  /// The path followed by `tail`.
  shape_index operator+(const shape_index& tail) const {
    shape_index out = *this;
    out.steps_ += tail.steps_;
    return out;
  }
  /// The path with one more step.
  shape_index operator+(std::uint32_t step) const {
    shape_index out = *this;
    out.push_back(step);
    return out;
  }

  friend bool operator==(const shape_index&, const shape_index&) = default;
  /// Compares step by step. Written out because libc++ 14 has no <=> of strings.
  friend std::strong_ordering operator<=>(const shape_index& a, const shape_index& b) {
    return a.steps_.compare(b.steps_) <=> 0;
  }

 private:
  std::basic_string<char32_t> steps_;
};

/// A path as XLA prints it: `{}`, `{0}`, `{1,2}`.
inline std::string to_string(const shape_index& index) {
  std::string out = "{";
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (i) out += ',';
    out += std::to_string(index[i]);
  }
  return out + "}";
}

}  // namespace hlolint
