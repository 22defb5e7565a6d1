// What an instruction that cannot be read has left behind is taken back: elements, nested operands, the computation
// behind async sugar. A text that ends anywhere gives a module whose every id is within its pools.
#include <hlolint/parse_hlo.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

const std::string start = "  %s = ((f32[8]), f32[8], u32[]) all-to-all-start(%a), channel_id=7, replica_groups={{0,1}}";

/// Every id of the module stays within its pool, every instruction stands in a computation, and what a call runs is a
/// whole one.
void check_ids(const parsed_file& file) {
  for (const hlo_module& m : file.modules()) {
    std::size_t instructions = 0;
    for (const hlo_computation c : m.computations()) {
      instructions += c.instruction_count();
      CHECK(c.instruction_count() > 0);
      CHECK((!c.root() || c.root().computation() == c));
      for (const hlo_instruction i : c.instructions()) {
        CHECK(i.computation() == c);
        for (const hlo_instruction o : i.operands())
          CHECK((!o || (o.id() < m.instruction_count() && o.computation() == c)));
        for (const hlo_computation called : i.called_computations())
          CHECK((!called || called.id() < m.computation_count()));
      }
    }
    CHECK(instructions == m.instruction_count());
  }
}

}  // namespace

TEST_CASE("a computation that is cut off inside an attribute of X-start has no computation behind it") {
  const std::string text = "HloModule m\n\nENTRY %e {\n  %a = f32[8] parameter(0)\n" + start;
  for (std::size_t size = text.find(" all-to-all"); size <= text.size(); ++size) {
    CAPTURE(text.substr(0, size));
    const parsed_file file = parse_hlo(source(text.substr(0, size)));
    REQUIRE(file.modules().size() == 1);
    CHECK(file.modules()[0].computation_count() == 1);
    CHECK(file.modules()[0].instruction_count() == 1);
    check_ids(file);
  }
}

TEST_CASE("a line that fails leaves nothing behind") {
  const struct {
    const char* line;
  } table[] = {
      {"%x = f32[8] add(all-to-all-start(%a), %a), ="},
      {"%x = f32[8] add(negate(%a), add(%a, all-to-all-start(%a))"},
      {"%x = f32[8] add(%t#0, %t#1), metadata={"},
      {"%x = f32[8] add(f32[8] parameter(2), %t#0), %"},
      {"%x = f32[8] call(%t#0), to_apply={ %q = f32[8] parameter(0) %r = f32[8] negate(%q#"},
      {"%x = ((f32[8]), f32[8]) call-start(%a), to_apply={ %q = f32[8] parameter(0) ROOT %s = ((f32[8]), f32[8]) "
       "call-start(%q), to_apply=%f }, ="},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.line));
    const std::string begin =
        "HloModule m\n\nENTRY %e {\n  %a = f32[8] parameter(0)\n  %t = (f32[8], f32[8]) parameter(1)\n";
    const std::string end = "  %u = f32[8] add(%t#1, %t#0)\n  ROOT %n = f32[8] negate(%u)\n}\n";
    const parsed_file whole = parse_hlo(source(begin + end)),
                      damaged = parse_hlo(source(begin + "  " + row.line + "\n" + end));
    REQUIRE(whole.modules().size() == 1);
    REQUIRE(damaged.modules().size() == 1);
    CHECK(whole.status == parse_status::ok);
    CHECK(damaged.status == parse_status::partial);
    CHECK(damaged.modules()[0].instruction_count() == whole.modules()[0].instruction_count());
    CHECK(damaged.modules()[0].entry().root().name() == "n");
    check_ids(damaged);
  }
}

TEST_CASE("an attribute kept as text leaves nothing of its body behind") {
  const char* const table[] = {
      "{ %q = f32[8] parameter(0), = }",
      "{ %q = f32[8] parameter(0), metadata={op_name=\"q\"}, = }",
      "{ %q = f32[8] parameter(0) ROOT %n = f32[8] call(%q), to_apply={ %p = f32[8] parameter(0), = }, = }",
      "{ %q = f32[8] call(%missing), to_apply={ %p = f32[8] parameter(0), dimensions={} }, = }",
  };
  for (const char* const body : table) {
    CAPTURE(std::string(body));
    const parsed_file file =
        parse_hlo(source("HloModule m\n\nENTRY %e {\n  %a = f32[8] parameter(0)\n  %x = f32[8] call(%a), to_apply=" +
                         std::string(body) + ", metadata={op_name=\"x\"}\n  ROOT %n = f32[8] negate(%x)\n}\n"));
    CHECK(file.status == parse_status::partial);
    REQUIRE(file.modules().size() == 1);
    const hlo_module& m = file.modules()[0];
    CHECK(m.computation_count() == 1);
    REQUIRE(m.instruction_count() == 3);
    CHECK(m.entry().root().operand(0).name() == "x");
    CHECK(m.entry().root().operand(0).attributes().size() == 2);
    check_ids(file);
  }
}

TEST_CASE("any text of async sugar, elements and nested operands, cut off anywhere, keeps its ids in bounds") {
  const std::string text =
      "HloModule m\n\n%f {\n  ROOT %q = f32[8] parameter(0)\n}\n\nENTRY %e {\n  %a = f32[8] parameter(0)\n" + start +
      "\n  %d = f32[8] all-to-all-done(%s)\n  %t = (f32[8], f32[8]) tuple(%a, negate(%d))\n"
      "  %c = ((f32[8]), f32[8], u32[]) call-start(%t#1), to_apply=%f\n  ROOT %b = f32[8] add(call-done(%c), "
      "negate(%t#0))\n}\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    CAPTURE(text.substr(0, size));
    check_ids(parse_hlo(source(text.substr(0, size))));
  }
}
