// A module as the ranks of a job run it.
#pragma once

#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hlolint {

/// What some ranks (processes, hosts) compiled for one module. Ranks with equal collectives may share an entry.
struct rank_module {
  std::vector<std::string> ranks;  ///< their names
  hlo_module hlo;                  ///< of the first of them
};

/// `rank0`, `rank0 and rank3`, `rank0, rank3 and 6 others`
inline std::string ranks_text(const std::vector<std::string>& ranks) {
  constexpr std::size_t most = 3;
  std::string out;
  const std::size_t shown = ranks.size() <= most ? ranks.size() : most - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == ranks.size() ? " and " : ", ";
    out += ranks[i];
  }
  return shown == ranks.size() ? out : out + " and " + std::to_string(ranks.size() - shown) + " others";
}

}  // namespace hlolint
