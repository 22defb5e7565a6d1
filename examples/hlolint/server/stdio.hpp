// The standard streams of a server.
#pragma once

#include "rpc/connection.hpp"

#include <functional>

namespace hlolint::command::server {

/// Runs `serve` with a connection over standard input and output. Whatever else writes to standard output meanwhile
/// goes to standard error, since it would be taken for messages.
void with_standard_streams(protocol how, const std::function<void(connection&)>& serve);

}  // namespace hlolint::command::server
