#include <hlolint/grammar/hlo/literal.hpp>
#include <hlolint/grammar/attributes/table.hpp>
#include <hlolint/grammar/x3/names.hpp>

#include "grammar/attributes/checks.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

using namespace hlolint;
using enum tests::outcome;

namespace {

/// Attributes of an instruction, computations being names, or of a header.
constexpr auto names = '{' >> -(grammar::name % ',') >> '}';
constexpr auto instruction_attribute =
    grammar::attribute_table(grammar::name, names, names, grammar::literal_with_shape, instruction_attribute_types{},
                             operation_attribute_types{});
constexpr std::array<std::string_view, 6> header_keys{
    "input_output_alias",    "buffer_donor",     "entry_computation_layout",
    "origin_recovery_table", "debug_attributes", "allow_spmd_sharding_propagation_to_output"};

tests::checked_text check_attribute(std::string_view key, std::string_view value) {
  const std::string text = std::string(key) + "=" + std::string(value);
  tests::checked_text found = std::find(header_keys.begin(), header_keys.end(), key) != header_keys.end()
                                  ? tests::check_text(grammar::header_attribute, text)
                                  : tests::check_text(instruction_attribute, text);
  if (found.where != std::string_view::npos) found.where -= key.size() + 1;
  return found;
}
void check_value(std::string_view key, std::string_view marked, tests::outcome expected) {
  std::string text(marked);
  const std::size_t mark = text.find('|');
  if (mark != std::string::npos) text.erase(mark, 1);
  CAPTURE(key);
  CAPTURE(marked);
  const tests::checked_text found = check_attribute(key, text);
  CHECK(found.found == expected);
  CHECK(found.where == mark);
  if (expected == broken) CHECK(found.findings == 1);
}

}  // namespace

TEST_CASE("values of attributes, right and wrong") {
  struct row {
    std::string_view key;
    std::string_view text;
    tests::outcome expected;
  };
  for (const auto& [key, text, expected] : {
           row{"later", "{a, [b], \"}\"}", fine},
           {"later", "x.y", fine},
           {"later", "|{a", failed},
           {"later", "|", failed},
           {"index", "0", fine},
           {"index", "-12", fine},
           {"index", "18446744073709551615", fine},
           {"index", "|18446744073709551616", failed},
           {"index", "1|.5", failed},
           {"index", "|x", failed},
           {"cross_program_prefetch_index", "2147483647", fine},
           {"cross_program_prefetch_index", "|2147483648", broken},
           {"cross_program_prefetch_index", "|-2147483649", broken},
           {"fft_length", "{}", fine},
           {"fft_length", "{0,12,-3}", fine},
           {"fft_length", "{ 0 , /*x*/ 1 }", fine},
           {"fft_length", "{0,|}", failed},
           {"fft_length", "{|,0}", failed},
           {"fft_length", "{0|.5}", failed},
           {"fft_length", "{0 |1}", failed},
           {"fft_length", "|0", failed},
           {"fft_length", "{|99999999999999999999}", failed},
           {"fft_length", "{0|", failed},
           {"dimensions", "{3}", fine},
           {"dimensions", "{}", fine},
           {"dimensions", "{1,2}", fine},
           {"dimensions", "{|a}", failed},
           {"slice_sizes", "{}", fine},
           {"slice_sizes", "{{0,1},{2}}", fine},
           {"slice_sizes", "{{}}", fine},
           {"slice_sizes", "{{0},|}", failed},
           {"slice_sizes", "{{0},|0}", failed},
           {"slice_sizes", "{0,1}", fine},
           {"source_target_pairs", "{{0,1},{1,0}}", fine},
           {"source_target_pairs", "{}", fine},
           {"source_target_pairs", "{{0,1},|{1}}", broken},
           {"source_target_pairs", "{|{0,1,2}}", broken},
           {"lower", "true", fine},
           {"lower", "false", fine},
           {"lower", "|True", failed},
           {"lower", "|1", failed},
           {"allow_spmd_sharding_propagation_to_output", "true", fine},
           {"allow_spmd_sharding_propagation_to_output", "{true,false}", fine},
           {"allow_spmd_sharding_propagation_to_output", "{}", fine},
           {"allow_spmd_sharding_propagation_to_output", "{true,|1}", failed},
           {"parameter_replication", "{true}", fine},
           {"parameter_replication", "|true", failed},
           {"custom_call_target", "\"a\\\"b\"", fine},
           {"custom_call_target", "'a'", fine},
           {"custom_call_target", "|\"a", failed},
           {"custom_call_target", "|a", failed},
           {"epsilon", "1e-05", fine},
           {"epsilon", "1", fine},
           {"epsilon", "nan", fine},
           {"epsilon", "-1.", fine},
           {"epsilon", "|1e39", broken},
           {"epsilon", "|inf", broken},
           {"epsilon", "|1e309", failed},
           {"epsilon", "|.5", failed},
           {"window", "{size=3x3 stride=2x2 pad=0_1x-1_0 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x1}", fine},
           {"window", "{}", fine},
           {"window", "{size=3}", fine},
           {"window", "|{size=3x3 stride=2}", broken},
           {"window", "|{stride=2}", broken},
           {"window", "{size=3 |size=3}", broken},
           {"window", "{size=|_}", failed},
           {"window", "{size=3 pad=1_1|_1}", failed},
           {"window", "{size=3 |sides=3}", failed},
           {"window", "{size=3|, stride=1}", failed},
           {"dim_labels", "b01f_01io->b01f", fine},
           {"dim_labels", "bf_io->bf", fine},
           {"dim_labels", "b?0f_0io->b0f?", fine},
           {"dim_labels", "b0f_0io->b0f|0", broken},
           {"dim_labels", "b|1f_0io->b0f", broken},
           {"dim_labels", "|b0f_0io->b01f", broken},
           {"dim_labels", "|b0f_0io", failed},
           {"dim_labels", "|bf0_0io=>b0f", failed},
           {"padding", "0_0", fine},
           {"padding", "0_1_2x-1_0", fine},
           {"padding", "|0", failed},
           {"padding", "0_0x|", failed},
           {"slice", "{[0:4], [0:8:2]}", fine},
           {"slice", "{}", fine},
           {"slice", "{[0|]}", failed},
           {"slice", "{[0:1:2|:3]}", failed},
           {"slice", "{[0:4|}", failed},
           {"slice", "{[0:4],|}", failed},
           {"operand_precision", "{default,HIGHEST}", fine},
           {"operand_precision", "{}", fine},
           {"operand_precision", "{|low}", failed},
           {"direction", "EQ", fine},
           {"direction", "|eq", failed},
           {"type", "TOTALORDER", fine},
           {"order", "TOTAL", fine},
           {"order", "|total", failed},
           {"kind", "kLoop", fine},
           {"kind", "|kloop", failed},
           {"fft_type", "IRFFT", fine},
           {"fft_type", "|DCT", failed},
           {"padding_type", "PADDING_SAME", fine},
           {"convolution_kind", "wgrad", fine},
           {"convolution_kind", "|grad", failed},
           {"algorithm", "dot_bf16_bf16_f32_x3", fine},
           {"algorithm", "DOT_F32_F32_F32", fine},
           {"algorithm", "dot_bf16_bf16_fp8x3", fine},
           {"algorithm", "dot_bf16_bf16_fp8x4", fine},
           {"algorithm", "unset", fine},
           {"algorithm", "|dot_f32", failed},
           {"distribution", "rng_normal", fine},
           {"algorithm", "rng_philox", fine},
           {"algorithm", "|philox", failed},
           {"schedule", "SCHEDULE_LATEST", fine},
           {"schedule", "|LATEST", failed},
           {"api_version", "API_VERSION_TYPED_FFI", fine},
           {"api_version", "API_VERSION_UNSPECIFIED", fine},
           {"api_version", "|1", failed},
           {"mode", "flattened_id", fine},
           {"mode", "|default", failed},
           {"mode", "rotate", fine},
           {"mode", "|ROTATE", failed},
           {"shifts", "{1,-1}", fine},
           {"shifts", "|1", failed},
           {"transpose_a", "ADJOINT", fine},
           {"frontend_attributes", "{a=\"x\",b={\"y\":{}}}", fine},
           {"frontend_attributes", "{}", fine},
           {"frontend_attributes", "{a=|1}", failed},
           {"frontend_attributes", "{a=\"x\",|}", failed},
           {"statistics", "{visualizing_index=0,name=1.5}", fine},
           {"statistics", "{}", fine},
           {"statistics", "{a=1|.5}", failed},
           {"statistics", "{a=1,b=1e999,c=-1e999,d=nan}", fine},
           {"statistics", "{a=1,b=|inf}", failed},
           {"statistics", "{a=1,b=|-inf}", failed},
           {"backend_config", "{\"a\":\"}\"}", fine},
           {"backend_config", "\"text\"", fine},
           {"backend_config", "|{\"a\"", failed},
           {"backend_config", "|[1]", failed},
           {"input_output_alias", "{ {0}: (1, {}, may-alias), {1}: (2, {0}, must-alias) }", fine},
           {"input_output_alias", "{}", fine},
           {"input_output_alias", "{ {}: (0, {}), }", fine},
           {"input_output_alias", "{ {0} |(1, {}) }", failed},
           {"input_output_alias", "{ {0}:|: (1, {}) }", failed},
           {"input_output_alias", "{ {0}: (|a, {}) }", failed},
           {"input_output_alias", "{ {0}: (1, {}, |user) }", failed},
           {"input_output_alias", "{ {0}: (1|) }", failed},
           {"input_output_alias", "{ {|-1}: (1, {}) }", broken},
           {"buffer_donor", "{ (0, {}), (1, {0,1}) }", fine},
           {"buffer_donor", "{ (0|) }", failed},
           {"buffer_donor", "{ |{0}: (0, {}) }", failed},
           {"output_to_operand_aliasing", "{{0}: (1, {}), {1,0}: (2, {0})}", fine},
           {"output_to_operand_aliasing", "{{0}: (1, {}|, may-alias)}", failed},
           {"entry_computation_layout", "{(f32[2]{0}, /*index=1*/s8[])->(f32[], f32[2]{0})}", fine},
           {"entry_computation_layout", "{()->f32[]}", fine},
           {"entry_computation_layout", "{(f32[])|}", failed},
           {"entry_computation_layout", "{|f32[]->f32[]}", failed},
           {"outfeed_shape", "f32[2,3]{1,0}", fine},
           {"outfeed_shape", "f32|", failed},
           {"operand_layout_constraints", "{f32[], (s8[1]{0})}", fine},
           {"operand_layout_constraints", "{}", fine},
           {"literal", "s32[2]{0} {1, 2}", fine},
           {"literal", "(s32[] 1, f32[2]{0} {1, 2})", fine},
           {"literal", "s32[2]{0} {1|}", broken},
           {"literal", "()", fine},
           {"literal", "|{1}", failed},
           {"domain", "{kind=\"sharding\", entry={replicated}, exit={maximal device=0}}", fine},
           {"domain", "{kind=\"sharding\" entry={replicated} exit={replicated}}", fine},
           {"domain", "|{kind=\"sharding\"}", broken},
           {"domain", "{kind=|\"other\", entry={replicated}, exit={replicated}}", broken},
           {"domain", "{|sort=1}", failed},
           {"sparsity_config", "{lhs={sparsity=2x4 dimension=1 stride=1 idx=0} rhs={}}", fine},
           {"sparsity_config", "{lhs={sparsity=|2}}", broken},
           {"sparsity_config", "{lhs={|size=2}}", failed},
           {"block_scaling_config", "{lhs={scale_idx=2} rhs={scale_idx=3}}", fine},
           {"block_scaling_config", "{rhs={}}", fine},
           {"block_scaling_config", "{lhs={|size=2}}", failed},
           {"block_scaling_config", "{lhs={scale_idx=2}|,rhs={}}", failed},
           {"result_accuracy", "{mode=highest}", fine},
           {"result_accuracy", "{tolerance={atol=0,rtol=0.5,ulps=2}}", fine},
           {"result_accuracy", "{mode=|best}", failed},
           {"result_accuracy", "{tolerance={|eps=1}}", failed},
           {"result_accuracy", "{|level=1}", failed},
           {"origin_recovery_table", "{ {\"a\" {0}} : {\"b\"}, \"ENTRY m\" {\"c\"} : {} }", fine},
           {"origin_recovery_table", "{}", fine},
           {"origin_recovery_table", "{ {\"a\"} |}", failed},
           {"debug_attributes",
            "{ {\"a\"}:({log_mode=default,callback_id=1},{op_id=2}), {\"b\" {0}}:{partitioned=true} }", fine},
           {"debug_attributes", "{ {\"a\"}:({|mode=1}) }", failed},
           {"debug_attributes", "{ {\"a\"}:() }", fine},
           {"debug_attributes", "{ {\"a\"}:{|} }", failed},
           {"debug_attributes", "{ {\"a\"}:({op_id=1},{|}) }", failed},
           {"debug_attributes", "{ {\"a\"}:({log_mode=|some}) }", failed},
       })
    check_value(key, text, expected);
}

TEST_CASE("metadata") {
  for (const std::string_view text : {
           R"({op_type="add" op_name="jit(f)/add" source_file="a.py" source_line=3})",
           "{}",
           R"({op_name="a\"}b", source_line=1})",
           "{profile_type={1,3}}",
           "{preserve_layout=true}",
           R"({stack_frame_id=7 size_of_memory_working_set_in_bytes=12 op_name="x"})",
           R"({later={a [1 2] "}"} op_name="x"})",
       })
    check_value("metadata", text, fine);
  check_value("metadata", "{op_name=|3}", failed);
  check_value("metadata", "{source_line=|\"3\"}", failed);
  check_value("metadata", "{op_name=\"a\" |\"b\"}", failed);
  check_value("metadata", "{op_name=\"a\"|", failed);
  check_value("metadata", "{source_line=|3000000000}", broken);
  check_value("metadata", "{op_name=\"a\" |op_name=\"b\"}", broken);
  check_value("metadata", "{profile_type=|{1,4}}", broken);
}

TEST_CASE("the tree of an origin") {
  for (const std::string_view text :
       {"{{\"a\"}}", "{{\"a\" {0,1}}}", "{({\"a\"}, ({\"b\" {0}}, {}))}", "{()}", "{{}}", "{}", "{[synthetic_call]}",
        "{{\"a\"}, [\"x/y\"]}", "{({\"a\"}, {\"b\"}),['x']}", "{{},[\"\"]}"})
    check_value("origin", text, fine);
  for (const std::string_view text :
       {"{({\"a\"}|}", "{({\"a\"})|)}", "{({\"a\"},|)}", "{({\"a\"} |{\"b\"})}", "{{\"a\" {0}|", "{|\"a\"}",
        "{[|other]}", "{{\"a\"},|{\"b\"}}", "{{\"a\"},[\"x\"]|,[\"y\"]}", "{{\"a\"},[\"x\"|,\"y\"]}", "{{\"a\"},[|]}",
        "{[synthetic_call]|,[\"x\"]}"})
    check_value("origin", text, failed);
}

TEST_CASE("deep nesting is an error, not a crash") {
  const std::string open(1000000, '('), braces(1000000, '{');
  for (const std::string_view key :
       {"origin", "literal", "outfeed_shape", "sharding", "later", "backend_config", "metadata"})
    for (const std::string& text : {open, braces, "{" + open, "{" + braces}) {
      CAPTURE(key);
      CHECK(check_attribute(key, text).found == failed);
    }
}
