#include "messages.hpp"

#include <hlolint/tool/parse_proto.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace messages;

namespace {

std::string four() { return array(f32, {4}); }

// An HloProto with one computation, whose root is the last instruction.
std::string proto(std::initializer_list<std::string> instructions, std::string_view more = {}) {
  return hlo_proto(
      module_of({computation(7, "e", static_cast<std::int64_t>(instructions.size()), instructions)}, 7, more));
}
std::string nested(int depth) {
  std::string out = array(f32);
  for (int i = 0; i < depth; ++i) out = tuple({out});
  return out;
}
std::string with_assignment(const std::string& assignment) { return hlo_proto(add_module(), assignment); }

}  // namespace

TEST_CASE("bad input is reported with its path in the message") {
  const std::string parameter_a = parameter(1, "a", 0, four());
  const struct {
    std::string bytes, message;
  } cases[] = {
      {proto({parameter_a, instruction(2, "r", "copy", four(), {9})}),
       "HloProto.hlo_module.computations[0].instructions[1].operand_ids[0]: there is no instruction with the id 9 in "
       "'e'"},
      {proto({parameter_a, instruction(2, "r", "call", four(), {1}, packed(38, {44}))}),
       "HloProto.hlo_module.computations[0].instructions[1].called_computation_ids[0]: there is no computation with "
       "the "
       "id 44"},
      {proto({parameter_a, instruction(1, "r", "copy", four(), {1})}),
       "HloProto.hlo_module.computations[0].instructions[1]: the id 1 is that of another instruction of 'e', too"},
      {proto({parameter_a, instruction(2, "r", "copy", array(f32, {-4}), {1})}),
       "HloProto.hlo_module.computations[0].instructions[1].shape: the size of dimension 0 is negative"},
      {proto({parameter_a, instruction(2, "r", "copy", "\x1a\x7f", {1})}),
       "HloProto.hlo_module.computations[0].instructions[1].shape: a length goes beyond the end of the message"},
      {proto({parameter_a, instruction(2, "r", "copy", "\x10" + std::string(11, '\xff'), {1})}),
       "HloProto.hlo_module.computations[0].instructions[1].shape: a number has more than 10 bytes"},
      {proto({parameter_a, instruction(2, "r", "copy", "\x0b", {1})}),
       "HloProto.hlo_module.computations[0].instructions[1].shape: a field has a type that protobuf does not have"},
      {proto({parameter_a, instruction(2, "r", "copy", std::string(2, '\0'), {1})}),
       "HloProto.hlo_module.computations[0].instructions[1].shape: a field has a number that protobuf does not allow"},
      {proto({parameter_a, instruction(2, "r", "copy", nested(100), {1})}),
       "HloProto.hlo_module.computations[0].instructions[1].shape: shapes nested more than 64 levels deep"},
      {proto({parameter_a, instruction(2, "r", "copy", four(), {1}, sized(36, std::string(5'000'000, '\1')))}),
       "HloProto.hlo_module.computations[0].instructions[1]: a list of more than 4194304 numbers"},
      {hlo_proto(module_of({computation(7, "e", 5, {parameter_a})}, 7)),
       "HloProto.hlo_module.computations[0].root_id: there is no instruction with the id 5 in 'e'"},
      {hlo_proto(module_of({computation(7, "f", 1, {parameter_a})}, 8)),
       "HloProto.hlo_module.entry_computation_id: there is no computation with the id 8"},
      {hlo_proto(module_of({computation(7, "e", 1, {parameter_a}), computation(7, "f", 1, {parameter_a})}, 7)),
       "HloProto.hlo_module.computations[1]: the id 7 is that of another one, too"},
      {proto({parameter_a, instruction(2, "r", "call", four(), {1}, packed(38, {7}))}),
       "HloProto.hlo_module.computations[0]: the computation 'e' calls itself, directly or through others"},
      {proto({parameter_a}, sized(7, sized(1, number(1, 7) + sized(2, packed(1, {5}))))),
       "HloProto.hlo_module.schedule: the sequence of 'e' has 1 ids, and 0 of the computation's 1 instructions are "
       "among "
       "them"},
      {with_assignment(sized(3, number(1, 1) + number(2, -8))),
       "HloProto.buffer_assignment.buffer_allocations[0]: a negative index or size"},
      {with_assignment(sized(3, number(2, 8) + sized(9, number(1, 3)))),
       "HloProto.buffer_assignment.buffer_allocations[0].assigned[0]: there is no logical buffer 3"},
      {with_assignment(sized(1, number(1, 3) + sized(3, number(4, 99))) +
                       sized(3, number(2, 8) + sized(9, number(1, 3)))),
       "HloProto.buffer_assignment.buffer_allocations[0].assigned[0]: the buffer is defined by an instruction that is "
       "not "
       "in the module (id 99)"},
  };
  for (const auto& one : cases) {  // clang 14 captures no structured bindings
    const auto& message = one.message;
    const parsed_file read = parse_proto(one.bytes);
    REQUIRE_MESSAGE(!read.diagnostics.empty(), message);
    CHECK(read.diagnostics.front().message == message);
    CHECK(read.diagnostics.front().rule == "SYN001");
    CHECK(read.status != parse_status::ok);
  }
}

TEST_CASE("what is whole around a broken instruction is read") {
  const parsed_file read =
      parse_proto(proto({parameter(1, "a", 0, four()), instruction(2, "x", "copy", "\x1a\x7f", {1}),
                         instruction(3, "r", "copy", four(), {1})}));
  CHECK(read.diagnostics.size() == 1);
  REQUIRE(read.modules().size() == 1);
  CHECK(read.modules().front().instruction_count() == 2);
  CHECK(read.status == parse_status::partial);
}

TEST_CASE("a file that is cut off at any byte is reported, and never taken for a whole one") {
  const std::string whole =
      with_assignment(sized(1, number(1, 5) + number(2, 16) + sized(3, number(4, 1))) +
                      sized(3, number(2, 16) + number(5, 1) + sized(9, number(1, 5) + number(3, 16))));
  REQUIRE(parse_proto(whole).status == parse_status::ok);
  const std::size_t module_end = hlo_proto(add_module()).size();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    if (size == module_end) continue;  // an HloProto without a buffer assignment
    const parsed_file read = parse_proto(whole.substr(0, size));
    CHECK(read.status != parse_status::ok);
    CHECK_MESSAGE(!read.diagnostics.empty(), size);
  }
  const parsed_file cut = parse_proto(whole.substr(0, whole.find("sum") + 2));
  REQUIRE(cut.diagnostics.size() == 1);
  CHECK(cut.diagnostics.front().message.substr(0, 82) ==
        "HloProto.hlo_module.computations[0].instructions[2]: the file ends in this message");
  REQUIRE(cut.modules().size() == 1);
  CHECK(cut.modules().front().instruction_count() == 2);
}

TEST_CASE("a small message never stands for gigabytes of text") {
  // One long configuration, shared by many instructions.
  std::string instructions;
  for (int i = 1; i <= 2000; ++i)
    instructions += sized(2, instruction(i, "i" + std::to_string(i), "copy", four(), {}, sized(99, number(2, 0))));
  const std::string bytes =
      hlo_proto(sized(1, "m") + sized(3, sized(1, "e") + instructions + number(5, 7) + number(6, 1)) + number(6, 7) +
                sized(22, std::string(1'000'000, 'x')));
  const parsed_file read = parse_proto(bytes);
  CHECK(read.status == parse_status::failed);
  REQUIRE(!read.diagnostics.empty());
  CHECK(read.diagnostics.front().message.find("of text") != std::string::npos);
}

TEST_CASE("names that no text may have become names as XLA would write them") {
  const parsed_file read = parse_proto(proto({parameter(1, "a b\n\xff", 0, four())}));
  CHECK(read.status == parse_status::ok);
  CHECK(read.text.text().find("ROOT %a_b__ = ") != std::string_view::npos);
}
