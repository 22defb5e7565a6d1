// The table of buffers with a head line and comma-separated columns (buffer_dumps.md 7).
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>

namespace hlolint::grammar::dump {

inline constexpr auto comma = rule<> = [](auto) { return must("','")[',']; };
inline constexpr auto use_name = rule<value_use> = [](auto) {
  return into<&value_use::instruction>[name] >> must("', operand '")[", operand "] >>
         must("the number of an operand")[into<&value_use::operand>[number]] >>
         -(' ' >> into<&value_use::index>[index]);
};

/// `4,"<4 p0{1} @0>",0,64,0,9,1,"3","add.1, operand 0"`
inline constexpr auto info_line = rule<info_row> = [](auto) {
  return on_line<
      &info_row::text>[into<&info_row::id>[number] >> comma >>
                       must("a value's name in quotes")['"' >> into<&info_row::name>[value_id] >> '"'] >> comma >>
                       must("an offset in bytes")[into<&info_row::offset>[number]] >> comma >>
                       must("a size in bytes")[into<&info_row::size>[number]] >> comma >>
                       must("the definition time")[into<&info_row::definition_time>[number]] >> comma >>
                       must("the end time")[into<&info_row::end_time>[number]] >> comma >>
                       must("the number of uses")[into<&info_row::use_count>[number]] >> comma >>
                       must("the times of the uses in quotes")['"' >> -(append<&info_row::times>[number] % ';') >>
                                                               '"'] >>
                       comma >> must("the uses in quotes")
                                    ['"' >> -((append<&info_row::reads>[use_name] >>
                                               must("as many use times as uses")[when<&info_row::has_time_for_each>]) %
                                              ';') >>
                                     '"'] >>
                       must("the end of the line")[eol]];
};

inline constexpr auto buffer_info = rule<> = [](auto) {
  return within<&read_dump::info>[call<&dump_state::new_info>["buffer_id,buffer_name,offset,size,definition_time,end_"
                                                              "time,num_uses,use_times,use_names" >>
                                                              eol] >>
                                  lines("a row of the table of buffers")[call<&dump_state::keep_info>[info_line]]];
};

}  // namespace hlolint::grammar::dump
