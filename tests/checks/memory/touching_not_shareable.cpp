#include "checks/memory/memory_outcome.hpp"
#include "checks/paired_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::memory;

TEST_CASE("MEM002 alone: values that meet at one position") {
  const auto list = as_catalogue(touching_not_shareable{});
  const auto found = [&](const std::vector<value_row>& values) {
    return lint(list, context({.buffers = dump_of({{temp, values}}), .target = target::gpu}), all_settings(list))
        .size();
  };
  CHECK(found({{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 9, {9}}}) == 0);
  CHECK(found({{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}}) == 1);
  CHECK(found({{"a", 0, 64, 1, 5, {5}}, {"b", 32, 64, 5, 9, {9}}}) == 0);
  CHECK(found({{"a", 0, 64, 1, 4, {4}}, {"b", 0, 64, 5, 9, {9}}}) == 0);
}

TEST_CASE("what the compiler's instructions declare explains a touch") {
  const auto with = [](const std::string& first, const std::string& second) {
    return outcome(dump_of(
        {{temp,
          {{"z", 64, 64, 1, 5, {5}},
           {"f{0}", 0, 64, 5, 5, {}, "", "fusion(%z), calls=%c, output_to_operand_aliasing={" + first + "}"},
           {"f{1}", 0, 64, 5, 9, {9}, "", "fusion(%z), calls=%c, output_to_operand_aliasing={" + second + "}"}}}}));
  };
  CHECK(with("{0}: (0, {}), {1}: (0, {})", "{0}: (0, {}), {1}: (0, {})") == "");
  CHECK(with("{0}: (0, {})", "{0}: (0, {})") == "MEM002 note");
  CHECK(with("{0}: (0, {}), {1}: (1, {})", "{0}: (0, {}), {1}: (1, {})") == "MEM002 note");
}

TEST_CASE("the HLO decides about a touch") {
  struct touch {
    std::string_view what;
    std::string instructions;  // after op.0, a parameter
    std::vector<value_row> values;
    std::string gpu, cpu, tpu, alone;
  };
  const std::vector<value_row> handed_on{{"a", 0, 64, 1, 2, {2}}, {"b", 0, 64, 2, 3, {}}};
  const std::string a = "  a = u8[64]{0} not(op.0)\n";
  const touch rows[] = {
      {"two outputs in one place, one of them never read",
       "  c = (u8[64]{0}, u8[64]{0}) custom-call(op.0), custom_call_target=\"x\"\n  op.2 = u8[64]{0} "
       "get-tuple-element(c), index=1\n  ROOT op.3 = u8[64]{0} not(op.2)\n",
       {{"c{0}", 0, 64, 1, 1}, {"c{1}", 0, 64, 1, 3, {3}}},
       "MEM002 error",
       "MEM002 error",
       "MEM002 error",
       "MEM002 note"},
      {"the same, both declared aliases of the operand",
       "  c = (u8[64]{0}, u8[64]{0}) custom-call(op.0), custom_call_target=\"x\", output_to_operand_aliasing={{0}: (0, "
       "{}), {1}: (0, {})}\n"
       "  op.2 = u8[64]{0} get-tuple-element(c), index=1\n  ROOT op.3 = u8[64]{0} not(op.2)\n",
       {{"c{0}", 0, 64, 1, 1}, {"c{1}", 0, 64, 1, 4, {3}}},
       "",
       "",
       "",
       "MEM002 note"},
      {"elementwise", a + "  ROOT b = u8[64]{0} not(a)\n", handed_on, "", "", "", ""},
      {"an operand read out of order", a + "  ROOT b = u8[64]{0} reverse(a), dimensions={0}\n", handed_on,
       "MEM002 error", "MEM002 error", "MEM002 note", ""},
      {"indices of what is read from elsewhere",
       a + "  ROOT b = u8[64]{0} gather(op.0, a), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
           "index_vector_dim=1, slice_sizes={1}\n",
       handed_on, "MEM002 warning", "MEM002 warning", "MEM002 note", ""},
      {"a table read at indices",
       a + "  ROOT b = u8[64]{0} gather(a, op.0), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
           "index_vector_dim=1, slice_sizes={1}\n",
       handed_on, "MEM002 error", "MEM002 error", "MEM002 note", ""},
      {"a transform, which libraries do in place",
       "  a = c64[8]{0} custom-call(op.0), custom_call_target=\"x\"\n  ROOT b = c64[8]{0} fft(a), fft_type=FFT, "
       "fft_length={8}\n",
       handed_on, "MEM002 warning", "MEM002 warning", "MEM002 note", ""},
      {"what devices exchange", a + "  ROOT b = u8[64]{0} all-to-all(a), replica_groups={{0,1}}, dimensions={0}\n",
       handed_on, "MEM002 error", "MEM002 error", "MEM002 note", ""},
      {"the same of one device", a + "  ROOT b = u8[64]{0} all-to-all(a), replica_groups={{0}}, dimensions={0}\n",
       handed_on, "MEM002 warning", "MEM002 warning", "MEM002 note", ""},
      {"a matrix product of a library",
       a + "  ROOT b = u8[64]{0} custom-call(a, op.0), custom_call_target=\"__cublas$gemm\"\n", handed_on,
       "MEM002 error", "MEM002 error", "MEM002 note", ""},
      {"the same, over what it adds",
       a + "  ROOT b = u8[64]{0} custom-call(op.0, op.0, a), custom_call_target=\"__cublas$gemm\"\n", handed_on,
       "MEM002 note", "MEM002 note", "MEM002 note", ""},
      {"a custom-call", a + "  ROOT b = u8[64]{0} custom-call(a), custom_call_target=\"x\"\n", handed_on, "MEM002 note",
       "MEM002 note", "MEM002 note", ""},
      {"what only GPUs do in place", a + "  ROOT b = u8[64]{0} all-reduce(a), replica_groups={}, to_apply=or\n",
       handed_on, "", "MEM002 warning", "", ""},
      {"an HLO with other live ranges proves nothing",
       a + "  o = u8[64]{0} not(op.0)\n"
           "  ROOT b = u8[64]{0} reverse(a), dimensions={0}\n",
       handed_on, "", "", "", ""},
      {"nor does one without the values", "  ROOT o = u8[64]{0} not(op.0)\n", handed_on, "", "", "", ""},
  };
  for (const touch& r : rows) {
    CAPTURE(r.what);
    const buffer_dump dump = dump_of({{temp, r.values}}, 3);
    const auto with = [&](target backend, const std::string& header) {
      const parsed_file file = parse("HloModule m" + header +
                                     "\n\nor {\n  x = u8[] parameter(0)\n"
                                     "  y = u8[] parameter(1)\n  ROOT z = u8[] or(x, y)\n}\n"
                                     "\nENTRY main {\n  op.0 = u8[64]{0} parameter(0)\n" +
                                     r.instructions + "}\n");
      REQUIRE(file.status == parse_status::ok);
      return outcome(context({.hlo = file.modules().at(0), .buffers = dump, .target = backend}));
    };
    const std::string scheduled = ", is_scheduled=true";
    CHECK(with(target::gpu, scheduled) == r.gpu);
    CHECK(with(target::cpu, scheduled) == r.cpu);
    CHECK(with(target::tpu, scheduled) == r.tpu);
    CHECK(outcome(dump) == r.alone);
    if (r.gpu == "MEM002 error") CHECK(with(target::gpu, "") != "MEM002 error");
  }
}

TEST_CASE("without printed ranges those of the HLO count") {
  const auto found = [](const std::string& op, target backend) {
    std::string text = small_module();
    text.replace(text.find("cosine(%m)"), 10, op);
    const std::string dump = dump_text({{temp, {{"m", 0, 32, 2, 3, {3}}, {"k", 0, 32, 3, 4, {4}}}}});
    return outcome(context({.hlo = module_of(text),
                            .buffers = buffers_of(dump.substr(0, dump.find("\nUsed values"))),
                            .target = backend}));
  };
  CHECK(found("cosine(%m)", target::cpu) == "");
  CHECK(found("reverse(%m), dimensions={0}", target::cpu) == "MEM002 error");
  CHECK(found("reverse(%m), dimensions={0}", target::tpu) == "MEM002 note");
}
