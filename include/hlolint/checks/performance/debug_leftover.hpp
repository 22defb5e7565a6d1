// PRF012: a call back into the host program that looks like debugging.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Reports callbacks into Python, outfeeds, and sends to the host for a callback.
struct debug_leftover {
  static constexpr rule about{
      .id = "PRF012",
      .name = "debug-leftover",
      .costs = cost_kind::time,
      .what = "The program calls back into the host: a Python callback, an outfeed, or a send to a host callback.",
      .why = "The device waits for the host, data leave the device, and XLA may neither move nor remove the call; "
             "buffers stay alive for it.",
      .advice = "Remove jax.debug.print, jax.debug.callback, io_callback and the like from steps that must be fast; "
                "if the call is wanted (checkpoints, logging), ignore this rule for it.",
      .example = "%c = () custom-call(%x), custom_call_target=\"xla_ffi_python_gpu_callback\", "
                 "custom_call_has_side_effect=true",
      .source = "XLA: docs/errors/error_1000.md, scenario 2"};
  static constexpr need needs = need::hlo;

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/checks/program_code.hpp>

namespace hlolint {

struct debug_leftover::code {
  static constexpr bool may_call_host(hlo_opcode opcode) {
    return opcode == hlo_opcode::outfeed || opcode == hlo_opcode::custom_call || opcode == hlo_opcode::send;
  }
  /// Bytes to the host and back, in one run.
  static byte_count bytes_of(hlo_instruction i) {
    checked_int64 sum = i.shape() ? dense_size_of_leaves(*i.shape()).value_or(0) : 0;
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (const shape* const given = shape_of_operand(i, k)) sum += dense_size_of_leaves(*given).value_or(0);
    return sum.clamped();
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

HLOLINT_INLINE void debug_leftover::operator()(const context& dump, sink_ref report) const {
  if (dump.target() == target::cpu) return;  // the host is the device
  const auto& graph = dump.get<call_graph>();
  for (const hlo_instruction i : dump.get<instructions_by_opcode>().where(code::may_call_host)) {
    const std::string what = code::call_text(i);
    if (what.empty() || graph.execution_of(i.computation()) == execution::unreached) continue;
    finding d = finding_at(i, what + repetition_text(dump.get<loops>(), i.computation()));
    d.bytes = code::bytes_of(i);
    report(std::move(d));
  }
}

}  // namespace hlolint
#endif
