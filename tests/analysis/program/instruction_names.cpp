// The names that XLA gives the instructions of a text: unique in the module (buffer_dumps.md 5.0). Each stem has
// numbers of its own; a name is changed only if its number is taken.
#include <hlolint/analysis/program/instruction_names.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// The names of all instructions, in the order of the module.
std::string unique_names(const hlo_module& module) {
  const instruction_names names(module);
  std::string out;
  for (const hlo_instruction i : module.instructions()) {
    out += (out.empty() ? "" : " ") + std::string(names.of(i));
    CHECK(names.find(names.of(i)) == i);
  }
  return out;
}

/// Computations of constants with these names, the last one the entry.
hlo_module with_names(const std::vector<std::vector<std::string>>& computations) {
  std::string text = "HloModule m\n\n";
  for (std::size_t c = 0; c != computations.size(); ++c) {
    text += (c + 1 == computations.size() ? "ENTRY %c" : "%c") + std::to_string(c) + " {\n";
    for (const std::string& name : computations[c]) text += "  %" + name + " = f32[] constant(1)\n";
    text += "}\n\n";
  }
  return module_of(text);
}

}  // namespace

TEST_CASE("only names that clash are changed, and each stem counts for itself") {
  const struct {
    std::vector<std::vector<std::string>> given;
    const char* unique;
  } table[] = {
      {{{"a", "b"}, {"c"}}, "a b c"},
      {{{"a"}, {"a"}, {"a"}}, "a a.1 a.2"},
      {{{"one.0"}, {"one.0"}}, "one.0 one.1"},
      {{{"one.0", "one.1.0"}, {"one.0", "one.1.0"}}, "one.0 one.1.0 one.1 one.1.1"},
      {{{"one.0"}, {"one.0", "one.1.0"}},
       "one.0 one.1 one.1.0"},                               // `one.1` is number 1 of `one`, not number 0 of `one.1`
      {{{"one", "one.0x"}, {"one.0"}}, "one one.0x one.1"},  // no number counts as 0
      {{{"one.0"}, {"one"}}, "one.0 one.1"},
      {{{"a.1"}, {"a"}, {"a.1"}}, "a.1 a a.2"},  // the lowest free number, counted up from 0
      {{{"a.3"}, {"a.3"}, {"a.3"}, {"a.1"}}, "a.3 a.0 a.1 a.2"},
      {{{"a"}, {"a"}, {"a.1"}}, "a a.1 a.2"},  // a name that comes later does not keep its number free
      {{{"a.b"}, {"a.b"}, {"a.b.1"}}, "a.b a.b.1 a.b.2"},
      {{{"a.007"}, {"a.7"}}, "a.7 a.0"},
      {{{"a."}, {"a."}}, "a. a..1"},
      {{{"a.99999999999999999999"}, {"a.99999999999999999999"}}, "a.99999999999999999999 a.99999999999999999999.1"},
  };
  for (const auto& row : table) CHECK(unique_names(with_names(row.given)) == row.unique);
}

TEST_CASE("anonymous bodies with the same names") {
  const std::string body =
      "{\n    one.0 = f32[] parameter(0)\n    two = f32[] negate(one.0)\n    one.1.0 = f32[] negate(two)\n    ROOT "
      "add.2 = f32[] add(one.0, one.1.0)\n  }";
  const hlo_module module =
      module_of("HloModule m\n\nENTRY e {\n  p = f32[] parameter(0)\n  q = f32[] call(p), to_apply=" + body +
                "\n  add.2 = f32[] call(q), to_apply=" + body + "\n  ROOT one.1 = f32[] add(q, add.2)\n}\n");
  CHECK(unique_names(module) == "one.0 two one.1.0 add.2 one.1 two.1 one.1.1 add.0 p q add.1 one.2");
}

TEST_CASE("bodies and the computations behind async sugar are named in the order of the text") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY e {\n  p = f32[8] parameter(0)\n  s = ((f32[8]), f32[8], u32[]) all-to-all-start(p), "
      "replica_groups={}\n"
      "  d = f32[8] all-to-all-done(s)\n  ROOT c = f32[8] call(d), to_apply={\n    all-to-all = f32[8] parameter(0)\n  "
      "  ROOT async_param = f32[8] negate(all-to-all)\n  }\n}\n");
  const instruction_names names(module);
  const hlo_computation wrapped = module.entry().find("s").called_computation(0),
                        body = module.entry().root().called_computation(0);
  CHECK(names.of(wrapped.root()) == "all-to-all");
  CHECK(names.of(wrapped.instruction(0)) == "async_param");
  CHECK(names.of(body.instruction(0)) == "all-to-all.1");
  CHECK(names.of(body.root()) == "async_param.1");
}
