#include "configuration.hpp"
#include "toml.hpp"

#include <hlolint/checks/performance/agreed_sharding.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/lint/option.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/suggestion.hpp>
#include <hlolint/tool/option_setting.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::command {

namespace {

namespace fs = std::filesystem;

// One key of a table: its meaning, and how it is read. If the value is wrong, `read` returns what was expected.
template <class Into>
struct key {
  std::string_view name;
  std::string_view help;
  std::function<std::string_view(const toml::node&, Into&)> read;
};

class reader {
 public:
  explicit reader(const std::string& path) : path_(path) {}

  // The keys in the order of the file.
  std::vector<std::string> errors() {
    std::sort(found_.begin(), found_.end());
    std::vector<std::string> lines;
    for (const auto& [line, column, message] : found_)
      lines.push_back(path_ + ":" + std::to_string(line) + ":" + std::to_string(column) + ": error: " + message);
    return lines;
  }

  void wrong(const toml::node& at, const std::string& message) { wrong(at.source().begin, message); }
  void wrong(const toml::source_position& at, const std::string& message) {
    found_.emplace_back(at.line, at.column, message);
  }

  template <class Into>
  void table(const toml::table& from, const std::vector<key<Into>>& keys, Into& into) {
    for (const auto& [name, node] : from) {
      bool known = false;
      for (const key<Into>& k : keys) {
        if (name.str() != k.name) continue;
        known = true;
        if (const std::string_view expected = k.read(node, into); !expected.empty())
          wrong(node, "'" + std::string(name.str()) + "' must be " + std::string(expected));
      }
      if (known) continue;
      std::vector<std::string_view> names;
      for (const key<Into>& k : keys) names.push_back(k.name);
      wrong(name.source().begin,
            "unknown key '" + std::string(name.str()) + "'" + hlolint::did_you_mean(name.str(), names));
    }
  }

 private:
  std::string path_;
  std::vector<std::tuple<unsigned, unsigned, std::string>> found_;
};

std::string_view read(const toml::node& from, std::string& to) {
  if (const auto text = from.value<std::string>(); text && from.is_string()) return to = *text, std::string_view{};
  return "a text in quotes";
}
std::string_view read(const toml::node& from, std::optional<std::string>& to) { return read(from, to.emplace()); }
std::string_view read(const toml::node& from, std::optional<std::int64_t>& to) {
  if (!from.is_integer() || *from.value<std::int64_t>() < 0) return "a whole number, not negative";
  to = *from.value<std::int64_t>();
  return {};
}
std::string_view read(const toml::node& from, std::optional<unsigned>& to) {
  std::optional<std::int64_t> number;
  if (!read(from, number).empty() || *number > 1024) return "a whole number up to 1024; 0 means one job per core";
  to = static_cast<unsigned>(*number);
  return {};
}
std::string_view read(const toml::node& from, bool& to) {
  if (!from.is_boolean()) return "true or false";
  to = *from.value<bool>();
  return {};
}
std::string_view read(const toml::node& from, std::optional<double>& to) {
  const auto number = from.value<double>();
  if (!(from.is_integer() || from.is_floating_point()) || !(*number >= 0)) return "a number, not negative";
  to = *number;
  return {};
}
std::string_view read(const toml::node& from, std::vector<std::string>& to) {
  const toml::array* const list = from.as_array();
  if (!list) return "a list of texts, such as [\"MEM\", \"PAD001\"]";
  for (const toml::node& item : *list)
    if (!read(item, to.emplace_back()).empty()) return "a list of texts, such as [\"MEM\", \"PAD001\"]";
  return {};
}

// Reads a value of any type as text, which the rule interprets.
std::optional<std::string> text_of(const toml::node& value) {
  if (value.is_string()) return value.value<std::string>();
  if (!value.is_integer() && !value.is_floating_point() && !value.is_boolean()) return std::nullopt;
  std::ostringstream out;
  if (value.is_integer())
    out << *value.value<std::int64_t>();
  else if (value.is_boolean())
    out << (*value.value<bool>() ? "true" : "false");
  else
    out << *value.value<double>();
  return out.str();
}

std::string_view read_day(const toml::node& from, hlolint::suppression& to) {
  constexpr std::string_view expected = "a day such as 2026-12-31";
  if (const auto date = from.value<toml::date>(); date && from.is_date()) {
    std::ostringstream text;
    text << *date;
    to.expires = text.str();
  } else if (!read(from, to.expires).empty()) {
    return expected;
  }
  return hlolint::is_day(to.expires) ? std::string_view{} : expected;
}

template <class Into, class Member>
key<Into> field(std::string_view name, std::string_view help, Member Into::*member) {
  return {name, help, [member](const toml::node& from, Into& into) { return read(from, into.*member); }};
}

const std::vector<key<hlolint::suppression>>& suppression_keys() {
  using s = hlolint::suppression;
  static const std::vector<key<s>> keys{
      field("rule", "the rules: id, name, beginning of ids, or ALL; required", &s::rule),
      field("module", "pattern (* and ?) for the module's name, with or without its number", &s::module),
      field("instruction", "pattern for the instruction's name, with or without its number", &s::instruction),
      field("op_name", "pattern for op_name in the instruction's metadata", &s::op_name),
      field("reason", "why these findings are accepted; required", &s::reason),
      {"expires", "the last day on which the suppression applies", read_day}};
  return keys;
}

key<hlolint::module_contract> bytes_field(std::string_view name, std::string_view help,
                                          std::optional<hlolint::byte_count> hlolint::module_contract::*member) {
  return {name, help, [member](const toml::node& from, hlolint::module_contract& into) {
            const auto text = text_of(from);
            const auto bytes = text ? hlolint::read_byte_count(*text) : std::nullopt;
            if (!bytes || *bytes < 0) return std::string_view("a number of bytes such as 4096 or \"16MiB\"");
            into.*member = *bytes;
            return std::string_view{};
          }};
}

// The reason why XLA would refuse a sharding, as far as hlolint's parser knows.
std::string why_no_sharding(const std::string& text) {
  const std::string_view words[] = {"replicated", "not-replicated"};
  if (!text.starts_with('{')) return hlolint::did_you_mean(text, {std::begin(words), std::end(words)});
  const hlolint::parsed_file read =
      hlolint::parse("HloModule m\n\nENTRY e {\n  ROOT p = f32[] parameter(0), sharding=" + text + "\n}\n");
  return read.diagnostics.empty() ? std::string{} : " (" + read.diagnostics.front().message + ")";
}

// The keys `parameter` and `sharding`, which belong together.
template <class Wrong>
void check_sharding(const hlolint::module_contract& c, const toml::table& from, const Wrong& wrong) {
  if (from.contains("parameter") && !from.contains("sharding"))
    wrong("parameter", "parameter needs sharding: the sharding that these parameters must have");
  if (!from.contains("sharding")) return;
  if (c.parameter.empty()) wrong("sharding", "sharding needs parameter: a pattern such as \"params*\"");
  const auto asked = hlolint::read_agreed_sharding(c.sharding);
  if (!asked)
    wrong("sharding", "'" + c.sharding + "' is no sharding" + why_no_sharding(c.sharding) +
                          "; it is replicated, not-replicated, or written as in a dump, such as {devices=[8,1]<=[8]}");
  else if (asked->written.written == hlolint::sharding::kind::tuple && asked->written.elements.empty())
    wrong("sharding", "no array can have this sharding, which is that of an empty tuple");
}

// Reports conditions of a contract that nothing can meet, at their key.
void check_contract(const hlolint::module_contract& c, const toml::table& from, reader& errors) {
  const auto wrong = [&](std::string_view name, const std::string& message) {
    const toml::node* const at = from.get(name);
    errors.wrong(at ? *at : from, message);
  };
  std::vector<std::string_view> kinds;
  for (const std::string_view name : hlolint::hlo_opcode_names)
    if (hlolint::is_synchronous_collective(hlolint::find_hlo_opcode(name))) kinds.push_back(name);
  const auto any_fits = [](const std::string& pattern, const auto& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return hlolint::contract_pattern_fits(pattern, name); });
  };
  if (!any_fits(c.opcode, kinds)) {
    const bool half = c.opcode.ends_with("-start") || c.opcode.ends_with("-done");
    wrong("opcode", "opcode '" + c.opcode + "' fits no collective" +
                        (half ? ": write it without -start or -done to mean both forms"
                              : hlolint::did_you_mean(c.opcode, kinds)));
  }
  if (!any_fits(c.element_type, hlolint::element_type_names))
    wrong("element-type", "element-type '" + c.element_type + "' fits no type" +
                              hlolint::did_you_mean(c.element_type, {std::begin(hlolint::element_type_names),
                                                                     std::end(hlolint::element_type_names)}));
  if (c.min_count && c.max_count && *c.min_count > *c.max_count)
    wrong("min-count", "no module can meet this: min-count is larger than max-count");
  if (c.group_size && *c.group_size == 0) wrong("group-size", "group-size must be at least 1");
  if (c.group_size && c.max_group_size && *c.group_size > *c.max_group_size)
    wrong("group-size", "no collective can meet this: group-size is larger than max-group-size");
  if (c.min_count && *c.min_count > 0 && c.max_bytes && *c.max_bytes == 0)
    wrong("max-bytes", "no module can meet this: max-bytes is 0 but min-count is not");
  check_sharding(c, from, wrong);
  if (!c.limits_collectives() && !c.limits_memory() && !from.contains("parameter") && !from.contains("sharding"))
    wrong("name", "[[contract]] has no condition: add a key such as max-count");
}

const std::vector<key<hlolint::module_contract>>& contract_keys() {
  using c = hlolint::module_contract;
  static const std::vector<key<c>> keys{
      field("name", "name of the contract in messages; required", &c::name),
      field("module", "pattern for the names of modules", &c::module),
      field("opcode", "pattern for opcodes such as all-gather", &c::opcode),
      field("op_name", "pattern for op_name in the instructions' metadata", &c::op_name),
      field("min-count", "least number of these collectives", &c::min_count),
      field("max-count", "largest number of these collectives", &c::max_count),
      field("group-size", "exact number of devices in the largest group", &c::group_size),
      field("max-group-size", "largest number of devices in the largest group", &c::max_group_size),
      bytes_field("max-bytes", "most bytes of all these collectives together, such as \"512MiB\"", &c::max_bytes),
      field("element-type", "pattern for the element type of every result, such as bf16", &c::element_type),
      field("must-overlap", "true: they must be asynchronous, with work between start and done", &c::must_overlap),
      field("max-exposed-ms", "most milliseconds of a step that nothing hides; needs --device", &c::max_exposed_ms),
      bytes_field("max-peak", "most bytes of the module in use at once", &c::max_peak),
      bytes_field("max-temporaries", "most bytes of temporary allocations", &c::max_temporaries),
      bytes_field("max-total", "most bytes of all allocations", &c::max_total),
      field("parameter", "pattern for the names of parameters, or of their arguments in JAX; needs sharding",
            &c::parameter),
      field("sharding", "their sharding: replicated, not-replicated, or as in a dump: {devices=[8,1]<=[8]}",
            &c::sharding)};
  return keys;
}

const std::vector<key<written_rule>>& rule_keys() {
  using r = written_rule;
  static const std::vector<key<r>> keys{
      field("id", "id such as TEAM001, which no built-in rule has; required", &r::id),
      field("name", "name of the pattern, such as wide-sum (default: the id)", &r::name),
      field("match", "a query, as `hlolint query` takes it; required", &r::match),
      field("message", "message of a finding, with properties in braces: {bytes($x)}", &r::message),
      field("level", "note, warning (default) or error", &r::level),
      field("what", "what the rule reports, in one sentence", &r::what),
      field("why", "why the pattern is bad", &r::why),
      field("advice", "what to do", &r::advice),
      field("fires", "HLO with a finding, for `hlolint rules --test`", &r::fires),
      field("silent", "HLO without a finding, for `hlolint rules --test`", &r::silent)};
  return keys;
}

std::string_view read_max_size_key(const toml::node& from, configuration& into) {
  const auto text = text_of(from);
  into.max_size = text ? read_max_size(*text) : std::nullopt;
  return into.max_size ? std::string_view{} : expected_max_size;
}

std::string_view read_levels(const toml::node& from, configuration& into) {
  const toml::table* const levels = from.as_table();
  if (!levels) return "a table of rules and levels";
  for (const auto& [rule, level] : *levels) {
    std::string text;
    if (!read(level, text).empty()) return "a table of rules and levels, such as PAD001 = \"error\"";
    into.choice.levels.emplace_back(std::string(rule.str()), text);
  }
  return {};
}

std::string_view read_options(const toml::node& from, configuration& into) {
  constexpr std::string_view expected = "a table of tables, such as [options.PAD001] with min-waste = \"32MiB\"";
  const toml::table* const rules = from.as_table();
  if (!rules) return expected;
  for (const auto& [rule, node] : *rules) {
    const toml::table* const options = node.as_table();
    if (!options) return expected;
    for (const auto& [name, value] : *options) {
      const auto text = text_of(value);
      if (!text) return expected;
      into.options.push_back({std::string(rule.str()), std::string(name.str()), *text});
    }
  }
  return {};
}

hlolint::span line_of(const toml::node& at, const hlolint::source& text) {
  const std::size_t number = at.source().begin.line;
  return number == 0 || number > text.lines().lines() ? hlolint::span{}
                                                      : hlolint::span_of(text.text(), text.lines().line(number));
}

// Reads every table of the list `[[name]]`.
template <class Item>
key<configuration> tables(std::string_view name, std::string_view help, std::vector<Item> configuration::*list,
                          std::vector<hlolint::span> configuration::*places, const std::vector<key<Item>>& keys,
                          std::vector<std::string_view> required, reader& errors) {
  return {name, help, [=, &keys, &errors](const toml::node& from, configuration& into) {
            const toml::array* const items = from.as_array();
            if (!items) return std::string_view("a list of tables, each after its name in double brackets");
            for (const toml::node& item : *items) {
              const toml::table* const content = item.as_table();
              if (!content) return std::string_view("a list of tables, each after its name in double brackets");
              Item& read_item = (into.*list).emplace_back();
              errors.table(*content, keys, read_item);
              if constexpr (std::is_same_v<Item, hlolint::module_contract>) check_contract(read_item, *content, errors);
              if constexpr (std::is_same_v<Item, written_rule>) {
                if (const auto* const at = content->get("match")) read_item.match_place = line_of(*at, into.text);
                if (const auto* const at = content->get("message")) read_item.message_place = line_of(*at, into.text);
              }
              (into.*places).push_back(line_of(item, into.text));
              for (const std::string_view needed : required)
                if (!content->contains(needed))
                  errors.wrong(item, "[[" + std::string(name) + "]] needs '" + std::string(needed) + "'");
            }
            return std::string_view{};
          }};
}

key<configuration> choice(std::string_view name, std::string_view help,
                          std::vector<std::string> hlolint::rule_choice::*list) {
  return {name, help, [list](const toml::node& from, configuration& into) { return read(from, into.choice.*list); }};
}

std::vector<key<configuration>> keys_of_the_file(reader& errors) {
  using c = configuration;
  return {
      choice("select", "the only rules to run: ids, names, beginnings of ids, or ALL", &hlolint::rule_choice::select),
      choice("extend-select", "rules to run too", &hlolint::rule_choice::extend_select),
      choice("ignore", "rules not to run", &hlolint::rule_choice::ignore),
      {"level", "another level for rules: off, note, warning or error", read_levels},
      {"options", "options of rules; `hlolint explain RULE` lists them", read_options},
      field("fail-on", "lowest level that makes the exit status 1: error, warning, note or never", &c::fail_on),
      field("target", "cpu, gpu or tpu, if the dumps do not show it", &c::target),
      field("xla-date", "the date of the XLA that compiled the modules, such as \"2025-11-01\"", &c::xla_date),
      field("device", "the device to estimate times for, like --device", &c::device),
      field("format", "the output format: text, concise, json, jsonl, sarif, github, gitlab, junit, markdown or html",
            &c::format),
      field("baseline", "file with known findings; its path is relative to the folder of this file", &c::baseline),
      field("jobs", "number of modules to process at the same time; 0 = one per core", &c::jobs),
      {"max-size", "most bytes of text in one input; a larger input is an error", read_max_size_key},
      tables("suppress", "findings that are accepted", &c::suppressions, &c::suppression_places, suppression_keys(),
             {"rule", "reason"}, errors),
      tables("contract", "conditions on modules that COL017, BUD009 and PRF016 check", &c::contracts,
             &c::contract_places, contract_keys(), {"name"}, errors),
      tables("rule", "rules of your own", &c::rules, &c::rule_places, rule_keys(), {"id", "match"}, errors)};
}

std::string toml_text(std::string_view text) {
  std::ostringstream out;
  out << toml::value<std::string>(std::string(text));
  return out.str();
}
// toml++ 3.3 writes keys with a line end or an apostrophe in a form that it cannot read again.
std::string toml_key(std::string_view word) {
  const bool bare = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return hlolint::is_alphanumeric(c) || c == '_' || c == '-';
  });
  if (bare) return std::string(word);
  std::ostringstream out;
  out << toml::toml_formatter(toml::value<std::string>(std::string(word)), toml::format_flags::none);
  return out.str();
}
std::string list_of(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const std::string& word : words) out += (out.size() > 1 ? ", " : "") + toml_text(word);
  return out + "]";
}

}  // namespace

std::optional<hlolint::byte_count> read_max_size(std::string_view text) {
  const auto bytes = hlolint::read_byte_count(text);
  return bytes && *bytes > 0 && *bytes <= hlolint::byte_count{4} << 30 ? bytes : std::nullopt;
}

std::string find_configuration() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  return error ? std::string{} : find_configuration(here.string());
}

std::string find_configuration(const std::string& first) {
  for (fs::path folder = first; !folder.empty(); folder = folder.parent_path()) {
    const fs::path candidate = folder / ".hlolint.toml";
    std::error_code none_there;
    if (fs::is_regular_file(candidate, none_there)) return candidate.string();
    if (folder == folder.parent_path()) break;
  }
  return {};
}

loaded_configuration load_configuration(const std::string& path) {
  const hlolint::loaded_file loaded = hlolint::load_file(path);
  if (loaded.text) return read_configuration(*loaded.text);
  loaded_configuration out;
  out.content.path = path;
  out.errors.push_back("hlolint: cannot read " + path + ": " + loaded.error);
  return out;
}

loaded_configuration read_configuration(const hlolint::source& text) {
  loaded_configuration out;
  const std::string& path = text.path();
  out.content.path = path;
  out.content.text = text;
  reader errors(path);
  try {
    const toml::table file = toml::parse(text.text(), path);
    errors.table(file, keys_of_the_file(errors), out.content);
  } catch (const toml::parse_error& stopped) {
    errors.wrong(stopped.source().begin, std::string(stopped.description()));
  }
  out.errors = errors.errors();
  // Relative paths in the file start at its folder.
  if (out.content.baseline && fs::path(*out.content.baseline).is_relative())
    out.content.baseline = (fs::path(path).parent_path() / *out.content.baseline).string();
  if (out.content.device && out.content.device->ends_with(".toml") && fs::path(*out.content.device).is_relative())
    out.content.device = (fs::path(path).parent_path() / *out.content.device).string();
  return out;
}

void write_configuration(std::ostream& out, const configuration& settings) {
  reader errors(settings.path);
  const auto help = [&, keys = keys_of_the_file(errors)](std::string_view name) {
    for (const auto& k : keys)
      if (k.name == name) out << "\n# " << k.help << '\n';
  };
  const auto text = [&](std::string_view name, const std::optional<std::string>& value) {
    help(name);
    if (value)
      out << name << " = " << toml_text(*value) << '\n';
    else
      out << "# " << name << " = ...\n";
  };
  const auto list = [&](std::string_view name, const std::vector<std::string>& words) {
    help(name);
    out << (words.empty() ? "# " : "") << name << " = " << list_of(words) << '\n';
  };
  out << "# " << (settings.path.empty() ? "no configuration file" : hlolint::report::printable(settings.path)) << '\n';
  list("select", settings.choice.select);
  list("extend-select", settings.choice.extend_select);
  list("ignore", settings.choice.ignore);
  text("fail-on", settings.fail_on);
  text("target", settings.target);
  text("xla-date", settings.xla_date);
  text("device", settings.device);
  text("format", settings.format);
  text("baseline", settings.baseline);
  help("jobs");
  out << "jobs = " << settings.jobs.value_or(1) << '\n';
  help("max-size");
  out << "max-size = " << settings.max_size.value_or(default_max_size) << '\n';
  help("level");
  out << "[level]\n";
  std::map<std::string, std::string> levels;  // as a map, since the command line may give a rule two levels
  for (const auto& [rule, level] : settings.choice.levels) levels[rule] = level;
  for (const auto& [rule, level] : levels) out << toml_key(rule) << " = " << toml_text(level) << '\n';
  help("options");
  std::map<std::string, std::map<std::string, std::string>> options;
  for (const option_setting& option : settings.options) options[option.rule][option.option] = option.value;
  for (const auto& [rule, values] : options) {
    out << "[options." << toml_key(rule) << "]\n";
    for (const auto& [name, value] : values) out << toml_key(name) << " = " << toml_text(value) << '\n';
  }
  const auto describe = [&](const auto& keys) {
    for (const auto& k : keys) out << "#   " << k.name << ": " << k.help << '\n';
  };
  help("suppress");
  describe(suppression_keys());
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out << name << " = " << toml_text(value) << '\n';
  };
  for (const hlolint::suppression& s : settings.suppressions) {
    out << "[[suppress]]\n";
    line("rule", s.rule), line("module", s.module), line("instruction", s.instruction), line("op_name", s.op_name),
        line("reason", s.reason);
    if (!s.expires.empty()) out << "expires = " << s.expires << '\n';
  }
  help("contract");
  describe(contract_keys());
  for (const hlolint::module_contract& c : settings.contracts) {
    const auto number = [&](std::string_view name, const std::optional<std::int64_t>& value) {
      if (value) out << name << " = " << *value << '\n';
    };
    out << "[[contract]]\n";
    line("name", c.name), line("module", c.module), line("opcode", c.opcode), line("op_name", c.op_name);
    number("min-count", c.min_count), number("max-count", c.max_count), number("group-size", c.group_size);
    number("max-group-size", c.max_group_size), number("max-bytes", c.max_bytes);
    line("element-type", c.element_type);
    if (c.must_overlap) out << "must-overlap = true\n";
    if (c.max_exposed_ms) out << "max-exposed-ms = " << hlolint::option_text(*c.max_exposed_ms) << '\n';
    number("max-peak", c.max_peak), number("max-temporaries", c.max_temporaries), number("max-total", c.max_total);
    line("parameter", c.parameter), line("sharding", c.sharding);
  }
  help("rule");
  describe(rule_keys());
  for (const written_rule& r : settings.rules) {
    out << "[[rule]]\n";
    line("id", r.id), line("name", r.name), line("match", r.match), line("message", r.message), line("level", r.level);
    line("what", r.what), line("why", r.why), line("advice", r.advice);
    line("fires", r.fires), line("silent", r.silent);
  }
}

}  // namespace hlolint::command
