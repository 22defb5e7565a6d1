// What stands at a place of a document, and where names are used.
#pragma once

#include "document.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command::server::lsp {

/// The parts of HLO that a place can be in.
enum class part : std::uint8_t { name, shape, opcode, operand, key, value, computation, other };

/// A place in a document.
struct place {
  part is = part::other;
  hlolint::span word;                    ///< the name or word around it, without `%`; empty if there is none
  hlolint::hlo_instruction instruction;  ///< the one around it, or an empty view
  hlolint::hlo_computation computation;  ///< the one around it, or an empty view
  std::size_t operand = 0;               ///< number of the operand
  hlolint::attribute_key key = hlolint::attribute_key::unknown;  ///< of the attribute
};

/// What a name means: one of the two, or nothing.
struct meaning {
  hlolint::hlo_instruction instruction;
  hlolint::hlo_computation computation;
  explicit operator bool() const { return instruction || computation; }
};

/// The name or word around an offset, without `%`.
hlolint::span word_at(std::string_view text, std::size_t offset);

/// What stands at an offset.
place place_at(const document& in, std::size_t offset);

/// What the word at a place means.
meaning meaning_of(const document& in, const place& at);

/// Where a name is defined. Precondition: it is written.
hlolint::span definition_of(const meaning& what);

/// Where a name is used as an operand, in an attribute, or as a computation that is called; in text order.
std::vector<hlolint::span> uses_of(const document& in, const meaning& what);

/// Where the signature of a computation has the name of a parameter; an empty span if it does not.
hlolint::span name_in_signature(const meaning& what);

/// The instruction that the text names as an operand: of an element `%x#1` it is x.
hlolint::hlo_instruction named_operand(hlolint::hlo_instruction i, std::size_t operand);

/// The index of an operand in the tuple that the text names: of `%x#1#2` it is `1,2`; empty for other operands.
std::string element_index(hlolint::hlo_instruction i, std::size_t operand);

/// The name of an operand as written; an empty span if none is.
hlolint::span operand_name(hlolint::hlo_instruction i, std::size_t operand);

/// The operands of an instruction that give a parameter of a computation that it runs its values, or its first ones: of
/// a reduction the initial value for what is accumulated.
std::vector<std::size_t> operands_for(hlolint::hlo_instruction caller, hlolint::hlo_instruction parameter);

}  // namespace hlolint::command::server::lsp
