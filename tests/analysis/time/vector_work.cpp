#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/vector_work.hpp>

#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
/// Cycles of the vector units for the last of some lines, whose arrays all lie in VMEM.
double cycles(const std::string& lines, const char* on = "tpu-v5e", const std::string& before = {}) {
  return work_in(lines, before, on).vector.cycles_on(*find_device(on));
}
const std::string called =
    "%add {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
    "%less {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\n%v = s32[] parameter(2)\n%w = s32[] parameter(3)\n"
    "ROOT %s = pred[] compare(%x, %y), direction=LT\n}\n\n";
const std::string square = "%a = f32[1024,1024]{1,0:T(8,128)S(1)} parameter(0)\n";
}  // namespace

TEST_CASE("elementwise operations cost what their registers are moved, or what is done with them") {
  const auto of = [](const char* opcode) {
    return square + "ROOT %r = f32[1024,1024]{1,0:T(8,128)S(1)} " + opcode + "(%a)\n";
  };
  CHECK(cycles(of("negate")) == nearly(1.1 * 1024));
  CHECK(cycles(of("exponential")) == nearly((1.1 + 0.5) * 1024));
  CHECK(cycles(of("sine")) == nearly((1.1 + 45) * 1024));
  CHECK(cycles(of("negate"), "tpu-v6e") == nearly(0.55 * 1.1 * 1024));
  CHECK(cycles(of("negate"), "tpu-v5p") == nearly(0.5 * 1.1 * 1024));
  CHECK(cycles("%a = f32[1024,3]{0,1:T(4,128)S(1)} parameter(0)\n"
               "ROOT %r = f32[1024,3]{0,1:T(4,128)S(1)} negate(%a)\n") == nearly(2.2 * 1.1 * 8));
  std::string chain =
      "%f {\n%p = f32[1024,1024]{1,0:T(8,128)} parameter(0)\n%x0 = f32[1024,1024]{1,0:T(8,128)} negate(%p)\n";
  for (int k = 1; k < 10; ++k)
    chain += "%x" + std::to_string(k) + " = f32[1024,1024]{1,0:T(8,128)} negate(%x" + std::to_string(k - 1) + ")\n";
  chain += "ROOT %s = f32[1024,1024]{1,0:T(8,128)} negate(%x9)\n}\n\n";
  CHECK(cycles(square + "ROOT %r = f32[1024,1024]{1,0:T(8,128)S(1)} fusion(%a), kind=kLoop, calls=%f\n", "tpu-v5e",
               chain) == nearly(0.3 * 11 * 1024));
}

TEST_CASE("only copies with another layout, or from VMEM to VMEM, take vector units") {
  const auto copy = [](const char* from, const char* to) {
    return std::string("%a = ") + from + " parameter(0)\nROOT %r = " + to + " copy(%a)\n";
  };
  CHECK(cycles(copy("f32[1024,1024]{1,0:T(8,128)S(1)}", "f32[1024,1024]{1,0:T(8,128)}")) == 0);
  CHECK(cycles(copy("f32[1024,1024]{1,0:T(8,128)S(1)}", "f32[1024,1024]{1,0:T(8,128)S(1)}")) == nearly(1.1 * 1024));
  CHECK(cycles(copy("f32[1024,1024]{1,0:T(8,128)}", "f32[1024,1024]{0,1:T(8,128)}")) == nearly(4.2 * 1024));
  CHECK(cycles(copy("f32[1024,1024]{1,0:T(8,128)}", "f32[1024,1024]{0,1:T(8,128)}"), "tpu-v6e") == nearly(3.2 * 1024));
  CHECK(cycles(copy("f32[1024,1]{1,0:T(8,128)}", "f32[1024,1]{0,1:T(8,128)}")) == 0);  // only names of dimensions
  // bf16: the lanes stay, rows move in pairs.
  CHECK(cycles(copy("bf16[64,8,128]{2,1,0:T(8,128)(2,1)}", "bf16[64,8,128]{2,0,1:T(8,128)(2,1)}")) == nearly(1.2 * 64));
  CHECK(cycles(square + "ROOT %r = f32[2048,512]{1,0:T(8,128)} reshape(%a)\n") == nearly(4.2 * 1024));
  // A scalar has no lanes that could move.
  CHECK(cycles("%a = pred[1,1]{1,0:T(8,128)(4,1)S(1)} parameter(0)\nROOT %r = pred[] reshape(%a)\n") == nearly(1.2));
}

TEST_CASE("reductions, windows, gathers and sorts") {
  CHECK(cycles(square + "%z = f32[] constant(0)\nROOT %r = f32[1024]{0:T(1024)S(1)} reduce(%a, %z), dimensions={1}, "
                        "to_apply=%add\n",
               "tpu-v5e", called) == nearly((1.1 + 0.8) * 1024));
  const auto window = [](const char* size, const char* layout) {
    const std::string shape = std::string("f32[64,64,128]") + layout;
    return "%a = " + shape + " parameter(0)\n%z = f32[] constant(0)\nROOT %r = " + shape +
           " reduce-window(%a, %z), window={size=" + size + "}, to_apply=%add\n";
  };
  // Never the result times the window: a running sum looks at each value once.
  CHECK(cycles(window("1x1x128 pad=0_0x0_0x127_0", "{0,1,2:T(8,128)S(1)}"), "tpu-v5e", called) == nearly(1.1 * 1024));
  CHECK(cycles(window("1x64x1 pad=0_0x63_0x0_0", "{2,1,0:T(8,128)S(1)}"), "tpu-v5e", called) ==
        nearly((1.1 + 3.4) * 512));
  CHECK(cycles(window("1x1x128 pad=0_0x0_0x127_0", "{2,1,0:T(8,128)S(1)}"), "tpu-v5e", called) ==
        nearly((1.1 + 14) * 512));
  CHECK(cycles("%t = f32[1000,128]{1,0:T(8,128)} parameter(0)\n%i = s32[256,1]{1,0} parameter(1)\n"
               "ROOT %r = f32[256,128]{1,0:T(8,128)} gather(%t, %i), offset_dims={1}, collapsed_slice_dims={0}, "
               "start_index_map={0}, index_vector_dim=1, slice_sizes={1,128}\n") == nearly(2.7 * 256));
  CHECK(cycles("%t = f32[1000]{0:T(1024)} parameter(0)\n%i = s32[256,1]{1,0} parameter(1)\n"
               "ROOT %r = f32[256]{0:T(256)} gather(%t, %i), offset_dims={}, collapsed_slice_dims={0}, "
               "start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n") == nearly(12 * 256));
  CHECK(cycles("%k = f32[4096]{0:T(1024)S(1)} parameter(0)\n%v = s32[4096]{0:T(1024)S(1)} parameter(1)\n"
               "ROOT %r = (f32[4096]{0:T(1024)}, s32[4096]{0:T(1024)}) sort(%k, %v), dimensions={0}, to_apply=%less\n",
               "tpu-v5e", called) == nearly(8 * 4 * 78));
}

TEST_CASE("what has no size or no layout costs nothing, and does no harm") {
  CHECK(cycles("ROOT %r = f32[?]{0} parameter(0)\n") == 0);
  CHECK(cycles("%a = f32[] parameter(0)\nROOT %r = f32[] negate(%a)\n") == 0);
  CHECK(cycles("%a = f32[] parameter(0)\nROOT %r = f32[] reshape(%a)\n") == 0);
  CHECK(cycles("%a = f32[9223372036854775807,4] parameter(0)\nROOT %r = f32[9223372036854775807,4] negate(%a)\n") >= 0);
}
