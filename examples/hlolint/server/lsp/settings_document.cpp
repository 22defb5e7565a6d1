#include "settings_document.hpp"

#include "../../settings/checks.hpp"
#include "../../complain.hpp"
#include "../../settings/configuration.hpp"
#include "../../settings/device_choice.hpp"
#include "../../settings/query_rules.hpp"

#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace hlolint::command::server::lsp {

namespace {

// The number that a text begins with, which is cut off together with the colon after it.
std::optional<std::size_t> leading_number(std::string_view& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto number = hlolint::integer_in(text.substr(0, colon));
  if (!number || *number < 1) return std::nullopt;
  text.remove_prefix(colon + 1);
  return static_cast<std::size_t>(*number);
}

class settings_errors {
 public:
  explicit settings_errors(const document& what) : what_(what) {}

  // `path:3:7: error: ...`, `path:3: error: ...`, or a message alone.
  void add_line(std::string_view line) {
    std::size_t at = 1;
    if (const std::string prefix = what_.path() + ":"; line.starts_with(prefix)) {
      line.remove_prefix(prefix.size());
      at = leading_number(line).value_or(1);
      leading_number(line);
      constexpr std::string_view error = " error: ";
      if (line.starts_with(error)) line.remove_prefix(error.size());
    }
    add(at, 1, std::string(line));
  }
  void add(std::size_t line, int severity, std::string message) {
    const std::string_view whole =
        what_.positions().text().lines().line(std::min(line, what_.positions().text().lines().lines()));
    list_.push_back({{"range", what_.positions().json(hlolint::span_of(what_.text(), whole))},
                     {"severity", severity},
                     {"code", "settings"},
                     {"source", "hlolint"},
                     {"message", std::move(message)}});
  }
  bool empty() const { return list_.empty(); }
  output take() { return std::move(list_); }

 private:
  const document& what_;
  output list_ = output::array();
};

}  // namespace

output settings_diagnostics(session& of, const document& what) {
  settings_errors errors(what);
  const loaded_configuration loaded = read_configuration(what.positions().text());
  for (const std::string& line : loaded.errors) errors.add_line(line);
  const loaded_rules own = make_query_rules(loaded.content, *of.given.checks);
  for (const std::string& line : own.errors) errors.add_line(line);
  if (!errors.empty()) return errors.take();

  std::vector<std::shared_ptr<const checks_part>> parts = of.given.checks->parts();
  if (own.part) parts.push_back(own.part);
  const command_checks all(std::move(parts));
  for (const std::string& line : choose(all, loaded.content.choice, false).errors) errors.add_line(line);
  device_choice on;
  on.name = loaded.content.device.value_or("");
  if (!on.name.ends_with(".toml"))
    if (const std::string error = find_named_device(on).error; !error.empty()) errors.add_line(error);
  const configured_checks configured(all, loaded.content);
  for (const std::string& line : configured.errors()) errors.add_line(line);
  for (std::size_t i = 0; i < loaded.content.rules.size(); ++i) {
    configuration one;
    one.path = loaded.content.path, one.text = loaded.content.text;
    one.rules = {loaded.content.rules[i]}, one.rule_places = {loaded.content.rule_places[i]};
    std::ostringstream messages;
    if (test_query_rules(one, *of.given.checks, messages) == exit_clean) continue;
    // The first line has the rule and that it failed, the others why.
    std::string why = messages.str();
    why.erase(0, std::min(why.size(), why.find('\n') + 1));
    while (why.ends_with('\n')) why.pop_back();
    errors.add(hlolint::location{one.text, one.rule_places[0]}.begin().line, 2,
               "the examples of " + one.rules[0].id + " do not show what it finds:\n" + why);
  }
  return errors.take();
}

}  // namespace hlolint::command::server::lsp
