#include <hlolint/checks/performance/host_callback.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
findings lint_entry(const std::string& body, target backend = target::gpu) {
  return lint(host_callback{}, context({.hlo = module_of("HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                                                         "  %t = token[] after-all()\n" +
                                                         body + "  ROOT %n = f32[8]{0} negate(%p)\n}\n"),
                                        .target = backend}));
}
const std::string callback =
    "  %c = () custom-call(%p), custom_call_target=\"xla_ffi_python_gpu_callback\", custom_call_has_side_effect=true\n";
std::string send(const std::string& op_name) {
  return "  %s = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=1, is_host_transfer=true, metadata={op_name=\"" +
         op_name + "\"}\n  %d = token[] send-done(%s), channel_id=1, is_host_transfer=true\n";
}
}  // namespace

TEST_CASE("PRF012 catches") {
  const findings found = lint_entry(callback);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "c");
  CHECK(found[0].message == "the program calls back into Python (xla_ffi_python_gpu_callback)");
  CHECK(lint_entry("  %o = token[] outfeed(%p, %t), outfeed_shape=f32[8]{0}\n").size() == 1);
  CHECK(lint_entry(send("jit(step)/debug_callback")).size() == 1);
  const auto handled_by = [](const std::string& name) {  // as jax.debug.print is named since JAX 0.12
    return "  %s = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=1, is_host_transfer=true, "
           "frontend_attributes={_xla_host_transfer_handler_name=\"" +
           name + "\"}, metadata={op_name=\"jit(f)/debug_print\"}\n";
  };
  CHECK(lint_entry(handled_by("pjrt_rendezvous")).size() == 1);
  CHECK(lint_entry(handled_by("xla_megascale_runtime")).empty());  // between slices
}

TEST_CASE("PRF012 names callbacks of one line once, and tells apart what they are for") {
  const auto call = [](const std::string& name, const std::string& shape, int line) {
    return "  %" + name + " = " + shape +
           " custom-call(%p), custom_call_target=\"xla_ffi_python_gpu_callback\", metadata={op_name=\"jit(f)/" +
           "pure_callback\" source_file=\"solve.py\" source_line=" + std::to_string(line) + "}\n";
  };
  const std::string used = "  %m = f32[8]{0} negate(%a)\n";
  const findings found = lint_entry(call("a", "f32[8]{0}", 4) + call("b", "f32[8]{0}", 4) + call("c", "()", 9) + used);
  REQUIRE(found.size() == 2);
  CHECK(found[0].message ==
        "the program calls back into Python (xla_ffi_python_gpu_callback), and waits for what that computes; 2 such "
        "calls stem from this place");
  CHECK(found[0].advice.find("debug") == std::string::npos);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "b");
  CHECK(found[1].message == "the program calls back into Python (xla_ffi_python_gpu_callback)");
  CHECK(found[1].advice.find("jax.debug.print") != std::string::npos);
}

TEST_CASE("PRF012 takes the arguments and results of one call as one") {
  const auto moved = [](const char* name, const char* opcode, const char* operands) {
    return std::string("  %") + name + " = (f32[8]{0}, u32[], token[]) " + opcode + "(" + operands +
           "), channel_id=1, is_host_transfer=true, metadata={op_name=\"jit(f)/pure_callback\"}\n  %" + name +
           (opcode == std::string("send") ? "d = token[] send-done(%" : "d = (f32[8]{0}, token[]) recv-done(%") + name +
           "), channel_id=1, is_host_transfer=true\n";
  };
  const std::string call = moved("a", "send", "%p, %t") + moved("b", "send", "%p, %ad") + moved("c", "recv", "%bd");
  const findings unused = lint_entry(call);
  REQUIRE(unused.size() == 1);
  CHECK(unused[0].message == "the program calls a function on the host");
  const std::string use = "  %u = f32[8]{0} get-tuple-element(%cd), index=0\n";
  const findings found = lint_entry(call + use);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "the program calls a function on the host, and waits for what that computes");
  CHECK(found[0].bytes == 96);
  CHECK(found[0].related.empty());
  const findings twice = lint_entry(call + use + moved("e", "send", "%p, %t"));
  REQUIRE(twice.size() == 1);
  CHECK(
      twice[0].message ==
      "the program calls a function on the host, and waits for what that computes; 2 such calls stem from this place");
}

TEST_CASE("PRF012 does not catch") {
  CHECK(lint_entry(callback, target::cpu).empty());
  CHECK(lint_entry("  %c = () custom-call(%p), custom_call_target=\"xla_ffi_python_cpu_callback\"\n", target::unknown)
            .empty());
  CHECK(lint_entry(send("jit(step)/offload")).empty());
  CHECK(lint_entry("  %c = f32[8]{0} custom-call(%p), custom_call_target=\"__cublas$gemm\"\n").empty());
}
