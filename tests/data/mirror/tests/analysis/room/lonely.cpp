// It includes what it is about, and has no cases.
#include <hlolint/analysis/room/lonely.hpp>
