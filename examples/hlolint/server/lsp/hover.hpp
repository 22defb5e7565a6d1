// Hover: all that is known about what stands at a place.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The result of `textDocument/hover`; null if nothing is known.
output hover(session& of, const call& asked);

/// Computes what the first hover after a check would have to wait for; contexts keep it.
void prepare_hover(const session& of, const document& in);

}  // namespace hlolint::command::server::lsp
