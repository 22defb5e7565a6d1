#include <hlolint/analysis/step/value_weights.hpp>

#include <hlolint/analysis/analysis_cache.hpp>

#include "analysis/module_of.hpp"
#include "analysis/step_programs.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("value_weights: a weight in another form, what is made with it, and what is made of results alone") {
  const module_facts facts(module_of(training_text));
  const value_weights values(facts);
  const auto of = [&](const char* name, std::uint32_t part = 0) {
    return values.of(instruction_of(*facts.hlo(), name), part);
  };
  CHECK(of("up") == "params['up']");
  CHECK(of("whole_down") == "params['down']");
  CHECK(of("hidden") == "params['up']");      // a product with it
  CHECK(of("new_down") == "params['down']");  // its next value
  CHECK(of("wgrad") == "params['up']");
  CHECK(of("grads") == "params['up']");  // the stack that the loop has written
  CHECK(of("empty").empty());                // what the stack begins with
  CHECK(of("scores") == "(no weight)");
  CHECK(of("dy") == "(no weight)");
}
