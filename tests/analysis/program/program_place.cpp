#include <hlolint/analysis/program/program_place.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a place in the user's program: an instruction's own, else that of the root it calls") {
  const hlo_module module = module_of(R"(HloModule m

%noted {
  %np = f32[8]{0} parameter(0), metadata={op_name="inner/p"}
  ROOT %nn = f32[8]{0} negate(%np), metadata={op_name="inner/neg" source_file="net.py" source_line=7}
}

%silent {
  %sp = f32[8]{0} parameter(0), metadata={op_name="inner/p"}
  ROOT %sn = f32[8]{0} negate(%sp)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %own = f32[8]{0} fusion(%p), kind=kLoop, calls=%noted, metadata={op_name="outer"}
  %from = f32[8]{0} fusion(%p), kind=kLoop, calls=%noted
  ROOT %nothing = f32[8]{0} fusion(%p), kind=kLoop, calls=%silent
}
)");
  const program_place own = program_place_of(instruction_of(module, "own"));
  CHECK(own.op_name == "outer");
  CHECK_FALSE(own.at);
  CHECK(own);
  const program_place from = program_place_of(instruction_of(module, "from"));
  CHECK(from.op_name == "inner/neg");
  CHECK(from.at.file == "net.py");
  CHECK(from.at.line == 7);
  CHECK(from == program_place_of(instruction_of(module, "nn")));
  CHECK_FALSE(program_place_of(instruction_of(module, "nothing")));
}

TEST_CASE("the place of what reads an instruction without one, else of what makes its operands") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %e {
  %p = f32[8]{0} parameter(0), metadata={op_name="x"}
  %q = f32[8]{0} parameter(1)
  %made = f32[8]{0} negate(%p), metadata={op_name="jit(f)/neg" source_file="net.py" source_line=7}
  %first = f32[8]{0} copy(%made)
  %start = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%first)
  %done = f32[8]{0} copy-done(%start)
  %read = f32[8]{0} sine(%done), metadata={op_name="jit(f)/sin" source_file="net.py" source_line=9}
  %last = f32[8]{0} copy(%made)
  %argument = f32[8]{0} copy(%p)
  %unknown = f32[8]{0} copy(%q)
  ROOT %all = (f32[8]{0}, f32[8]{0}, f32[8]{0}, f32[8]{0}) tuple(%read, %last, %argument, %unknown), metadata={op_name="jit(f)/all"}
}
)");
  const users all(module);
  const auto near = [&](const char* name) { return neighboring_place_of(instruction_of(module, name), all); };
  REQUIRE(near("first"));
  CHECK(near("first")->reads_it);
  CHECK(near("first")->source_line == 9);
  CHECK(text_of(*near("first")) == "net.py:9, jit(f)/sin (reads it)");
  REQUIRE(near("last"));
  CHECK_FALSE(near("last")->reads_it);
  CHECK(near("last")->source_line == 7);
  REQUIRE(near("argument"));
  CHECK(near("argument")->op_name == "jit(f)/all");  // no line is near
}

TEST_CASE("a fusion without a place of its own has the place of most of what it consists of, and no name") {
  const hlo_module module = module_of(R"(HloModule m

%mixed {
  %p = f32[8]{0} parameter(0), metadata={op_name="x" source_file="arguments.py" source_line=1}
  %a = f32[8]{0} negate(%p), metadata={op_name="a" source_file="net.py" source_line=7}
  %b = f32[8]{0} sine(%a), metadata={op_name="b" source_file="net.py" source_line=9}
  %c = f32[8]{0} cosine(%b), metadata={op_name="c" source_file="net.py" source_line=7}
  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%b, %c)
}

ENTRY %e {
  %q = f32[8]{0} parameter(0)
  ROOT %f = (f32[8]{0}, f32[8]{0}) fusion(%q), kind=kLoop, calls=%mixed
}
)");
  const program_place found = program_place_of(instruction_of(module, "f"));
  CHECK(found.at.file == "net.py");
  CHECK(found.at.line == 7);
  CHECK(found.op_name.empty());
}

TEST_CASE("the user's function behind functions of libraries") {
  const hlo_module module = module_of(
      "HloModule m\n\nFileNames\n1 \"/usr/lib/python3.11/site-packages/flax/linear.py\"\n2 \"/home/u/train.py\"\n\n"
      "FunctionNames\n1 \"dense\"\n2 \"loss\"\n3 \"step\"\n\n"
      "FileLocations\n1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=1 end_column=2}\n"
      "2 {file_name_id=2 function_name_id=2 line=20 end_line=20 column=1 end_column=2}\n"
      "3 {file_name_id=2 function_name_id=3 line=30 end_line=30 column=1 end_column=2}\n\n"
      "StackFrames\n1 {file_location_id=3 parent_frame_id=1}\n2 {file_location_id=2 parent_frame_id=2}\n"
      "3 {file_location_id=1 parent_frame_id=3}\n4 {file_location_id=1 parent_frame_id=1}\n\n"
      "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
      "  %n = f32[8]{0} negate(%p), metadata={op_name=\"f\" stack_frame_id=3}\n"
      "  %a = f32[8]{0} abs(%n), metadata={op_name=\"f\" stack_frame_id=4}\n"
      "  %s = f32[8]{0} sine(%a), metadata={op_name=\"f\" source_file=\"old.py\" source_line=3}\n"
      "  ROOT %c = f32[8]{0} cosine(%s)\n}\n");
  CHECK(program_place_of(instruction_of(module, "n")).at.file.ends_with("linear.py"));
  CHECK(function_and_file(user_function_of(instruction_of(module, "n"))) == "loss (/home/u/train.py)");
  CHECK(function_and_file(user_function_of(instruction_of(module, "a"))) ==
        "dense (/usr/lib/python3.11/site-packages/flax/linear.py)");  // no other
  CHECK(function_and_file(user_function_of(instruction_of(module, "s"))) == "old.py");
  CHECK(function_and_file(user_function_of(instruction_of(module, "c"))).empty());
}
