// Compiles the grammars into the one translation unit that includes this; see parse_elsewhere.hpp.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/parse.hpp>

namespace hlolint {

template parsed_file parse_hlo<build::module_builder>(source, const parse_options&);
template grammar::hlo_reading grammar::read_hlo<build::module_builder>(const source&, const parse_options&);
template parsed_file parse_buffers<grammar::dump::dump_state>(source);
template std::optional<op_metadata> get<op_metadata>(const hlo_instruction&);
template std::optional<replica_groups> get<replica_groups>(const hlo_instruction&);
template std::optional<source_target_pairs> get<source_target_pairs>(const hlo_instruction&);
template std::optional<output_to_operand_aliasing> get<output_to_operand_aliasing>(const hlo_instruction&);
template std::optional<frontend_attributes> get<frontend_attributes>(const hlo_instruction&);
template std::optional<channel_id> get<channel_id>(const hlo_instruction&);
template std::optional<backend_config> get<backend_config>(const hlo_instruction&);
template std::optional<custom_call_target> get<custom_call_target>(const hlo_instruction&);
template std::optional<input_output_alias> get<input_output_alias>(const hlo_module&);
template std::optional<buffer_donor> get<buffer_donor>(const hlo_module&);
template std::optional<computation_layout> get<computation_layout>(const hlo_module&);

}  // namespace hlolint
