// A program outside the tree that compiles fast: hlolint's values, and the Boost that comes with hlolint.
#include <hlolint/ir/buffers.hpp>
#include <hlolint/text/bytes.hpp>

#include <boost/version.hpp>

static_assert(BOOST_VERSION >= 108100);

int main() {
  using namespace hlolint::literals;
  return hlolint::human(16_MiB) == "16.00MiB" && !hlolint::buffer_dump().has_used_values() ? 0 : 1;
}
