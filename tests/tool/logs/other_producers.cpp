// What tools around XLA write about a program.
#include <hlolint/tool/logs/other_producers.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace hlolint::logs;

TEST_CASE("texts without HLO are named, with what to give instead") {
  struct row {
    std::string_view text, what;
  };
  for (const row& r :
       {row{"IR {\n  %0 = f32[] prim::Constant(), value=1\n}\n", "this is the IR of torch_xla"},
        row{"[ScheduleSyncTensorsGraph]\nTensorsGraphInfo:\n\n## BEGIN_GRAPH\nIR {\n", "this is the IR of torch_xla"},
        row{"\n{ lambda ; a:f32[8]. let b:f32[8] = sin a in (b,) }\n", "this is a jaxpr"},
        row{"let f = { lambda ; a:f32[8]. let in (a,) } in\n{ lambda ; a:f32[8]. let in (a,) }", "this is a jaxpr"},
        row{"{ \x1B[34m\x1B[22m\x1B[1mlambda \x1B[39m\x1B[22m; a:f32[8]. let in (a,) }", "this is a jaxpr"},
        row{"CompiledMemoryStats(generated_code_size_in_bytes=0)", "this is what memory_analysis() returned"},
        row{"{\"argument_size_in_bytes\": 8}", "this is what memory_analysis() returned"},
        row{"{'flops': 2.0, 'bytes accessed': 12.0}", "this is what cost_analysis() returned"},
        row{"digraph G {\nrankdir = TB;\n}\n", "this is a drawing"}, row{"<!DOCTYPE html>\n", "this is a drawing"},
        row{"https://graphviz.example/?dot=digraph", "this is the address of a drawing"},
        row{"; ModuleID = '__compute_module'\n", "this is code"}}) {
    CAPTURE(r.text);
    CHECK(other_producer(r.text).starts_with(r.what));
    CHECK(other_producer(r.text).find(": ") != std::string_view::npos);  // and what to give
  }
}

TEST_CASE("other texts are not") {
  for (const std::string_view text :
       {"", "{", "{ \x1B", "let", "let x = {", "{ lamb", "IR",
        "HloModule m\n\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n", "## BEGIN_GRAPH\nHloModule m\n\nIR {\n}\n",
        "ENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n", "  IR { x\n", "see https://example.org",
        "RESOURCE_EXHAUSTED: Out of memory"}) {
    CAPTURE(text);
    CHECK(other_producer(text).empty());
  }
}

static_assert(begins_torch_ir("IR {\n  %0 = f32[] prim::Constant(), value=1\n}\n"));
static_assert(!begins_torch_ir("IR {\n  %p = f32[] parameter(0), metadata={op_name=\"a::b\"}\n}\n"));
static_assert(!begins_torch_ir("IR {\n"));

TEST_CASE("serialized forms") {
  constexpr std::string_view program = "this is a serialized program", pickle = "this is a pickled Python object";
  CHECK(other_binary_producer(std::string_view("ML\xEFR\x0DStableHLO_v1.8.0\0", 22)).starts_with(program));
  CHECK(other_binary_producer(std::string_view("\x48\0\0\0ML\xEFR", 8)).starts_with(program));
  CHECK(other_binary_producer(std::string_view("\x80\x04\x95\x10\0", 5)).starts_with(pickle));
  CHECK(other_binary_producer("BZh91AY&SY").starts_with("this is compressed by bzip2"));
  CHECK(other_binary_producer("\x7F"
                              "ELF\x02")
            .starts_with("this is code"));
  CHECK(other_binary_producer(std::string_view("\0\0\0", 3)).empty());
  CHECK(other_binary_producer("").empty());
}
