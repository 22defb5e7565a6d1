#include <hlolint/implementation/grammars.hpp>
