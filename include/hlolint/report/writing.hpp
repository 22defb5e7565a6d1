// What views of a module write text and JSON with.
#pragma once

#include <hlolint/ir/target.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/text_table.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::report {

/// `dump/m.txt: module jit_step (tpu)`
inline std::string module_heading(std::string_view path, std::string_view name, target on) {
  return printable(path) + ": module " + (name.empty() ? std::string("without a name") : printable(name)) +
         (on == target::unknown ? std::string() : " (" + std::string(name_of(on)) + ")");
}
/// The members `path`, `module` and `target`; unknown ones are left out.
inline void write_module_members(json_writer& json, std::string_view path, std::string_view name, target on) {
  json.member("path", path);
  json.members_if({{"module", name}, {"target", on == target::unknown ? std::string_view() : name_of(on)}});
}

}  // namespace hlolint::report
