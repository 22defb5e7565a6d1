// Semantic tokens: what the words of a dump are.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The names of token types and modifiers, in the order of their numbers.
output token_legend();

/// The result of `textDocument/semanticTokens/full`; null for a text that is so large that editors ask for what is in
/// sight alone.
output all_tokens(session& of, const call& asked);
/// The result of `textDocument/semanticTokens/range`.
output tokens_in_range(session& of, const call& asked);

}  // namespace hlolint::command::server::lsp
