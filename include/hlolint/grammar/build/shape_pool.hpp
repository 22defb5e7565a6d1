// The shapes of a text: equal texts are parsed once and share a number.
#pragma once

#include <hlolint/grammar/build/shape_table.hpp>
#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/huge_pages.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace hlolint::build {

/// The pool behind `interned`: where the shapes of a text go, and their numbers.
class shape_pool {
 public:
  using number_type = id;
  static constexpr id unknown = none;

  explicit shape_pool(std::string_view text) : numbers_(text) {}

  /// Where new shapes go.
  void open(record_list<shape>& shapes) { shapes_ = &shapes; }
  id& number(std::string_view text) { return numbers_[text]; }
  shape& add() {
    if (shapes_->size() == shapes_->capacity()) hlolint::detail::reserve_large(*shapes_, 2 * shapes_->size() + 1);
    return shapes_->emplace_back();
  }
  void drop() { shapes_->pop_back(); }
  id keep(std::string_view) const { return static_cast<id>(shapes_->size()) - 1; }

 protected:
  record_list<shape>* shapes_ = nullptr;
  shape_table numbers_;
};

/// The pool of a module. Words in new shapes that are not types of today are noted.
class module_shapes : public shape_pool {
 public:
  using shape_pool::shape_pool;

  /// Starts over with the pool of another module.
  void open(record_list<shape>& shapes) {
    if (shapes_) numbers_.clear(), unknown_types.clear();  // of the module before
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
  /// Most shapes came up before, and one that begins like an earlier one is recognized without looking for its end.
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
    // After the bracket of an array a layout may follow that the other one did not have.
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
  /// A shape that the text does not write by itself, such as that of an element.
  id add_copy(const shape& s) {
    shape copy = s;  // s may be an element of the pool, which grows
    shapes_->push_back(std::move(copy));
    return static_cast<id>(shapes_->size()) - 1;
  }

  record_list<std::string_view> unknown_types;

 private:
  /// Tuples hold blanks.
  static shape_table::short_text up_to_blank(std::string_view rest) {
    return rest.front() == '(' ? shape_table::short_text{} : shape_table::up_to_blank(rest.data());
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
};

}  // namespace hlolint::build
