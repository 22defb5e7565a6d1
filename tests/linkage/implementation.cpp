// The one source that compiles the toolkit; see implementation_user.cpp.
#include <hlolint/implementation.hpp>
