// Inlay hints: what an instruction costs, behind its name, since its line may be thousands of characters long.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The result of `textDocument/inlayHint`.
output inlay_hints(session& of, const call& asked);

}  // namespace hlolint::command::server::lsp
