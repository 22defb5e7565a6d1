#include "session.hpp"

#include "../../command_run.hpp"
#include "../../heap.hpp"
#include "../mcp/roots.hpp"
#include "virtual_text.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace hlolint::command::server::lsp {

namespace fs = std::filesystem;

document& session::open_document(const std::string& uri) const {
  const auto found = documents.find(uri);
  if (found == documents.end()) throw request_failure{error_code::invalid_params, uri + " is not open"};
  return *found->second;
}

const document* session::open_document_at(const std::string& path) const {
  for (const auto& [uri, open] : documents)
    if (open->path() == path) return open.get();
  return nullptr;
}

document& session::document_of(const input& params) const {
  const std::string uri = text_member(member(params, "textDocument"), "uri");
  if (uri.empty()) throw request_failure{error_code::invalid_params, "textDocument has a uri"};
  return open_document(uri);
}

std::size_t session::offset_of(const document& in, const input& params) const {
  return in.positions().offset(position_of(member(params, "position")));
}

output session::location_of(const std::string& path, hlolint::span at, const hlolint::source& in) const {
  for (const auto& [uri, open] : documents)
    if (open->path() == path && open->text().size() == in.text().size())
      return {{"uri", uri}, {"range", open->positions().json(at)}};
  return {{"uri", path.starts_with('/') ? uri_of_path(path) : path}, {"range", position_map(in, can.columns).json(at)}};
}

output session::location_of(const hlolint::location& where) const {
  return location_of(where.in.path(), where.at, where.in);
}

std::string configuration_above(const std::string& path) {
  return path.starts_with('/') ? find_configuration(fs::path(path).parent_path().string()) : std::string{};
}

arguments arguments_of_check(const session& of, const document& what) {
  arguments given;
  given.checks = of.given.checks;
  given.at_hand.emplace(what.path(), what.parsed());
  for (const auto& [uri, open] : of.documents)
    if (open.get() != &what && !open->is_settings() &&
        fs::path(open->path()).parent_path() == fs::path(what.path()).parent_path())
      given.at_hand.emplace(open->path(), open->parsed());
  return given;
}

std::vector<std::string> words_of_check(const session& of, const document& what) {
  const std::string config = configuration_above(what.path());
  std::vector<std::string> words{config.empty() ? "--isolated" : "--config=" + config, "--jobs=1"};
  if (what.path().ends_with(".hlo")) words.push_back("--extend-select=DMP006");  // people write such files
  words.insert(words.end(), of.extra_words.begin(), of.extra_words.end());
  return words;
}

void check(session& of, document& what, const call* asked, rules_of_check which) {
  std::optional<shown_progress> shown;
  const bool has_token = asked && !member(asked->params, "workDoneToken").is_null();
  if (of.can.shows_progress && !has_token && what.is_large() && which == rules_of_check::all)
    shown.emplace(of.with, of.tokens.take(of.with), "hlolint: " + fs::path(what.path()).filename().string());
  arguments given = arguments_of_check(of, what);
  given.kept = of.kept;
  if (which == rules_of_check::quick) given.left_out = need::memory | need::live_ranges | need::used_values;
  what.is_checked = false;
  std::vector<std::shared_ptr<const hlolint::context>> modules;
  given.seen = [&](const std::shared_ptr<const hlolint::context>& module) { modules.push_back(module); };
  hlolint::report::run_result out;
  given.found = [&](const hlolint::report::run_result& found) { out = found; };
  const auto pause = [&] {
    if (asked) return asked->stop_if_cancelled();
    if (of.with.has_waiting("textDocument/didChange") || of.with.has_waiting("textDocument/didClose")) throw outdated{};
    of.answer_readers();
  };
  given.pause = pause;
  given.step = [&](std::string_view, std::size_t, std::size_t) { pause(); };
  std::vector<std::string> words = words_of_check(of, what);
  words.insert(words.end(), {"--", what.path()});
  std::ostringstream written, errors;
  const int status = run_command_line(words, std::move(given), written, errors);
  what.forget_check();
  for (auto& module : modules) what.add_context(std::move(module));
  if (status == exit_error && out.inputs.empty() && !errors.str().empty()) {
    // The configuration, or a setting of the editor, is wrong.
    hlolint::diagnostic wrong;
    wrong.rule = "settings", wrong.message = errors.str(), wrong.level = hlolint::severity::error;
    wrong.where = {what.positions().text(), {}};
    out.diagnostics.push_back(std::move(wrong));
  }
  if (is_part_of_dump(what.uri()))
    std::erase_if(out.diagnostics, [](const hlolint::diagnostic& d) { return !d.rule.starts_with("SYN"); });
  of.findings[what.uri()] = std::move(out);
  if (which == rules_of_check::quick) return;
  of.kept->clear_contexts();
  what.is_checked = true;
  what.drop_analyses();
  if (what.is_large()) return_freed_memory();
}

void need_contexts(session& of, document& what, const call& asked) {
  if (what.contexts().empty() && !what.is_settings()) check(of, what, &asked);
}

std::string source_file_here(const session& of, const std::string& recorded) {
  std::error_code error;
  if (recorded.empty()) return {};
  if (fs::path(recorded).is_absolute() && fs::is_regular_file(recorded, error)) return recorded;
  // The program may have run on another machine: look for the longest end of the path that is in a folder here.
  for (const std::string& folder : of.folders) {
    const fs::path whole(recorded);
    std::vector<fs::path> parts(whole.begin(), whole.end());
    for (std::size_t first = 0; first < parts.size(); ++first) {
      if (parts[first] == "/") continue;
      fs::path end;
      for (std::size_t i = first; i < parts.size(); ++i) end /= parts[i];
      if (end.generic_string().find("..") != std::string::npos) break;
      if (const fs::path there = fs::path(folder) / end; fs::is_regular_file(there, error)) return there.string();
    }
  }
  return {};
}

}  // namespace hlolint::command::server::lsp
