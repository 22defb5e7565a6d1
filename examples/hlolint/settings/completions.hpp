// Scripts with which shells complete the command line, generated from its options.
#pragma once

#include <CLI/App.hpp>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command {

/// The shells that completions are written for.
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

/// Writes the script with which a shell completes the command line of `app`. `rules` are offered wherever a rule is
/// expected.
void write_completions(const CLI::App& app, std::string_view shell, const std::vector<std::string>& rules,
                       std::ostream& out);

}  // namespace hlolint::command
