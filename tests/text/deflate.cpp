// text/deflate.hpp: what is compressed is what an inflater reads, here one of a few lines.
#include <hlolint/text/deflate.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

class inflater {
 public:
  explicit inflater(std::string_view packed) : packed_(packed) {}

  std::string operator()() {
    std::string out;
    for (bool last = false; !last;) {
      last = bits(1) == 1;
      REQUIRE(bits(2) == 2);
      const std::size_t letters = bits(5) + 257, distances = bits(5) + 1, lengths = bits(4) + 4;
      constexpr std::array<std::size_t, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
      std::vector<unsigned> own(19);
      for (std::size_t i = 0; i < lengths; ++i) own[order[i]] = static_cast<unsigned>(bits(3));
      std::vector<unsigned> both;
      while (both.size() < letters + distances) {
        const std::size_t symbol = word(own);
        REQUIRE(symbol != 16);
        if (symbol < 16)
          both.push_back(static_cast<unsigned>(symbol));
        else
          both.resize(both.size() + (symbol == 17 ? 3 + bits(3) : 11 + bits(7)));
      }
      REQUIRE(both.size() == letters + distances);
      const auto middle = both.begin() + static_cast<std::ptrdiff_t>(letters);
      const std::vector<unsigned> letter(both.begin(), middle), distance(middle, both.end());
      for (std::size_t symbol; (symbol = word(letter)) != 256;) {
        if (symbol < 256) {
          out.push_back(static_cast<char>(symbol));
          continue;
        }
        const std::size_t n = symbol - 257, more = n < 8 || n == 28 ? 0 : n / 4 - 1;
        const std::size_t length = n == 28 ? 258 : n < 8 ? n + 3 : ((4 + n % 4) << more) + 3 + bits(more);
        const std::size_t d = word(distance), wide = d < 4 ? 0 : d / 2 - 1;
        const std::size_t back = d < 4 ? d + 1 : ((2 + d % 2) << wide) + 1 + bits(wide);
        REQUIRE(back <= out.size());
        for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - back]);
      }
    }
    return out;
  }

 private:
  std::size_t bits(std::size_t count) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < count; ++i, ++at_) {
      REQUIRE(at_ / 8 < packed_.size());
      out |= std::size_t{static_cast<unsigned char>(packed_[at_ / 8]) >> at_ % 8 & 1u} << i;
    }
    return out;
  }
  // Bit by bit, in the order of lengths and symbols.
  std::size_t word(const std::vector<unsigned>& lengths) {
    std::size_t code = 0, first = 0;
    for (unsigned length = 1; length < 16; ++length) {
      code |= bits(1);
      std::size_t count = 0;
      for (std::size_t s = 0; s < lengths.size(); ++s)
        if (lengths[s] == length && first + count++ == code) return s;
      first = (first + count) << 1, code <<= 1;
    }
    FAIL("no word of the code");
    return 0;
  }

  std::string_view packed_;
  std::size_t at_ = 0;
};

std::string again(const std::string& text) {
  const std::string packed = hlolint::gzip(text);
  REQUIRE(packed.size() >= 18);
  return inflater(std::string_view(packed).substr(10, packed.size() - 18))();
}

}  // namespace

TEST_CASE("gzip: texts come back as they were") {
  for (const std::string& text : {std::string(), std::string("a"), std::string("aaaa"), std::string(70'000, 'x'),
                                  std::string("%add.1 = f32[8]{0} add(%p, %q)\n%add.2 = f32[8]{0} add(%p, %add.1)\n")})
    CHECK(again(text) == text);
  std::mt19937 random(7);
  for (const unsigned letters : {2u, 30u, 256u}) {
    std::string text;
    for (int i = 0; i < 150'000; ++i) text.push_back(static_cast<char>(random() % letters));
    CHECK(again(text) == text);
  }
}

TEST_CASE("gzip: what is far back is found, up to the window") {
  std::mt19937 random(8);
  std::string part;
  for (int i = 0; i < 1'000; ++i) part.push_back(static_cast<char>(random()));
  for (const std::size_t between : {31'000u, 31'767u, 31'768u, 40'000u}) {
    const std::string text = part + std::string(between, 'z') + part;
    CHECK(again(text) == text);
  }
}

TEST_CASE("base64: as RFC 4648 has it") {
  CHECK(hlolint::base64("") == "");
  CHECK(hlolint::base64("f") == "Zg==");
  CHECK(hlolint::base64("fo") == "Zm8=");
  CHECK(hlolint::base64("foo") == "Zm9v");
  CHECK(hlolint::base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("gzip: the checksum is that of the format") {
  CHECK(hlolint::detail::crc32("123456789") == 0xCBF43926u);
  CHECK(hlolint::gzip("abc") == hlolint::gzip("abc"));
}
