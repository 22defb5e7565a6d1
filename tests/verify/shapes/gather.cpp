#include "verify/catches.hpp"

#include <doctest/doctest.h>

namespace {

std::string gather(std::string_view result, std::string_view sizes, std::string_view others) {
  return program({"f32[4,8]{1,0}", "s32[3]{0}"}, std::string(result) + "gather(%p0, %p1), " + std::string(others) +
                                                     ", slice_sizes=" + std::string(sizes));
}
std::string scatter(std::string_view updates, std::string_view result, std::string_view others) {
  return program({"f32[4,8]{1,0}", "s32[3]{0}", updates},
                 std::string(result) + "scatter(%p0, %p1, %p2), " + std::string(others) + ", to_apply=%add");
}

}  // namespace

TEST_CASE("shapes of gathers") {
  const std::string rows = "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1";
  catches_not(gather("f32[3,8]{1,0} ", "{1,8}", rows));
  catches_not(gather("f32[3,1,8]{2,1,0} ", "{1,8}",
                     "offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1"));
  catches(gather("f32[4,8]{1,0} |", "{1,8}", rows),
          "gather of f32[4,8]{1,0} and s32[3]{0} is f32[3,8], not f32[4,8]{1,0}", "r");
  catches(gather("f32[3,8]{1,0} ", "|{9,8}", rows), "slices of these sizes do not fit in f32[4,8]{1,0}", "r");
  catches(gather("f32[3,8]{1,0} ", "|{2,8}", rows), "dimension 0 of a slice is collapsed, but its size is 2", "r");
  catches(gather("f32[3,8]{1,0} ", "{1,8}",
                 "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=|9"),
          "there is no dimension 9 in s32[3]{0}", "r");
  catches(gather("f32[3,8]{1,0} ", "{1,8}",
                 "offset_dims={1}, collapsed_slice_dims={0}, start_index_map=|{0,1}, index_vector_dim=1"),
          "start_index_map has 2 dimensions, but an index has 1 number", "r");
  catches(gather("f32[3,8]{1,0} ", "{1,8}",
                 "offset_dims=|{2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1"),
          "offset_dims are dimensions below 2 in ascending order", "r");
  catches(gather("f32[3,8]{1,0} ", "{1,8}",
                 "offset_dims=|{1}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1"),
          "offset_dims has 1 dimension, but 2 of a slice are not collapsed", "r");
  catches(program({"f32[4,8]{1,0}", "f32[3]{0}"}, "f32[3,8]{1,0} |gather(%p0, %p1), " + rows + ", slice_sizes={1,8}"),
          "the indices of gather are integers, not f32[3]{0}", "r");
}

TEST_CASE("shapes of scatters") {
  const std::string rows =
      "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1";
  catches_not(scatter("f32[3,8]{1,0}", "f32[4,8]{1,0} ", rows));
  catches_not(scatter("bf16[3,5]{1,0}", "f32[4,8]{1,0} ", rows));
  catches(scatter("f32[3,8]{1,0}", "f32[5,8]{1,0} |", rows),
          "scatter of f32[4,8]{1,0} cannot be f32[5,8]{1,0}: it keeps the shape", "r");
  catches(scatter("f32[2,8]{1,0}", "f32[4,8]{1,0} |", rows),
          "updates of f32[2,8]{1,0} do not fit indices of s32[3]{0} and windows in f32[4,8]{1,0}", "r");
  catches(scatter("f32[3,9]{1,0}", "f32[4,8]{1,0} |", rows),
          "updates of f32[3,9]{1,0} do not fit indices of s32[3]{0} and windows in f32[4,8]{1,0}", "r");
  catches(scatter("f32[3,8]{1,0}", "f32[4,8]{1,0} ",
                  "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims=|{9}, "
                  "index_vector_dim=1"),
          "there is no dimension 9 in f32[4,8]{1,0}", "r");
  catches(scatter("s32[3,8]{1,0}", "f32[4,8]{1,0} |", rows),
          "updates of s32[3,8]{1,0} do not fit the others, or operand 0", "r");
}
