// A module as the ranks of a job run it.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// What some ranks (processes, hosts) compiled for one module. Ranks with equal collectives may share an entry.
struct rank_module {
  record_list<std::string> ranks;  ///< their names
  hlo_module hlo;                  ///< of the first of them
};

namespace detail {
// A name that ends with a number, such as `rank12`.
struct numbered_name {
  std::string_view word, digits;
  std::uint64_t number = 0;
};
inline optional<numbered_name> numbered(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  numbered_name out{name.substr(0, begin), name.substr(begin), 0};
  if (out.digits.empty() || out.digits.size() > 18) return std::nullopt;
  out.number = integer_in<std::uint64_t>(out.digits).value_or(0);
  return out;
}
}  // namespace detail

/// `rank0`, `rank0 and rank3`, `rank0-2047 and rank2049-4095`, `rank0, rank3 and 6 others`: three or more names that
/// count on are one range.
inline std::string ranks_text(const record_list<std::string>& ranks) {
  struct part {
    std::string text;
    std::size_t count;
  };
  record_list<part> parts;
  for (std::size_t i = 0; i < ranks.size();) {
    const auto first = detail::numbered(ranks[i]);
    std::size_t end = i + 1;
    for (; first && end < ranks.size(); ++end) {
      const auto next = detail::numbered(ranks[end]);
      // Equally long, or without zeros before them: `rank9` and `rank10`, but not `rank09` and `rank10` and `rank011`.
      if (!next || next->word != first->word || next->number != first->number + (end - i)) break;
      const bool padded = next->digits.size() == first->digits.size();
      if (!padded && (next->digits.front() == '0' || (first->digits.size() > 1 && first->digits.front() == '0'))) break;
    }
    if (end - i < 3) end = i + 1;
    parts.push_back({end == i + 1 ? ranks[i] : ranks[i] + "-" + std::string(detail::numbered(ranks[end - 1])->digits),
                     end - i});
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

}  // namespace hlolint
