#include <hlolint/lint/helper_module.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

bool is_helper(const std::string& name, const std::string& body, const std::string& other = "") {
  return is_helper_module(module_of("HloModule " + name + ", is_scheduled=true\n\n" + other +
                                    "ENTRY %main {\n  %p = f32[8,8]{1,0} parameter(0)\n" + body + "\n}\n"));
}
std::string operation(const std::string& opcode, const std::string& op_name) {
  return "  ROOT %r = f32[8,8]{1,0} " + opcode + "(%p), metadata={op_name=\"" + op_name + "\"}";
}

}  // namespace

TEST_CASE("helper modules: one operation outside of a program") {
  CHECK(is_helper("jit_negative", operation("negate", "jit(negative)/neg")));
  CHECK(is_helper("jit_negative.3", operation("negate", "jit(negative)/jit(main)/neg")));
  CHECK(is_helper("jit_copy", "  ROOT %c = f32[8,8]{1,0} copy(%p)"));
  CHECK(is_helper("jit__identity_fn",
                  "  ROOT %x = f32[8,8]{1,0} all-to-all(%p), channel_id=1, replica_groups={{0,1}}, dimensions={0}"));
  CHECK(is_helper("jit__lambda_", operation("sine", "jit(<lambda>)/sin")));
  CHECK(is_helper("jit_add",
                  "  ROOT %f = f32[8,8]{1,0} fusion(%p), kind=kLoop, calls=%adds, metadata={op_name=\"jit(add)/add\"}",
                  "%adds {\n  %a = f32[8,8]{1,0} parameter(0)\n  %c = f32[8,8]{1,0} convert(%a)\n"
                  "  ROOT %s = f32[8,8]{1,0} add(%a, %c), metadata={op_name=\"jit(add)/add\"}\n}\n\n"));
}

TEST_CASE("helper modules: programs are none") {
  CHECK_FALSE(is_helper("m", operation("negate", "jit(negative)/neg")));         // not by JAX
  CHECK_FALSE(is_helper("jit_step", operation("negate", "jit(step)/mlp/neg")));  // a scope
  CHECK_FALSE(is_helper("jit_step", operation("negate", "jit(loss)/neg")));
  CHECK_FALSE(is_helper("jit_step",
                        "  ROOT %d = f32[8,8]{1,0} dot(%p, %p), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
  CHECK_FALSE(is_helper("jit_step",
                        "  %a = f32[8,8]{1,0} negate(%p)\n  %b = f32[8,8]{1,0} sine(%a)\n"
                        "  ROOT %c = f32[8,8]{1,0} cosine(%b)"));  // three kernels
  const auto line = [](const std::string& n) {
    return ", metadata={op_name=\"jit(step)/neg\" source_file=\"f.py\" source_line=" + n + "}";
  };
  const std::string a = "  %a = f32[8,8]{1,0} negate(%p)" + line("7") + "\n  ROOT %b = f32[8,8]{1,0} sine(%a)";
  CHECK(is_helper("jit_step", a + line("7")));
  CHECK_FALSE(is_helper("jit_step", a + line("8")));  // two lines of a program
  CHECK_FALSE(is_helper("jit_step", a));              // an operation without a name
  CHECK_FALSE(is_helper("jit_step", "  ROOT %c = f32[8,8]{1,0} custom-call(%p), custom_call_target=\"kernel\""));
}
