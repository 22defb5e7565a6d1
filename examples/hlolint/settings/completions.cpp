#include "completions.hpp"

#include "command_words.hpp"

#include <utility>
#include <vector>

namespace hlolint::command {

namespace {

std::string join(const std::vector<std::string>& words) {
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

// The words that may stand as positional arguments.
std::vector<std::string> choices_of(const command_words& words) {
  std::vector<std::string> out;
  for (const option_words& w : words.positional) out.insert(out.end(), w.choices.begin(), w.choices.end());
  return out;
}

// The names of the subcommands, separated by `between`.
std::string subcommands(const std::vector<command_words>& levels, std::string_view between) {
  std::string out;
  for (const command_words& l : levels)
    if (!l.name.empty()) out.append(out.empty() ? "" : between).append(l.name);
  return out;
}

void write_bash(const std::string& name, const std::vector<command_words>& levels, std::ostream& out) {
  out << "_" << name
      << "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} subcommand= words= i\n"
         "  # --option=value is three words\n"
         "  if [ \"$word\" = '=' ]; then word=\n"
         "  elif [ \"$before\" = '=' ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case ${COMP_WORDS[i]} in "
      << subcommands(levels, " | ")
      << ") subcommand=${COMP_WORDS[i]}; break ;; esac\n"
         "  done\n"
         "  COMPREPLY=()\n"
         "  case $subcommand:$before in\n";
  for (const command_words& l : levels)
    for (const option_words& w : l.options) {
      if (!w.takes_value) continue;
      std::string patterns;
      for (const std::string& n : w.names) patterns += (patterns.empty() ? "" : " | ") + l.name + ":" + n;
      out << "    " << patterns << ") words=" << quote(join(w.choices)) << " ;;\n";
    }
  out << "    *) case $subcommand:$word in\n";
  for (const command_words& l : levels) {
    std::string names;
    for (const option_words& w : l.options) names += (names.empty() ? "" : " ") + join(w.names);
    out << "      " << l.name << ":-*) words=" << quote(names) << " ;;\n";
    const std::string free = l.name.empty() ? subcommands(levels, " ") : join(choices_of(l));
    if (!free.empty()) out << "      " << l.name << ":*) words=" << quote(free) << " ;;\n";
  }
  // `-o default` offers files if nothing else matches.
  out << "    esac ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _"
      << name << ' ' << name << '\n';
}

void write_zsh(const std::string& name, const std::vector<command_words>& levels, std::ostream& out) {
  const auto action = [](const std::vector<std::string>& choices) {
    return choices.empty() ? std::string("_files") : "(" + join(choices) + ")";
  };
  out << "_" << name
      << "_first() {\n"
         "  local -a subcommands=(\n";
  for (const command_words& l : levels)
    if (!l.name.empty()) out << "    " << quote(l.name + ":" + escape(l.help, ":\\")) << '\n';
  out << "  )\n"
         "  _describe subcommand subcommands\n"
         "  _files\n"
         "}\n"
         "_"
      << name
      << "() {\n"
         "  local subcommand= word\n"
         "  for word in ${words[2,CURRENT-1]}; do\n"
         "    case $word in ("
      << subcommands(levels, "|")
      << ") subcommand=$word; break ;; esac\n"
         "  done\n"
         "  case $subcommand in\n";
  for (const command_words& l : levels) {
    out << "    (" << (l.name.empty() ? "''" : l.name) << ") _arguments";
    for (const option_words& w : l.options) {
      const std::string help = "[" + escape(w.help, "[]:\\") + "]";
      const std::string value = w.takes_value ? ":" + escape(w.value, ":\\") + ":" + action(w.choices) : "";
      for (const std::string& n : w.names) {
        const bool equals = w.takes_value && n.size() > 2;
        out << " \\\n      " << quote("*" + n + (equals ? "=" : "") + help + value);
      }
    }
    out << (l.name.empty() ? " \\\n      '1:subcommand or file:_" + name + "_first' '*:file:_files'"
                           : " \\\n      '1: :' '*: :" + action(choices_of(l)) + "'");
    out << " ;;\n";
  }
  out << "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _"
      << name << " ]; then _" << name << " \"$@\"; else compdef _" << name << ' ' << name << "; fi\n";
}

void write_fish(const std::string& name, const std::vector<command_words>& levels, std::ostream& out) {
  const auto quoted = [](std::string_view text) { return "'" + escape(text, "'\\") + "'"; };
  for (const command_words& l : levels) {
    const std::string where = l.name.empty() ? "not __fish_seen_subcommand_from " + subcommands(levels, " ")
                                             : "__fish_seen_subcommand_from " + l.name;
    const std::string line = "complete -c " + name + " -n " + quoted(where);
    for (const option_words& w : l.options) {
      out << line;
      for (const std::string& n : w.names) out << (n.size() == 2 ? " -s " + n.substr(1) : " -l " + n.substr(2));
      if (w.takes_value) out << " -r";
      if (!w.choices.empty()) out << " -f -a " << quoted(join(w.choices));
      out << " -d " << quoted(w.help) << '\n';
    }
    if (!choices_of(l).empty()) out << line << " -f -a " << quoted(join(choices_of(l))) << '\n';
    if (l.name.empty())
      for (const command_words& s : levels)
        if (!s.name.empty()) out << line << " -a " << s.name << " -d " << quoted(s.help) << '\n';
  }
}

}  // namespace

void write_completions(const CLI::App& app, std::string_view shell, const std::vector<std::string>& rules,
                       std::ostream& out) {
  const std::vector<command_words> levels = words_of(app, rules);
  const std::string& name = app.get_name();
  if (shell == "zsh") out << "#compdef " << name << '\n';
  out << "# Completions of " << shell << " for " << name << ", written by `" << name << " completions " << shell
      << "`.\n";
  if (shell == "bash") write_bash(name, levels, out);
  if (shell == "zsh") write_zsh(name, levels, out);
  if (shell == "fish") write_fish(name, levels, out);
}

}  // namespace hlolint::command
