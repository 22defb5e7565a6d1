// Whether it is worth reading an attribute for the sake of one word in it.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/module.hpp>

#include <string_view>

namespace hlolint {

/// Whether a word may stand in the value of an attribute once that is read and its escapes undone; false is certain.
/// It only looks at the bytes. To read the value means to check and copy a text of often a kilobyte, which mostly does
/// not have the word.
inline bool may_hold(hlo_instruction i, attribute_key key, std::string_view word) {
  const auto text = i.attribute(key);
  return text && (text->find(word) != text->npos || text->find('\\') != text->npos);
}

}  // namespace hlolint
