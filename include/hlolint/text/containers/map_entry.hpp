// What maps hold.
#pragma once

namespace hlolint {

/// A key and its value, named as in std::pair.
template <class Key, class Value>
struct map_entry {
  Key first;     ///< the key
  Value second;  ///< its value
  friend bool operator==(const map_entry&, const map_entry&) = default;
};

}  // namespace hlolint
