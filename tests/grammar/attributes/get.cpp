#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/source_positions.hpp>
#include <hlolint/ir/text/attribute_text.hpp>

#include <doctest/doctest.h>

#include <memory>

using namespace hlolint;

namespace {
/// A module of one instruction with one attribute, made without the parser.
struct one_attribute {
  std::shared_ptr<module_data> data = std::make_shared<module_data>();
  explicit one_attribute(attribute_key key, std::string_view value) {
    std::string text = std::string(name_of(key)) + "=" + std::string(value);
    const auto name_end = static_cast<std::uint32_t>(name_of(key).size());
    const auto end = static_cast<std::uint32_t>(text.size());
    data->text = source(std::move(text));
    data->attribute_pool.push_back({key, true, {0, name_end}, {name_end + 1, end}});
    data->attributes = {0, 1};
    instruction_record record;
    record.attributes = {0, 1};
    data->instructions.push_back(record);
  }
  hlo_instruction instruction() const { return {data.get(), 0}; }
  hlo_module module() const { return hlo_module(data); }
};
using groups = std::vector<std::vector<std::int64_t>>;
groups groups_of(std::string_view text) {
  const auto value = get<replica_groups>(one_attribute(attribute_key::replica_groups, text).instruction());
  CAPTURE(text);
  REQUIRE(value);
  return value->groups;
}
}  // namespace

TEST_CASE("replica groups in all three forms") {
  CHECK(groups_of("{}").empty());
  CHECK(groups_of("{{0,1},{2,3}}") == groups{{0, 1}, {2, 3}});
  CHECK(groups_of("[2,2]<=[4]") == groups{{0, 1}, {2, 3}});
  CHECK(groups_of("[2,4]<=[4,2]T(1,0)") == groups{{0, 2, 4, 6}, {1, 3, 5, 7}});
  CHECK(groups_of("mesh['x'=2,'y'=4] {'y'}") == groups{{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(groups_of("mesh['x'=2,'y'=4] {'x'}") == groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  CHECK(groups_of("mesh['x'=2,'y'=2] {'y','x'}") == groups{{0, 2, 1, 3}});
  CHECK(groups_of("mesh['x'=8] {'x':(2)2}") == groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}});
  CHECK(groups_of("mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)) {'y'}") == groups{{0, 2}, {1, 3}});
  CHECK(groups_of("maximal_mesh[device_id=3] {}") == groups{{3}});
  for (const std::string_view wrong :
       {"[2,2]<=[8]", "[1,99999999999]<=[99999999999]", "{{0,1", "mesh['x'=2] {'z'}", "mesh['x'=4] {'x':(3)2}"}) {
    CAPTURE(wrong);
    CHECK_FALSE(get<replica_groups>(one_attribute(attribute_key::replica_groups, wrong).instruction()));
  }
}

namespace {
template <class... T>
void check_complete(attribute_types<T...>) {
  static_assert((detail::attribute_value<T> && ...));
  // As text and back.
  const auto check = []<class Value>(const Value& value) {
    CAPTURE(name_of(Value::key));
    CHECK(name_of(Value::key) != "unknown");
    static_cast<void>(to_string(value));
    CHECK_FALSE(value_from_text<Value>("{"));
  };
  (check(T{}), ...);
}
}  // namespace
TEST_CASE("each attribute that has a type is read and printed") {
  check_complete(header_attribute_types{});
  check_complete(instruction_attribute_types{});
  check_complete(operation_attribute_types{});
  check_complete(attribute_types<control_predecessors>{});
}

TEST_CASE("an attribute that is not there") {
  const one_attribute m(attribute_key::channel_id, "7");
  CHECK(get<channel_id>(m.instruction())->value == 7);
  CHECK_FALSE(get<replica_groups>(m.instruction()));
  CHECK(get_integer(m.instruction(), attribute_key::channel_id) == 7);
  CHECK_FALSE(get_integer(m.instruction(), attribute_key::index));
}

TEST_CASE("aliases keep the text of each entry") {
  const one_attribute m(attribute_key::input_output_alias, "{ {0}: (1, {}, must-alias), {1,0}: (2, {0}) }");
  const auto alias = get<input_output_alias>(m.module());
  REQUIRE(alias);
  REQUIRE(alias->entries.size() == 2);
  CHECK(alias->entries[0].output == shape_index{0});
  CHECK(alias->entries[0].must_alias);
  CHECK(alias->entries[0].text == "{0}: (1, {}, must-alias)");
  CHECK(alias->entries[1].parameter == 2);
  CHECK(alias->entries[1].parameter_index == shape_index{0});
  CHECK_FALSE(alias->entries[1].must_alias);
  const auto donor = get<buffer_donor>(one_attribute(attribute_key::buffer_donor, "{ (3, {1}) }").module());
  CHECK(donor->entries.at(0).parameter == 3);
  const auto operands = get<output_to_operand_aliasing>(
      one_attribute(attribute_key::output_to_operand_aliasing, "{{}: (0, {1})}").instruction());
  CHECK(operands->entries.at(0).operand_index == shape_index{1});
}

TEST_CASE("texts of attributes are unescaped") {
  CHECK(get<backend_config>(one_attribute(attribute_key::backend_config, R"("{\"a\":1}")").instruction())->text ==
        R"({"a":1})");
  CHECK(get<backend_config>(one_attribute(attribute_key::backend_config, R"({"a":"\n"})").instruction())->text ==
        R"({"a":"\n"})");
  CHECK(get<custom_call_target>(one_attribute(attribute_key::custom_call_target, R"("__f$g")").instruction())->name ==
        "__f$g");
  const auto frontend = get<frontend_attributes>(
      one_attribute(attribute_key::frontend_attributes, R"({a="x\ty",b={"c":1}})").instruction());
  REQUIRE(frontend);
  CHECK(*frontend->find("a") == "x\ty");
  CHECK(*frontend->find("b") == R"({"c":1})");
  CHECK(frontend->find("c") == nullptr);
  const auto m = get<op_metadata>(
      one_attribute(attribute_key::metadata, R"({op_type="t" op_name="a\"b" source_line=3, scheduling_name='s'})")
          .instruction());
  CHECK(m->op_name == "a\"b");
  CHECK(m->source_line == 3);
  CHECK(m->scheduling_name == "s");
}

TEST_CASE("values made of numbers") {
  const auto w = get<window>(
      one_attribute(attribute_key::window, "{size=3x2 stride=2x1 pad=0_1x-1_0 rhs_reversal=0x1 lhs_dilate=1x4}")
          .instruction());
  REQUIRE(w);
  CHECK(w->dimensions == std::vector<window_dimension>{{3, 2, 0, 1, 1, 1, false}, {2, 1, -1, 0, 4, 1, true}});
  const auto p = get<padding_config>(one_attribute(attribute_key::padding, "0_1x-2_3_4").instruction());
  CHECK(p->dimensions == std::vector<padding_dimension>{{0, 1, 0}, {-2, 3, 4}});
  const auto s = get<slices>(one_attribute(attribute_key::slice, "{[0:4], [1:8:2]}").instruction());
  CHECK(s->dimensions == std::vector<slice_range>{{0, 4, 1}, {1, 8, 2}});
  const auto d =
      get<convolution_dimension_numbers>(one_attribute(attribute_key::dim_labels, "b10f_01oi->01bf").instruction());
  CHECK(d->input.first == 0);
  CHECK(d->input.spatial == std::vector<std::int64_t>{2, 1});
  CHECK(d->kernel.first == 3);
  CHECK(d->kernel.second == 2);
  CHECK(d->output.first == 2);
  const auto pairs =
      get<source_target_pairs>(one_attribute(attribute_key::source_target_pairs, "{{0,1},{1,0}}").instruction());
  CHECK(pairs->pairs == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 1}, {1, 0}});
  CHECK(get_integers(one_attribute(attribute_key::dimensions, "{0, 2}").instruction(), attribute_key::dimensions) ==
        std::vector<std::int64_t>{0, 2});
  const auto stats =
      get<statistics>(one_attribute(attribute_key::statistics, "{visualizing_index=1,time=2.5}").instruction());
  CHECK(stats->entries.at(1).second == 2.5);
}

TEST_CASE("layouts, precision, accuracy, shardings, origins") {
  const auto layout = get<computation_layout>(
      one_attribute(attribute_key::entry_computation_layout, "{(f32[2]{0}, s8[])->(f32[])}").module());
  REQUIRE(layout);
  CHECK(layout->parameters.size() == 2);
  CHECK(layout->result.is_tuple());
  CHECK(get<operand_precision>(one_attribute(attribute_key::operand_precision, "{default,HIGHEST}").instruction())
            ->operands.at(1) == precision::highest);
  CHECK(get<dot_algorithm>(one_attribute(attribute_key::algorithm, "dot_f32_f32_f32").instruction())->name ==
        "dot_f32_f32_f32");
  const auto accuracy = get<result_accuracy>(
      one_attribute(attribute_key::result_accuracy, "{tolerance={atol=0.25,ulps=2}}").instruction());
  CHECK(accuracy->absolute_tolerance == 0.25);
  CHECK(accuracy->ulps == 2);
  CHECK(get<sharding>(one_attribute(attribute_key::sharding, "{devices=[2]<=[2]}").instruction())->tiles ==
        std::vector<std::int64_t>{2});
  CHECK_FALSE(get<sharding>(one_attribute(attribute_key::sharding, "{devices=[2]<=[3]}").instruction()));
  const one_attribute m(attribute_key::origin, R"({({"a" {1}}, ({}, {"b"})), ["x/y"]})");  // names are views of it
  const auto origin = get<original_value>(m.instruction());
  REQUIRE(origin);
  REQUIRE(origin->leaves.size() == 3);
  CHECK(origin->leaves[0].array == original_array{"a", {1}});
  CHECK(origin->leaves[1].array.instruction.empty());
  CHECK(origin->leaves[2].position == shape_index{1, 1});
  CHECK(origin->calls == "x/y");
}

TEST_CASE("places in the user's program") {
  const one_attribute inlined(attribute_key::metadata, R"({op_name="f" source_file="a.py" source_line=7})");
  CHECK(resolve(inlined.instruction()).file == "a.py");
  CHECK(resolve(inlined.instruction()).line == 7);
  CHECK(call_stack(inlined.instruction()).empty());

  const std::string metadata = "{stack_frame_id=2}", tables = R"("main.py""lib.py""run""step")";
  one_attribute framed(attribute_key::metadata, metadata);
  const std::string text = std::string(framed.data->text.text()) + tables;
  const auto at = static_cast<std::uint32_t>(text.size() - tables.size());
  framed.data->text = source(text);
  framed.data->file_names = {{at, at + 9}, {at + 9, at + 17}};
  framed.data->function_names = {{at + 17, at + 22}, {at + 22, at + 28}};
  framed.data->file_locations = {{1, 1, 10, 11, 3, 4}, {2, 2, 20, 21, 5, 6}};
  framed.data->stack_frames = {{1, 1}, {2, 2}};  // a parent is its row plus one: the first row has none
  const source_position here = resolve(framed.instruction());
  CHECK(here == source_position{"lib.py", "step", 20, 21, 5, 6});
  const auto stack = call_stack(framed.instruction());
  REQUIRE(stack.size() == 2);
  CHECK(stack[1] == source_position{"main.py", "run", 10, 11, 3, 4});
  framed.data->stack_frames = {{1, 3}, {2, 2}};  // a circle
  CHECK(call_stack(framed.instruction()).size() == 2);
  framed.data->stack_frames.clear();
  CHECK_FALSE(resolve(framed.instruction()));
}

TEST_CASE("the computation that an attribute names") {
  one_attribute calls(attribute_key::body, "%f");
  calls.data->computations.emplace_back();
  CHECK_FALSE(called_by(calls.instruction(), attribute_key::body));  // the text lacks it
  calls.data->called = {0};
  calls.data->instructions[0].calls = {0, 1};
  REQUIRE(called_by(calls.instruction(), attribute_key::body));
  CHECK(called_by(calls.instruction(), attribute_key::body).id() == 0);
  CHECK_FALSE(called_by(calls.instruction(), attribute_key::condition));
}
