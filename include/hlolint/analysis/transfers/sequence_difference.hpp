// The first difference between the collectives of two ranks' programs (scheduling.md 2, end).
#pragma once

#include <hlolint/analysis/transfers/collective_sequence.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hlolint {

/// The kind of the first difference between two sequences.
enum class divergence : std::uint8_t {
  equal,       ///< no difference
  missing,     ///< a step of the first is not in the second
  extra,       ///< a step of the second is not in the first
  order,       ///< both have both steps, in another order
  kind,        ///< another collective in its place
  devices,     ///< another mode, other groups or pairs
  shape,       ///< another type, size or order in memory
  reduction,   ///< another operation in `to_apply`
  repetition,  ///< by loops, or in another branch
  channel,     ///< another channel
  numbering    ///< all steps are equal, but channels are renumbered one to one
};

/// One word: `equal`, `missing`, ...
constexpr std::string_view name_of(divergence what) {
  constexpr std::string_view names[] = {"equal", "missing",   "extra",      "order",   "kind",     "devices",
                                        "shape", "reduction", "repetition", "channel", "numbering"};
  return names[static_cast<std::size_t>(what)];
}

/// The first difference between two sequences of collectives.
struct sequence_difference {
  divergence what = divergence::equal;  ///< the kind of difference
  std::size_t at = 0;                   ///< the steps before it are equal
  /// The positions of the differing steps in the first and in the second sequence; nothing where a sequence lacks one
  /// or has ended. @{
  std::optional<std::size_t> first, second;
  /// @}
  std::optional<std::size_t> first_in_second;  ///< for `order`: where the second sequence has the first's step
  /// Numbers of steps that the other sequence lacks. @{
  std::size_t only_in_first = 0, only_in_second = 0;  ///< at any position
  /// @}
};

namespace detail {

class sequence_comparison {
 public:
  sequence_comparison(const collective_sequence& a, const collective_sequence& b) : a_(a), b_(b) {}

  sequence_difference difference() const {
    sequence_difference out;
    const bool equal_but_channels = a_.fingerprint_without_channels() == b_.fingerprint_without_channels();
    if (a_.fingerprint() == b_.fingerprint()) return out;
    const bool channels = equal_but_channels || channels_distinguish_steps();
    const auto names = [&](const collective_sequence& of) {
      std::vector<std::uint64_t> list;
      for (const collective_step& s : of) list.push_back(name(s, channels));
      return list;
    };
    const std::vector<std::uint64_t> x = names(a_), y = names(b_);
    const auto parted = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
    if (parted.first == x.end() && parted.second == y.end()) return out;  // only numbers of devices differ
    out.at = static_cast<std::size_t>(parted.first - x.begin());
    if (out.at < x.size()) out.first = out.at;
    if (out.at < y.size()) out.second = out.at;

    std::unordered_map<std::uint64_t, std::int64_t> surplus;  // of the first sequence
    for (std::size_t i = out.at; i < x.size(); ++i) ++surplus[x[i]];
    for (std::size_t i = out.at; i < y.size(); ++i) --surplus[y[i]];
    for (const auto& [key, count] : surplus)
      (count > 0 ? out.only_in_first : out.only_in_second) += static_cast<std::size_t>(count > 0 ? count : -count);
    if (equal_but_channels && is_renumbered()) {
      out.what = divergence::numbering;
      return out;
    }
    const bool first_is_lone = out.first && surplus[x[out.at]] > 0,
               second_is_lone = out.second && surplus[y[out.at]] < 0;
    if (first_is_lone && second_is_lone) {
      out.what = what_differs(a_[out.at], b_[out.at]);
    } else if (first_is_lone) {
      out.what = divergence::missing;
    } else if (second_is_lone) {
      out.what = divergence::extra;
    } else {
      out.what = divergence::order;
      out.first_in_second = static_cast<std::size_t>(
          std::find(y.begin() + static_cast<std::ptrdiff_t>(out.at), y.end(), x[out.at]) - y.begin());
    }
    return out;
  }

 private:
  static std::uint64_t name(const collective_step& s, bool channels) {
    step_hash hash;
    hash.add(s.key);
    if (channels) hash.add(s.channel);
    return hash.value();
  }

  /// Whether channels identify corresponding collectives of both programs: not if one program numbers them differently.
  bool channels_distinguish_steps() const {
    const auto common = [&](bool channels) {
      std::unordered_map<std::uint64_t, std::int64_t> count;
      for (const collective_step& s : a_) ++count[name(s, channels)];
      std::size_t out = 0;
      for (const collective_step& s : b_) out += count[name(s, channels)]-- > 0;
      return out;
    };
    return common(true) * 2 >= common(false);
  }

  /// Whether the channels of two otherwise equal sequences are renumbered one to one, rather than used in another
  /// order.
  bool is_renumbered() const {
    std::map<std::int64_t, std::int64_t> to, from;
    bool ascends = true;  // numbers keep their order
    for (std::size_t i = 0; i < a_.size(); ++i) {
      if (!a_[i].channel || !b_[i].channel) continue;
      const std::int64_t x = *a_[i].channel, y = *b_[i].channel;
      if (to.emplace(x, y).first->second != y || from.emplace(y, x).first->second != x) return false;
    }
    bool same_numbers = true;
    const std::int64_t* last = nullptr;
    for (const auto& [x, y] : to) {
      same_numbers = same_numbers && from.count(x) > 0;
      ascends = ascends && (!last || *last < y);
      last = &y;
    }
    return ascends || !same_numbers;
  }

  divergence what_differs(const collective_step& a, const collective_step& b) const {
    const bool repeats_otherwise = a.runs != b.runs || bool(a.loop) != bool(b.loop) ||
                                   bool(a.conditional) != bool(b.conditional) || a.branch != b.branch;
    if (a.again && b.again && repeats_otherwise) return divergence::repetition;
    if (a.kind != b.kind || a.again || b.again) return divergence::kind;
    if (!(a_.devices_of(a) == b_.devices_of(b)) || a.channel.has_value() != b.channel.has_value())
      return divergence::devices;
    if (a.reduction != b.reduction) return divergence::reduction;
    if (repeats_otherwise) return divergence::repetition;
    return a.key == b.key ? divergence::channel : divergence::shape;
  }

  const collective_sequence& a_;
  const collective_sequence& b_;
};

}  // namespace detail

/// The first difference between the collectives of two programs. Sequences with equal fingerprints are equal. The steps
/// after the first difference are counted to tell a missing collective from one that comes later. Linear in the number
/// of steps.
inline sequence_difference find_difference(const collective_sequence& first, const collective_sequence& second) {
  return detail::sequence_comparison(first, second).difference();
}

}  // namespace hlolint
