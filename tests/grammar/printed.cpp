// The fast path for lines as XLA prints them: it takes such lines in all dialects, refuses all others, and changes
// nothing.
#include "../both_readings.hpp"
#include "../fuzz/mutate.hpp"

#include <hlolint/parse_hlo.hpp>

#include <doctest/doctest.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

const char* const gpu_long_form =
    R"(HloModule jit_step, is_scheduled=true, entry_computation_layout={(f32[8,16]{1,0}, bf16[16]{0})->f32[8]{0}}

%sum.1 (x.1: f32[], y.1: f32[]) -> f32[] {
  %x.1 = f32[] parameter(0)
  %y.1 = f32[] parameter(1)
  ROOT %add.1 = f32[] add(%x.1, %y.1), metadata={op_name="jit(step)/reduce_sum" source_file="/home/user/step.py" source_line=12}
}

%fused_reduce (param_0.1: f32[8,16]) -> f32[8] {
  %param_0.1 = f32[8,16]{1,0} parameter(0)
  %constant.3 = f32[] constant(-1.5e-05)
  %flags = pred[2]{0} constant({true, false})
  %large = s32[4,4]{1,0} constant({...})
  ROOT %reduce.2 = f32[8]{0} reduce(%param_0.1, %constant.3), dimensions={1}, to_apply=%sum.1, metadata={op_type="Sum" op_name="jit(step)/a\"b\"/reduce" source_file="step.py" source_line=13 source_end_line=13 source_column=4 source_end_column=20 deduplicated_name="fused_reduce.4"}
}

%condition (state: (s32[], f32[8])) -> pred[] {
  %state = (s32[], f32[8]{0}) parameter(0)
  %counter = s32[] get-tuple-element(%state), index=0, origin={{"while" {0}}}
  %limit = s32[] constant(24)
  ROOT %less = pred[] compare(%counter, %limit), direction=LT
}

%body (state.1: (s32[], f32[8])) -> (s32[], f32[8]) {
  %state.1 = (s32[], f32[8]{0}) parameter(0)
  %counter.1 = s32[] get-tuple-element(%state.1), index=0
  %values = f32[8]{0} get-tuple-element(%state.1), index=1
  %one = s32[] constant(1)
  %next = s32[] add(%counter.1, %one)
  %all-reduce-start = f32[8]{0} all-reduce-start(%values), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=%sum.1, backend_config={"operation_queue_id":"0","collective_backend_config":{"is_sync":false}}
  %all-reduce-done = f32[8]{0} all-reduce-done(%all-reduce-start)
  %permute = f32[8]{0} collective-permute(%all-reduce-done), channel_id=2, source_target_pairs={{0,1},{1,0}}, control-predecessors={%all-reduce-done, %next}
  ROOT %tuple.1 = (s32[], f32[8]{0}) tuple(%next, %permute)
}

ENTRY %main (arg.0: f32[8,16], arg.1: bf16[16]) -> f32[8] {
  %arg.0 = f32[8,16]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}, metadata={op_name="arg"}
  %arg.1 = bf16[16]{0} parameter(1), sharding={replicated}, parameter_replication={false}
  %fusion.1 = f32[8]{0} fusion(%arg.0), kind=kInput, calls=%fused_reduce, frontend_attributes={scope="inner"}
  %zero = s32[] constant(0)
  %start = (s32[], f32[8]{0}) tuple(%zero, %fusion.1)
  %while.1 = (s32[], f32[8]{0}) while(%start), condition=%condition, body=%body, backend_config={"known_trip_count":{"n":"24"}}
  %convert.1 = f32[16]{0} convert(%arg.1)
  %gemm = (f32[8,8]{1,0}, s8[4194304]{0}) custom-call(%arg.0, %arg.0), custom_call_target="__cublas$gemm", output_to_operand_aliasing={{0}: (0, {})}, api_version=API_VERSION_TYPED_FFI, backend_config="{\"alpha\":1}"
  %slice.1 = f32[4]{0} slice(%convert.1), slice={[0:4]}
  %many = (s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[]) tuple(%zero, %zero, %zero, %zero, %zero, /*index=5*/%zero)
  ROOT %result = f32[8]{0} get-tuple-element(%while.1), index=1
}

)";

const char* const gpu_operand_shapes = R"(HloModule cluster_3, is_scheduled=true

fused_computation {
  p = f16[4,8]{1,0} parameter(0)
  ROOT t = f16[8,4]{1,0} transpose(f16[4,8]{1,0} p), dimensions={1,0}
}

ENTRY %e (a.1: f16[4,8]) -> (f16[8,4], f32[2]) {
  %a.1 = f16[4,8]{1,0} parameter(0)
  %c.1 = f32[2]{0} constant({1, nan})
  %fusion = f16[8,4]{1,0} fusion(f16[4,8]{1,0} %a.1), kind=kLoop, calls=%fused_computation
  ROOT %t.2 = (f16[8,4]{1,0}, f32[2]{0}) tuple(f16[8,4]{1,0} %fusion, f32[2]{0} %c.1)
}
)";

const char* const cpu_short_form = R"(HloModule f

region {
  lhs = s64[] parameter(0)
  rhs = s64[] parameter(1)
  ROOT larger = s64[] maximum(lhs, rhs)
}

ENTRY entry {
  keys = s64[32]{0} parameter(0)
  least = s64[] constant(-9223372036854775808)
  windows = s64[8]{0} reduce-window(keys, least), window={size=4 stride=4}, to_apply=region
  picture = f32[1,8,8,4]{3,2,1,0} parameter(1)
  kernel = f32[3,3,4,4]{3,2,1,0} parameter(2)
  image = f32[1,8,8,4]{3,2,1,0} convolution(picture, kernel), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  random = (u64[2]{0}, u32[8]{0}) custom-call(windows), custom_call_target="rng", called_computations={region}
  part = u32[8]{0} get-tuple-element(random), index=1
  done = token[] after-all()
  ROOT out = (s64[8]{0}, f32[1,8,8,4]{3,2,1,0}, token[], u32[8]{0}) tuple(windows, image, done, part)
} // entry
)";

const char* const tpu_short_form = R"(HloModule jit_train, is_scheduled=true

ENTRY main.9 {
  p.0 = bf16[256,<=512]{1,0:T(8,128)(2,1)} parameter(0)
  p.1 = bf16[64,256]{1,0:T(8,128)(2,1)S(1)} parameter(1)
  scalar = s32[]{:T(128)} constant(7)
  start = (bf16[64,256]{1,0:T(8,128)(2,1)}, bf16[64,256]{1,0:T(8,128)(2,1)S(1)}, u32[]{:S(2)}) copy-start(p.1), cross_program_prefetch_index=0
  done = bf16[64,256]{1,0:T(8,128)(2,1)} copy-done(start), control-predecessors={scalar}
  four = s4[64,256]{1,0:T(8,128)E(4)} convert(done)
  nothing = () tuple()
  ROOT dot = f32[64,512]{1,0:T(8,128)} dot(done, p.0), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,default}
} // main.9

)";

// With elements of tuples in place of get-tuple-elements, and the JSON that is longest in such texts.
const char* const tpu_elements = R"(HloModule jit_step, is_scheduled=true

%body (wide: (s32[], (f32[8], u32[]), f32[8])) -> (s32[], (f32[8], u32[]), f32[8]) {
  %wide = (s32[]{:T(128)}, (f32[8]{0:T(128)}, u32[]{:S(2)}), f32[8]{0:T(128)}) parameter(0)
  %pair = (f32[8]{0:T(128)}, f32[8]{0:T(128)}) custom-call(%wide#1#0, %wide#2, %wide#2), custom_call_target="tpu_custom_call", output_to_operand_aliasing={{0}: (1, {})}, backend_config={"flag_configs":[],"indices_config":{"index_known_bits":[{"bitwidth":"32","ones":"0","zeroes":"4294967292"},{"bitwidth":"32","ones":"0","zeroes":"4294967295"}],"is_index_aligned":[]},"scoped_memory_configs":[],"used_scoped_memory_configs":[]}
  %copy.1 = s32[]{:T(128)} copy(%wide#0), control-predecessors={%pair}, backend_config={"aliasing_operands":{"lists":[{"indices":["0","1"]}]},"flag_configs":[],"scoped_memory_configs":[]}
  %sum = f32[8]{0:T(128)} add(%pair#0, %pair#1), metadata={op_name="jit(step)/add" stack_frame_id=5}
  %inner = (f32[8]{0:T(128)}, u32[]{:S(2)}) tuple(%sum, %wide#1#1)
  ROOT %next = (s32[]{:T(128)}, (f32[8]{0:T(128)}, u32[]{:S(2)}), f32[8]{0:T(128)}) tuple(%copy.1, %inner, %pair#0)
}

ENTRY %main (first: (f32[8], f32[8]), second: f32[8]) -> f32[8] {
  %first = (f32[8]{0}, f32[8]{0}) parameter(0)
  %second = f32[8]{0} parameter(1)
  ROOT %last = f32[8]{0} add(%first#1, %second)
}

)";

const char* const of_2019 = R"(HloModule cluster__XlaCompiledKernel_true__XlaNumConstantArgs_0

ENTRY %cluster (arg0.1: f32[2,3]) -> f32[3,2] {
  %arg0.1 = f32[2,3]{1,0} parameter(0), parameter_replication={false}, metadata={op_name="XLA_Args"}
  ROOT %transpose.2 = f32[3,2]{1,0} transpose(f32[2,3]{1,0} %arg0.1), dimensions={1,0}, metadata={op_type="Transpose" op_name="transpose"}
}
)";

const char* const dialects[] = {gpu_long_form,  gpu_operand_shapes, cpu_short_form,
                                tpu_short_form, tpu_elements,       of_2019};

/// A computation with one line to be looked at; the four lines and the two heads around it are as printed.
std::string with_line(std::string_view line) {
  return "HloModule m\n\n%f (q: f32[8]) -> f32[8] {\n  ROOT %q = f32[8]{0} parameter(0)\n}\n\nENTRY %e (a: f32[8]) -> "
         "f32[8] {\n"
         "  %a = f32[8]{0} parameter(0)\n" +
         std::string(line) + "\n  %t = (f32[8]{0}, f32[8]{0}) tuple(%a, %a)\n  ROOT %r = f32[8]{0} negate(%a)\n}\n";
}
constexpr std::size_t lines_around = 6;

bool same_findings(const std::string& text) { return both_readings(source(text)).difference().empty(); }

}  // namespace

TEST_CASE("every line that XLA prints is read in one go, with the same result") {
  for (const char* const text : dialects) {
    CAPTURE(std::string(text).substr(0, 40));
    const both_readings read{source(std::string(text))};
    CHECK(read.difference() == "");
    CHECK(read.lines() > 2);
    CHECK(read.taken() == read.lines());
    CHECK(read.plain().diagnostics.empty());
    CHECK(parse_hlo(source(std::string(text))).status == parse_status::ok);
    CHECK(same_findings(text));
  }
}

TEST_CASE("what breaks a rule about names or numbers is read in one go where the rule is about records") {
  const char* const table[] = {
      "  %x = f32[8]{0} add(%a)",
      "  %x = f32[8]{0} add(%a, %a), dimensions={0}",
      "  %a = f32[8]{0} negate(%a)",
      "  %x = f32[8]{0} negate(%a), metadata={op_name=\"x\"}, metadata={op_name=\"y\"}",
      "  %x = f32[8]{0} parameter(7)",
      "  ROOT %x = f32[8]{0} negate(%a)",
      "  %x = f32[4]{0} reshape(f32[4]{0} %a)",
      "  %x = f32[8]{0} fusion(%a), kind=kLoop, calls=%later",
  };
  for (const char* const line : table) {
    CAPTURE(std::string(line));
    const std::string text = with_line(line);
    const both_readings read{source(text)};
    CHECK(read.difference() == "");
    CHECK(read.taken() == lines_around + 1);
    CHECK(same_findings(text));
    CHECK_FALSE(parse_hlo(source(text)).diagnostics.empty());
  }
}

TEST_CASE("elements are read in one go, whether they came up before or not") {
  const std::string text = with_line(
      "  %p = (f32[8]{0}, (f32[8]{0}, f32[])) tuple(%a, %a)\n  %x = f32[8]{0} add(%p#0, %p#1#0)\n"
      "  %y = f32[8]{0} add(%p#0, %p#1#0)\n  %z = f32[8]{0} add(%p#1#0, %p#1#1), control-predecessors={%y}\n"
      "  %q = (f32[8]{0}, f32[8]{0}, f32[8]{0}) fusion(%a, %p#1, %p#1, %x), kind=kLoop, calls=%f\n"
      "  %s = f32[8]{0} add(f32[8]{0} %q#2, %q#0)");
  const both_readings read{source(text)};
  CHECK(read.difference() == "");
  CHECK(read.taken() == lines_around + 6);
  CHECK(same_findings(text));
}
TEST_CASE("a line with a new element that is refused makes no element") {
  const char* const table[] = {
      "add(%p#0, %p#2)",                     // no such element
      "add(%p#0, %p#0#0)",                   // an element of an array
      "add(%p#0, %p#99999999999999999999)",  // no number
      "add(%p#0, %missing)",                 // a name that is not there
      "add(%p#0, f32[7]{0} %a)",             // a shape after the new element
      "add(%p#0, %p#1), brightness=3",       // no attribute
      "add(%p#0, %p#1) // a comment",
      "add(%p#0, %p#1), calls={ ROOT %y = f32[8]{0} add(%p#1, %p#0) }",
  };
  for (const char* const line : table) {
    CAPTURE(std::string(line));
    const std::string text =
        with_line(std::string("  %p = (f32[8]{0}, f32[8]{0}) tuple(%a, %a)\n  %x = f32[8]{0} ") + line);
    const both_readings read{source(text)};
    CHECK(read.difference() == "");
    CHECK(read.taken() == lines_around + 1);
    CHECK(same_findings(text));
  }
}

TEST_CASE("anything else is refused and read by the grammar") {
  const char* const table[] = {
      "  %x = f32[8]{0} negate(%missing)",                                    // a name that is not there
      "  %x = f32[8]{0} invert(%a)",                                          // no opcode
      "  %x = ((f32[8]{0}), f32[8]{0}) negate-start(%a)",                     // sugar
      "  %x = f32[8]{0} negate(%a#0)",                                        // no element
      "  %x = f32[8]{0} negate(f32[8]{0} negate(%a))",                        // a nested instruction
      "  %x = negate(%a)",                                                    // no shape
      "  %x = f32[8]{0} negate(%a), brightness=3",                            // no attribute
      "  %x = f32[8]{0} negate(%a), sparsity=3",                              // an attribute of old
      "  %x = f32[8]{0} negate(%a), metadata={op_name=\"x\" op_name=\"y\"}",  // a field twice
      "  %x = f32[8]{0} negate(%a), metadata={op_name=\"x\" op_mood=\"y\"}",  // no field
      "  %x = f32[8]{0} negate(%a), metadata={op_name=\"x\" source_eQd_column=3}",
      "  %x = f32[8]{0} negate(%a), metadata={source_line=99999999999}",  // not in 32 bits
      "  %x = f32[8]{0} negate(%a), control-predecessors={%r}",           // comes later
      "  %x = f32[8]{0} negate(%a), calls=%f",                            // calls nothing
      "  %x = f32[8]{0} fusion(%a), kind=kLoop, calls={ ROOT %y = f32[8]{0} parameter(0) }",
      "  %x = f32[8]{0} fusion(%a), kind=kLoops, calls=%f",
      "  %x = f32[8]{0} fusion(%missing), kind=kLoop, calls={ %q = f32[8]{0} parameter(0), = }",
      "  %x = f32[8]{1} negate(%a)",  // a layout that does not fit
      "  %x = f99[8]{0} negate(%a)",  // no type
      "  %x = s8[] constant(1000)",   // a literal that does not fit
      "  %x = s8[] constant(",
      "  %x = f32[8]{0} negate( %a)",
      "  %x = f32[8]{0} negate(%a) ",
      "  %x = f32[8]{0} negate(%a) // a comment",
      "  %x = f32[8]{0} negate(%a)\n    , metadata={op_name=\"x\"}",
      "  %x = f32[8]{0} negate(%a),\n    metadata={op_name=\"x\"}",
      "  %x =  f32[8]{0} negate(%a)",
      "  x: = f32[8]{0} negate(%a)",
      "  true = f32[8]{0} negate(%a)",
      "  %x = f32[8]{0} negate(%a), dimensions={99999999999999999999}",
      "  %x = f32[8]{0} slice(%a), slice={[0:x]}",
      "  garbage",
  };
  for (const char* const line : table) {
    CAPTURE(std::string(line));
    const std::string text = with_line(line);
    const both_readings read{source(text)};
    CHECK(read.difference() == "");
    CHECK(read.taken() == lines_around);
    CHECK(same_findings(text));
  }
}

TEST_CASE("the done of a generic all-reduce is known by its first operand") {
  for (const char* const operands : {"%s, %a", "%a, %s"}) {
    CAPTURE(operands);
    const std::string text =
        with_line("  %s = f32[8]{0} async-start()\n  %d = f32[8]{0} all-reduce-done(" + std::string(operands) + ")");
    CHECK(both_readings(source(text)).difference() == "");
  }
}

TEST_CASE("heads that are not as printed are left to the grammar") {
  const struct {
    const char* head;
    bool taken;
  } table[] = {
      {"ENTRY %e (a: f32[8]) -> f32[8] {", true},     {"ENTRY e {", true},
      {"%e (a: (f32[8], pred[])) -> f32[8] {", true}, {"%e () -> f32[8] {", true},
      {"ENTRY %e (a: f32[8]) -> f32[8]{0} {", true},  {"ENTRY {", false},
      {"ENTRY  %e (a: f32[8]) -> f32[8] {", false},   {"ENTRY %e (a: f32[8]) -> f32[8] { // comment", false},
      {"ENTRY %e (a: f32[8]) ->f32[8] {", false},     {"ENTRY %e (a: f32[8]) -> {", false},
      {"ENTRY %e (a: f99[8]) -> f32[8]{1} {", false}, {"ENTRY %e(a: f32[8]) -> f32[8] {", false},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.head));
    const std::string text = std::string("HloModule m\n\n") + row.head +
                             "\n  %a = f32[8]{0} parameter(0)\n  ROOT %b = f32[8]{0} negate(%a)\n}\n";
    const both_readings read{source(text)};
    CHECK(read.difference() == "");
    CHECK((read.taken() == 3) == row.taken);
    CHECK(same_findings(text));
  }
}

TEST_CASE("a text that ends anywhere is the same") {
  for (const char* const text : dialects) {
    const std::string whole = text;
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      const both_readings read{source(whole.substr(0, size))};
      if (const std::string difference = read.difference(); !difference.empty())
        FAIL_CHECK(difference << " after " << whole.substr(0, size));
    }
  }
}

// HLOLINT_MUTANTS=100000 for the proof of a release.
TEST_CASE("mutants of the dialects are the same") {
  std::size_t count = 2000, taken = 0, lines = 0;
  if (const char* const text = std::getenv("HLOLINT_MUTANTS"))
    std::from_chars(text, text + std::string_view(text).size(), count);
  for (std::size_t number = 0; number != count; ++number) {
    fuzz::dice random(number);
    const std::string one = dialects[random.below(std::size(dialects))];
    const std::string other = dialects[random.below(std::size(dialects))];
    const std::string text = fuzz::mutate(one, other, 1 << 14, random);
    const both_readings read{source(text)};
    taken += read.taken();
    lines += read.lines();
    if (const std::string difference = read.difference(); !difference.empty())
      FAIL_CHECK("mutant " << number << ": " << difference << "\n" << text);
  }
  CHECK(2 * taken > lines);  // the mutants are not so broken that the fast path takes nothing
}
