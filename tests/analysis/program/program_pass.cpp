#include <hlolint/analysis/program/program_pass.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string negated(const std::string& name, const std::string& op_name) {
  return "  %" + name + " = f32[8]{0} negate(%p), metadata={op_name=\"" + op_name + "\"}\n";
}

}  // namespace

TEST_CASE("the pass follows from the transformations in the name of an operation") {
  CHECK(pass_of_name("") == program_pass::unknown);
  CHECK(pass_of_name("jit(step)/jvp(loss)/while/body/dot_general") == program_pass::forward);
  CHECK(pass_of_name("jit(step)/transpose(jvp(loss))/while/body/checkpoint/dot_general") == program_pass::backward);
  CHECK(pass_of_name("jit(step)/transpose(jvp())/while/body/checkpoint/rematted_computation/tanh") ==
        program_pass::recomputed);
  CHECK(pass_of_name("jit(step)/adam/mul") == program_pass::optimizer);
  CHECK(pass_of_name("jit(f)/jvp()/transpose") == program_pass::forward);  // the operation, no transformation
  CHECK(name_of(program_pass::recomputed) == "recomputed");
}

TEST_CASE("without a backward pass there is no optimizer") {
  const std::string text = "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" +
                           negated("a", "jit(f)/neg") + "  ROOT %r = f32[8]{0} negate(%a)\n}\n";
  const hlo_module module = module_of(text);
  const program_passes passes(module);
  CHECK_FALSE(passes.has_gradients());
  CHECK(passes.of(instruction_of(module, "a")) == program_pass::forward);
  CHECK(passes.of(instruction_of(module, "r")) == program_pass::unknown);
}

TEST_CASE("a product names the pass of its fusion, and XLA's rematerialization that of its clones") {
  const hlo_module module = module_of(
      "HloModule m\n\n%fused (x: f32[8,8]) -> f32[8,8] {\n  %x = f32[8,8]{1,0} parameter(0)\n"
      "  %d = f32[8,8]{1,0} dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
      "metadata={op_name=\"jit(f)/transpose(jvp())/checkpoint/rematted_computation/dot_general\"}\n"
      "  ROOT %m = f32[8,8]{1,0} multiply(%d, %x), metadata={op_name=\"jit(f)/transpose(jvp())/mul\"}\n}\n\n"
      "ENTRY %main {\n  %p = f32[8,8]{1,0} parameter(0), metadata={op_name=\"w1\"}\n"
      "  %f = f32[8,8]{1,0} fusion(%p), kind=kOutput, calls=%fused, "
      "metadata={op_name=\"jit(f)/transpose(jvp())/mul\"}\n"
      "  %c = f32[8,8]{1,0} cosine(%p), metadata={op_name=\"jit(f)/jvp()/cos\"}\n"
      "  %n.remat = f32[8,8]{1,0} negate(%c), metadata={op_name=\"jit(f)/jvp()/neg\"}\n"
      "  %b = f32[8,8]{1,0} add(%f, %n.remat), metadata={op_name=\"jit(f)/transpose(jvp())/add_any\"}\n"
      "  ROOT %o = f32[8,8]{1,0} negate(%b), metadata={op_name=\"jit(f)/sub\"}\n}\n");
  const program_passes passes(module);
  CHECK(passes.has_gradients());
  CHECK(passes.of(instruction_of(module, "p")) == program_pass::unknown);  // named as the argument is
  CHECK(passes.of(instruction_of(module, "f")) == program_pass::recomputed);
  CHECK(passes.of(instruction_of(module, "n.remat")) == program_pass::recomputed);
  CHECK(passes.of(instruction_of(module, "c")) == program_pass::forward);
  CHECK(passes.of(instruction_of(module, "b")) == program_pass::backward);
  CHECK(passes.of(instruction_of(module, "o")) == program_pass::optimizer);
  CHECK(is_recomputed(instruction_of(module, "f")));
  CHECK_FALSE(is_recomputed(instruction_of(module, "b")));
}
