// The kinds of attribute values (hlo_text.md 7, 8). Which attribute has which kind stands in opcode_rules.hpp, what
// each kind looks like in attribute_value.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hlolint::grammar {

/// How the value of an attribute is written.
enum class attribute_syntax : std::uint8_t {
  raw,            ///< of an attribute nobody checks: balanced brackets and strings
  integer,        ///< `3`
  int32,          ///< `3`, 32 bits
  integers,       ///< `{1,2}`
  one_integer,    ///< `{1}`
  integer_lists,  ///< `{{0,1},{2,3}}`
  pairs,          ///< `{{0,1},{1,0}}`
  boolean,        ///< `true`
  booleans,       ///< `{true,false}` or `true`
  replication,    ///< `{true,false}`
  string,         ///< `"text"`
  number,         ///< `1e-05`
  window,         ///< `{size=3x3 pad=0_1x0_1}`
  dim_labels,     ///< `b01f_01io->b01f`
  padding,        ///< `0_0_0x1_2_0`
  slices,         ///< `{[0:4], [0:8:2]}`
  precision,      ///< `{default,highest}`
  comparison_direction,
  comparison_type,
  fusion_kind,
  fft_type,
  padding_type,
  convolution_kind,
  dot_algorithm,
  random_distribution,
  random_algorithm,
  schedule,
  api_version,
  collective_mode,
  transpose,
  sharding,            ///< `{devices=[2,1]<=[2]}`
  frontend,            ///< `{key="text",key={json}}`
  statistics,          ///< `{visualizing_index=0,name=1.5}`
  names,               ///< `{%a, %b}`
  origin,              ///< `{({"a" {0}}, {"b"})}`
  metadata,            ///< `{op_type="add" op_name="jit(f)/add"}`
  config,              ///< `"text"` or `{json}`
  groups,              ///< `{{0,1}}`, `[2,4]<=[8]`, `mesh['x'=2] {'x'}`
  alias,               ///< `{ {0}: (1, {}, may-alias) }`
  donor,               ///< `{ (0, {}) }`
  operand_alias,       ///< `{{0}: (1, {})}`
  computation_layout,  ///< `{(shape, shape)->shape}`
  shape,
  shapes,        ///< `{shape, shape}`
  literal,       ///< `s32[2]{0} {1, 2}`
  computation,   ///< `%name` or a body
  computations,  ///< `{%a, %b}`
  domain,        ///< `{kind="sharding", entry={..}, exit={..}}`
  sparsity,      ///< `{lhs={sparsity=2x4 dimension=1}}`
  accuracy,      ///< `{mode=highest}`
  recovery,      ///< `{ {"a"} : {"b"}, "module" }`
  debug,         ///< `{ {"a"}:({op_id=1}) }`
  count          ///< number of the kinds above
};

/// Short names, as in the tables of opcode_rules.hpp.
inline constexpr std::array<std::string_view, static_cast<std::size_t>(attribute_syntax::count)> attribute_syntax_names{
    "raw",          "int",          "int32",      "ints",     "dim",     "intlists",  "pairs",    "bool",
    "bools",        "replication",  "string",     "float",    "window",  "labels",    "padding",  "slices",
    "precision",    "direction",    "comparison", "kind",     "fft",     "padtype",   "convkind", "algorithm",
    "distribution", "rngalgorithm", "schedule",   "api",      "mode",    "transpose", "sharding", "frontend",
    "statistics",   "names",        "origin",     "metadata", "config",  "groups",    "alias",    "donor",
    "outalias",     "complayout",   "shape",      "shapes",   "literal", "comp",      "comps",    "domain",
    "sparsity",     "accuracy",     "recovery",   "debug"};

constexpr std::string_view name_of(attribute_syntax syntax) {
  return attribute_syntax_names[static_cast<std::size_t>(syntax)];
}

/// `count` if there is none of that name.
constexpr attribute_syntax find_attribute_syntax(std::string_view name) {
  std::size_t i = 0;
  while (i < attribute_syntax_names.size() && attribute_syntax_names[i] != name) ++i;
  return static_cast<attribute_syntax>(i);
}

static_assert(find_attribute_syntax("debug") == attribute_syntax::debug);
static_assert(find_attribute_syntax("sharding") == attribute_syntax::sharding);
static_assert(find_attribute_syntax("transpose") == attribute_syntax::transpose);

}  // namespace hlolint::grammar
