// Compresses text in the format of gzip, which browsers read, too (RFC 1951, RFC 1952).
#pragma once

#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

namespace detail {

/// The lengths of a prefix code for symbols with these frequencies, none longer than `most`; 0 for unused symbols.
inline record_list<std::uint8_t> code_lengths(record_list<std::uint32_t> often, std::uint8_t most) {
  record_list<std::uint8_t> out(often.size());
  for (;;) {
    struct node {
      std::uint64_t weight;
      std::uint32_t left, right;
    };
    constexpr std::uint32_t leaf = 0xFFFFFFFF;
    record_list<node> nodes;
    record_list<std::uint32_t> symbols;
    for (std::uint32_t s = 0; s < often.size(); ++s)
      if (often[s] > 0) symbols.push_back(s);
    if (symbols.size() < 2) {  // a code has at least two words
      for (std::uint32_t s = 0; s < often.size() && symbols.size() < 2; ++s)
        if (often[s] == 0) symbols.push_back(s), often[s] = 1;
    }
    sort_records(symbols,
              [&](std::uint32_t a, std::uint32_t b) { return std::pair(often[a], a) < std::pair(often[b], b); });
    for (const std::uint32_t s : symbols) nodes.push_back({often[s], s, leaf});
    // Leaves and joined nodes are each sorted by weight, so that two cursors find the lightest node.
    std::size_t next_leaf = 0, next_joined = symbols.size();
    const auto take = [&] {
      const bool from_leaves = next_leaf < symbols.size() &&
                               (next_joined >= nodes.size() || nodes[next_leaf].weight <= nodes[next_joined].weight);
      return static_cast<std::uint32_t>(from_leaves ? next_leaf++ : next_joined++);
    };
    for (std::size_t n = 1; n < symbols.size(); ++n) {
      const std::uint32_t a = take(), b = take();
      nodes.push_back({nodes[a].weight + nodes[b].weight, a, b});
    }
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    record_list<std::uint32_t> depth(nodes.size());
    std::uint32_t deepest = 0;
    for (std::size_t n = nodes.size(); n-- > 0;) {
      if (nodes[n].right == leaf) {
        out[nodes[n].left] = static_cast<std::uint8_t>(std::min<std::uint32_t>(depth[n], 255));
        deepest = std::max(deepest, depth[n]);
      } else {
        depth[nodes[n].left] = depth[nodes[n].right] = depth[n] + 1;
      }
    }
    if (deepest <= most) return out;
    for (std::uint32_t& o : often)  // flatter weights make a flatter code
      if (o > 0) o = o / 2 + 1;
  }
}

/// The words of a prefix code with these lengths; the lowest bit comes first.
inline record_list<std::uint16_t> code_words(const record_list<std::uint8_t>& lengths) {
  std::array<std::uint32_t, 16> count{}, next{};
  for (const std::uint8_t length : lengths) ++count[length];
  count[0] = 0;
  for (std::size_t bits = 1; bits < 16; ++bits) next[bits] = (next[bits - 1] + count[bits - 1]) << 1;
  record_list<std::uint16_t> out(lengths.size());
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    if (lengths[s] == 0) continue;
    std::uint32_t word = next[lengths[s]]++, turned = 0;
    for (std::uint8_t b = 0; b < lengths[s]; ++b, word >>= 1) turned = turned << 1 | (word & 1);
    out[s] = static_cast<std::uint16_t>(turned);
  }
  return out;
}

struct prefix_code {
  prefix_code(const record_list<std::uint32_t>& often, std::uint8_t most)
      : lengths(code_lengths(often, most)), words(code_words(lengths)) {}
  record_list<std::uint8_t> lengths;
  record_list<std::uint16_t> words;
};

class deflater {
 public:
  explicit deflater(std::string_view text) : text_(text) {}

  /// The compressed bytes.
  std::string operator()() {
    record_list<std::uint32_t> head(hash_size, none), before(window, none);
    std::size_t at = 0, block = 0;
    const auto insert = [&](std::size_t i) {
      if (i + least > text_.size()) return;
      std::uint32_t& first = head[hash(i)];
      before[i % window] = first;
      first = static_cast<std::uint32_t>(i);
    };
    while (at < text_.size()) {
      std::size_t best = 0, distance = 0;
      if (at + least <= text_.size()) {
        const std::size_t room = std::min(longest, text_.size() - at);
        std::uint32_t from = head[hash(at)];
        for (int tries = most_tries; tries > 0 && from != none && at - from < window && best < room; --tries) {
          if (best == 0 || text_[from + best] == text_[at + best]) {
            std::size_t n = 0;
            while (n < room && text_[from + n] == text_[at + n]) ++n;
            if (n > best) best = n, distance = at - from;
          }
          const std::uint32_t earlier = before[from % window];
          if (earlier != none && earlier >= from) break;  // a newer position has overwritten it
          from = earlier;
        }
      }
      if (best >= least) {
        items_.push_back(static_cast<std::uint32_t>(best << 16 | distance));
        for (std::size_t i = 0; i < best; ++i) insert(at + i);
        at += best;
      } else {
        items_.push_back(static_cast<unsigned char>(text_[at]));
        insert(at), ++at;
      }
      if (items_.size() == most_items) write_block(at == text_.size()), block = at;
    }
    if (block < text_.size() || text_.empty()) write_block(true);
    if (used_ > 0) out_.push_back(static_cast<char>(bits_ & 0xFF));
    return std::move(out_);
  }

 private:
  static constexpr std::size_t window = 32768, hash_size = 65536, least = 4, longest = 258, most_items = 1 << 16;
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr int most_tries = 24;

  std::size_t hash(std::size_t i) const {
    std::uint32_t four = 0;
    for (std::size_t k = 0; k < 4; ++k) four = four << 8 | static_cast<unsigned char>(text_[i + k]);
    return four * 2654435761u >> 16;
  }

  void put(std::uint32_t value, unsigned count) {
    bits_ |= std::uint64_t{value} << used_;
    used_ += count;
    for (; used_ >= 8; used_ -= 8, bits_ >>= 8) out_.push_back(static_cast<char>(bits_ & 0xFF));
  }

  // A symbol that stands for a range of numbers, and the extra bits that choose one of them.
  struct ranged {
    std::uint32_t symbol, extra;
    unsigned bits;
  };
  void put(const prefix_code& code, const ranged& item) {
    put(code.words[item.symbol], code.lengths[item.symbol]), put(item.extra, item.bits);
  }
  // Every fourth symbol of lengths (every second one of distances) has one extra bit more.
  static ranged length_symbol(std::size_t length) {
    if (length == longest) return {285, 0, 0};
    const auto n = static_cast<std::uint32_t>(length - 3);
    unsigned bits = 0;
    while ((n >> bits) >= 8) ++bits;
    return n < 8 ? ranged{257 + n, 0, 0} : ranged{257 + 4 * bits + (n >> bits), n & ((1u << bits) - 1), bits};
  }
  static ranged distance_symbol(std::size_t distance) {
    const auto n = static_cast<std::uint32_t>(distance - 1);
    unsigned bits = 0;
    while ((n >> bits) >= 4) ++bits;
    return n < 4 ? ranged{n, 0, 0} : ranged{2 * bits + (n >> bits), n & ((1u << bits) - 1), bits};
  }

  void write_block(bool last) {
    record_list<std::uint32_t> letters(286), distances(30);
    for (const std::uint32_t item : items_) {
      if (item < 256) {
        ++letters[item];
      } else {
        ++letters[length_symbol(item >> 16).symbol], ++distances[distance_symbol(item & 0xFFFF).symbol];
      }
    }
    letters[256] = 1;
    const prefix_code letter_code(letters, 15), distance_code(distances, 15);
    put(last ? 1 : 0, 1), put(2, 2);
    write_lengths(letter_code.lengths, distance_code.lengths);
    for (const std::uint32_t item : items_) {
      if (item < 256) {
        put(letter_code, {item, 0, 0});
      } else {
        put(letter_code, length_symbol(item >> 16));
        put(distance_code, distance_symbol(item & 0xFFFF));
      }
    }
    put(letter_code, {256, 0, 0});
    items_.clear();
  }

  // Writes the lengths of both codes with a third code, in which a run of zeros is one symbol.
  void write_lengths(const record_list<std::uint8_t>& letters, const record_list<std::uint8_t>& distances) {
    record_list<std::uint8_t> all_lengths(letters);
    all_lengths.insert(all_lengths.end(), distances.begin(), distances.end());
    record_list<ranged> items;
    record_list<std::uint32_t> often(19);
    for (std::size_t i = 0; i < all_lengths.size();) {
      std::size_t n = 1;
      while (i + n < all_lengths.size() && all_lengths[i] == 0 && all_lengths[i + n] == 0 && n < 138) ++n;
      if (n >= 11)
        items.push_back({18, static_cast<std::uint32_t>(n - 11), 7});
      else if (n >= 3)
        items.push_back({17, static_cast<std::uint32_t>(n - 3), 3});
      else
        n = 1, items.push_back({all_lengths[i], 0, 0});
      ++often[items.back().symbol];
      i += n;
    }
    const prefix_code code(often, 7);
    put(static_cast<std::uint32_t>(letters.size() - 257), 5), put(static_cast<std::uint32_t>(distances.size() - 1), 5);
    put(19 - 4, 4);
    constexpr std::size_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    for (const std::size_t s : order) put(code.lengths[s], 3);
    for (const ranged& item : items) put(code, item);
  }

  std::string_view text_;
  record_list<std::uint32_t> items_;  // letters, and length << 16 | distance
  std::string out_;
  std::uint64_t bits_ = 0;
  unsigned used_ = 0;
};

inline std::uint32_t crc32(std::string_view text) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    table[n] = n;
    for (int k = 0; k < 8; ++k) table[n] = table[n] & 1 ? 0xEDB88320u ^ (table[n] >> 1) : table[n] >> 1;
  }
  std::uint32_t sum = 0xFFFFFFFFu;
  for (const char c : text) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xFF] ^ (sum >> 8);
  return sum ^ 0xFFFFFFFFu;
}

}  // namespace detail

/// The text in the format of gzip, without a name or a time, so that equal texts give equal bytes. Linear.
/// Precondition: the text has less than 4 GiB.
inline std::string gzip(std::string_view text) {
  std::string out("\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\xFF", 10);
  out += detail::deflater(text)();
  for (const std::uint32_t number : {detail::crc32(text), static_cast<std::uint32_t>(text.size())})
    for (int k = 0; k < 4; ++k) out.push_back(static_cast<char>(number >> 8 * k & 0xFF));
  return out;
}

/// Bytes as text: four characters for three bytes (RFC 4648).
inline std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63]);
  }
  return out;
}

}  // namespace hlolint
