#include <hlolint/analysis/room/tested.hpp>

TEST_CASE("tested") { CHECK(tested() == 2); }
