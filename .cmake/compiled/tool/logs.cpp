// What reads logs, for hlolint::tool.
#include <hlolint/tool/logs/log_reading.hpp>
#include <hlolint/tool/logs/parts_reading.hpp>
