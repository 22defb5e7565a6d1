// The structure of a dump: its outline with costs, and what can be folded.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The result of `textDocument/documentSymbol`: computations with their instructions.
output document_symbols(session& of, const call& asked);
/// The result of `workspace/symbol`: computations and instructions of open documents that begin with a text.
output workspace_symbols(session& of, const call& asked);
/// The result of `textDocument/foldingRange`.
output folding_ranges(session& of, const call& asked);

}  // namespace hlolint::command::server::lsp
