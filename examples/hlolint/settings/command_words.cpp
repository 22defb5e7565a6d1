#include "command_words.hpp"

#include <CLI/App.hpp>
#include <CLI/Option.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hlolint::command {

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::vector<std::string> choices_of(const CLI::Option& option, const std::vector<std::string>& rules) {
  const std::string& shown = option.get_option_text();
  const std::string type = option.get_type_name();  // from CLI::IsMember, such as TEXT:{one,other}
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin != std::string::npos && end != std::string::npos)
    return split(type.substr(begin + 1, end - begin - 1), ',');
  if (shown == "RULES" || option.get_name() == "RULE") return rules;
  return shown.find('|') != std::string::npos ? split(shown, '|') : std::vector<std::string>{};
}

void add_options(const CLI::App& app, const std::vector<std::string>& rules, command_words& out) {
  for (const CLI::Option* const option : app.get_options({})) {
    option_words w{{},
                   option->get_description(),
                   option->get_option_text(),
                   option->get_items_expected_max() > 0,
                   choices_of(*option, rules),
                   option->get_required(),
                   option->get_items_expected_max() > 1 || option->get_delimiter() != '\0'};
    for (const std::string& name : option->get_snames()) w.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) w.names.push_back("--" + name);
    // A subcommand's own option hides one of the same name that would fall through.
    const auto shares_name = [&](const option_words& known) {
      return std::find_first_of(known.names.begin(), known.names.end(), w.names.begin(), w.names.end()) !=
             known.names.end();
    };
    if (std::any_of(out.options.begin(), out.options.end(), shares_name)) continue;
    if (w.names.empty()) {
      w.value = option->get_name();
      out.positional.push_back(std::move(w));
    } else {
      out.options.push_back(std::move(w));
    }
  }
}

}  // namespace

std::vector<command_words> words_of(const CLI::App& app, const std::vector<std::string>& rules) {
  std::vector<command_words> out(1);
  add_options(app, rules, out.front());
  for (const CLI::App* const subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    command_words& words = out.emplace_back();
    words.name = subcommand->get_name();
    words.help = subcommand->get_description();
    add_options(*subcommand, rules, words);
    if (subcommand->get_fallthrough()) add_options(app, rules, words);
  }
  return out;
}

}  // namespace hlolint::command
