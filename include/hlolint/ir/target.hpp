// The kinds of machines that modules are compiled for, as far as rules distinguish them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint {

/// A backend of XLA. `unknown`: the files do not show it, and it was not set.
enum class target : std::uint8_t { unknown, cpu, gpu, tpu };

/// `unknown`, `cpu`, `gpu` or `tpu`.
constexpr std::string_view name_of(target backend) {
  constexpr std::string_view names[] = {"unknown", "cpu", "gpu", "tpu"};
  return names[static_cast<std::size_t>(backend)];
}

/// `cpu`, `gpu`, `tpu` or `unknown`; nothing for any other word.
constexpr std::optional<target> find_target(std::string_view word) {
  for (const target backend : {target::unknown, target::cpu, target::gpu, target::tpu})
    if (name_of(backend) == word) return backend;
  return std::nullopt;
}

}  // namespace hlolint
