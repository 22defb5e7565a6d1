// Which computation is the entry where ENTRY is not written (hlo_text.md 3, 12): the last one, unless it cannot be.
#include <hlolint/parse_hlo.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

std::string summary(const std::string& text) {
  const parsed_file file = parse_hlo(source(text));
  std::string out;
  for (const diagnostic& d : file.diagnostics)
    if (d.level == severity::error) out += d.rule + " ";
  out += std::string(name_of(file.status));
  for (const hlo_module& m : file.modules()) {
    out += " entry=" + (m.entry() ? std::string(m.entry().name()) : std::string("?"));
    out += " computations=" + std::to_string(m.computation_count());
  }
  return out;
}

const std::string scalar_add =
    "%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = f32[] "
    "add(%x, %y)\n}\n\n";

}  // namespace

TEST_CASE(
    "without ENTRY the last computation is the entry if its signature fits the layout as far as both are written") {
  const auto header = [](const std::string& layout) {
    return "HloModule m" + (layout.empty() ? "" : ", entry_computation_layout={" + layout + "}") + "\n\n";
  };
  const std::string main =
      "%main (a: f32[4], b: f32[4]) -> f32[4] {\n  %a = f32[4]{0} parameter(0)\n  %b = f32[4]{0} parameter(1)\n"
      "  ROOT %r = f32[4]{0} add(%a, %b)\n}\n";
  const std::string unshaped =
      "main {\n  a = f32[4] parameter(0)\n  b = f32[4] parameter(1)\n  ROOT ret = add(a, b)\n}\n";
  const struct {
    const char* what;
    std::string text;
    const char* expected;
  } table[] = {
      {"no layout", header("") + scalar_add + main, "ok entry=main computations=2"},
      {"no header", scalar_add + main, "ok entry=main computations=2"},
      {"it fits", header("(f32[4]{0}, f32[4]{0})->f32[4]{0}") + scalar_add + main, "ok entry=main computations=2"},
      {"layouts do not count", header("(f32[4]{0:T(128)}, f32[4])->f32[4]{0:S(1)}") + main,
       "ok entry=main computations=1"},
      {"a root without a shape fits any result", header("(f32[4], f32[4])->f32[4]") + unshaped,
       "ok entry=main computations=1"},
      {"... also another", header("(f32[4], f32[4])->(f32[4], s32[])") + unshaped, "ok entry=main computations=1"},
      {"another result", header("(f32[4], f32[4])->f32[5]") + scalar_add + main,
       "SYN001 partial entry=? computations=2"},
      {"another parameter", header("(f32[4], s32[4])->f32[4]") + scalar_add + main,
       "SYN001 partial entry=? computations=2"},
      {"more parameters", header("(f32[4], f32[4], f32[])->f32[4]") + main, "SYN001 partial entry=? computations=1"},
      {"fewer parameters", header("(f32[4])->f32[4]") + main, "SYN001 partial entry=? computations=1"},
      {"fewer parameters, and a root without a shape", header("(f32[4])->f32[4]") + unshaped,
       "SYN001 partial entry=? computations=1"},
      {"a reducer that happens to be last", header("(f32[8], f32[8])->f32[]") + scalar_add,
       "SYN001 partial entry=? computations=1"},
      {"no computation at all", header("(f32[8])->f32[]"), "SYN001 partial entry=? computations=0"},
      {"ENTRY is written, and not last", header("(f32[4], f32[4])->f32[4]") + "ENTRY " + main + "\n" + scalar_add,
       "ok entry=main computations=2"},
      {"the last one holds an anonymous body",
       header("(f32[])->f32[]") + "main {\n  a = f32[] parameter(0)\n  ROOT c = f32[] call(a), to_apply={\n    ROOT p "
                                  "= f32[] parameter(0)\n  }\n}\n",
       "ok entry=main computations=2"},
      {"the last one holds async sugar",
       header("(f32[8])->f32[8]") +
           "main {\n  a = f32[8] parameter(0)\n  s = ((f32[8]), f32[8], u32[]) all-to-all-start(a), replica_groups={}\n"
           "  ROOT d = f32[8] all-to-all-done(s)\n}\n",
       "ok entry=main computations=2"},
      {"the root cannot be read: the result is not known",
       header("(f32[4])->f32[4]") + "main {\n  a = f32[4] parameter(0)\n  ROOT r = f32[4 negate(a)\n}\n",
       "SYN001 partial entry=main computations=1"},
      {"a parameter cannot be read: their number is not known",
       header("(f32[4], f32[4])->f32[4]") +
           "main {\n  a = f32[4 parameter(0)\n  b = f32[4] parameter(1)\n  ROOT r = f32[4] negate(b)\n}\n",
       "SYN001 partial entry=main computations=1"},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.what));
    CHECK(summary(row.text) == row.expected);
  }
}

TEST_CASE("a text that ends between two computations: what is whole is kept, the entry is not guessed") {
  const std::string text =
      "HloModule m, is_scheduled=true, entry_computation_layout={(f32[4]{0})->f32[]}\n\n" + scalar_add +
      "%other (p: f32[]) -> f32[] {\n  ROOT %p = f32[] parameter(0)\n}\n\n"
      "ENTRY %main (a: f32[4]) -> f32[] {\n  %a = f32[4]{0} parameter(0)\n  %z = f32[] constant(0)\n"
      "  ROOT %r = f32[] reduce(%a, %z), dimensions={0}, to_apply=%add\n}\n";
  CHECK(summary(text) == "ok entry=main computations=3");
  CHECK(summary(text.substr(0, text.find("ENTRY"))) == "SYN001 partial entry=? computations=2");
  CHECK(summary(text.substr(0, text.find("%other"))) == "SYN001 partial entry=? computations=1");
}
