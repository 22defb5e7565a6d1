// Says that the grammars are compiled in another translation unit of the program: one that includes parse_here.hpp. For
// programs of many files, so that they pay for the grammars once.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/parse.hpp>

namespace hlolint {

extern template parsed_file parse_hlo<build::module_builder>(source, const parse_options&);
extern template grammar::hlo_reading grammar::read_hlo<build::module_builder>(const source&, const parse_options&);
extern template parsed_file parse_buffers<grammar::dump::dump_state>(source);
extern template std::optional<op_metadata> get<op_metadata>(const hlo_instruction&);
extern template std::optional<replica_groups> get<replica_groups>(const hlo_instruction&);
extern template std::optional<source_target_pairs> get<source_target_pairs>(const hlo_instruction&);
extern template std::optional<output_to_operand_aliasing> get<output_to_operand_aliasing>(const hlo_instruction&);
extern template std::optional<frontend_attributes> get<frontend_attributes>(const hlo_instruction&);
extern template std::optional<channel_id> get<channel_id>(const hlo_instruction&);
extern template std::optional<backend_config> get<backend_config>(const hlo_instruction&);
extern template std::optional<custom_call_target> get<custom_call_target>(const hlo_instruction&);
extern template std::optional<input_output_alias> get<input_output_alias>(const hlo_module&);
extern template std::optional<buffer_donor> get<buffer_donor>(const hlo_module&);
extern template std::optional<computation_layout> get<computation_layout>(const hlo_module&);

}  // namespace hlolint
