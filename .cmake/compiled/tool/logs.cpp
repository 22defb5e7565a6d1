// What reads logs, for hlolint::tool.
#include <hlolint/tool/logs/log_reading.hpp>
#include <hlolint/tool/logs/parts_reading.hpp>

namespace hlolint {
template parsed_file parse_log<grammar::dump::dump_state>(source);
template input_kind kind_of_parts<logs::text_splitter>(std::string_view);
template parsed_file parse_parts<logs::text_splitter>(source);
}  // namespace hlolint
