// `.hlolint.toml` in an editor: its keys, rules and queries are checked as they are typed.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The diagnostics of a configuration: what cannot be read, queries that are none, examples that do not find what they
/// should.
output settings_diagnostics(session& of, const document& what);

}  // namespace hlolint::command::server::lsp
