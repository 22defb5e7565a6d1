// Ways through a dump: definitions, uses, callers, links to the program.
#pragma once

#include "session.hpp"

namespace hlolint::command::server::lsp {

/// The result of `textDocument/definition`: of an operand or a computation where it is defined; of a parameter's name
/// the operand that callers pass; of a start its done and back; of metadata the line of the program; of a name in a
/// dump of buffers its instruction.
output definition(session& of, const call& asked);
/// The result of `textDocument/implementation`: of an operand of a fusion the parameter in the fused computation.
output implementation(session& of, const call& asked);
/// The result of `textDocument/references`.
output references(session& of, const call& asked);
/// The result of `textDocument/documentHighlight`.
output highlights(session& of, const call& asked);

/// The results of the requests of call hierarchies. @{
output prepare_call_hierarchy(session& of, const call& asked);
output incoming_calls(session& of, const call& asked);
output outgoing_calls(session& of, const call& asked);
/// @}

/// The result of `textDocument/documentLink`: files of the program that are on this machine.
output document_links(session& of, const call& asked);

}  // namespace hlolint::command::server::lsp
