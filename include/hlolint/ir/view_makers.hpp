// The function objects by which the ranges of a module make their views.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/ir/view_range.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint {

class hlo_computation;
class hlo_instruction;

/// `key=value` as raw text. grammar/attributes/get.hpp has typed values (`get<T>(instruction)`).
struct hlo_attribute {
  attribute_key key = attribute_key::unknown;  ///< `unknown`: not one of XLA's keys, see `name`
  std::string_view name;  ///< as written
  std::string_view value;  ///< raw text after `=`
};

namespace detail {
/// Makes views of contiguous ids from `first` on.
template <class View>
struct views_from {
  const module_data* data = nullptr;
  id first = 0;
  View operator()(std::size_t i) const { return {data, first + static_cast<id>(i)}; }
};
/// Makes views of a list of ids; an empty view for the id `none`.
template <class View>
struct views_listed {
  const module_data* data = nullptr;
  const id* ids = nullptr;
  View operator()(std::size_t i) const { return ids[i] == none ? View{} : View{data, ids[i]}; }
};
struct operands_from {
  const module_data* data = nullptr;
  id first = 0;
  hlo_instruction operator()(std::size_t i) const;
};
struct attributes_from {
  const module_data* data = nullptr;
  id first = 0;
  hlo_attribute operator()(std::size_t i) const {
    const attribute_record& a = data->attribute_pool[first + i];
    return {a.key, data->written(a.name), data->written(a.value)};
  }
};
}  // namespace detail

}  // namespace hlolint
