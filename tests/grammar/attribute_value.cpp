#include <hlolint/grammar/attribute_value.hpp>

#include "attribute_checks.hpp"

using namespace hlolint;
using grammar::attribute_syntax;
using enum tests::outcome;

TEST_CASE("values of attributes, right and wrong") {
  struct row {
    attribute_syntax syntax;
    std::string_view text;
    tests::outcome expected;
  };
  using enum attribute_syntax;
  for (const auto& [syntax, text, expected] : {
           row{raw, "{a, [b], \"}\"}", fine}, {raw, "x.y", fine}, {raw, "|{a", failed}, {raw, "|", failed},
           {integer, "0", fine}, {integer, "-12", fine}, {integer, "18446744073709551615", fine},
           {integer, "|18446744073709551616", failed}, {integer, "1|.5", failed}, {integer, "|x", failed},
           {int32, "2147483647", fine}, {int32, "|2147483648", broken}, {int32, "|-2147483649", broken},
           {integers, "{}", fine}, {integers, "{0,12,-3}", fine}, {integers, "{ 0 , /*x*/ 1 }", fine},
           {integers, "{0,|}", failed}, {integers, "{|,0}", failed}, {integers, "{0|.5}", failed}, {integers, "{0 |1}", failed},
           {integers, "|0", failed}, {integers, "{|99999999999999999999}", failed}, {integers, "{0|", failed},
           {one_integer, "{3}", fine}, {one_integer, "|{}", broken}, {one_integer, "|{1,2}", broken}, {one_integer, "{|a}", failed},
           {integer_lists, "{}", fine}, {integer_lists, "{{0,1},{2}}", fine}, {integer_lists, "{{}}", fine},
           {integer_lists, "{{0},|}", failed}, {integer_lists, "{|0}", failed},
           {pairs, "{{0,1},{1,0}}", fine}, {pairs, "{}", fine}, {pairs, "{{0,1},|{1}}", broken}, {pairs, "{|{0,1,2}}", broken},
           {boolean, "true", fine}, {boolean, "false", fine}, {boolean, "|True", failed}, {boolean, "|1", failed},
           {booleans, "true", fine}, {booleans, "{true,false}", fine}, {booleans, "{}", fine}, {booleans, "{true,|1}", failed},
           {replication, "{true}", fine}, {replication, "|true", failed},
           {string, "\"a\\\"b\"", fine}, {string, "'a'", fine}, {string, "|\"a", failed}, {string, "|a", failed},
           {number, "1e-05", fine}, {number, "1", fine}, {number, "nan", fine}, {number, "-1.", fine},
           {number, "|1e39", broken}, {number, "|inf", broken}, {number, "|1e309", failed}, {number, "|.5", failed},
           {window, "{size=3x3 stride=2x2 pad=0_1x-1_0 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x1}", fine},
           {window, "{}", fine}, {window, "{size=3}", fine}, {window, "{size=3x3 stride=|2}", broken},
           {window, "{stride=|2}", broken}, {window, "{size=3 |size=3}", broken}, {window, "{size=|_}", failed},
           {window, "{size=3 pad=|1_1_1}", failed}, {window, "{size=3 |sides=3}", failed}, {window, "{size=3|, stride=1}", failed},
           {dim_labels, "b01f_01io->b01f", fine}, {dim_labels, "bf_io->bf", fine}, {dim_labels, "b?0f_0io->b0f?", fine},
           {dim_labels, "b0f_0io->b0f|0", broken}, {dim_labels, "b|1f_0io->b0f", broken}, {dim_labels, "|b0f_0io->b01f", broken},
           {dim_labels, "|b0f_0io", failed}, {dim_labels, "|bf0_0io=>b0f", failed},
           {padding, "0_0", fine}, {padding, "0_1_2x-1_0", fine}, {padding, "|0", failed}, {padding, "|0_0x", failed},
           {slices, "{[0:4], [0:8:2]}", fine}, {slices, "{}", fine}, {slices, "{|[0]}", failed}, {slices, "{|[0:1:2:3]}", failed},
           {slices, "{[0:4|}", failed}, {slices, "{[0:4],|}", failed},
           {precision, "{default,HIGHEST}", fine}, {precision, "{}", fine}, {precision, "{|low}", failed},
           {comparison_direction, "EQ", fine}, {comparison_direction, "|eq", failed}, {comparison_type, "TOTALORDER", fine},
           {fusion_kind, "kLoop", fine}, {fusion_kind, "|kloop", failed}, {fft_type, "IRFFT", fine}, {fft_type, "|DCT", failed},
           {padding_type, "PADDING_SAME", fine}, {convolution_kind, "wgrad", fine}, {convolution_kind, "|grad", failed},
           {dot_algorithm, "dot_bf16_bf16_f32_x3", fine}, {dot_algorithm, "DOT_F32_F32_F32", fine}, {dot_algorithm, "unset", fine},
           {dot_algorithm, "|dot_f32", failed}, {random_distribution, "rng_normal", fine}, {random_algorithm, "rng_philox", fine},
           {random_algorithm, "|philox", failed}, {schedule, "SCHEDULE_LATEST", fine}, {schedule, "|LATEST", failed},
           {api_version, "API_VERSION_TYPED_FFI", fine}, {api_version, "API_VERSION_UNSPECIFIED", fine}, {api_version, "|1", failed},
           {collective_mode, "flattened_id", fine}, {collective_mode, "|default", failed}, {transpose, "ADJOINT", fine},
           {frontend, "{a=\"x\",b={\"y\":{}}}", fine}, {frontend, "{}", fine}, {frontend, "{a=|1}", failed}, {frontend, "{a=\"x\",|}", failed},
           {statistics, "{visualizing_index=0,name=1.5}", fine}, {statistics, "{}", fine}, {statistics, "{a=1|.5}", failed},
           {config, "{\"a\":\"}\"}", fine}, {config, "\"text\"", fine}, {config, "|{\"a\"", failed}, {config, "|[1]", failed},
           {alias, "{ {0}: (1, {}, may-alias), {1}: (2, {0}, must-alias) }", fine}, {alias, "{}", fine}, {alias, "{ {}: (0, {}), }", fine},
           {alias, "{ {0} |(1, {}) }", failed}, {alias, "{ {0}:|: (1, {}) }", failed}, {alias, "{ {0}: (|a, {}) }", failed},
           {alias, "{ {0}: (1, {}, |user) }", failed}, {alias, "{ {0}: (1|) }", failed}, {alias, "{ {|-1}: (1, {}) }", broken},
           {donor, "{ (0, {}), (1, {0,1}) }", fine}, {donor, "{ (0|) }", failed}, {donor, "{ |{0}: (0, {}) }", failed},
           {operand_alias, "{{0}: (1, {}), {1,0}: (2, {0})}", fine}, {operand_alias, "{{0}: (1, {}|, may-alias)}", failed},
           {computation_layout, "{(f32[2]{0}, /*index=1*/s8[])->(f32[], f32[2]{0})}", fine}, {computation_layout, "{()->f32[]}", fine},
           {computation_layout, "{(f32[])|}", failed}, {computation_layout, "{|f32[]->f32[]}", failed},
           {shape, "f32[2,3]{1,0}", fine}, {shape, "f32|", failed}, {shapes, "{f32[], (s8[1]{0})}", fine}, {shapes, "{}", fine},
           {literal, "s32[2]{0} {1, 2}", fine}, {literal, "(s32[] 1, f32[2]{0} {1, 2})", fine}, {literal, "s32[2]{0} {1|}", broken},
           {literal, "()", fine}, {literal, "|{1}", failed},
           {domain, "{kind=\"sharding\", entry={replicated}, exit={maximal device=0}}", fine},
           {domain, "{kind=\"sharding\" entry={replicated} exit={replicated}}", fine}, {domain, "|{kind=\"sharding\"}", broken},
           {domain, "{kind=|\"other\", entry={replicated}, exit={replicated}}", broken}, {domain, "{|sort=1}", failed},
           {sparsity, "{lhs={sparsity=2x4 dimension=1 stride=1 idx=0} rhs={}}", fine}, {sparsity, "{lhs={sparsity=|2}}", broken},
           {sparsity, "{lhs={|size=2}}", failed}, {accuracy, "{mode=highest}", fine}, {accuracy, "{tolerance={atol=0,rtol=0.5,ulps=2}}", fine},
           {accuracy, "{mode=|best}", failed}, {accuracy, "{tolerance={|eps=1}}", failed}, {accuracy, "{|level=1}", failed},
           {recovery, "{ {\"a\" {0}} : {\"b\"}, \"ENTRY m\" {\"c\"} : {} }", fine}, {recovery, "{}", fine}, {recovery, "{ {\"a\"} |}", failed},
           {debug, "{ {\"a\"}:({log_mode=default,callback_id=1},{op_id=2}), {\"b\" {0}}:{partitioned=true} }", fine},
           {debug, "{ {\"a\"}:({|mode=1}) }", failed}, {debug, "{ {\"a\"}:({log_mode=|some}) }", failed},
       })
    tests::check_row(grammar::attribute_value(syntax), text, expected);
}

TEST_CASE("metadata") {
  const auto metadata = grammar::attribute_value(attribute_syntax::metadata);
  for (const std::string_view text : {
           R"({op_type="add" op_name="jit(f)/add" source_file="a.py" source_line=3})", "{}", R"({op_name="a\"}b", source_line=1})",
           "{profile_type={1,3}}", "{preserve_layout=true}", R"({stack_frame_id=7 size_of_memory_working_set_in_bytes=12 op_name="x"})",
           R"({later={a [1 2] "}"} op_name="x"})",
       })
    tests::check_row(metadata, text, fine);
  tests::check_row(metadata, "{op_name=|3}", failed);
  tests::check_row(metadata, "{source_line=|\"3\"}", failed);
  tests::check_row(metadata, "{op_name=\"a\" |\"b\"}", failed);
  tests::check_row(metadata, "{op_name=\"a\"|", failed);
  tests::check_row(metadata, "{source_line=|3000000000}", broken);
  tests::check_row(metadata, "{op_name=\"a\" |op_name=\"b\"}", broken);
  tests::check_row(metadata, "{|profile_type={1,4}}", broken);
}

TEST_CASE("the tree of an origin") {
  const auto origin = grammar::attribute_value(attribute_syntax::origin);
  for (const std::string_view text : {"{{\"a\"}}", "{{\"a\" {0,1}}}", "{({\"a\"}, ({\"b\" {0}}, {}))}", "{()}", "{{}}", "{}", "{[synthetic_call]}"})
    tests::check_row(origin, text, fine);
  for (const std::string_view text : {"{({\"a\"}|}", "{({\"a\"})|)}", "{({\"a\"},|)}", "{({\"a\"} |{\"b\"})}", "{{\"a\" {0}|", "{|\"a\"}",
                                      "{[|other]}", "{{\"a\"}|,{\"b\"}}"})
    tests::check_row(origin, text, failed);
}

TEST_CASE("a value that fails leaves no broken rules behind") {
  grammar::parse_state with;
  with.broke(nullptr, "an older one");
  const std::string_view text = "{devices=[2]0,1,2 |}";
  const char* first = text.data();
  CHECK_FALSE(grammar::parse_with(grammar::attribute_value(attribute_syntax::sharding), first, text.data() + text.size(), with));
  CHECK(with.broken.size() == 1);
}

TEST_CASE("deep nesting is an error, not a crash") {
  const std::string open(1000000, '('), braces(1000000, '{');
  for (const attribute_syntax syntax : {attribute_syntax::origin, attribute_syntax::literal, attribute_syntax::shape, attribute_syntax::sharding,
                                        attribute_syntax::raw, attribute_syntax::config, attribute_syntax::metadata})
    for (const std::string& text : {open, braces, "{" + open, "{" + braces}) {
      CAPTURE(name_of(syntax));
      CHECK(tests::check_text(grammar::attribute_value(syntax), text).found == failed);
    }
}
