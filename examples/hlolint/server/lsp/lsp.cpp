#include "lsp.hpp"

#include "../../heap.hpp"
#include "../../version.hpp"
#include "../mcp/roots.hpp"
#include "../stdio.hpp"
#include "actions.hpp"
#include "findings.hpp"
#include "hints.hpp"
#include "hover.hpp"
#include "navigation.hpp"
#include "outline.hpp"
#include "progress.hpp"
#include "session.hpp"
#include "tokens.hpp"
#include "virtual_text.hpp"
#include "writing.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::command::server {

namespace lsp {

namespace {

using request_handler = output (*)(session&, const call&);

struct feature {
  std::string_view method;
  request_handler handle;
  bool of_whole_text = false;  // the answer grows with the text
};

output text_of_address(session& of, const call& asked) {
  const std::string uri = text_member(asked.params, "uri");
  if (uri.empty()) throw request_failure{error_code::invalid_params, "the request has a uri"};
  return {{"text", virtual_text(of, uri)}};
}

// These need no more of a document than the contexts of its last check.
constexpr feature readers[] = {{"textDocument/hover", hover},
                               {"textDocument/definition", definition},
                               {"textDocument/implementation", implementation},
                               {"textDocument/references", references, true},
                               {"textDocument/documentHighlight", highlights},
                               {"textDocument/prepareCallHierarchy", prepare_call_hierarchy},
                               {"textDocument/documentLink", document_links, true},
                               {"textDocument/documentSymbol", document_symbols, true},
                               {"textDocument/foldingRange", folding_ranges, true},
                               {"textDocument/semanticTokens/full", all_tokens, true},
                               {"textDocument/semanticTokens/range", tokens_in_range},
                               {"textDocument/completion", completion},
                               {"textDocument/prepareRename", prepare_rename}};

constexpr feature others[] = {{"callHierarchy/incomingCalls", incoming_calls},
                              {"callHierarchy/outgoingCalls", outgoing_calls},
                              {"workspace/symbol", workspace_symbols},
                              {"textDocument/inlayHint", inlay_hints},
                              {"textDocument/diagnostic", diagnostic_report},
                              {"textDocument/codeAction", code_actions},
                              {"codeAction/resolve", resolve_action},
                              {"workspace/executeCommand", execute_command},
                              {"textDocument/rename", rename, true},
                              {"workspace/textDocumentContent", text_of_address, true},
                              {"hlolint/textDocumentContent", text_of_address, true}};

const feature* find(std::span<const feature> in, std::string_view method) {
  const auto found = std::find_if(in.begin(), in.end(), [&](const feature& f) { return f.method == method; });
  return found == in.end() ? nullptr : &*found;
}

bool lists(const input& of, std::string_view word) {
  return of.is_array() && std::any_of(of.begin(), of.end(), [&](const input& one) { return one == word; });
}

abilities abilities_of(const input& client) {
  abilities out;
  const input& texts = member(client, "textDocument");
  const input& workspace = member(client, "workspace");
  const input& window = member(client, "window");
  const input& encodings = member(member(client, "general"), "positionEncodings");
  // Columns in bytes need no counting.
  out.columns = lists(encodings, "utf-8") ? encoding::utf8 : encoding::utf16;
  if (encodings.is_array() && !encodings.empty() && !lists(encodings, "utf-8") && !lists(encodings, "utf-16") &&
      lists(encodings, "utf-32"))
    out.columns = encoding::utf32;
  out.pulls_diagnostics = member(texts, "diagnostic").is_object();
  out.refreshes_diagnostics = flag_member(member(workspace, "diagnostics"), "refreshSupport");
  out.refreshes_hints = flag_member(member(workspace, "inlayHint"), "refreshSupport");
  out.shows_progress = flag_member(window, "workDoneProgress");
  const input& formats = member(member(texts, "hover"), "contentFormat");
  out.takes_markdown = lists(formats, "markdown") && (!lists(formats, "plaintext") || formats[0] == "markdown");
  out.nests_symbols = flag_member(member(texts, "documentSymbol"), "hierarchicalDocumentSymbolSupport");
  out.watches_files = flag_member(member(workspace, "didChangeWatchedFiles"), "dynamicRegistration");
  const input& edits = member(workspace, "workspaceEdit");
  out.changes_documents = flag_member(edits, "documentChanges");
  out.creates_files = out.changes_documents && lists(member(edits, "resourceOperations"), "create");
  out.shows_documents = flag_member(member(window, "showDocument"), "support");
  out.resolves_edits = lists(member(member(member(texts, "codeAction"), "resolveSupport"), "properties"), "edit");
  out.related_information = flag_member(member(texts, "publishDiagnostics"), "relatedInformation") ||
                            flag_member(member(texts, "diagnostic"), "relatedInformation");
  return out;
}

output capabilities_of(const abilities& can) {
  output out{{"positionEncoding", name_of(can.columns)},
             {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
             {"hoverProvider", true},
             {"definitionProvider", true},
             {"implementationProvider", true},
             {"referencesProvider", true},
             {"documentHighlightProvider", true},
             {"callHierarchyProvider", true},
             {"documentLinkProvider", {{"resolveProvider", false}}},
             {"documentSymbolProvider", {{"label", "HLO"}}},
             {"workspaceSymbolProvider", true},
             {"foldingRangeProvider", true},
             {"inlayHintProvider", {{"resolveProvider", false}}},
             {"semanticTokensProvider", {{"legend", token_legend()}, {"full", true}, {"range", true}}},
             {"codeActionProvider",
              {{"codeActionKinds", output::array({"quickfix", "refactor.rewrite", "source.hlolint.baseline"})},
               {"resolveProvider", true}}},
             {"executeCommandProvider", {{"commands", command_names()}}},
             {"completionProvider", {{"triggerCharacters", output::array({"%", "=", "(", ","})}}},
             {"renameProvider", {{"prepareProvider", true}}},
             {"workspace",
              {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}},
               {"textDocumentContent", {{"schemes", output::array({"hlolint"})}}}}}};
  if (can.pulls_diagnostics)
    out["diagnosticProvider"] = {
        {"identifier", "hlolint"}, {"interFileDependencies", true}, {"workspaceDiagnostics", false}};
  return out;
}

class lsp_server {
 public:
  lsp_server(connection& with, const arguments& given) : state_{with, given} {
    state_.answer_readers = [this] {
      state_.is_in_check = true;
      state_.with.answer_waiting([this](const call& next) { return only_reads(next); });
      state_.is_in_check = false;
    };
  }

  int run() {
    state_.with.run({.request = [this](call& asked) { return answer(asked); },
                     .notification = [this](call& sent) { take(sent); },
                     .idle = [this] { return work_when_idle(); }});
    return exited_ && shut_down_ ? 0 : 1;
  }

 private:
  // Whether a request can be answered while a document is being checked.
  bool only_reads(const call& asked) const {
    const auto open = state_.documents.find(text_member(member(asked.params, "textDocument"), "uri"));
    return find(readers, asked.method) && open != state_.documents.end() && !open->second->contexts().empty();
  }

  output answer(call& asked) {
    if (asked.method == "initialize") return initialize(asked);
    if (!initialized_) throw request_failure{error_code::server_not_initialized, "the first request is initialize"};
    if (shut_down_) throw request_failure{error_code::invalid_request, "the server was shut down"};
    if (asked.method == "shutdown") {
      shut_down_ = true;
      return nullptr;
    }
    const feature* const reader = find(readers, asked.method);
    const feature* const found = reader ? reader : find(others, asked.method);
    if (!found) throw request_failure{error_code::method_not_found, "there is no method " + asked.method};
    const shown_progress shown(state_.with, output(member(asked.params, "workDoneToken")), asked.method);
    output result = found->handle(state_, asked);
    if (std::exchange(state_.has_new_settings, false)) check_all_again();
    if (asked.method == "textDocument/diagnostic")
      unprepared_.insert(text_member(member(asked.params, "textDocument"), "uri"));
    has_freed_ = has_freed_ || found->of_whole_text;
    return result;
  }

  output initialize(const call& asked) {
    if (initialized_) throw request_failure{error_code::invalid_request, "initialize was answered already"};
    initialized_ = true;
    state_.can = abilities_of(member(asked.params, "capabilities"));
    const input& options = member(asked.params, "initializationOptions");
    state_.can.reads_virtual_documents = flag_member(options, "virtualDocuments");
    take_settings(options);
    set_folders(asked.params);
    return {{"capabilities", capabilities_of(state_.can)},
            {"serverInfo", {{"name", "hlolint"}, {"version", HLOLINT_VERSION}}}};
  }

  void set_folders(const input& params) {
    const input& folders = member(params, "workspaceFolders");
    const auto add = [&](const std::string& uri) {
      if (const auto path = path_of_uri(uri)) state_.folders.push_back(*path);
    };
    if (folders.is_array())
      for (const input& each : folders) add(text_member(each, "uri"));
    else
      add(text_member(params, "rootUri"));
  }

  // Settings of the editor: `{"arguments": ["--device=tpu-v5p", ...]}`, options of `hlolint lint`.
  void take_settings(const input& settings) {
    const input& words = member(settings, "arguments");
    if (!words.is_array()) return;
    state_.extra_words.clear();
    for (const input& word : words)
      if (word.is_string() && word.get<std::string>().starts_with("--"))
        state_.extra_words.push_back(word.get<std::string>());
  }

  void take(call& sent) {
    if (sent.method == "exit") {
      exited_ = true;
      return state_.with.stop();
    }
    if (!initialized_ || shut_down_) return;
    if (sent.method == "initialized") return watch_files();
    if (sent.method == "textDocument/didOpen") return open(sent.params);
    if (sent.method == "textDocument/didChange") return change(sent.params);
    if (sent.method == "textDocument/didClose") return close(sent.params);
    if (sent.method == "textDocument/didSave" || sent.method == "workspace/didChangeWatchedFiles")
      return check_all_again();
    if (sent.method == "workspace/didChangeConfiguration") {
      take_settings(member(member(sent.params, "settings"), "hlolint"));
      return check_all_again();
    }
    if (sent.method == "workspace/didChangeWorkspaceFolders") change_folders(member(sent.params, "event"));
  }

  void change_folders(const input& event) {
    if (const input& removed = member(event, "removed"); removed.is_array())
      for (const input& each : removed)
        if (const auto path = path_of_uri(text_member(each, "uri"))) std::erase(state_.folders, *path);
    if (const input& added = member(event, "added"); added.is_array())
      for (const input& each : added)
        if (const auto path = path_of_uri(text_member(each, "uri"))) state_.folders.push_back(*path);
  }

  void watch_files() {
    if (!state_.can.watches_files) return;
    output watchers = output::array();
    for (const char* const pattern : {"**/*.txt", "**/*.hlo", "**/*.pb", "**/*.pbtxt", "**/.hlolint.toml"})
      watchers.push_back({{"globPattern", pattern}});
    state_.with.ask("client/registerCapability",
                    {{"registrations", output::array({{{"id", "hlolint.files"},
                                                       {"method", "workspace/didChangeWatchedFiles"},
                                                       {"registerOptions", {{"watchers", std::move(watchers)}}}}})}},
                    [](const input&) {});
  }

  void open(input& params) {
    const std::string uri = text_member(member(params, "textDocument"), "uri");
    if (uri.empty() || !member(params["textDocument"], "text").is_string()) return;
    input& item = params["textDocument"];
    // The text is moved out of the message: it may be large.
    state_.documents[uri] = std::make_unique<document>(uri, std::move(item["text"].get_ref<std::string&>()),
                                                       number_member(item, "version"), state_.can.columns);
    check_again_beside(state_.documents[uri]->path());
  }

  void change(const input& params) {
    document& what = state_.document_of(params);
    what.change(member(params, "contentChanges"),
                number_member(member(params, "textDocument"), "version", what.version()));
    check_again_beside(what.path());
  }

  void close(const input& params) {
    const std::string uri = text_member(member(params, "textDocument"), "uri");
    const auto closed = state_.documents.find(uri);
    if (closed == state_.documents.end()) return;
    const std::string path = closed->second->path();
    state_.documents.erase(closed);
    state_.findings.erase(uri), unchecked_.erase(uri), unprepared_.erase(uri);
    check_again_beside(path);
    state_.kept->clear();  // it has the document's contexts, and files beside it
    return_freed_memory();
    if (!state_.can.pulls_diagnostics)
      state_.with.notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", output::array()}});
  }

  // When a document changes: others of its folder may be dumps of the same module.
  void check_again_beside(const std::string& path) {
    const auto folder_of = [](const std::string& file) { return std::filesystem::path(file).parent_path(); };
    for (auto& [uri, open] : state_.documents) {
      open->is_checked = false;
      if (folder_of(open->path()) == folder_of(path)) check_later(uri);
    }
  }

  void check_later(const std::string& uri) {
    if (!state_.can.pulls_diagnostics) unchecked_.insert(uri);
  }

  void check_all_again() {
    for (auto& [uri, open] : state_.documents) open->forget_check(), check_later(uri);
    if (state_.can.pulls_diagnostics && state_.can.refreshes_diagnostics)
      state_.with.ask("workspace/diagnostic/refresh", nullptr, [](const input&) {});
    if (state_.can.refreshes_hints) state_.with.ask("workspace/inlayHint/refresh", nullptr, [](const input&) {});
  }

  // Checks or prepares one document; true if there are more. Requests that have come meanwhile are answered first.
  bool work_when_idle() {
    if (unchecked_.empty()) return prepare_one();
    const std::string uri = *unchecked_.begin();
    unchecked_.erase(unchecked_.begin());
    const auto found = state_.documents.find(uri);
    if (found == state_.documents.end()) return !unchecked_.empty();
    document& what = *found->second;
    try {
      if (what.is_large() && !state_.findings.contains(uri) && publish_first_diagnostics(state_, what)) {
        unchecked_.insert(uri);
        return true;
      }
      publish_diagnostics(state_, what);
      unprepared_.insert(uri);
    } catch (const outdated&) {
      unchecked_.insert(uri);
    } catch (const not_yet&) {
      unchecked_.insert(uri);
      throw;
    }
    return !unchecked_.empty() || !unprepared_.empty();
  }

  bool prepare_one() {
    if (std::exchange(has_freed_, false)) return_freed_memory();
    if (unprepared_.empty()) return false;
    const auto found = state_.documents.find(*unprepared_.begin());
    unprepared_.erase(unprepared_.begin());
    if (found != state_.documents.end() && found->second->is_checked) prepare_hover(state_, *found->second);
    return !unprepared_.empty();
  }

  session state_;
  std::set<std::string> unchecked_;   // documents whose diagnostics the editor does not have
  std::set<std::string> unprepared_;  // documents that were checked, with nothing computed for hovers
  bool has_freed_ = false;            // a large answer was sent since memory was returned to the system
  bool initialized_ = false, shut_down_ = false, exited_ = false;
};

}  // namespace

}  // namespace lsp

protocol lsp_protocol() { return {.how = framing::headers, .cancel_method = "$/cancelRequest", .cancelled_id = "id"}; }

int serve_lsp(connection& with, const arguments& given) { return lsp::lsp_server(with, given).run(); }

int serve_lsp(const arguments& given) {
  keep_heap_small();
  int status = 1;
  with_standard_streams(lsp_protocol(), [&](connection& with) { status = serve_lsp(with, given); });
  return status;
}

}  // namespace hlolint::command::server
