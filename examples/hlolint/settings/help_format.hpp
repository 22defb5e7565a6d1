// The layout of the command's help: lines that fit 80 columns.
#pragma once

#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <sstream>
#include <string>

namespace hlolint::command {

/// CLI11's layout with long texts wrapped.
class narrow_formatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_display_name(true), command->get_description());
  }
  std::string make_description(const CLI::App* app) const override { return wrapped(app->get_description()); }
  std::string make_footer(const CLI::App* app) const override { return wrapped(app->get_footer()); }

 private:
  static constexpr std::size_t width = 80, names = 30;

  static std::string entry(const std::string& name, std::string help) {
    std::replace(help.begin(), help.end(), '\n', ' ');
    std::ostringstream out;
    const std::string margin(names, ' ');
    out << "  " << name;
    if (name.size() + 3 > names)
      out << '\n' << margin;
    else
      out << std::string(names - 2 - name.size(), ' ');
    bool first = true;
    for (const std::string& line : hlolint::report::wrapped_lines(help, width - names, width - names)) {
      out << (first ? "" : "\n" + margin) << line;
      first = false;
    }
    out << '\n';
    return out.str();
  }
  // A sentence that begins on a line of its own keeps its line.
  static std::string wrapped(const std::string& text) {
    std::ostringstream out;
    hlolint::report::detail::write_wrapped(out, text, "", width);
    return out.str();
  }
};

}  // namespace hlolint::command
