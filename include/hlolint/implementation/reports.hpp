// The pairing of files and the reports: a part of implementation.hpp.
#pragma once

#include <hlolint/lint/inputs/file_pairing.hpp>
#include <hlolint/report/text_writer.hpp>

#include <vector>

namespace hlolint {

template paired_files pair_files<detail::file_pairing>(const std::vector<input_file>&);
template void report::write_text<report::text_writer>(report::text_output&, const diagnostic&);
template void report::write_text<report::text_writer>(report::text_output&, const report::run_result&);
template void report::write_inputs<report::text_writer>(report::text_output&, const report::run_result&);

}  // namespace hlolint
