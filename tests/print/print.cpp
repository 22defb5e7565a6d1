#include <hlolint/parse_hlo.hpp>
#include <hlolint/print/print.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

hlo_module read(std::string text) {
  parsed_file file = parse_hlo(source(std::move(text), "m.txt"));
  REQUIRE(file.modules().size() == 1);
  return file.modules()[0];
}

constexpr const char* modules[] = {
    // long, today
    "HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n\n%f (p.1: f32[4]) -> "
    "f32[4] {\n"
    "  %p.1 = f32[4]{0} parameter(0)\n  ROOT %n = f32[4]{0} negate(%p.1)\n}\n\nENTRY %main (p: f32[4]) -> f32[4] {\n  "
    "%p = f32[4]{0} parameter(0)\n"
    "  ROOT %r = f32[4]{0} fusion(%p), kind=kLoop, calls=%f, metadata={op_name=\"a b\"}\n}\n\n",
    // long, with the operand shapes of before 2025
    "HloModule m\n\nENTRY %e (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n  ROOT %b = f32[2]{0} "
    "negate(f32[2]{0} %a), control-predecessors={%a}\n}\n\n",
    // more than five operands and elements
    "HloModule m\n\nENTRY %e (a: f32[]) -> (f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[]) {\n  %a = f32[] "
    "parameter(0)\n"
    "  ROOT %t = (f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[]) tuple(%a, %a, %a, %a, %a, /*index=5*/%a)\n}\n\n",
    // short, with the name after the brace
    "HloModule m, num_partitions=4\n\nENTRY e {\n  a = f32[] parameter(0)\n  b = f32[] negate(a)\n  c = f32[] "
    "negate(b)\n  d = f32[] negate(c)\n"
    "  f = f32[] negate(d)\n  ROOT t = (f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[]) tuple(a, b, c, d, f, "
    "a)\n} // e\n\n",
    // configurations of the module and of its computations
    "HloModule m, backend_config={\"a\":1}\n\n%f (x: f32[]) -> f32[] {\n  ROOT %x = f32[] parameter(0)\n}, "
    "execution_thread=\"other\", backend_config={\"a\":1,\n  \"b\":{\"c\":\"}\"}}\n\nENTRY %e (p: f32[]) -> f32[] {\n  "
    "ROOT "
    "%p = f32[] parameter(0)\n}, backend_config={(}\n\n",
    // elements without lines of their own, another thread, stack tables
    "HloModule m\n\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n1 {file_name_id=1 "
    "function_name_id=1 line=3 end_line=3 column=4 end_column=9}\n\n"
    "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n\n%w (q: (f32[], f32[])) -> f32[] {\n  %q = (f32[], "
    "f32[]) parameter(0)\n"
    "  ROOT %s = f32[] add(%q#0, %q#1)\n}, execution_thread=\"other\"\n\nENTRY %e (a: (f32[], f32[])) -> f32[] {\n  %a "
    "= (f32[], f32[]) parameter(0)\n"
    "  %s.1 = (((f32[], f32[])), f32[], u32[]) async-start(%a), async_execution_thread=\"other\", calls=%w\n  ROOT %d "
    "= f32[] async-done(%s.1)\n}\n\n",
};

}  // namespace

TEST_CASE("what was printed comes back byte for byte") {
  for (const char* const text : modules) {
    CAPTURE(text);
    const hlo_module m = read(text);
    CHECK(print(m, form_of(m)) == text);
  }
}

TEST_CASE("both forms are read back as the same module") {
  for (const char* const text : modules) {
    CAPTURE(text);
    const hlo_module m = read(text);
    CHECK(read(print(m, long_form)) == m);
    CHECK(read(print(m, short_form)) == m);
    CHECK(print(read(print(m, long_form)), long_form) == print(m, long_form));
  }
}

TEST_CASE("one instruction alone, nested operands, async sugar, anonymous bodies") {
  for (const char* const text : {
           "ROOT r = f32[2] add(f32[2] x, f32[2] y)",
           "f32[2] add(f32[2], f32[2])",
           "HloModule m\nENTRY e {\n  ROOT a = f32[2] add(f32[2] parameter(0), f32[2] negate(f32[2] "
           "parameter(1)))\n}\n",
           "HloModule m\nENTRY e {\n  a = f32[8] parameter(0)\n  s = ((f32[8]), f32[8], u32[]) all-to-all-start(a), "
           "replica_groups={}\n  ROOT d = f32[8] all-to-all-done(s)\n}\n",
           "HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n  ROOT c = f32[] call(a), to_apply={ p = f32[] "
           "parameter(0) ROOT n = f32[] negate(p) }\n}\n",
       }) {
    CAPTURE(text);
    const hlo_module m = read(text);
    CHECK(read(print(m, form_of(m))) == m);
    CHECK(read(print(m, long_form)) == m);
    CHECK(read(print(m, short_form)) == m);
  }
}

TEST_CASE("the configuration of a computation is part of the module") {
  const std::string text = "ENTRY e {\n  p = f32[2] parameter(0)\n}";
  CHECK_FALSE(read(text + ", backend_config={\"a\":1}\n") == read(text + ", backend_config={\"a\":2}\n"));
  CHECK_FALSE(read(text + ", backend_config={\"a\":1}\n") == read(text + "\n"));
}

TEST_CASE("what XLA does not read is not printed") {
  const hlo_module m =
      read("%f {\n  ROOT %p = f32[] parameter(0)\n}\n\nENTRY %e {\n  ROOT %p = f32[]{:S(0)} parameter(0)\n}\n");
  CHECK(print(m, long_form) ==
        "HloModule module_e\n\n%f (p: f32[]) -> f32[] {\n  ROOT %p = f32[] parameter(0)\n}\n\nENTRY %e (p: f32[]) -> "
        "f32[] "
        "{\n  ROOT %p = f32[] parameter(0)\n}\n\n");
  CHECK(print(read("ENTRY %e {\n  ROOT %p = f32[] parameter(0)\n}\n"), short_form) ==
        "ENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n\n");
}

TEST_CASE("no shape is invented") {
  const hlo_module m = read("ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT n = negate(p)\n}\n");
  CHECK(m.entry().root().shape() == nullptr);
  CHECK(print(m, short_form).find("n = negate(p)") != std::string::npos);
}
