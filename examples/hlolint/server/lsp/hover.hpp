// Hover: all that is known about what stands at a place.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The result of `textDocument/hover`; null if nothing is known.
output hover(session& of, const call& asked);

}  // namespace hlolint::command::server::lsp
