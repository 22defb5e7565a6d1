// Documents without a file of their own: rules, dumps in protobuf messages as text, one computation of a large dump.
#pragma once

#include "session.hpp"

#include <string>
#include <string_view>

namespace hlolint::command::server::lsp {

/// The text of `hlolint:/rule/ID`, `hlolint:/PATH` (the dump as text) or `hlolint:/PATH?computation=NAME`, as a JSON
/// string. Throws `request_failure` if there is none.
output virtual_text(session& of, const std::string& uri);

/// Whether the text of an address is a computation of a dump, which is no program to judge.
bool is_part_of_dump(std::string_view uri);

}  // namespace hlolint::command::server::lsp
