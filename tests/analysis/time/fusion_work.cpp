#include <hlolint/analysis/time/fusion_work.hpp>

#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a sort on a GPU is many kernels, which all read and write everything") {
  const auto sorted = [](const std::string& n, const std::string& others) {
    const std::string key = "f32[2," + n + "]{1,0}";
    std::string parameters = "%a = " + key + " parameter(0)\n", made = key, names = "%a", types = "f32[]";
    std::string inside = "%c {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\n";
    for (std::size_t k = 0; k < others.size(); ++k) {
      const std::string type = others[k] == 'b' ? "s8" : "s32", name = "%o" + std::to_string(k);
      parameters += name + " = " + type + "[2," + n + "]{1,0} parameter(" + std::to_string(k + 1) + ")\n";
      made += ", " + type + "[2," + n + "]{1,0}", names += ", " + name;
      for (const char* const side : {"x", "y"})
        inside += std::string("%") + side + std::to_string(k) + " = " + type + "[] parameter(" +
                  std::to_string(2 * k + (side[0] == 'x' ? 2 : 3)) + ")\n";
    }
    inside += "ROOT %l = pred[] compare(%x, %y), direction=LT\n}\n\n";
    const std::string result = others.empty() ? made : "(" + made + ")";
    return work_in(parameters + "ROOT %s = " + result + " sort(" + names + "), dimensions={1}, to_apply=%c\n", inside);
  };
  CHECK(sorted("4096", "i").kernels == 1);
  CHECK(sorted("8192", "i").kernels == 3);
  CHECK(sorted("10000", "ii").kernels == 6);
  CHECK(sorted("65536", "iiii").kernels == 21);  // 20 bytes for each element: tiles of 2048
  CHECK(sorted("1048576", "bi").kernels == 45);
  const work w = sorted("4194304", "");
  CHECK(w.kernels == 66);
  CHECK(w.read == nearly(66 * 2 * 4194304.0 * 4));
  CHECK(w.written == w.read);
}

TEST_CASE("a fusion reads of its operands what it touches") {
  const char* const sliced =
      "%inner {\n%p = f32[1048576]{0} parameter(0)\nROOT %s = f32[1024]{0} slice(%p), slice={[0:1024]}\n}\n\n"
      "%f {\n%p = f32[1048576]{0} parameter(0)\n%q = f32[1024]{0} parameter(1)\n"
      "%s = f32[1024]{0} fusion(%p), kind=kLoop, calls=%inner\nROOT %a = f32[1024]{0} add(%s, %q)\n}\n\n";
  const std::string parameters = "%a = f32[1048576]{0} parameter(0)\n%b = f32[1024]{0} parameter(1)\n";
  SUBCASE("through a nested fusion") {
    const work w = work_in(parameters + "ROOT %r = f32[1024]{0} fusion(%a, %b), kind=kLoop, calls=%f\n", sliced);
    CHECK(w.read == nearly(8192));
    CHECK(w.written == nearly(4096));
    CHECK(w.vector_ops == 1024);
  }
  SUBCASE("an update in place, the array passed on") {
    const work w =
        work_in(parameters +
                    "%i = s32[] parameter(2)\n"
                    "ROOT %r = f32[1048576]{0} fusion(%a, %b, %i), kind=kLoop, calls=%f\n",
                "%f {\n%p = f32[1048576]{0} parameter(0)\n%u = f32[1024]{0} parameter(1)\n%i = s32[] parameter(2)\n"
                "ROOT %d = f32[1048576]{0} dynamic-update-slice(%p, %u, %i)\n}\n\n");
    CHECK(w.read == nearly(4096 + 4));
    CHECK(w.written == nearly(4096));
  }
  SUBCASE("a parameter that the root only passes on") {
    const work w =
        work_in(parameters + "ROOT %r = (f32[1048576]{0}, f32[1024]{0}) fusion(%a, %b), kind=kLoop, calls=%f\n",
                "%f {\n%p = f32[1048576]{0} parameter(0)\n%u = f32[1024]{0} parameter(1)\n"
                "%n = f32[1024]{0} negate(%u)\nROOT %t = (f32[1048576]{0}, f32[1024]{0}) tuple(%p, %n)\n}\n\n");
    CHECK(w.read == nearly(4096));
    CHECK(w.written == nearly(4096));
  }
  SUBCASE("two halves are one whole, three are no more") {
    const work w = work_in(
        parameters + "ROOT %r = f32[524288]{0} fusion(%a), kind=kLoop, calls=%f\n",
        "%f {\n%p = f32[1048576]{0} parameter(0)\n%x = f32[524288]{0} slice(%p), slice={[0:524288]}\n"
        "%y = f32[524288]{0} slice(%p), slice={[524288:1048576]}\n%z = f32[524288]{0} slice(%p), slice={[1:524289]}\n"
        "%a = f32[524288]{0} add(%x, %y)\nROOT %b = f32[524288]{0} add(%a, %z)\n}\n\n");
    CHECK(w.read == nearly(4 * mebi));
  }
}

TEST_CASE("a scatter in place reads of its array what it updates") {
  const work w = work_in(
      "%a = f32[1048576]{0} parameter(0)\n%i = s32[1024,1]{1,0} parameter(1)\n%u = f32[1024]{0} parameter(2)\n"
      "ROOT %r = f32[1048576]{0} fusion(%a, %i, %u), kind=kLoop, calls=%f\n",
      "%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
      "%f {\n%p = f32[1048576]{0} parameter(0)\n%q = s32[1024,1]{1,0} parameter(1)\n%v = f32[1024]{0} parameter(2)\n"
      "ROOT %t = f32[1048576]{0} scatter(%p, %q, %v), update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%sum\n}\n\n");
  CHECK(w.read == nearly(3 * 4096));  // of the array, the indices and the updates
  CHECK(w.written == nearly(4096));
}

TEST_CASE("arithmetic by opcode: what is weighted, multiplied by windows, or not counted") {
  const hlo_module module = module_of(R"(HloModule m

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %e {
  %p = f32[64,32]{1,0} parameter(0)
  %z = f32[] constant(0)
  %i = s32[4,1]{1,0} parameter(1)
  %u = f32[4,32]{1,0} parameter(2)
  %m = f32[64,64]{1,0} parameter(3)
  %tanh = f32[64,32]{1,0} tanh(%p)
  %less = pred[64,32]{1,0} compare(%p, %p), direction=LT
  %copy = f32[64,32]{0,1} copy(%p)
  %turn = f32[32,64]{1,0} transpose(%p), dimensions={1,0}
  %rows = f32[64]{0} reduce(%p, %z), dimensions={1}, to_apply=%sum
  %pool = f32[32,16]{1,0} reduce-window(%p, %z), window={size=2x2 stride=2x2}, to_apply=%sum
  %put = f32[64,32]{1,0} scatter(%p, %i, %u), update_window_dims={1}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%sum
  %root = f32[64,64]{1,0} cholesky(%m), lower=true
  ROOT %product = f32[32,32]{1,0} dot(%p, %p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
)");
  const device d = find_device("h100-sxm").value();
  const auto of = [&](const char* name) { return arithmetic_of(d, instruction_of(module, name)); };
  CHECK(of("tanh").vector_ops == 10 * 64 * 32);
  CHECK(of("less").vector_ops == 64 * 32);
  CHECK(of("copy") == work{});
  CHECK(of("turn") == work{});
  CHECK(of("rows").vector_ops == 64 * 32);
  CHECK(of("pool").vector_ops == 32 * 16 * 4);
  CHECK(of("put").vector_ops == 4 * 32);
  CHECK(of("root").flops == nearly(64.0 * 64 * 64 / 3));
  CHECK(of("root").unknown);
  CHECK(of("product").flops == 2.0 * 32 * 32 * 64);
  CHECK(of("product").type == element_type::f32);
  CHECK(of("product").bytes() == 0);
}
