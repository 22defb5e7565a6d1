// The grammars: a part of implementation.hpp.
#pragma once

#include <hlolint/grammar/attributes/json_rules.hpp>
#include <hlolint/grammar/attributes/typed_values.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/parse/buffers.hpp>
#include <hlolint/parse/hlo.hpp>
#include <hlolint/text/compiled.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#if defined __ELF__ && defined HLOLINT_COMPILED
namespace hlolint::detail {
__thread char HLOLINT_COMPILED_is_defined_for_all_files_or_for_none = 0;
}
#endif

namespace hlolint {

/// Compiles the readers of all these types here.
template <class List>
struct readers;
template <class... T>
struct readers<attribute_types<T...>> {
  static constexpr std::tuple<std::optional<T> (*)(std::string_view)...> compiled{&detail::read_value<T>...};
};

template struct readers<header_attribute_types>;
template struct readers<instruction_attribute_types>;
template struct readers<operation_attribute_types>;
template struct readers<
    attribute_types<control_predecessors, std::int64_t, std::vector<std::int64_t>, attribute_names>>;

}  // namespace hlolint
