#include "completions.hpp"

#include <hlolint/text/record_list.hpp>

#include <CLI/Option.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace {

struct word {
  hlolint::record_list<std::string> names;  // with dashes; none = a positional argument
  std::string help;
  std::string value;                 // the placeholder in the help
  bool takes_value = false;
  hlolint::record_list<std::string> choices;  // none = probably a file
};

// The words that may follow a subcommand, or the name of the command.
struct level {
  std::string name;
  std::string help;
  hlolint::record_list<word> options;
  hlolint::record_list<std::string> choices;  // of the positional argument
};

hlolint::record_list<std::string> split(const std::string& text, char at) {
  hlolint::record_list<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string join(const hlolint::record_list<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

// Puts a backslash before each character of `special`, and replaces line breaks by blanks.
std::string escape(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// `'` ends a quoted word in bash and zsh, so it is written outside of the quotes.
std::string quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

hlolint::record_list<std::string> choices_of(const CLI::Option& option,
                                             const hlolint::record_list<std::string>& rules) {
  const std::string& shown = option.get_option_text();
  const std::string type = option.get_type_name();  // from CLI::IsMember, such as TEXT:{one,other}
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin != std::string::npos && end != std::string::npos)
    return split(type.substr(begin + 1, end - begin - 1), ',');
  if (shown == "RULES" || option.get_name() == "RULE") return rules;
  return shown.find('|') != std::string::npos ? split(shown, '|') : hlolint::record_list<std::string>{};
}

void add_options(const CLI::App& app, const hlolint::record_list<std::string>& rules, level& out) {
  for (const CLI::Option* const option : app.get_options({})) {
    word w{{}, option->get_description(), option->get_option_text(), option->get_items_expected_max() > 0,
           choices_of(*option, rules)};
    for (const std::string& name : option->get_snames()) w.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) w.names.push_back("--" + name);
    // A subcommand's own option hides one of the same name that would fall through.
    const auto shares_name = [&](const word& known) {
      return std::find_first_of(known.names.begin(), known.names.end(), w.names.begin(), w.names.end()) !=
             known.names.end();
    };
    if (std::any_of(out.options.begin(), out.options.end(), shares_name)) continue;
    if (w.names.empty()) {
      out.choices.insert(out.choices.end(), w.choices.begin(), w.choices.end());
    } else {
      out.options.push_back(std::move(w));
    }
  }
}

// The command itself comes first. A subcommand with fallthrough takes the command's options too.
hlolint::record_list<level> levels_of(const CLI::App& app, const hlolint::record_list<std::string>& rules) {
  hlolint::record_list<level> out(1);
  add_options(app, rules, out.front());
  for (const CLI::App* const subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    level& l = out.emplace_back();
    l.name = subcommand->get_name();
    l.help = subcommand->get_description();
    add_options(*subcommand, rules, l);
    if (subcommand->get_fallthrough()) add_options(app, rules, l);
  }
  return out;
}

// The names of the subcommands, separated by `between`.
std::string subcommands(const hlolint::record_list<level>& levels, std::string_view between) {
  std::string out;
  for (const level& l : levels)
    if (!l.name.empty()) out.append(out.empty() ? "" : between).append(l.name);
  return out;
}

void write_bash(const std::string& name, const hlolint::record_list<level>& levels, std::ostream& out) {
  out << "_" << name << "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} subcommand= words= i\n"
         "  # --option=value is three words\n"
         "  if [ \"$word\" = '=' ]; then word=\n"
         "  elif [ \"$before\" = '=' ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case ${COMP_WORDS[i]} in " << subcommands(levels, " | ") << ") subcommand=${COMP_WORDS[i]}; break ;; esac\n"
         "  done\n"
         "  COMPREPLY=()\n"
         "  case $subcommand:$before in\n";
  for (const level& l : levels)
    for (const word& w : l.options) {
      if (!w.takes_value) continue;
      std::string patterns;
      for (const std::string& n : w.names) patterns += (patterns.empty() ? "" : " | ") + l.name + ":" + n;
      out << "    " << patterns << ") words=" << quote(join(w.choices)) << " ;;\n";
    }
  out << "    *) case $subcommand:$word in\n";
  for (const level& l : levels) {
    std::string names;
    for (const word& w : l.options) names += (names.empty() ? "" : " ") + join(w.names);
    out << "      " << l.name << ":-*) words=" << quote(names) << " ;;\n";
    const std::string free = l.name.empty() ? subcommands(levels, " ") : join(l.choices);
    if (!free.empty()) out << "      " << l.name << ":*) words=" << quote(free) << " ;;\n";
  }
  // `-o default` offers files if nothing else matches.
  out << "    esac ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _" << name << ' ' << name << '\n';
}

void write_zsh(const std::string& name, const hlolint::record_list<level>& levels, std::ostream& out) {
  const auto action = [](const hlolint::record_list<std::string>& choices) {
    return choices.empty() ? std::string("_files") : "(" + join(choices) + ")";
  };
  out << "_" << name << "_first() {\n"
         "  local -a subcommands=(\n";
  for (const level& l : levels)
    if (!l.name.empty()) out << "    " << quote(l.name + ":" + escape(l.help, ":\\")) << '\n';
  out << "  )\n"
         "  _describe subcommand subcommands\n"
         "  _files\n"
         "}\n"
         "_" << name << "() {\n"
         "  local subcommand= word\n"
         "  for word in ${words[2,CURRENT-1]}; do\n"
         "    case $word in (" << subcommands(levels, "|") << ") subcommand=$word; break ;; esac\n"
         "  done\n"
         "  case $subcommand in\n";
  for (const level& l : levels) {
    out << "    (" << (l.name.empty() ? "''" : l.name) << ") _arguments";
    for (const word& w : l.options) {
      const std::string help = "[" + escape(w.help, "[]:\\") + "]";
      const std::string value = w.takes_value ? ":" + escape(w.value, ":\\") + ":" + action(w.choices) : "";
      for (const std::string& n : w.names) {
        const bool equals = w.takes_value && n.size() > 2;
        out << " \\\n      " << quote("*" + n + (equals ? "=" : "") + help + value);
      }
    }
    out << (l.name.empty() ? " \\\n      '1:subcommand or file:_" + name + "_first' '*:file:_files'"
                           : " \\\n      '1: :' '*: :" + action(l.choices) + "'");
    out << " ;;\n";
  }
  out << "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _" << name << " ]; then _" << name << " \"$@\"; else compdef _" << name << ' ' << name << "; fi\n";
}

void write_fish(const std::string& name, const hlolint::record_list<level>& levels, std::ostream& out) {
  const auto quoted = [](std::string_view text) { return "'" + escape(text, "'\\") + "'"; };
  for (const level& l : levels) {
    const std::string where = l.name.empty() ? "not __fish_seen_subcommand_from " + subcommands(levels, " ")
                                             : "__fish_seen_subcommand_from " + l.name;
    const std::string line = "complete -c " + name + " -n " + quoted(where);
    for (const word& w : l.options) {
      out << line;
      for (const std::string& n : w.names) out << (n.size() == 2 ? " -s " + n.substr(1) : " -l " + n.substr(2));
      if (w.takes_value) out << " -r";
      if (!w.choices.empty()) out << " -f -a " << quoted(join(w.choices));
      out << " -d " << quoted(w.help) << '\n';
    }
    if (!l.choices.empty()) out << line << " -f -a " << quoted(join(l.choices)) << '\n';
    if (l.name.empty())
      for (const level& s : levels)
        if (!s.name.empty()) out << line << " -a " << s.name << " -d " << quoted(s.help) << '\n';
  }
}

}  // namespace

void write_completions(const CLI::App& app, std::string_view shell, const hlolint::record_list<std::string>& rules,
                       std::ostream& out) {
  const hlolint::record_list<level> levels = levels_of(app, rules);
  const std::string& name = app.get_name();
  if (shell == "zsh") out << "#compdef " << name << '\n';
  out << "# Completions of " << shell << " for " << name << ", written by `" << name << " completions " << shell
      << "`.\n";
  if (shell == "bash") write_bash(name, levels, out);
  if (shell == "zsh") write_zsh(name, levels, out);
  if (shell == "fish") write_fish(name, levels, out);
}
