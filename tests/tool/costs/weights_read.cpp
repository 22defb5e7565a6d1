#include <hlolint/tool/costs/weights_read.hpp>

#include "analysis/async_fusions.hpp"
#include "analysis/module_of.hpp"
#include "analysis/step_programs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a weight is traced through loops, slices, casts and all-gathers") {
  const hlo_module module = module_of(layers_text);
  const weights_read weights(module);
  for (const char* const name : {"layer", "whole", "z"}) {
    CAPTURE(name);
    CHECK(weights.of(instruction_of(module, name)).find("up_proj") != std::string::npos);
  }
  CHECK(weights.of(instruction_of(module, "act")).empty());     // activations are no weight
  CHECK(weights.of(instruction_of(module, "turned")).empty());  // nor is what the loop computes from the batch
  CHECK(weights.of(instruction_of(module, "j")).empty());
}

TEST_CASE("a weight is followed through fusions that gather it beside other work") {
  std::string text = async_fusions_text;
  text.replace(text.find("  ROOT %d = "), 7, "  ");
  text.insert(text.rfind('}'),
              "  %x = f32[8]{0} parameter(1), metadata={op_name=\"batch\"}\n"
              "  ROOT %y = f32[] dot(%x, %d), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n");
  const hlo_module module = module_of(text);
  const weights_read weights(module);
  for (const char* const name : {"s", "d"}) {
    CAPTURE(name);
    CHECK(weights.of(instruction_of(module, name)) == "p");
  }
  CHECK(weights.name_of(instruction_of(module, "d")) == "p");
}

TEST_CASE("what several weights go through together is followed for each") {
  const hlo_module module = module_of(training_text);
  const weights_read weights(module);
  CHECK(weights.name_of(instruction_of(module, "whole_up")) == "params['up']");
  CHECK(weights.name_of(instruction_of(module, "whole_down")) == "params['down']");
  CHECK(weights.of(instruction_of(module, "hidden")) == "params['up']");
  CHECK(weights.of(instruction_of(module, "out")) == "params['down']");
}

TEST_CASE("gradients and updates belong to the weight") {
  const hlo_module module = module_of(training_text);
  const weights_read weights(module);
  // Through the optimizer, the sum over devices and over microbatches, and the stack that the loop writes.
  for (const std::string name : {"new_up", "new_mu", "clipped", "both", "first", "written", "wgrad"}) {
    CAPTURE(name);
    CHECK(weights.updated_by(instruction_of(module, name), 0) == "params['up']");
    CHECK(weights.of(instruction_of(module, name)) == "params['up']");
  }
  CHECK(weights.of(instruction_of(module, "ddown")) == "params['down']");
  CHECK(weights.updated_by(instruction_of(module, "scattered"), 1) == "params['up']");
  CHECK(weights.updated_by(instruction_of(module, "scattered"), 2) == "params['down']");
  // Not what is no weight: products of results, a norm of all gradients, the counter of the loop.
  for (const std::string name : {"scores", "dy", "norm", "i", "next"}) {
    CAPTURE(name);
    CHECK(weights.of(instruction_of(module, name)).empty());
    CHECK(weights.reads_results_alone(instruction_of(module, name)));
  }
  CHECK_FALSE(weights.reads_results_alone(instruction_of(module, "hidden")));
}

TEST_CASE("without donation nothing is taken for an update") {
  std::string text = training_text;
  const std::size_t begin = text.find(",\ninput_output_alias");
  text.erase(begin, text.find('\n', begin + 2) - begin);
  const hlo_module module = module_of(text);
  const weights_read weights(module);
  CHECK(weights.of(instruction_of(module, "wgrad")).empty());
  CHECK(weights.of(instruction_of(module, "hidden")) == "params['up']");
}

TEST_CASE("pieces of an array of many weights are followed no further") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (1, {}, may-alias) }

ENTRY main {
  x = f32[64,16]{1,0} parameter(0), metadata={op_name="batch"}
  w = f32[16]{0} parameter(1), metadata={op_name="w"}
  wide = f32[64,16]{1,0} broadcast(w), dimensions={1}
  y = f32[64,16]{1,0} multiply(x, wide)
  mine = f32[16]{0} sine(w)
  other = f32[32]{0} custom-call(y), custom_call_target="work"
  joined = f32[48]{0} concatenate(mine, other), dimensions={0}
  piece = f32[16]{0} slice(joined), slice={[0:16]}
  new = f32[16]{0} add(w, piece)
  ROOT r = (f32[16]{0}, f32[64,16]{1,0}) tuple(new, y)
}
)");
  const weights_read weights(module);
  CHECK(weights.of(instruction_of(module, "piece")) == "w");
  CHECK(weights.of(instruction_of(module, "other")).empty());
}

TEST_CASE("way_back: to what a part is made of, element by element and only through what is asked for") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %t = (f32[4]{0}, f32[4]{0}) tuple(%p, %q)
  %g = f32[4]{0} get-tuple-element(%t), index=0
  %a = f32[8]{0} all-gather(%g), replica_groups={{0,1}}, dimensions={0}
  %o = f32[8]{0} parameter(2)
  ROOT %m = f32[8]{0} multiply(%a, %o)
}
)");
  const dependence_graph graph(module);
  const way_back back(graph);
  const shape_places places(module);
  const auto entered = [&](const char* from, bool through, const char* not_read = "") {
    std::string out;
    std::vector<bool> seen(places.size());
    back.go(
        {places.first(instruction_of(module, from).id())},
        [&](hlo_instruction i) { return through && i.opcode() == hlo_opcode::multiply; },
        [&](hlo_instruction, hlo_instruction operand, std::uint32_t) { return operand.name() != not_read; },
        [&](hlo_instruction i, std::uint32_t part) {
          const place_number at = places.first(i.id()) + part;
          if (seen[at]) return false;
          seen[at] = true;
          out += std::string(i.name()) + to_string(places.index(i.id(), part)) + " ";
          return true;
        });
    return out;
  };
  CHECK(entered("g", false) == "g{} t{0} p{} ");
  CHECK(entered("a", false) == "a{} g{} t{0} p{} ");  // a collective that moves its operand
  CHECK(entered("m", false) == "m{} ");
  CHECK(entered("m", true, "o") == "m{} a{} g{} t{0} p{} ");
  CHECK(entered("m", true, "a") == "m{} o{} ");
}
