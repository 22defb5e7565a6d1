#include "verify/catches.hpp"

#include <doctest/doctest.h>

TEST_CASE("shapes of dots") {
  const std::initializer_list<std::string_view> own{"f32[4,8]{1,0}", "f32[8,5]{1,0}"};
  catches_not(program(own, "f32[4,5]{1,0} dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
  catches_not(program(own, "f32[4,8,8,5]{3,2,1,0} dot(%p0, %p1), lhs_contracting_dims={}, rhs_contracting_dims={}"));
  catches_not(program({"s8[2,4,8]{2,1,0}", "s8[2,8]{1,0}"},
                      "s32[2,4]{1,0} dot(%p0, %p1), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
                      "rhs_contracting_dims={1}"));
  catches(program(own, "f32[5,4]{1,0} |dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
          "dot of f32[4,8]{1,0} and f32[8,5]{1,0} is f32[4,5], not f32[5,4]{1,0}", "r");
  catches(program(own, "f32[4,5]{1,0} dot(%p0, %p1), lhs_contracting_dims=|{7}, rhs_contracting_dims={0}"),
          "there is no dimension 7 in f32[4,8]{1,0}", "r");
  catches(program(own, "f32[4,5]{1,0} |dot(%p0, %p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
          "contracting dimension 0 of f32[4,8]{1,0} and 0 of f32[8,5]{1,0} differ in size", "r");
  catches(program(own, "f32[4,5]{1,0} |dot(%p0, %p1), lhs_contracting_dims={0,1}, rhs_contracting_dims={0}"),
          "dot has as many contracting dimensions of each operand, not 2 and 1", "r");
  catches(program(own,
                  "f32[4,5]{1,0} dot(%p0, %p1), lhs_batch_dims={1}, lhs_contracting_dims=|{1}, "
                  "rhs_batch_dims={0}, rhs_contracting_dims={0}"),
          "dimension 1 of f32[4,8]{1,0} stands here twice", "r");
  catches(program(own,
                  "f32[4,5]{1,0} |dot(%p0, %p1), lhs_batch_dims={0}, lhs_contracting_dims={1}, "
                  "rhs_batch_dims={1}, rhs_contracting_dims={0}"),
          "batch dimension 0 of f32[4,8]{1,0} and 1 of f32[8,5]{1,0} differ in size", "r");
}

TEST_CASE("shapes of convolutions") {
  const std::initializer_list<std::string_view> own{"f32[1,8,8,3]{3,2,1,0}", "f32[3,3,3,4]{3,2,1,0}"};
  const auto convolution = [&](std::string_view result, std::string_view window, std::string_view others = "") {
    return program(own, std::string(result) + "convolution(%p0, %p1), window={" + std::string(window) +
                            "}, dim_labels=b01f_01io->b01f" + std::string(others));
  };
  catches_not(convolution("f32[1,6,6,4]{3,2,1,0} ", "size=3x3"));
  catches_not(convolution("f32[1,5,7,4]{3,2,1,0} ", "size=3x3 stride=2x2 pad=1_2x0_0 lhs_dilate=1x2 rhs_dilate=1x1"));
  catches_not(
      program({"bf16[4,8]{1,0}", "bf16[8,5]{1,0}"}, "f32[4,5]{1,0} convolution(%p0, %p1), dim_labels=bf_io->bf"));
  catches_not(program({"f32[2,8,6]{2,1,0}", "f32[3,1,6]{2,1,0}"},
                      "f32[2,6,6]{2,1,0} convolution(%p0, %p1), window={size=3}, dim_labels=b0f_0io->b0f, "
                      "feature_group_count=6"));
  catches(convolution("f32[1,8,8,4]{3,2,1,0} |", "size=3x3"),
          "convolution of f32[1,8,8,3]{3,2,1,0} and f32[3,3,3,4]{3,2,1,0} is f32[1,6,6,4], not "
          "f32[1,8,8,4]{3,2,1,0}",
          "r");
  catches(convolution("f32[1,6,6,4]{3,2,1,0} |", "size=5x3"),
          "the window has size 5 in spatial dimension 0, but the kernel is f32[3,3,3,4]{3,2,1,0}", "r");
  catches(convolution("f32[1,6,6,4]{3,2,1,0} |", "size=3x3", ", feature_group_count=2"),
          "convolution of f32[1,8,8,3]{3,2,1,0} and f32[3,3,3,4]{3,2,1,0} with feature_group_count=2: the input has 3 "
          "features, the kernel takes 3",
          "r");
  catches(convolution("f32[1,6,6,4]{3,2,1,0} |", "size=3x3", ", batch_group_count=2"),
          "convolution of f32[1,8,8,3]{3,2,1,0} and f32[3,3,3,4]{3,2,1,0}: its groups do not divide the batch of the "
          "input, 1, and the features of the result, 4",
          "r");
  catches(program(own, "f32[1,6,6,4]{3,2,1,0} convolution(%p0, %p1), window={size=3}, dim_labels=|b0f_0io->b0f"),
          "these labels do not fit f32[1,8,8,3]{3,2,1,0} and f32[3,3,3,4]{3,2,1,0}", "r");
  catches(program(own, "f32[6,6,4]{2,1,0} convolution(%p0, %p1), window={size=3x3}, dim_labels=|b01f_01io->f01"),
          "these labels do not fit f32[1,8,8,3]{3,2,1,0} and f32[3,3,3,4]{3,2,1,0}", "r");
}
