// States that the grammars, the pairing of files and the text report are compiled in another translation unit of the
// program: one that includes parse_here.hpp. For programs of many files, so that they pay for them once. Included before
// anything else of this library, it keeps them out of the file altogether; HLOLINT_PARSE_ELSEWHERE, defined for the whole
// program, does the same.
#pragma once

#ifndef HLOLINT_PARSE_ELSEWHERE
#define HLOLINT_PARSE_ELSEWHERE
#endif

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/grammar/proto/text_proto.hpp>
#include <hlolint/parse.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// @cond
extern template parsed_file parse_hlo<build::module_builder>(source, const parse_options&);
extern template parsed_file parse_buffers<grammar::dump::dump_state>(source, const parse_options&);
extern template parsed_file parse_log<grammar::dump::dump_state>(source);
extern template bool grammar::json::is_value<grammar::json::reader>(std::string_view);
extern template void grammar::json::visit<grammar::json::reader>(std::string_view, grammar::json::visitor&);
extern template std::optional<std::vector<text_proto_field>> read_text_proto<grammar::proto::message_state>(
    std::string_view);
extern template std::optional<op_metadata> detail::read_value<op_metadata>(std::string_view);
extern template std::optional<backend_config> detail::read_value<backend_config>(std::string_view);
extern template std::optional<frontend_attributes> detail::read_value<frontend_attributes>(std::string_view);
extern template std::optional<control_predecessors> detail::read_value<control_predecessors>(std::string_view);
extern template std::optional<sharding> detail::read_value<sharding>(std::string_view);
extern template std::optional<statistics> detail::read_value<statistics>(std::string_view);
extern template std::optional<original_value> detail::read_value<original_value>(std::string_view);
extern template std::optional<parameter_replication> detail::read_value<parameter_replication>(std::string_view);
extern template std::optional<replica_groups> detail::read_value<replica_groups>(std::string_view);
extern template std::optional<source_target_pairs> detail::read_value<source_target_pairs>(std::string_view);
extern template std::optional<channel_id> detail::read_value<channel_id>(std::string_view);
extern template std::optional<async_execution_thread> detail::read_value<async_execution_thread>(std::string_view);
extern template std::optional<output_to_operand_aliasing> detail::read_value<output_to_operand_aliasing>(
    std::string_view);
extern template std::optional<custom_call_target> detail::read_value<custom_call_target>(std::string_view);
extern template std::optional<operand_layout_constraints> detail::read_value<operand_layout_constraints>(
    std::string_view);
extern template std::optional<window> detail::read_value<window>(std::string_view);
extern template std::optional<padding_config> detail::read_value<padding_config>(std::string_view);
extern template std::optional<convolution_dimension_numbers> detail::read_value<convolution_dimension_numbers>(
    std::string_view);
extern template std::optional<slices> detail::read_value<slices>(std::string_view);
extern template std::optional<operand_precision> detail::read_value<operand_precision>(std::string_view);
extern template std::optional<dot_algorithm> detail::read_value<dot_algorithm>(std::string_view);
extern template std::optional<result_accuracy> detail::read_value<result_accuracy>(std::string_view);
extern template std::optional<input_output_alias> detail::read_value<input_output_alias>(std::string_view);
extern template std::optional<buffer_donor> detail::read_value<buffer_donor>(std::string_view);
extern template std::optional<computation_layout> detail::read_value<computation_layout>(std::string_view);
extern template std::optional<std::int64_t> detail::read_value<std::int64_t>(std::string_view);
extern template std::optional<std::vector<std::int64_t>> detail::read_value<std::vector<std::int64_t>>(
    std::string_view);
extern template std::optional<attribute_names> detail::read_value<attribute_names>(std::string_view);
/// @endcond

}  // namespace hlolint
