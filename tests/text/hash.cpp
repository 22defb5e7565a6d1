#include <hlolint/text/hash.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

namespace {
template <class Hash, class... Part>
constexpr std::uint64_t hash_of(const Part&... parts) {
  Hash hash;
  (hash.add(parts), ...);
  return hash.value();
}
}  // namespace

TEST_CASE("fnv1a is FNV-1a with 64 bits") {
  static_assert(hash_of<fnv1a>() == 0xCBF29CE484222325u);
  static_assert(hash_of<fnv1a>("a") == 0xAF63DC4C8601EC8Cu);
  static_assert(hash_of<fnv1a>("foobar") == 0x85944171F73967E8u);
  fnv1a one, other;
  one.add("ab"), one.end_field(), one.add("c");
  other.add("a"), other.end_field(), other.add("bc");
  CHECK(one.value() != other.value());
}

TEST_CASE("a hash of numbers depends on each of them and on their order") {
  using std::string_view;
  static_assert(hash_of<number_hash>(1, 2) == hash_of<number_hash>(1, 2));
  static_assert(hash_of<number_hash>(1, 2) != hash_of<number_hash>(2, 1));
  static_assert(hash_of<number_hash>(1) != hash_of<number_hash>(1, 0));
  static_assert(hash_of<number_hash>(string_view("ab"), string_view("c")) !=
                hash_of<number_hash>(string_view("a"), string_view("bc")));
  CHECK(hash_of<number_hash>(std::int64_t{-1}) != hash_of<number_hash>(std::int64_t{1}));
}
