// A header that breaks the order of the floors, for the test of that test.
#include <hlolint/ir/high.hpp>
