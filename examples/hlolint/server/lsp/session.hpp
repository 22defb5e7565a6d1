// What all features of the server share: the open documents, what the editor can do, and how dumps are checked.
#pragma once

#include "../../settings/arguments.hpp"
#include "../../reading/kept_dumps.hpp"
#include "../rpc/connection.hpp"
#include "document.hpp"
#include "progress.hpp"

#include <hlolint/report/run_result.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hlolint::command::server::lsp {

/// The capabilities of the editor.
struct abilities {
  encoding columns = encoding::utf16;
  bool pulls_diagnostics = false;
  bool refreshes_diagnostics = false, refreshes_hints = false;
  bool shows_progress = false;
  bool takes_markdown = false, nests_symbols = false;
  bool links_definitions = false;
  bool watches_files = false;
  bool changes_documents = false, creates_files = false;
  bool shows_documents = false;
  bool resolves_edits = false;
  bool related_information = false;
  bool reads_virtual_documents = false;  ///< it asks for documents whose address begins with `hlolint:`
};

/// The server's state.
struct session {
  connection& with;
  const arguments& given;
  abilities can{};
  std::vector<std::string> folders{};                             ///< of the workspace
  std::vector<std::string> extra_words{};                         ///< of a command line, from the editor's settings
  std::map<std::string, std::unique_ptr<document>> documents{};   ///< by address
  std::map<std::string, hlolint::report::run_result> findings{};  ///< of the last check, by address
  progress_tokens tokens{};
  std::shared_ptr<kept_dumps> kept = std::make_shared<kept_dumps>();
  std::function<void()> answer_readers = [] {};  ///< answers waiting requests that need no more than what is known
  bool is_in_check = false;  ///< a request is answered in the middle of a check, so nothing long may be computed for it
  bool has_new_settings = false;  ///< what checks go by has changed: all documents have to be checked again

  /// An open document; throws `request_failure` if it is not open.
  document& open_document(const std::string& uri) const;
  /// The open document of a file; null if it is not open. Editors write one path as different addresses.
  const document* open_document_at(const std::string& path) const;
  /// An open document, of a request's `textDocument`.
  document& document_of(const input& params) const;
  /// The offset of a request's `position` in a document.
  std::size_t offset_of(const document& in, const input& params) const;
  /// The location of a place: in the open document of its file, else in the file.
  output location_of(const hlolint::location& where) const;
  output location_of(const std::string& path, hlolint::span at, const hlolint::source& in) const;
};

/// The nearest `.hlolint.toml` in the folder of a path or above it; empty if there is none.
std::string configuration_above(const std::string& path);

/// What a check of a document is given: the dumps of its folder that are open are read as the editor has them.
arguments arguments_of_check(const session& of, const document& what);

/// The words that a check of a document begins with: its configuration, and what the editor's settings add.
std::vector<std::string> words_of_check(const session& of, const document& what);

/// Which rules a check runs: all, or those that need no live ranges, where the estimate of memory takes as long as all
/// of these.
enum class rules_of_check : std::uint8_t { all, quick };

/// Thrown by `check`: the text that is being checked will not be asked for any more.
struct outdated {};

/// Runs the checks on a document, with the configuration nearest to it and the other dumps of its module. Keeps what is
/// found in `of.findings`, and gives the document the contexts of its modules. `asked`: the request that waits for it,
/// which may be cancelled; null if none does, and then a change of a document ends the check with `outdated`, and
/// requests that come meanwhile are answered by the last check's contexts. Throws `not_yet` before a check that takes
/// long, until it is known whether the editor shows progress. Analyses of quick rules are kept for the check by all
/// rules, which must follow.
void check(session& of, document& what, const call* asked, rules_of_check which = rules_of_check::all);

/// Makes sure that the contexts of a document are there.
void need_contexts(session& of, document& what, const call& asked);

/// The path of the program's source file on this machine: as recorded, or as it ends in a folder of the workspace;
/// empty if it is not here.
std::string source_file_here(const session& of, const std::string& recorded);

}  // namespace hlolint::command::server::lsp
