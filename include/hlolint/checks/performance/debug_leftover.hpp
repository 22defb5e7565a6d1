// PRF012: a call back into the host program that looks like debugging.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/option.hpp>

#include <string>

namespace hlolint {

/// Callbacks into Python, outfeeds, and sends to the host on behalf of a callback.
struct debug_leftover {
  /// Id, name, level and explanation.
  static constexpr rule about{
      .id = "PRF012",
      .name = "debug-leftover",
      .level = severity::warning,
      .since = "0.1",
      .what = "The program calls back into the host: a Python callback, an outfeed, or a send to a host callback.",
      .why =
          "The device waits for the host, data leave the device, and XLA may neither move nor remove the call; "
          "buffers stay alive for it.",
      .advice =
          "Remove jax.debug.print, jax.debug.callback, io_callback and their like from steps that shall be fast; if "
          "the call is wanted (checkpoints, logging), ignore this rule for it.",
      .example =
          "%c = () custom-call(%x), custom_call_target=\"xla_ffi_python_gpu_callback\", "
          "custom_call_has_side_effect=true",
      .source = "XLA: docs/errors/error_1000.md, scenario 2"};
  static constexpr need needs = need::hlo;  ///< without it the check is not run

  /// Reports a call back into the host program that looks like debugging.
  void operator()(const context& dump, sink auto& report) const {
    if (dump.target() == target::cpu) return;  // the host is the device
    const auto& graph = dump.template get<call_graph>();
    for (const hlo_instruction i : dump.template get<instructions_by_opcode>().where(may_call_host)) {
      const std::string what = call_text(i);
      if (what.empty() || graph.execution_of(i.computation()) == execution::unreached) continue;
      report(finding_at(i, what + repetition_text(dump.template get<loops>(), i.computation())));
    }
  }

 private:
  static constexpr bool may_call_host(hlo_opcode opcode) {
    return opcode == hlo_opcode::outfeed || opcode == hlo_opcode::custom_call || opcode == hlo_opcode::send;
  }
  static std::string call_text(hlo_instruction i) {
    if (i.opcode() == hlo_opcode::outfeed) return "the program sends data to the host by outfeed";
    if (i.opcode() == hlo_opcode::custom_call) {
      const auto called = get<custom_call_target>(i);
      const auto names = [&](const char* part) { return called && called->name.find(part) != std::string::npos; };
      if (names("python") && names("callback") && !names("_cpu_"))
        return "the program calls back into Python (" + called->name + ")";
    }
    if (i.opcode() == hlo_opcode::send && get_boolean(i, attribute_key::is_host_transfer)) {
      const auto metadata = get<op_metadata>(i);
      if (metadata && metadata->op_name.find("callback") != std::string::npos)
        return "the program sends data to a callback on the host";
    }
    return {};
  }
};

}  // namespace hlolint
