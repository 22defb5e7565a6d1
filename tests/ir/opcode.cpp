#include <hlolint/ir/opcode.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("opcodes by their names") {
  static_assert(find_hlo_opcode("all-reduce-start") == hlo_opcode::all_reduce_start);
  static_assert(find_hlo_opcode("all-reduce-startx") == hlo_opcode::unknown);
  static_assert(find_hlo_opcode("xor") == hlo_opcode::xor_ && name_of(hlo_opcode::while_) == "while");
}
