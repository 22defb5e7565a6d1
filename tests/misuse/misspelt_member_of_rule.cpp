// expect: 'look_at'
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct wants {
#ifdef HLOLINT_MISUSE
  static constexpr rule about{
      .id = "TST001", .name = "wants", .look_at = [](hlo_opcode opcode) { return opcode == hlo_opcode::add; }};
#else
  static constexpr rule about{
      .id = "TST001", .name = "wants", .looks_at = [](hlo_opcode opcode) { return opcode == hlo_opcode::add; }};
#endif
  void operator()(hlo_instruction, const context&, sink auto&) const {}
};

const auto list = checks(wants{});
