// For those who write HLO: completion, renaming, and the long and the short form.
#pragma once

#include "session.hpp"

#include <string>

namespace hlolint::command::server::lsp {

/// The result of `textDocument/completion`.
output completion(session& of, const call& asked);

/// The result of `textDocument/prepareRename`; null where there is no name.
output prepare_rename(session& of, const call& asked);
/// The result of `textDocument/rename`. Throws `request_failure` for a name that is none or is taken.
output rename(session& of, const call& asked);

/// The edit of one document. `version`: that it is for, or null; left out for editors that know none.
output edit_of(const session& of, const std::string& uri, output edits, output version);

/// Adds the actions that write a document in the long or the short form.
void add_form_actions(const session& of, const document& what, output& to);
/// The edit of such an action.
output edit_for_form(const session& of, const std::string& uri, const std::string& form);

}  // namespace hlolint::command::server::lsp
