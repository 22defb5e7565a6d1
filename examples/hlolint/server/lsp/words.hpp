// What the words of HLO mean, in one sentence each.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/target.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command::server::lsp {

/// What an operation computes; empty for an unknown one.
std::string_view sentence_of(hlolint::hlo_opcode opcode);
/// What an attribute means; empty for an unknown one.
std::string_view sentence_of(hlolint::attribute_key key);

/// One of the words that an attribute may have as its value.
struct value_word {
  hlolint::attribute_key key;
  std::string_view word, sentence;
};
/// All words of an attribute; none if its value is something else.
std::vector<value_word> words_of(hlolint::attribute_key key);

/// An attribute's value in words and numbers, as far as there is more to it than its text: groups of devices,
/// shardings.
std::string value_words(hlolint::hlo_instruction i, hlolint::attribute_key key, const hlolint::hlo_module& module);

/// A shape in words and numbers, one line for each thing: bytes, padding, the order of dimensions, tiles, memory space.
std::string shape_words(const hlolint::shape& of, hlolint::target on);

}  // namespace hlolint::command::server::lsp
