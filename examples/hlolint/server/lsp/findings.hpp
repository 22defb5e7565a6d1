// Findings as diagnostics of documents.
#pragma once

#include "session.hpp"

#include <string>

namespace hlolint::command::server::lsp {

/// The diagnostics of a document, made from a new check: equal findings as one, the costliest first, and no more than
/// an editor can show.
output diagnostics_of(session& of, document& what, const call* asked);

/// The report that `textDocument/diagnostic` returns.
output diagnostic_report(session& of, const call& asked);

/// Sends the diagnostics of a document that the editor does not ask for itself.
void publish_diagnostics(session& of, document& what);

/// Sends those of quick rules, which `publish_diagnostics` has to follow. False for a document that no rule is about.
bool publish_first_diagnostics(session& of, document& what);

}  // namespace hlolint::command::server::lsp
