// The resources of `hlolint mcp`: the dumps in the folders that may be read, and the rules.
#pragma once

#include "../../settings/checks.hpp"
#include "../rpc/message.hpp"
#include "roots.hpp"

#include <string>

namespace hlolint::command::server {

/// The result of `resources/list` from a cursor on. Throws `request_failure` for a wrong cursor.
output list_resources(const roots& allowed, const std::string& cursor);
/// The result of `resources/templates/list`.
output list_resource_templates();
/// The contents of a resource, as `resources/read` returns them: of a long dump the beginning. Throws
/// `request_failure`.
output read_resource(const roots& allowed, const command_checks& checks, const std::string& uri);

}  // namespace hlolint::command::server
