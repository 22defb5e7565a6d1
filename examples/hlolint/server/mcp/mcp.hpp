// `hlolint mcp`: the commands as tools of the Model Context Protocol.
#pragma once

#include "../../settings/arguments.hpp"
#include "../rpc/connection.hpp"

namespace hlolint::command::server {

/// How MCP uses a connection.
protocol mcp_protocol();

/// Answers a client until its input ends. `given`: the checks, the subcommands with their options, and the folder that
/// may be read if the client names none.
void serve_mcp(connection& with, const arguments& given);

/// The same on the standard streams. Returns the exit status.
int serve_mcp(const arguments& given);

}  // namespace hlolint::command::server
