// Other compilations of a module: on the ranks of a job, and for other shapes of arguments.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// A module as some ranks (processes, hosts) compiled it. Ranks with equal collectives may share an entry.
struct rank_module {
  std::vector<std::string> ranks;  ///< their names
  hlo_module hlo;                  ///< of the first rank
};

namespace detail {
// A name that ends in a number, such as `rank12`.
struct numbered_name {
  std::string_view word, digits;
  std::uint64_t number = 0;
};
inline std::optional<numbered_name> numbered(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  numbered_name out{name.substr(0, begin), name.substr(begin), 0};
  if (out.digits.empty() || out.digits.size() > 18) return std::nullopt;
  out.number = integer_in<std::uint64_t>(out.digits).value_or(0);
  return out;
}
}  // namespace detail

/// `rank0`, `rank0 and rank3`, `rank0-2047 and rank2049-4095`, `rank0, rank3 and 6 others`: three or more consecutive
/// names form a range.
inline std::string ranks_text(const std::vector<std::string>& ranks) {
  struct part {
    std::string text;
    std::size_t count;
  };
  std::vector<part> parts;
  for (std::size_t i = 0; i < ranks.size();) {
    const auto first = detail::numbered(ranks[i]);
    std::size_t end = i + 1;
    for (; first && end < ranks.size(); ++end) {
      const auto next = detail::numbered(ranks[end]);
      // Numbers of equal length, or without leading zeros: `rank9` and `rank10`, but not `rank09` and `rank10` and
      // `rank011`.
      if (!next || next->word != first->word || next->number != first->number + (end - i)) break;
      const bool padded = next->digits.size() == first->digits.size();
      if (!padded && (next->digits.front() == '0' || (first->digits.size() > 1 && first->digits.front() == '0'))) break;
    }
    if (end - i < 3) end = i + 1;
    parts.push_back(
        {end == i + 1 ? ranks[i] : ranks[i] + "-" + std::string(detail::numbered(ranks[end - 1])->digits), end - i});
    i = end;
  }
  constexpr std::size_t most = 3;
  std::string out;
  const std::size_t shown = parts.size() <= most ? parts.size() : most - 1;
  std::size_t named = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
    out += parts[i].text, named += parts[i].count;
  }
  return named == ranks.size() ? out : out + " and " + std::to_string(ranks.size() - named) + " others";
}

/// One of several compilations of a function for different shapes of arguments.
struct recompilation {
  std::string path;                     ///< of its HLO
  std::vector<std::string> parameters;  ///< shapes of the entry's parameters, by number, without layouts
  friend bool operator==(const recompilation&, const recompilation&) = default;
};

/// The shapes of the entry's parameters, by number, without layouts; the first 256 of them.
inline std::vector<std::string> parameter_shapes(const hlo_module& module) {
  constexpr std::int64_t most = 256;
  std::vector<std::string> out;
  const hlo_computation entry = module.entry();
  if (!entry) return out;
  for (const hlo_instruction i : entry.instructions()) {
    const std::int64_t number = i.parameter_number().value_or(-1);
    if (number < 0 || number >= most || !i.shape()) continue;
    out.resize(std::max(out.size(), static_cast<std::size_t>(number) + 1));
    out[static_cast<std::size_t>(number)] = to_string(*i.shape(), {.layout = false});
  }
  return out;
}

}  // namespace hlolint
