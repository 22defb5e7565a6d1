#include "verify/catches.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

std::string with_layout(std::string_view layout, std::string_view lines) {
  return "HloModule m, entry_computation_layout={" + std::string(layout) + "}\n\nENTRY %e {\n" + std::string(lines) +
         "}\n";
}

}  // namespace

TEST_CASE("the shapes that a header declares for its entry") {
  const std::string lines =
      "  %b = f32[8]{0} parameter(1)\n  %a = f32[4,8]{1,0} parameter(0)\n  ROOT %t = (f32[8]{0}, f32[4,8]{1,0}) "
      "tuple(%b, %a)\n";
  catches_not(with_layout("(f32[4,8]{1,0}, f32[8]{0})->(f32[8]{0}, f32[4,8]{1,0})", lines));
  catches_not(with_layout("( f32[4,8]{0,1:T(8,128)}, f32[8] )->(f32[8], f32[4,8])", lines));
  const auto marked = [&](std::string_view name) {
    std::string out = lines;
    return out.insert(out.find(name), "|");
  };
  catches(with_layout("(f32[5,8]{1,0}, f32[8]{0})->(f32[8]{0}, f32[4,8]{1,0})", marked("a = ")),
          "this parameter is f32[4,8]{1,0}, but entry_computation_layout has f32[5,8]{1,0}", "a");
  catches(with_layout("(f32[4,8]{1,0}, f32[8]{0})->(f32[8]{0}, s32[4,8]{1,0})", marked("t = ")),
          "the result is (f32[8]{0}, f32[4,8]{1,0}), but entry_computation_layout has (f32[8]{0}, s32[4,8]{1,0})", "t");
  std::string few = with_layout("(f32[4,8]{1,0})->(f32[8]{0}, f32[4,8]{1,0})", lines);
  catches(few.insert(few.find("e {"), "|"), "the entry has 2 parameters, but entry_computation_layout 1");
}
