#include "actions.hpp"

#include "../../command_run.hpp"
#include "../../settings/baseline_file.hpp"
#include "../../settings/configuration.hpp"
#include "../mcp/roots.hpp"
#include "virtual_text.hpp"
#include "writing.hpp"

#include <hlolint/text/file.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

namespace hlolint::command::server::lsp {

namespace fs = std::filesystem;

namespace {

constexpr const char *explain_command = "hlolint.explain", *baseline_command = "hlolint.updateBaseline",
                     *open_command = "hlolint.open";

std::string toml_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// The configuration of a document: the nearest one, else a new one beside it.
std::string settings_for(const document& what) {
  const std::string nearest = configuration_above(what.path());
  return nearest.empty() ? (fs::path(what.path()).parent_path() / ".hlolint.toml").string() : nearest;
}

// An edit that puts a text at the begin or at the end of a configuration, which may not exist yet. An open one is
// edited as the editor has it, whichever way it writes the address.
output edit_of_settings(const session& of, const std::string& path, bool at_end, std::string text) {
  const document* const open = of.open_document_at(path);
  const std::string uri = open ? open->uri() : uri_of_path(path);
  hlolint::source now;
  if (open)
    now = open->positions().text();
  else if (hlolint::loaded_file file = hlolint::load_file(path); file.text)
    now = *file.text;
  const output at = position_map(now, of.can.columns).json(at_end ? now.text().size() : std::size_t{0});
  if (at_end && !now.text().empty() && !now.text().ends_with('\n')) text.insert(0, "\n");
  output edits = output::array({{{"range", {{"start", at}, {"end", at}}}, {"newText", text}}});
  if (open || fs::exists(path))
    return edit_of(of, uri, std::move(edits), open ? output(open->version()) : output(nullptr));
  if (!of.can.creates_files) return nullptr;
  output create{{"kind", "create"}, {"uri", uri}, {"options", {{"ignoreIfExists", true}}}};
  output change{{"textDocument", {{"uri", uri}, {"version", nullptr}}}, {"edits", std::move(edits)}};
  return {{"documentChanges", output::array({std::move(create), std::move(change)})}};
}

output command_action(std::string title, const char* kind, const char* command, output arguments) {
  output out{{"title", title},
             {"command", {{"title", title}, {"command", command}, {"arguments", std::move(arguments)}}}};
  if (*kind) out["kind"] = kind;
  return out;
}

bool wants(const input& context, std::string_view kind) {
  const input& only = member(context, "only");
  if (!only.is_array()) return true;
  return std::any_of(only.begin(), only.end(), [&](const input& one) {
    const std::string prefix = one.is_string() ? one.get<std::string>() : "-";
    return kind == prefix || (kind.starts_with(prefix) && kind[prefix.size()] == '.') || prefix.empty();
  });
}

void add_actions_for(const session& of, const document& what, const input& diagnostic, output& out) {
  const input& data = member(diagnostic, "data");
  std::string rule = text_member(data, "rule");
  if (rule.empty()) rule = text_member(diagnostic, "code");
  if (text_member(diagnostic, "source") != "hlolint" || rule.empty() || rule == "settings") return;
  const auto with_diagnostic = [&](output action) {
    action["diagnostics"] = output::array({output(diagnostic)});
    out.push_back(std::move(action));
  };
  with_diagnostic(command_action("Explain " + rule, "quickfix", explain_command, output::array({rule})));
  if (!rule.starts_with("SYN") && what.path().starts_with('/')) {
    const std::string module = text_member(data, "module"), instruction = text_member(data, "instruction");
    std::string entry = "\n[[suppress]]\nrule = " + toml_string(rule) + "\n";
    if (!module.empty()) entry += "module = " + toml_string(module) + "\n";
    if (!instruction.empty()) entry += "instruction = " + toml_string(instruction) + "\n";
    entry += "reason = \"\"\n";
    if (output edit = edit_of_settings(of, settings_for(what), true, entry); !edit.is_null())
      with_diagnostic({{"title", "Suppress " + rule + (instruction.empty() ? "" : " for " + instruction) + " in " +
                                     fs::path(settings_for(what)).filename().string()},
                       {"kind", "quickfix"},
                       {"edit", std::move(edit)}});
  }
  const input& related = member(diagnostic, "relatedInformation");
  if (!related.is_array()) return;
  for (const input& other : related) {
    const input& where = member(other, "location");
    with_diagnostic(command_action("Go to: " + text_member(other, "message"), "quickfix", open_command,
                                   output::array({output(where)})));
  }
}

// Shows a document where the editor can do so.
void show_document(session& of, const std::string& uri, const input& range) {
  if (!of.can.shows_documents) return;
  output params{{"uri", uri}, {"takeFocus", true}};
  if (range.is_object()) params["selection"] = output(range);
  of.with.ask("window/showDocument", std::move(params), [](const input&) {});
}

void show_message(session& of, int type, const std::string& message) {
  of.with.notify("window/showMessage", {{"type", type}, {"message", message}});
}

// The baseline that the checks of a document go by; empty if there is none.
std::string known_baseline(const std::vector<std::string>& words, const document& what) {
  constexpr std::string_view option = "--baseline=";
  for (const std::string& word : words)
    if (word.starts_with(option)) return word.substr(option.size());
  const std::string config = configuration_above(what.path());
  return config.empty() ? std::string{} : load_configuration(config).content.baseline.value_or("");
}

// The findings and the memory of a document, as a baseline has them. They are written to a file of their own first:
// the project's baseline has those of other documents, too.
loaded_baseline baseline_of_document(const session& of, const document& what, std::vector<std::string> words,
                                     const std::string& path) {
  std::erase_if(words, [](const std::string& word) { return word.starts_with("--baseline="); });
  words.insert(words.end(), {"--baseline=" + path, "--update-baseline", "--", what.path()});
  arguments given = arguments_of_check(of, what);
  given.found = [](const hlolint::report::run_result&) {};
  std::error_code gone;
  fs::remove(path, gone);  // one that was left behind would be taken for that of this run
  std::ostringstream written, errors;
  run_command_line(words, std::move(given), written, errors);
  loaded_baseline out = load_baseline(path);
  if (!out.error.empty() && !errors.str().empty()) out.error = errors.str();
  fs::remove(path, gone);
  return out;
}

// What is accepted by either of two baselines; memory as the newer one has it.
baseline joined(const baseline& old, const baseline& fresh) {
  baseline out = fresh;
  for (const baseline_entry& before : old.findings) {
    const auto same = std::find_if(out.findings.begin(), out.findings.end(),
                                   [&](const baseline_entry& entry) { return entry.key == before.key; });
    if (same == out.findings.end()) {
      out.findings.push_back(before);
      continue;
    }
    same->count = std::max(same->count, before.count);
    same->bytes = std::max(same->bytes, before.bytes);
  }
  for (const memory_summary& before : old.modules)
    if (!fresh.module(before.module)) out.modules.push_back(before);
  std::sort(out.findings.begin(), out.findings.end(),
            [](const baseline_entry& a, const baseline_entry& b) { return a.key < b.key; });
  std::sort(out.modules.begin(), out.modules.end(),
            [](const memory_summary& a, const memory_summary& b) { return a.module < b.module; });
  return out;
}

output update_baseline(session& of, const std::string& uri) {
  document& what = of.open_document(uri);
  const std::vector<std::string> words = words_of_check(of, what);
  const std::string known = known_baseline(words, what);
  const std::string path =
      known.empty() ? (fs::path(settings_for(what)).parent_path() / "hlolint-baseline.json").string() : known;
  const auto refuse = [](const std::string& why) { return request_failure{error_code::request_failed, why}; };
  const loaded_baseline old = fs::exists(path) ? load_baseline(path) : loaded_baseline{};
  if (!old.error.empty()) throw refuse(old.error);
  if (old.content.keys != hlolint::fingerprint_version::all_numbers)
    throw refuse(path + " is of an older hlolint: write it again with --update-baseline");
  const loaded_baseline fresh = baseline_of_document(of, what, words, path + ".new");
  if (!fresh.error.empty()) throw refuse(fresh.error);
  if (const std::string error = save_baseline(path, joined(old.content, fresh.content)); !error.empty())
    throw refuse(error);
  of.has_new_settings = true;
  if (known.empty()) {
    // A key of the file must stand before its first table.
    output edit = edit_of_settings(of, settings_for(what), false,
                                   "baseline = " + toml_string(fs::path(path).filename().string()) + "\n");
    if (!edit.is_null())
      of.with.ask("workspace/applyEdit", {{"label", "hlolint: baseline"}, {"edit", std::move(edit)}},
                  [](const input&) {});
  }
  show_message(of, 3, "hlolint: " + path + " now has the findings of " + what.path());
  return path;
}

}  // namespace

output command_names() { return output::array({explain_command, baseline_command, open_command}); }

output code_actions(session& of, const call& asked) {
  document& what = of.document_of(asked.params);
  output out = output::array();
  const input& context = member(asked.params, "context");
  const input& diagnostics = member(context, "diagnostics");
  if (wants(context, "quickfix") && diagnostics.is_array())
    for (const input& each : diagnostics) add_actions_for(of, what, each, out);
  if (what.is_settings()) return out;
  if (wants(context, "source.hlolint.baseline") && what.path().starts_with('/') && diagnostics.is_array() &&
      !diagnostics.empty())
    out.push_back(command_action("Accept all findings of this file (baseline)", "source.hlolint.baseline",
                                 baseline_command, output::array({what.uri()})));
  if (wants(context, "refactor.rewrite")) add_form_actions(of, what, out);
  return out;
}

output resolve_action(session& of, const call& asked) {
  output action(asked.params);
  const input& data = member(asked.params, "data");
  if (action.contains("edit") || data.is_null()) return action;
  action["edit"] = edit_for_form(of, text_member(data, "uri"), text_member(data, "form"));
  return action;
}

output execute_command(session& of, const call& asked) {
  const std::string name = text_member(asked.params, "command");
  const input& arguments = member(asked.params, "arguments");
  const input none;
  const input& first = arguments.is_array() && !arguments.empty() ? arguments[0] : none;
  if (name == explain_command) {
    if (!first.is_string()) throw request_failure{error_code::invalid_params, "the argument is the id of a rule"};
    const std::string rule = first.get<std::string>();
    const output text = virtual_text(of, "hlolint:/rule/" + rule);
    if (of.can.shows_documents && of.can.reads_virtual_documents)
      show_document(of, "hlolint:/rule/" + rule, {});
    else
      show_message(of, 3, text.get<std::string>());
    return text;
  }
  if (name == open_command) {
    show_document(of, text_member(first, "uri"), member(first, "range"));
    return nullptr;
  }
  if (name == baseline_command) {
    if (!first.is_string()) throw request_failure{error_code::invalid_params, "the argument is the address of a dump"};
    return update_baseline(of, first.get<std::string>());
  }
  throw request_failure{error_code::invalid_params, "there is no command " + name};
}

}  // namespace hlolint::command::server::lsp
