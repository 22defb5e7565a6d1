// `hlolint lsp`: dumps in an editor, by the Language Server Protocol.
#pragma once

#include "../../settings/arguments.hpp"
#include "../rpc/connection.hpp"

namespace hlolint::command::server {

/// How LSP uses a connection.
protocol lsp_protocol();

/// Serves an editor until it ends the connection. Returns the exit status that the protocol asks for: 0 if the editor
/// asked the server to shut down before, else 1.
int serve_lsp(connection& with, const arguments& given);

/// The same on the standard streams.
int serve_lsp(const arguments& given);

}  // namespace hlolint::command::server
