// What can be done about a finding: explain it, suppress it, accept it, go to what takes part.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The commands that `workspace/executeCommand` knows.
output command_names();

/// The result of `textDocument/codeAction`.
output code_actions(session& of, const call& asked);
/// The result of `codeAction/resolve`.
output resolve_action(session& of, const call& asked);
/// Runs a command of the editor's user. Throws `request_failure` for an unknown one.
output execute_command(session& of, const call& asked);

}  // namespace hlolint::command::server::lsp
