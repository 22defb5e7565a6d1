// Lists of equal records as JSON columns, with equal texts written once.
#pragma once

#include <hlolint/tool/report/writing.hpp>

#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace hlolint::report::detail {

/// Texts are numbered in the order in which they come; number 0 is the empty text. They are views into the data.
class html_columns {
 public:
  explicit html_columns(std::ostream& out) : json(out, 0) { number_of(""); }

  /// One array with `f(item)` for each item; an empty optional becomes null.
  template <class Items, class F>
  void column(std::string_view name, const Items& items, F&& f) {
    json.array(name, [&] {
      for (const auto& item : items) cell(f(item));
    });
  }
  /// A column for each name and member: `columns(values, "offset", &value::offset, "size", &value::size)`. Texts are
  /// numbered, and numbers finite.
  template <class Items, class T, class Member, class... Others>
  void columns(const Items& items, std::string_view name, Member T::*member, const Others&... others) {
    column(name, items, [&](const T& item) {
      if constexpr (std::is_convertible_v<Member, std::string_view>)
        return number_of(item.*member);
      else if constexpr (std::is_same_v<Member, double>)
        return finite(item.*member);
      else
        return item.*member;
    });
    if constexpr (sizeof...(others) > 0) columns(items, others...);
  }
  template <class T>
  void cell(const T& content) {
    json.value(content);
  }
  template <class T>
  void cell(const std::optional<T>& content) {
    if (content)
      json.value(*content);
    else
      json.null();
  }

  /// A member with a printable text; nothing if the text is empty.
  void text_member(std::string_view name, std::string_view text) {
    if (!text.empty()) json.member(name, printable(text));
  }

  std::size_t number_of(std::string_view text) {
    const auto [at, is_new] = numbers_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return at->second;
  }
  const std::vector<std::string_view>& texts() const { return texts_; }

  json_writer json;

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> texts_;  // by number
};

}  // namespace hlolint::report::detail
