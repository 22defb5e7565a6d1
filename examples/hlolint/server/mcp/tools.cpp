#include "tools.hpp"

#include <hlolint/text/characters.hpp>
#include <hlolint/text/suggestion.hpp>

#include <algorithm>
#include <utility>

namespace hlolint::command::server {

namespace {

struct about_tool {
  const char *name, *title, *main_list, *description;
};

constexpr about_tool about_tools[] = {
    {"lint", "Find faults and waste", "diagnostics",
     "Checks dumps of the XLA compiler (HLO, buffer assignments) and lists what is wrong or wasteful: values that "
     "share memory while both are in use, padding, collectives that nothing hides, copies, lost donations. The "
     "costliest finding comes first, with the instruction to ask `show` about and the rule to ask `explain` about. "
     "Begin here."},
    {"memory", "What takes memory, and when", "memory",
     "Shows what the memory of a compiled module goes to: arguments, outputs, temporaries, the peak with the "
     "instruction that runs then, and the largest values in use there, each with its line of the program. `by` sums by "
     "source line, scope, opcode, shape or weight; `at` asks about another position of the schedule. `peak` and `live` "
     "add up all memory spaces: `spaces` has each of them, such as HBM. Also reads out-of-memory logs."},
    {"time", "What the time of a step goes to", "time",
     "Estimates what a step spends its time on: transfers that nothing hides, and work by line of the program. "
     "`device` names the hardware if the dump does not; `by` sums by source, scope, opcode, category, weight or "
     "computation."},
    {"show", "All facts about one thing", "show",
     "Shows one instruction, computation, value (fusion.3{0}), allocation (allocation:12), line of the program "
     "(moe.py:48) or weight: text, operands, users, place in the schedule, cost, memory and what shares it, findings."},
    {"query", "Find instructions", "matches",
     "Lists the instructions that match a query, such as `all-reduce where bytes >= 1MiB and not in loop`. `status` is "
     "0 if there is a match and 1 if there is none, so it answers whether a change of the program reached the HLO."},
    {"diff", "Compare two compilations", "diff",
     "Compares the dumps before and after a change: need of memory, time, donations, transfers, copies, findings. "
     "`status` is 1 if something became worse."},
    {"advise", "Edits that save memory or time", "advice",
     "Searches for edits of the schedule and of the program that lower the need of memory (or, with `for`: time, what "
     "transfers wait), and checks what each of them saves. May take a minute on a large module; `max_search` limits "
     "it."},
    {"explain", "Explain a rule", "rules",
     "Explains a rule of hlolint: what it finds, why that is bad, what to do, its options."},
};

// Options whose effect is on files, on a terminal or on what the server decides itself.
constexpr std::string_view left_out[] = {
    "--help",       "--version",  "--output", "--color",           "--sort",          "--no-group",      "--top",
    "--max-bytes",  "--cursor",   "--format", "--update-baseline", "--show-settings", "--statistics",    "--blocks",
    "--write",      "--jobs",     "--config", "--exit-zero",       "--isolated",      "--no-companions", "--baseline",
    "--companions", "--max-size", "--profile"};

constexpr std::string_view numbers[] = {"N", "POSITION", "GB/s"};

bool is_one_of(std::string_view word, const auto& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

std::string argument_name(std::string_view option) {
  while (option.starts_with('-')) option.remove_prefix(1);
  std::string out(option);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

// Positional arguments have the names that the help gives them.
std::string positional_name(const option_words& w) {
  if (w.value == "PATH") return "paths";
  if (w.value == "DUMP") return "path";
  return hlolint::lowered(w.value);
}

tool_argument argument_of(const option_words& w) {
  tool_argument out;
  if (w.names.empty()) {
    out.name = positional_name(w);
    out.required = w.required || w.value == "PATH";  // which `lint` needs, too, unless it prints its settings
    out.is_path = w.value == "PATH" || w.value == "DUMP" || w.value == "OLD" || w.value == "NEW";
    out.is = w.value == "PATH" ? tool_argument::type::texts : tool_argument::type::text;
  } else {
    out.option = w.names.back();
    out.name = argument_name(out.option);
    out.is = !w.takes_value                ? tool_argument::type::flag
             : w.repeats                   ? tool_argument::type::texts
             : is_one_of(w.value, numbers) ? tool_argument::type::number
                                           : tool_argument::type::text;
  }
  out.help = w.help;
  std::replace(out.help.begin(), out.help.end(), '\n', ' ');
  // A list of rules takes beginnings of ids, too.
  if (out.is == tool_argument::type::text && w.value != "NAME" && w.value != "RULE") out.choices = w.choices;
  return out;
}

output schema_of(const tool_argument& argument) {
  output out;
  switch (argument.is) {
    case tool_argument::type::flag: out["type"] = "boolean"; break;
    case tool_argument::type::number: out["type"] = "number"; break;
    case tool_argument::type::text: out["type"] = "string"; break;
    case tool_argument::type::texts:
      out["type"] = "array";
      out["items"] = {{"type", "string"}};
      if (argument.required) out["minItems"] = 1;
      break;
  }
  out["description"] = argument.help;
  if (!argument.choices.empty()) out["enum"] = argument.choices;
  return out;
}

output list_schema(const char* description) {
  return {{"type", "array"}, {"items", {{"type", "object"}}}, {"description", description}};
}

output limits_of_answer() {
  return {
      {"top", {{"type", "integer"}, {"minimum", 0}, {"description", "Most entries of each list, the costliest first"}}},
      {"max_bytes",
       {{"type", "integer"},
        {"minimum", 2048},
        {"maximum", 8192},
        {"description", "Bytes of the answer (default: 8192)"}}},
      {"cursor",
       {{"type", "string"},
        {"description", "Go on with a list: a cursor that `omitted` of an answer to the same question names"}}}};
}

// A wrong name is a better explanation than the argument that is missing for it.
void refuse_unknown(const tool& asked, const input& arguments) {
  std::vector<std::string_view> names;
  for (const tool_argument& argument : asked.arguments) names.push_back(argument.name);
  names.insert(names.end(), {"top", "max_bytes", "cursor"});
  for (const auto& [name, value] : arguments.items()) {
    if (is_one_of(name, names)) continue;
    std::string all;
    for (const std::string_view each : names) all += (all.empty() ? "" : ", ") + std::string(each);
    throw std::string("there is no argument '" + name + "'" + hlolint::did_you_mean(name, names) + "; " + asked.name +
                      " takes " + all);
  }
}

std::string word_of(const tool_argument& argument, const input& value) {
  const auto wrong = [&](const char* expected) {
    throw std::string("argument '" + argument.name + "' is " + expected);
  };
  if (argument.is == tool_argument::type::number) {
    if (!value.is_number()) wrong("a number");
    return value.dump();
  }
  if (!value.is_string()) wrong("a text");
  std::string word = value.get<std::string>();
  if (word.find('\0') != std::string::npos) wrong("a text without null characters");
  if (!argument.choices.empty() && !is_one_of(word, argument.choices)) {
    std::string known;
    for (const std::string& choice : argument.choices) known += (known.empty() ? "" : ", ") + choice;
    throw std::string("argument '" + argument.name + "' is one of " + known + ", not '" + word + "'");
  }
  return word;
}

}  // namespace

output tool::described() const {
  output properties = output::object(), required = output::array();
  for (const tool_argument& argument : arguments) {
    properties[argument.name] = schema_of(argument);
    if (argument.required) required.push_back(argument.name);
  }
  properties.update(limits_of_answer());
  output result = {
      {"status",
       {{"type", "integer"},
        {"description", "0: nothing found, or done; 1: findings, something worse, no match; 2: error"}}},
      {"inputs", list_schema("The files that were read")},
      {"diagnostics", list_schema("Findings, and problems of reading")},
      {"page", {{"type", "object"}, {"description", "Of an answer to a cursor: the list, and its first entry"}}},
      {"entries", {{"type", "array"}, {"description", "Of an answer to a cursor: the entries of the list"}}},
      {"omitted", list_schema("Lists of which entries are left out, each with the cursor that goes on with it")}};
  if (!result.contains(main_list))
    result[main_list] = main_list == "diff" ? output{{"type", "object"}} : list_schema("The answer");
  return {{"name", name},
          {"title", title},
          {"description", description},
          {"inputSchema",
           {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}}},
          {"outputSchema",
           {{"type", "object"}, {"properties", std::move(result)}, {"required", output::array({"status"})}}},
          {"annotations",
           {{"title", title},
            {"readOnlyHint", true},
            {"destructiveHint", false},
            {"idempotentHint", true},
            {"openWorldHint", false}}}};
}

std::string tool::with_argument_names(std::string text) const {
  constexpr std::string_view hint = "Run with --help for more information.\n";
  if (const std::size_t at = text.find(hint); at != std::string::npos) text.erase(at, hint.size());
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 1)) {
    std::size_t end = at + 2;
    while (end < text.size() && (hlolint::is_alphanumeric(text[end]) || text[end] == '-')) ++end;
    const std::string_view word = std::string_view(text).substr(at, end - at);
    const auto named = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const tool_argument& argument) { return argument.option == word; });
    if (named != arguments.end()) text.replace(at, end - at, named->name);
  }
  return text;
}

bool is_device_file(const std::string& device) { return device.ends_with(".toml") || device.find('/') != device.npos; }

std::vector<tool> tools_of(const std::vector<command_words>& commands) {
  std::vector<tool> out;
  for (const about_tool& about : about_tools) {
    const auto wanted = [&](const command_words& c) {
      return c.name == (about.name == std::string_view("lint") ? "" : about.name);
    };
    const auto words = std::find_if(commands.begin(), commands.end(), wanted);
    if (words == commands.end()) continue;
    tool one{about.name, about.title, about.description, about.main_list, false, {}};
    for (const option_words& w : words->positional) {
      // `diff` shares the options of `lint`, but takes no paths.
      if (one.name == "diff" && w.value == "PATH") continue;
      one.arguments.push_back(argument_of(w));
    }
    for (const option_words& w : words->options) {
      one.has_top = one.has_top || w.names.back() == "--top";
      if (is_one_of(w.names.back(), left_out)) continue;
      one.arguments.push_back(argument_of(w));
    }
    for (tool_argument& argument : one.arguments) argument.help = one.with_argument_names(std::move(argument.help));
    out.push_back(std::move(one));
  }
  return out;
}

tool_words words_for(const tool& asked, const input& arguments,
                     const std::function<std::string(const std::string&)>& resolve) {
  if (!arguments.is_null() && !arguments.is_object()) throw std::string("the arguments are an object");
  tool_words out;
  if (asked.name != "lint") out.words.push_back(asked.name);
  std::vector<std::string> positional;
  const auto path_word = [&](std::string word) {
    word = resolve(word);
    out.paths.push_back(word);
    return word;
  };
  if (arguments.is_object()) refuse_unknown(asked, arguments);
  for (const tool_argument& argument : asked.arguments) {
    const input& value = member(arguments, argument.name);
    if (value.is_null()) {
      if (argument.required) throw std::string("argument '" + argument.name + "' is missing: " + argument.help);
      continue;
    }
    std::vector<std::string> words;
    if (argument.is == tool_argument::type::flag) {
      if (!value.is_boolean()) throw std::string("argument '" + argument.name + "' is true or false");
      if (value.get<bool>()) out.words.push_back(argument.option);
      continue;
    }
    if (argument.is == tool_argument::type::texts && value.is_array()) {
      if (argument.required && value.empty()) throw std::string("argument '" + argument.name + "' is empty");
      for (const input& each : value) words.push_back(word_of(argument, each));
    } else {
      words.push_back(word_of(argument, value));
    }
    for (std::string& word : words) {
      if (argument.is_path || (argument.name == "device" && is_device_file(word))) word = path_word(std::move(word));
      // A word that begins with a dash would be taken for an option.
      if (argument.option.empty())
        positional.push_back(std::move(word));
      else
        out.words.push_back(argument.option + "=" + word);
    }
  }
  out.words.insert(out.words.end(), {"--format=json"});
  // Some commands write only a few entries unless they are asked for more. What is beyond these is counted.
  if (asked.has_top && asked.name != "lint" && asked.name != "diff") out.words.emplace_back("--top=20000");
  out.words.emplace_back("--");
  out.words.insert(out.words.end(), std::make_move_iterator(positional.begin()),
                   std::make_move_iterator(positional.end()));
  return out;
}

}  // namespace hlolint::command::server
