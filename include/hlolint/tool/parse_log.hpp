// Reads messages about missing memory in the log of a job.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/tool/logs/oom_report.hpp>

namespace hlolint {

/// Reads the messages about missing memory in a job's log, and the lists after them (oom_logs.md), into
/// `buffers->oom()`. All other lines are passed over, so that any text can be read as a log.
parsed_file parse_log(source text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/tool/logs/log_reading.hpp>
#endif
