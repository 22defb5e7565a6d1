#include "verify/catches.hpp"

#include <doctest/doctest.h>

TEST_CASE("shapes of collectives") {
  const std::initializer_list<std::string_view> own{"f32[4,8]{1,0}", "f32[]"};
  catches_not(program(own, "f32[8,8]{1,0} all-gather(%p0), dimensions={0}"));
  // A program for Trainium: a scalar goes along with the arrays.
  catches_not(program(own, "(f32[8,8]{1,0}, f32[]) all-gather(%p0, %p1), dimensions={0}"));
  catches(program(own, "f32[8,8]{1,0} all-gather(%p0), dimensions=|{5}"), "there is no dimension 5 in f32[4,8]{1,0}",
          "r");
  catches(program(own, "f32[7,8]{1,0} |all-gather(%p0), dimensions={0}"),
          "all-gather of f32[4,8]{1,0} along dimension 0 cannot be f32[7,8]{1,0}", "r");
  catches_not(program(own, "f32[4,2]{1,0} reduce-scatter(%p0), dimensions={1}, to_apply=%add"));
  catches(program(own, "f32[4,3]{1,0} |reduce-scatter(%p0), dimensions={1}, to_apply=%add"),
          "reduce-scatter of f32[4,8]{1,0} along dimension 1 cannot be f32[4,3]{1,0}", "r");
  catches_not(program(own, "(f32[4,8]{1,0}, f32[]) all-reduce(%p0, %p1), to_apply=%add"));
  catches(program(own, "f32[8,8]{1,0} |all-reduce(%p0), to_apply=%add"),
          "all-reduce of f32[4,8]{1,0} cannot be f32[8,8]{1,0}: it keeps the shape", "r");
  catches(program(own, "f32[8,8]{1,0} |collective-permute(%p0), source_target_pairs={{0,1}}"),
          "collective-permute of f32[4,8]{1,0} cannot be f32[8,8]{1,0}: it keeps the shape", "r");
  catches(program(own, "f32[8,8]{1,0} |all-to-all(%p0), dimensions={0}"),
          "all-to-all of f32[4,8]{1,0} cannot be f32[8,8]{1,0}: it keeps the shape", "r");
}

TEST_CASE("shapes of starts and dones") {
  const auto pair = [](std::string_view start, std::string_view done) {
    std::string text = program({"f32[4,8]{1,0}"}, done);
    return text.insert(text.find("  ROOT %r"), "  %s = " + std::string(start) + "\n");
  };
  const std::string copy = "(f32[4,8]{1,0:S(1)}, f32[4,8]{1,0}, u32[]) copy-start(%p0)";
  catches_not(pair(copy, "f32[4,8]{1,0:S(1)} copy-done(%s)"));
  catches(pair(copy, "f32[4,9]{1,0} |copy-done(%s)"),
          "this copy-done is f32[4,9]{1,0}, but its start gives f32[4,8]{1,0:S(1)}", "r");
  catches(program({"f32[4,8]{1,0}"}, "(f32[4,9]{1,0}, f32[4,8]{1,0}, u32[]) |copy-start(%p0)"),
          "copy-start of f32[4,8]{1,0} cannot be f32[4,9]{1,0}: it keeps the shape", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} |copy-start(%p0)"),
          "copy-start gives destination, source and context, not f32[4,8]{1,0}", "r");
  const std::string gather = "(f32[4,8]{1,0}, f32[8,8]{1,0}) all-gather-start(%p0), dimensions={0}";
  catches_not(pair(gather, "f32[8,8]{1,0} all-gather-done(%s)"));
  catches(pair(gather, "f32[4,8]{1,0} |all-gather-done(%s)"),
          "this all-gather-done is f32[4,8]{1,0}, but its start gives f32[8,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "(f32[5,8]{1,0}, f32[8,8]{1,0}) |all-gather-start(%p0), dimensions={0}"),
          "all-gather-start of f32[4,8]{1,0} cannot be f32[5,8]{1,0}: it keeps the shape", "r");
  catches(pair("f32[4,8]{1,0} all-reduce-start(%p0), to_apply=%add", "f32[8,8]{1,0} |all-reduce-done(%s)"),
          "this all-reduce-done is f32[8,8]{1,0}, but its start gives f32[4,8]{1,0}", "r");
  const std::string permute =
      "(f32[4,8]{1,0}, f32[4,8]{1,0}, u32[], u32[]) collective-permute-start(%p0), source_target_pairs={{0,1}}";
  catches_not(pair(permute, "f32[4,8]{1,0} collective-permute-done(%s)"));
  catches(program({"f32[4,8]{1,0}"},
                  "(f32[4,8]{1,0}, f32[4,7]{1,0}) |collective-permute-start(%p0), source_target_pairs={{0,1}}"),
          "collective-permute-start of f32[4,8]{1,0} cannot be f32[4,7]{1,0}: it keeps the shape", "r");
}

TEST_CASE("collectives of several operands, and of tuples") {
  catches(program({"f32[4]{0}", "f32[4]{0}"}, "f32[8]{0} |all-gather(%p0, %p1), dimensions={0}"),
          "all-gather of 2 operands gives a tuple of as many, not f32[8]{0}", "r");
  catches(program({"f32[4]{0}", "f32[4]{0}"}, "f32[4]{0} |all-reduce(%p0, %p1), to_apply=%add"),
          "all-reduce of 2 operands gives a tuple of as many, not f32[4]{0}", "r");
  catches(program({"(f32[4]{0})"}, "f32[8]{0} |all-gather(%p0), dimensions={0}"),
          "all-gather works on arrays, not on (f32[4]{0})", "r");
}
