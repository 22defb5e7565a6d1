// by(token)(on(key, ...)[p], ..., otherwise[q]): a table of rules, from the key that a token reads to what follows it.
#pragma once

#include <hlolint/grammar/x3/directives.hpp>
#include <hlolint/text/stop.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hlolint::grammar {

/// What a table looks up: the value of its token, or the member `key` of that value.
template <class Value>
constexpr auto key_of(const Value& value) {
  if constexpr (requires { value.key; })
    return value.key;
  else
    return value;
}

/// A row: a parser and the keys that choose it. `otherwise[q]` has no keys and comes last; without it, a key that is in
/// no row is no match.
template <class P, class Key, std::size_t N>
struct row {
  P parser;
  std::array<Key, N> keys;
};
template <class Key, std::size_t N>
struct row_of {
  std::array<Key, N> keys;
  template <class P>
  constexpr row<part_type<P>, Key, N> operator[](const P& p) const {
    return {x3::as_parser(p), keys};
  }
};
/// Enumerators that are the keys of a row and that other code asks for.
template <auto... Keys>
struct key_list {
  static constexpr auto flags = [] {
    std::array<bool, 256> out{};
    ((out[static_cast<std::size_t>(Keys)] = true), ...);
    return out;
  }();
  static constexpr bool has(auto key) { return flags[static_cast<std::size_t>(key)]; }
};
/// on("size")[p], on(hlo_opcode::parameter, ...)[p], on(key_list<...>{})[p]: a row with all keys of one kind of value.
template <class Key, class... Keys>
constexpr auto on(Key key, Keys... keys) {
  if constexpr (std::is_enum_v<Key>)
    return row_of<Key, 1 + sizeof...(Keys)>{{key, keys...}};
  else
    return row_of<std::string_view, 1 + sizeof...(Keys)>{{key, keys...}};
}
template <auto... Keys>
constexpr auto on(key_list<Keys...>) {
  return on(Keys...);
}
struct otherwise_row {
  template <class P>
  constexpr row<part_type<P>, void*, 0> operator[](const P& p) const {
    return {x3::as_parser(p), {}};
  }
};
inline constexpr otherwise_row otherwise{};

/// From words to rows: a hash table with open addressing, made at compile time.
template <std::size_t Slots>
struct word_rows {
  std::array<std::string_view, Slots> keys{};
  std::array<std::uint8_t, Slots> rows{};
  std::uint8_t other = 0;

  constexpr std::size_t slot_of(std::string_view key) const {  // the slot of the key, or the free one for it
    std::size_t slot = key.size() * 37 + static_cast<unsigned char>(key.front()) * 5u +
                       static_cast<unsigned char>(key[key.size() / 2]) * 11u + static_cast<unsigned char>(key.back());
    while (!keys[slot %= Slots].empty() && keys[slot] != key) ++slot;
    return slot;
  }
  constexpr void add(std::string_view key, std::uint8_t row) {
    const std::size_t slot = slot_of(key);
    if (!keys[slot].empty()) hlolint::detail::stop_at_wrong_table("a key stands in two rows");
    keys[slot] = key;
    rows[slot] = row;
  }
  [[gnu::noinline]] constexpr std::size_t find(std::string_view key) const {
    const std::size_t slot = slot_of(key);
    return keys[slot].empty() ? other : rows[slot];
  }
};
/// From enumerators to rows: an array.
template <class Enum, std::size_t Slots>
struct enum_rows {
  std::array<std::uint8_t, Slots> rows{};  // the number of the row plus one; 0: the key is in no row
  std::uint8_t other = 0;

  constexpr void add(Enum key, std::uint8_t row) {
    std::uint8_t& slot = rows[static_cast<std::size_t>(key)];
    if (slot) hlolint::detail::stop_at_wrong_table("a key stands in two rows");
    slot = static_cast<std::uint8_t>(row + 1);
  }
  constexpr std::size_t find(Enum key) const {
    const auto at = static_cast<std::size_t>(key);
    return at >= Slots || !rows[at] ? other : rows[at] - std::size_t{1};
  }
};

template <class Token, class Index, class... P>
struct table : parser_part {
  using attribute_type = typename Token::attribute_type;
  static constexpr bool has_attribute = true, has_action = true;
  constexpr table(const Token& t, const Index& i, const P&... rows_) : token(t), index(i), rows(rows_...) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    const char* p = first;
    attribute_type key{};
    if (!token.parse(p, last, context, x3::unused, key)) return false;
    if constexpr (requires { key.value; }) x3::skip_over(p, last, context);
    const char* const begin = p;
    if (!parse_row(index.find(key_of(key)), p, last, context, rule, std::index_sequence_for<P...>{})) return false;
    if constexpr (requires { key.value; }) key.value = view(begin, p);
    give(key, to);
    first = p;
    return true;
  }
  /// Parses with one row; no match if there is no such row.
  template <class Context, class Rule, std::size_t... Row>
  bool parse_row(std::size_t row, const char*& first, const char* const& last, const Context& context, Rule& rule,
                 std::index_sequence<Row...>) const {
    bool matched = false;
    (void)((row == Row && (matched = std::get<Row>(rows).parse(first, last, context, rule, x3::unused), true)) || ...);
    return matched;
  }
  Token token;
  Index index;
  std::tuple<P...> rows;
};

template <class Token>
struct by_token {
  Token token;
  template <class... P, class... Key, std::size_t... N>
  constexpr auto operator()(const row<P, Key, N>&... rows) const {
    using key = decltype(key_of(typename Token::attribute_type{}));
    using index = decltype(index_for<key, (N + ... + 1)>());
    index keys;
    std::uint8_t place = 0;
    keys.other = static_cast<std::uint8_t>(sizeof...(P));  // no row, unless there is an `otherwise`
    (add(keys, rows.keys, place++), ...);
    return table<Token, index, P...>(token, keys, rows.parser...);
  }

 private:
  template <class Key, std::size_t Count>
  static constexpr auto index_for() {
    if constexpr (std::is_enum_v<Key>)
      return enum_rows<Key, 256>{};
    else
      return word_rows<std::bit_ceil(Count * 2)>{};
  }
  template <class Index, class Key, std::size_t N>
  static constexpr void add(Index& index, const std::array<Key, N>& keys, std::uint8_t place) {
    if constexpr (N == 0)
      index.other = place;
    else
      for (const Key& one : keys) index.add(one, place);
  }
};
/// The value of a table is that of its token. If it is a struct, its member `key` chooses the row, and its member
/// `value`, if it has one, gets the text that the row takes.
template <class Token>
constexpr by_token<Token> by(const Token& token) {
  return {token};
}

}  // namespace hlolint::grammar
