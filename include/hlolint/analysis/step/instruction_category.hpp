// The categories of XProf's op profile.
#pragma once

#include <hlolint/analysis/program/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/time/exposed_transfer.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hlolint {

namespace detail {

// Moves elements without computing any.
constexpr bool only_formats(hlo_opcode opcode) {
  using enum hlo_opcode;
  switch (opcode) {
    case copy:
    case transpose:
    case reshape:
    case bitcast:
    case broadcast:
    case slice:
    case dynamic_slice:
    case dynamic_update_slice:
    case concatenate:
    case pad:
    case reverse:
    case parameter:
    case constant:
    case tuple:
    case get_tuple_element:
      return true;
    default:
      return false;
  }
}

inline std::string category_of_fusion(hlo_instruction fusion) {
  constexpr std::size_t most = 64;  // fusions in it
  record_list<hlo_instruction> open{fusion};
  bool formats = true, products = false;
  for (std::size_t next = 0; next < open.size() && next < most; ++next)
    for (const hlo_computation called : open[next].called_computations())
      if (called)
        for (const hlo_instruction i : called.instructions()) {
          if (i.opcode() == hlo_opcode::convolution) return "convolution fusion";
          if (i.opcode() == hlo_opcode::fusion) open.push_back(i);
          products = products || i.opcode() == hlo_opcode::dot;
          formats = formats && (only_formats(i.opcode()) || i.opcode() == hlo_opcode::fusion);
        }
  if (products) return "matmul fusion";
  if (formats) return "data formatting";
  const std::string_view kind = fusion.attribute(attribute_key::kind).value_or(std::string_view{});
  return kind == "kInput" ? "input fusion" : kind == "kOutput" ? "output fusion"
       : kind == "kCustom" ? "custom fusion" : "loop fusion";
}

}  // namespace detail

/// Of work: `convolution fusion`, `matmul fusion`, `loop fusion`, `data formatting`, `custom call`, else the opcode.
inline std::string category_of(hlo_instruction i) {
  using enum hlo_opcode;
  switch (i.opcode()) {
    case fusion:
      return detail::category_of_fusion(i);
    case dot:
      return "matmul";
    case custom_call:
      return "custom call";
    case copy:
      return "copy";
    default:
      break;
  }
  if (detail::only_formats(i.opcode())) return "data formatting";
  if (is_elementwise(i.opcode())) return "non-fusion elementwise";
  return std::string(i.opcode_text());
}

/// Of a transfer: the collective without `-start`, `copy-start`, `host transfer`, or `async computation`.
inline std::string category_of(const exposed_transfer& t) {
  if (t.computes) return "async computation";
  if (t.time.path == transfer_path::host) return "host transfer";
  if (t.time.kind == hlo_opcode::copy) return "asynchronous copy";
  return std::string(name_of(t.time.kind));
}

}  // namespace hlolint
