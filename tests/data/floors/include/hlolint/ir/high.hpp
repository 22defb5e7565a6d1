// The header of a higher floor that low.hpp must not include.
