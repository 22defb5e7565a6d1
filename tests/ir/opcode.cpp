#include <hlolint/ir/opcode.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("opcodes by their names") {
  static_assert(find_hlo_opcode("all-reduce-start") == hlo_opcode::all_reduce_start);
  static_assert(find_hlo_opcode("all-reduce-startx") == hlo_opcode::unknown);
  static_assert(find_hlo_opcode("xor") == hlo_opcode::xor_ && name_of(hlo_opcode::while_) == "while");
}

TEST_CASE("a collective-reduce is a collective without a start of its own") {
  static_assert(find_hlo_opcode("collective-reduce") == hlo_opcode::collective_reduce &&
                find_hlo_opcode("collective-reduce-start") == hlo_opcode::unknown);
  static_assert(is_collective(hlo_opcode::collective_reduce) && !is_collective_start(hlo_opcode::collective_reduce));
}
