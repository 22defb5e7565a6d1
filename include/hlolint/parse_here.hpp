// Compiles the grammars, and what else all programs share (how files are paired, the text report), into the one
// translation unit that includes this; see parse_elsewhere.hpp.
#pragma once

#include <hlolint/grammar/attributes/json_rules.hpp>
#include <hlolint/grammar/attributes/typed_values.hpp>
#include <hlolint/grammar/proto/text_proto_rules.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/parse/buffers.hpp>
#include <hlolint/parse/hlo.hpp>
#include <hlolint/parse/log.hpp>
#include <hlolint/report/text.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

template parsed_file parse_hlo<build::module_builder>(source, const parse_options&);
template grammar::hlo_reading grammar::read_hlo<build::module_builder>(const source&, const parse_options&);
template parsed_file parse_buffers<grammar::dump::dump_state>(source, const parse_options&);
template void grammar::dump::parse<grammar::dump::dump_state>(input_kind, grammar::dump::dump_state&);
template parsed_file parse_log<grammar::dump::dump_state>(source);
template bool grammar::json::is_value<grammar::json::reader>(std::string_view);
template void grammar::json::visit<grammar::json::reader>(std::string_view, grammar::json::visitor&);
template std::optional<std::vector<text_proto_field>> read_text_proto<grammar::proto::message_state>(std::string_view);
template std::optional<op_metadata> detail::read_value<op_metadata>(std::string_view);
template std::optional<backend_config> detail::read_value<backend_config>(std::string_view);
template std::optional<frontend_attributes> detail::read_value<frontend_attributes>(std::string_view);
template std::optional<control_predecessors> detail::read_value<control_predecessors>(std::string_view);
template std::optional<sharding> detail::read_value<sharding>(std::string_view);
template std::optional<statistics> detail::read_value<statistics>(std::string_view);
template std::optional<original_value> detail::read_value<original_value>(std::string_view);
template std::optional<parameter_replication> detail::read_value<parameter_replication>(std::string_view);
template std::optional<replica_groups> detail::read_value<replica_groups>(std::string_view);
template std::optional<source_target_pairs> detail::read_value<source_target_pairs>(std::string_view);
template std::optional<channel_id> detail::read_value<channel_id>(std::string_view);
template std::optional<async_execution_thread> detail::read_value<async_execution_thread>(std::string_view);
template std::optional<output_to_operand_aliasing> detail::read_value<output_to_operand_aliasing>(std::string_view);
template std::optional<custom_call_target> detail::read_value<custom_call_target>(std::string_view);
template std::optional<operand_layout_constraints> detail::read_value<operand_layout_constraints>(std::string_view);
template std::optional<window> detail::read_value<window>(std::string_view);
template std::optional<padding_config> detail::read_value<padding_config>(std::string_view);
template std::optional<convolution_dimension_numbers> detail::read_value<convolution_dimension_numbers>(
    std::string_view);
template std::optional<slices> detail::read_value<slices>(std::string_view);
template std::optional<operand_precision> detail::read_value<operand_precision>(std::string_view);
template std::optional<dot_algorithm> detail::read_value<dot_algorithm>(std::string_view);
template std::optional<result_accuracy> detail::read_value<result_accuracy>(std::string_view);
template std::optional<input_output_alias> detail::read_value<input_output_alias>(std::string_view);
template std::optional<buffer_donor> detail::read_value<buffer_donor>(std::string_view);
template std::optional<computation_layout> detail::read_value<computation_layout>(std::string_view);
template std::optional<std::int64_t> detail::read_value<std::int64_t>(std::string_view);
template std::optional<std::vector<std::int64_t>> detail::read_value<std::vector<std::int64_t>>(std::string_view);
template std::optional<attribute_names> detail::read_value<attribute_names>(std::string_view);

template paired_files pair_files<detail::file_pairing>(const std::vector<input_file>&);
template void report::write_text<report::text_writer>(report::text_output&, const diagnostic&);
template void report::write_text<report::text_writer>(report::text_output&, const report::run_result&);
template void report::write_inputs<report::text_writer>(report::text_output&, const report::run_result&);

}  // namespace hlolint
