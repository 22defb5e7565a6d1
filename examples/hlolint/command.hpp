// The command with any checks. A source file with
//
//   int main(int n, char** a) { return run_command(n, a, hlolint::checks(hlolint::tool_checks,
//   team::bf16_all_reduce{})); }
//
// makes an hlolint with one more rule, which takes part in the configuration, the baseline, suppressions, `rules`,
// `explain` and all formats. If `tool_checks` comes first, as here, it is not compiled again.
#pragma once

#include "settings/catalogue_part.hpp"

#include <hlolint/tool/checks/all.hpp>

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::command {

/// The checks of hlolint with these options. They were compiled with the command.
std::shared_ptr<const checks_part> built_in_part(const std::remove_const_t<decltype(hlolint::tool_checks)>& list);

// Not in a namespace `detail`: hlolint has one, and files may use both.
template <class Catalogue>
struct catalogues_beginning_with;
template <class... Ours>
struct catalogues_beginning_with<hlolint::catalogue<Ours...>> {
  template <class... More>
  static command_checks split(const hlolint::catalogue<Ours..., More...>& list) {
    const auto part = [&]<std::size_t First, std::size_t... I>(std::integral_constant<std::size_t, First>,
                                                               std::index_sequence<I...>) {
      return hlolint::catalogue(std::get<First + I>(list.checks)...);
    };
    constexpr std::size_t ours = sizeof...(Ours);
    std::vector<std::shared_ptr<const checks_part>> parts{
        built_in_part(part(std::integral_constant<std::size_t, 0>(), std::index_sequence_for<Ours...>()))};
    if constexpr (sizeof...(More) > 0)
      parts.push_back(std::make_shared<catalogue_part<More...>>(
          part(std::integral_constant<std::size_t, ours>(), std::index_sequence_for<More...>())));
    return command_checks(std::move(parts));
  }
};

/// Makes parts of a catalogue: two if it begins with `hlolint::tool_checks`, else one.
template <class... Checks>
command_checks checks_for_command(const hlolint::catalogue<Checks...>& list) {
  using built_in = catalogues_beginning_with<std::remove_const_t<decltype(hlolint::tool_checks)>>;
  if constexpr (requires { built_in::split(list); }) {
    return built_in::split(list);
  } else {
    return command_checks({std::make_shared<catalogue_part<Checks...>>(list)});
  }
}

/// The command with a check or a catalogue; `hlolint::checks(...)` makes one catalogue of several.
template <class Checks>
int run_command(int count, char** words, const Checks& checks) {
  return run_command(count, words, checks_for_command(hlolint::as_catalogue(checks)));
}

}  // namespace hlolint::command
