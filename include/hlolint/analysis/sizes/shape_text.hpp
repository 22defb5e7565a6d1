// Shapes, and parts of them, as text for messages, in XLA's spelling (hlo_text.md 5).
#pragma once

#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include <cstddef>
#include <string>

namespace hlolint {

/// As written in a layout: `(8,128)(2,1)`; empty without tiles.
inline std::string tiles_text(const layout& l) {
  std::string out;
  for (const tile& t : l.tiles) {
    out += '(';
    for (std::size_t i = 0; i < t.dimensions.size(); ++i)
      out += (i ? "," : "") + (t.dimensions[i] == tile::combined ? std::string("*") : std::to_string(t.dimensions[i]));
    out += ')';
  }
  return out;
}

}  // namespace hlolint
