#include "show.hpp"

#include "../complain.hpp"
#include "../settings/device_choice.hpp"
#include "../reading/module_path.hpp"
#include "run.hpp"

#include <hlolint/text/number_text.hpp>
#include <hlolint/text/suggestion.hpp>
#include <hlolint/tool/report/memory/memory_json.hpp>
#include <hlolint/tool/report/show/thing_json.hpp>
#include <hlolint/tool/report/show/thing_lookup.hpp>
#include <hlolint/tool/report/show/thing_text.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

// A thing of the given name in one of the modules.
struct candidate {
  named_thing thing;
  std::string module, path;
  std::string place;  // of an instruction: path and line
};

bool is_meant(const context& module, const std::string& asked) {
  return asked.empty() || module.name() == asked ||
         std::any_of(module.files().begin(), module.files().end(), [&](const seen_file& file) {
           return file.path == asked || std::filesystem::path(file.path).filename() == asked;
         });
}

// The things that the name means: exact matches, else those that begin with it.
std::vector<candidate> meant_of(std::vector<candidate> all) {
  const auto is_exact = [](const candidate& c) { return c.thing.exact; };
  if (std::any_of(all.begin(), all.end(), is_exact)) erase_if(all, [&](const candidate& c) { return !is_exact(c); });
  return all;
}

std::string ambiguous_text(const std::vector<candidate>& all, const std::string& name) {
  constexpr std::size_t most = 20;
  const bool several_modules =
      std::any_of(all.begin(), all.end(), [&](const candidate& c) { return c.path != all.front().path; });
  const bool one_name = std::all_of(all.begin(), all.end(), [&](const candidate& c) {
    return !c.place.empty() && c.path == all.front().path && c.thing.name == all.front().thing.name;
  });
  std::string out = "'" + name + "' can mean " + std::to_string(all.size()) + " things" +
                    (several_modules ? " (--module names a module or one of its files):"
                     : one_name      ? " (ask for one by its line):"
                                     : ":");
  for (std::size_t i = 0; i < all.size() && i < most; ++i)
    out += "\n  " + std::string(name_of(all[i].thing.kind)) + " " + all[i].thing.name +
           (several_modules ? "  in " + all[i].path
            : one_name      ? "  " + all[i].place
                            : std::string{});
  out += and_more(all.size(), most, "\n  ");
  return out;
}

// Asks whether a name of the module was meant; empty if none is like it.
std::string near_name(const context& module, const std::string& name) {
  if (!module.hlo()) return {};
  std::vector<std::string_view> names;
  for (const hlo_computation c : module.hlo()->computations()) names.push_back(c.name());
  for (const hlo_instruction i : module.hlo()->instructions()) names.push_back(i.name());
  return did_you_mean(name, names);
}

}  // namespace

int show_thing(const arguments& asked, const rule_settings& settings, const configured_checks& checks,
               std::ostream& out) {
  arguments given = asked;
  given.jobs = 1;  // modules are written one after the other
  std::vector<candidate> all;
  std::size_t modules = 0;
  std::set<std::string> others;  // modules that are not meant
  std::ostringstream text;       // or JSON
  std::string near;              // a name like one that is not there
  bool has_exact = false, written = false;
  const auto look = [&](const context& module, run_result&) {
    if (!is_meant(module, given.show.module)) {
      others.insert(module.name());
      return;
    }
    ++modules;
    std::vector<named_thing> found = find_things(module, given.show.name);
    if (found.empty() && near.empty()) near = near_name(module, given.show.name);
    const bool exact = std::any_of(found.begin(), found.end(), [](const named_thing& t) { return t.exact; });
    // The first match may turn out to be the only one. It is written now, since the module is freed afterwards.
    if (!found.empty() && (!written || (exact && !has_exact))) {
      written = true, has_exact = has_exact || exact;
      const findings of_module = checks(module, settings, given.pause);
      const named_thing& thing =
          *std::find_if(found.begin(), found.end(), [&](const named_thing& t) { return t.exact || !exact; });
      const thing_facts facts =
          facts_of(module, thing, device_for(module, given.device), given.show, of_module.diagnostics);
      text.str({});
      if (given.json) {
        json_writer json(text);
        json.object([&] {
          json.array("show", [&] { write_thing_json(json, facts); });
          json.array("candidates", [] {});
        });
      } else {
        write_thing(text, facts, given.show);
      }
    }
    for (named_thing& thing : found) {
      std::string place;
      if (thing.kind == thing_kind::instruction) {
        const location at = module.hlo()->instruction(thing.number).where();
        place = file_and_line(at.in.path(), static_cast<std::int64_t>(at.begin().line));
      }
      all.push_back({std::move(thing), module.name(), path_of_text(module), std::move(place)});
    }
  };
  const run_result result = read_modules(given, settings, look);
  const std::vector<candidate> meant = meant_of(std::move(all));
  if (!given.json) {
    if (meant.size() == 1) out << text.str();
    write_problems(out, result);
  } else if (meant.size() == 1) {
    write_enveloped(out, result, text.str());
  } else {
    write_enveloped(out, result, [&](json_writer& json) {
      json.array("show", [] {});
      json.objects("candidates", meant, [&](const candidate& c) {
        json.members("kind", name_of(c.thing.kind), "name", c.thing.name);
        json.member_if("module", c.module);
        json.member("path", c.path);
      });
    });
  }
  if (modules == 0 && !others.empty()) return complain_of_module(given.show.module, others);
  if (meant.empty()) return complain("there is nothing named '" + given.show.name + "'" + near);
  if (meant.size() > 1) {
    complain_lines("hlolint: " + ambiguous_text(meant, given.show.name));
    return exit_error;
  }
  return exit_status(result, given) == exit_error ? exit_error : exit_clean;
}

}  // namespace hlolint::command
