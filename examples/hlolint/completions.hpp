// What shells need to complete the words of the command, taken from its options.
#pragma once

#include <hlolint/text/record_list.hpp>

#include <CLI/App.hpp>

#include <ostream>
#include <string>
#include <string_view>

/// The shells that completions are written for.
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

/// Writes the script that a shell reads to complete the words after `app`'s name. `rules` are offered wherever rules
/// are named.
void write_completions(const CLI::App& app, std::string_view shell, const hlolint::record_list<std::string>& rules,
                       std::ostream& out);
