#include "verify/catches.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

TEST_CASE("numbers of operands") {
  catches_not(entry("ROOT %r = f32[2,3]{1,0} add(%a, %b)"));
  catches(entry("ROOT %r = f32[2,3]{1,0} |add(%a)"), "add takes 2 operands, but has 1", "r");
  catches(entry("ROOT %r = f32[2,2]{1,0} |dot(%a), lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
          "dot takes at least 2 operands, but has 1", "r");
  catches_not(
      entry("ROOT %r = f32[2,2]{1,0} dot(%a, %b, %a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
            "block_scaling_config={lhs={scale_idx=2} rhs={scale_idx=3}}"));
  catches(entry("ROOT %r = f32[2,3]{1,0} |negate(%a, %b)"), "negate takes 1 operand, but has 2", "r");
  catches(entry("ROOT %r = (f32[2,3]{1,0}) |tuple(%a, %b)"), "a tuple of 1 element has 2 operands", "r");
  catches(entry("ROOT %r = f32[] |reduce(%a), dimensions={0,1}, to_apply=%f"),
          "reduce takes an even number of operands, but has 1", "r");
  catches_not(program({"f32[4,8]{1,0}", "f32[]"}, "f32[] reduce(%p0, %p1), dimensions={0,1}, to_apply=%add"));
}

TEST_CASE("names") {
  catches(entry("ROOT %r = f32[2,3]{1,0} add(%a, %|c)"), "no instruction 'c' stands before this one in its computation",
          "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} negate(%a), control-predecessors={%|c}"),
          "no instruction 'c' in this computation");
  catches_not(entry("%c = f32[2,3]{1,0} negate(%a)\n  %d = f32[2,3]{1,0} negate(%b), control-predecessors={%c}"));
  catches(entry("%c = f32[2,3]{1,0} negate(%a), control-predecessors={%b, %|d}\n  %d = f32[2,3]{1,0} negate(%b)"),
          "control predecessor 'd' stands after this instruction", "c");
  catches(entry("%c = f32[2,3]{1,0} negate(%a), control-predecessors={%|c}"), "instruction 'c' waits for itself", "c");
  catches(entry("ROOT %r = f32[2,3]{1,0} fusion(%a), kind=kLoop, calls=%|g"),
          "there is no computation 'g' in this module");
  catches(entry("%|a = f32[2,3]{1,0} negate(%a)"), "instruction 'a' is defined twice", "a");
  catches(entry("ROOT %c = f32[2,3]{1,0} negate(%a)\n  ROOT %|d = f32[2,3]{1,0} negate(%a)"),
          "a computation has one ROOT", "d");
  catches(entry("%|__c = f32[2,3]{1,0} negate(%a)"), "'__c' is not a legal instruction name", "__c");
  catches_not(entry("%__xla_c = f32[2,3]{1,0} negate(%a)"));
  catches(entry("ROOT %c = f32[2,3]{1,0} negate(%|t#2)"), "there is no element 2", "c");
  catches(entry("ROOT %c = f32[2,3]{1,0} negate(%|a#0)"), "only a tuple has elements", "c");
  catches_not(entry("ROOT %c = f32[2,3]{1,0} negate(%t#1)"));
}

TEST_CASE("parameters and signatures") {
  catches(entry("%c = f32[] parameter(|1)"), "parameter number 1 is taken", "c");
  catches(entry("%c = f32[] parameter(|-1)"), "a parameter number is at least 0", "c");
  catches("ENTRY %|e {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(2)\n}\n",
          "parameter 1 is missing: the numbers go from 0 to 1");
  catches("ENTRY %e |(a: f32[]) -> f32[2] {\n  ROOT %a = f32[] parameter(0)\n}\n",
          "the result shape of the signature differs from that of the root");
  catches(entry("ROOT %c = f32[2,3]{1,0} negate(f32[3,2]{1,0} %|a)"),
          "the shape written before the operand differs from the operand's own", "c");
}

TEST_CASE("numbers of many parameters, in any order") {
  const auto body = [](const std::vector<int>& numbers) {
    std::string out = "ENTRY %|e {\n";
    for (std::size_t k = 0; k != numbers.size(); ++k)
      out += "  %p." + std::to_string(k) + " = f32[] parameter(" + std::to_string(numbers[k]) + ")\n";
    return out + "}\n";
  };
  std::vector<int> numbers(200);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto catches_none = [&] {
    std::string text = body(numbers);
    catches_not(text.erase(text.find('|'), 1));
  };
  catches_none();
  std::reverse(numbers.begin(), numbers.end());
  catches_none();
  std::rotate(numbers.begin(), numbers.begin() + 77, numbers.end());
  catches_none();
  for (const int missing : {0, 63, 64, 150}) {
    std::vector<int> gap = numbers;
    std::replace(gap.begin(), gap.end(), missing, 200);
    catches(body(gap), "parameter " + std::to_string(missing) + " is missing: the numbers go from 0 to 199");
  }
  for (const auto& [at, number] : {std::pair{170, 63}, {170, 64}, {0, 199}}) {
    std::iota(numbers.begin(), numbers.end(), 0);
    numbers.push_back(number);
    std::swap(numbers[static_cast<std::size_t>(at)], numbers[100]);
    std::string text = body(numbers);
    text.erase(text.find('|'), 1);
    text.insert(text.rfind('(') + 1, "|");
    catches(text, "parameter number " + std::to_string(number) + " is taken", "p.200");
    numbers.pop_back();
  }
}

TEST_CASE("attributes that are missing, foreign, repeated, or of the wrong form") {
  catches(entry("ROOT %r = f32[3,2]{1,0} |transpose(%a)"), "transpose needs the attribute dimensions", "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} negate(%a), |index=1"), "attribute index does not belong to negate", "r");
  catches(entry("ROOT %r = pred[2,3]{1,0} compare(%a, %a), direction=LT, type=FLOAT, |order=TOTAL"),
          "a comparison has a type or an order, not both", "r");
  catches(entry("ROOT %r = f32[3,2]{1,0} transpose(%a), dimensions={1,0}, |dimensions={1,0}"),
          "attribute dimensions stands here twice", "r");
  catches(entry("ROOT %r = f32[4,3]{1,0} concatenate(%a, %b), dimensions=|{0,1}"),
          "expected a list of 1 integer, found 2", "r");
  catches(entry("ROOT %r = f32[2,2]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
                "algorithm=|rng_philox"),
          "the algorithm of dot is one of dots, such as dot_bf16_bf16_f32", "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} all-reduce(%a), to_apply=%f, mode=|rotate"),
          "the mode of all-reduce is one of collectives, such as cross_replica", "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} shuffle(%a), dimensions={0}, shifts={1}, mode=|cross_replica"),
          "the mode of shuffle is rotate", "r");
  catches("HloModule m, replica_count=2, |replica_count=2\nENTRY e {\n  a = f32[] parameter(0)\n}\n",
          "attribute replica_count stands here twice");
  const std::string scalar = "ENTRY e {\n  a = f32[] parameter(0)\n}";
  catches_not("HloModule m, backend_config={\"a\":1}\n" + scalar +
              ", backend_config={\"a\":1}, execution_thread=\"x\"\n");
  catches("HloModule m\n" + scalar + ", execution_thread=\"x\", |execution_thread=\"y\"\n",
          "attribute execution_thread stands here twice");
  catches("HloModule m\n" + scalar + ", |metadata={}\n", "attribute metadata does not belong here");
  catches("HloModule m, |index=2\nENTRY e {\n  a = f32[] parameter(0)\n}\n", "attribute index does not belong here");
}

TEST_CASE("opcodes of 2026") {
  catches_not(entry("ROOT %r = f32[2,3]{1,0} exp2(%a), result_accuracy={mode=highest}"));
  catches(entry("ROOT %r = f32[2]{0} |log2(%a)"),
          "log2 of f32[2,3]{1,0} cannot be f32[2]{0}: its operands and its result have the same dimensions", "r");
  catches_not(entry("ROOT %r = f32[2,3]{1,0} shuffle(%a), dimensions={0}, shifts={1}, mode=rotate"));
  catches(entry("ROOT %r = f32[2,3]{1,0} |shuffle(%a), dimensions={0}, shifts={1}"), "shuffle needs the attribute mode",
          "r");
  const std::string groups = "channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%f";
  catches_not(entry("ROOT %r = f32[2,3]{1,0} collective-reduce(%a), has_dynamic_root=true, " + groups));
  catches_not(entry("%s = ((f32[2,3]{1,0}), f32[2,3]{1,0}) collective-reduce-start(%a), " + groups +
                    "\n  ROOT %r = f32[2,3]{1,0} collective-reduce-done(%s)"));
  catches(entry("ROOT %r = f32[2,3]{1,0} |collective-reduce(%a)"), "collective-reduce needs the attribute to_apply",
          "r");
}

TEST_CASE("elements of tuples") {
  catches_not(entry("ROOT %r = f32[2,3]{0,1:S(1)} get-tuple-element(%t), index=1"));
  catches_not(entry("ROOT %r = bf16[2,<=3]{1,0} get-tuple-element(%t), index=1"));
  catches_not(entry("ROOT %r = f32[2,3]{1,0} get-tuple-element(%t), index=0"));
  catches(entry("ROOT %r = f32[2,3]{1,0} get-tuple-element(%t), index=|2"), "there is no element 2", "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} get-tuple-element(%t), index=|-1"), "there is no element -1", "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} |get-tuple-element(%a), index=0"), "only a tuple has elements", "r");
  catches(entry("ROOT %r = f32[3]{0} |get-tuple-element(%t), index=0"), "element 0 is f32[2,3]{1,0}, not f32[3]{0}",
          "r");
  catches(entry("ROOT %r = s32[2,3]{1,0} |get-tuple-element(%t), index=1"),
          "element 1 is f32[2,3]{1,0}, not s32[2,3]{1,0}", "r");
  catches_not(entry("%u = add(%a, %b)\n  ROOT %r = f32[3]{0} get-tuple-element(%u), index=7"));
}

TEST_CASE("numbers and shapes that nothing can have") {
  catches(entry("ROOT %r = f32[2,3]{1,0} custom-call(%a, %b), custom_call_target=\"x\", "
                "operand_layout_constraints=|{f32[2,3]{0,1}, s32[2,3]{1,0}}"),
          "the layout of operand 1, which is f32[2,3]{1,0}, cannot be that of s32[2,3]{1,0}", "r");
  catches_not(
      entry("ROOT %r = f32[2,3]{1,0} custom-call(%a), custom_call_target=\"x\", "
            "operand_layout_constraints={f32[2,<=3]{0,1:S(1)}}"));
  catches(entry("ROOT %r = (f32[], f32[2,3]{1,0}) scan(%a), dimensions={0}, num_carries=|-1, to_apply=%f"),
          "num_carries is at least 0", "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} add(%a, |constant(1))"), "constant needs its shape before it", "r");
  catches(entry("ROOT %r = f32[2,3]{1,0} add(%a, |parameter(3))"), "parameter needs its shape before it", "r");
  const std::string tables =
      "\n\nFileNames\n1 \"a\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n1 {file_name_id=1 "
      "function_name_id=1 line=1 end_line=|2147483648 column=1 end_column=1}\n\nStackFrames\n1 "
      "{file_location_id=1 parent_frame_id=1}\n\n\n";
  const reading large("HloModule m" + tables + "ENTRY %e {\n  ROOT %a = f32[] parameter(0)\n}\n");
  REQUIRE(large.file.diagnostics.size() == 1);
  CHECK(large.file.diagnostics[0].message == "2147483648 does not fit in 32 bits");
  CHECK(large.file.diagnostics[0].where.at.begin == large.mark);
}

TEST_CASE("entries and aliases") {
  catches("ENTRY e {\n  a = f32[] parameter(0)\n}\nENTRY |f {\n  a = f32[] parameter(0)\n}\n",
          "a module has one ENTRY");
  catches(
      "HloModule m, input_output_alias={ |{1}: (0, {}) }\nENTRY e {\n  a = f32[] parameter(0)\n  ROOT t = (f32[]) "
      "tuple(a)\n}\n",
      "the entry's result has no element {1}");
}

TEST_CASE("async chains") {
  const std::string start = "%s = ((f32[2,3]{1,0}), f32[2,3]{1,0}, u32[]) async-start(%a), calls=%f\n  ";
  catches_not(entry(start + "ROOT %d = f32[2,3]{1,0} async-done(%s)"));
  catches(entry(start + "ROOT %d = f32[2,3]{1,0} async-done(%s), async_execution_thread=|\"other\""),
          "async_execution_thread differs from that of the start", "d");
  catches(entry("%s = f32[2,3]{1,0} |async-start(%a), calls=%f"),
          "async-start has a result of the form ((operand shapes), result shape, ...)", "s");
}

TEST_CASE("results of asynchronous operations") {
  const auto copied = [](std::string_view done) {
    return entry("%s = (f32[2,3]{1,0}, f32[2,3]{1,0}, u32[]) copy-start(%a)\n  %d = " + std::string(done) + "(%s)");
  };
  catches_not(copied("f32[2,3]{1,0} copy-done"));
  catches(copied("f32[3]{0} |copy-done"), "this copy-done is f32[3]{0}, but its start gives f32[2,3]{1,0}", "d");
  const auto gathered = [](std::string_view done) {
    return entry(
        "%s = (f32[2,3]{1,0}, f32[8,3]{1,0}) all-gather-start(%a), replica_groups={}, dimensions={0}\n  %d = " +
        std::string(done) + "(%s)");
  };
  catches_not(gathered("f32[8,3]{1,0} all-gather-done"));
  catches(gathered("f32[2,3]{1,0} |all-gather-done"),
          "this all-gather-done is f32[2,3]{1,0}, but its start gives f32[8,3]{1,0}", "d");
  catches_not(
      entry("%s = ((f32[2,3]{1,0}), f32[2,3]{1,0}, u32[]) async-start(%a), calls=%f\n"
            "  %d = f32[2,3]{1,0} async-done(%s)"));
  catches(entry("%s = ((f32[2,3]{1,0}), f32[2,3]{1,0}, u32[]) async-start(%a), calls=%f\n"
                "  %d = s32[2,3]{1,0} |async-done(%s)"),
          "this async-done is s32[2,3]{1,0}, but its start gives f32[2,3]{1,0}", "d");
}

TEST_CASE("a long chain of updates is followed in linear time") {
  std::string text = "%up.0 = ((f32[2,3]{1,0}), f32[2,3]{1,0}, u32[]) async-start(%a), calls=%f\n";
  for (int i = 1; i != 20000; ++i)
    text += "  %up." + std::to_string(i) + " = ((f32[2,3]{1,0}), f32[2,3]{1,0}, u32[]) async-update(%up." +
            std::to_string(i - 1) + ")\n";
  const reading r(entry(text));
  CHECK_MESSAGE(r.file.diagnostics.empty(), r.file.diagnostics.front().message);
}
