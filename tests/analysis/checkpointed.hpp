// A training step over eight layers that computes the inner product of each again in its backward pass.
#pragma once

#include <string>

namespace hlolint::testing {

/// `flags`: of the header. In each iteration of the backward loop `again` makes `act` from `h`, the product that is
/// computed again; `other` reads neither.
inline std::string checkpointed_text(const std::string& flags = "") {
  const std::string state = "(s32[], bf16[4096,4096]{1,0}, bf16[8,4096,4096]{2,1,0})";
  const auto loop = [&](const std::string& name, const std::string& body) {
    return "%" + name + " (p: " + state + ") -> " + state + " {\n  %p." + name + " = " + state +
           " parameter(0)\n  %i." + name + " = s32[] get-tuple-element(%p." + name + "), index=0\n  %x." + name +
           " = bf16[4096,4096]{1,0} get-tuple-element(%p." + name + "), index=1\n  %w." + name +
           " = bf16[8,4096,4096]{2,1,0} get-tuple-element(%p." + name + "), index=2\n  %one." + name +
           " = s32[] constant(1)\n  %next." + name + " = s32[] add(%i." + name + ", %one." + name + ")\n" + body +
           "}\n\n%until_" + name + " (p: " + state + ") -> pred[] {\n  %q." + name + " = " + state +
           " parameter(0)\n  %j." + name + " = s32[] get-tuple-element(%q." + name + "), index=0\n  %n." + name +
           " = s32[] constant(8)\n  ROOT %go." + name + " = pred[] compare(%j." + name + ", %n." + name +
           "), direction=LT\n}\n\n";
  };
  const auto product = [](const std::string& name, const std::string& of, const std::string& op, int line) {
    return "  %" + name + " = bf16[4096,4096]{1,0} dot(" + of +
           "), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name=\"jit(step)/" + op +
           "/dot_general\" source_file=\"model.py\" source_line=" + std::to_string(line) + "}\n";
  };
  const std::string again = "transpose(jvp())/while/body/checkpoint/rematted_computation";
  const std::string back = "transpose(jvp())/while/body/checkpoint";
  return "HloModule jit_step, is_scheduled=true" + flags + "\n\n" +
         loop("forward", product("h.forward", "%x.forward, %x.forward", "jvp()/while/body", 7) +
                             "  ROOT %t.forward = " + state + " tuple(%next.forward, %h.forward, %w.forward)\n") +
         loop("backward", product("h", "%x.backward, %x.backward", again, 7) +
                              "  %act = bf16[4096,4096]{1,0} tanh(%h), metadata={op_name=\"jit(step)/" + again +
                              "/tanh\" source_file=\"model.py\" source_line=8}\n" +
                              product("grad", "%act, %x.backward", back, 7) + "  ROOT %t.backward = " + state +
                              " tuple(%next.backward, %grad, %w.backward)\n") +
         "ENTRY %main (a: bf16[4096,4096], w: bf16[8,4096,4096]) -> " + state +
         " {\n  %a = bf16[4096,4096]{1,0} parameter(0)\n  %w = bf16[8,4096,4096]{2,1,0} parameter(1)\n"
         "  %zero = s32[] constant(0)\n  %start = " +
         state + " tuple(%zero, %a, %w)\n  %up = " + state +
         " while(%start), condition=%until_forward, body=%forward\n  %y = bf16[4096,4096]{1,0} "
         "get-tuple-element(%up), index=1\n  %again = " +
         state + " tuple(%zero, %y, %w)\n  ROOT %down = " + state +
         " while(%again), condition=%until_backward, body=%backward\n}\n";
}

}  // namespace hlolint::testing
