#include <hlolint/ir/memory_report.hpp>

#include "grammar/buffers/reading.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using buffer_reading::outcome;
using buffer_reading::read;

TEST_CASE("the report of 2024 and 2025") {
  const parsed_file file = read(
      "Total bytes used: 3149824 (3.00MiB)\n"
      "\n"
      "Allocations sorted by size:\n"
      "\n"
      "cumulative_size; total_size - cumulative_size; allocation\n"
      "------------------------------------------------------------------------------\n"
      "   2.00MiB( 67%);    1.00MiB; allocation 1: size 2.00MiB, preallocated-temp:\n"
      "   3.00MiB(100%);     4.0KiB; allocation 0: size 1.00MiB, parameter 0, shape |f32[262144]| at ShapeIndex {}:\n"
      "The rest 3 allocations are less than 5% of the total size and not shown.\n"
      "\n"
      "\n"
      "Allocations sorted by size with their values:\n"
      "allocation 1: size 2.00MiB, preallocated-temp:\n"
      "\n"
      "\tcumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
      "\t------------------------------------------------------------\n"
      "\t  1.00MiB( 50%);    1.00MiB;            0;                3; 2×f32[262144], (s32[], f32[2])\n"
      "\t  2.00MiB(100%);    1.00MiB;      1048576;                1; s8[1048576]\n"
      "\tThe rest 7 values are less than 5% of the total size and not shown.\n"
      "\n"
      "allocation 0: size 1.00MiB, parameter 0, shape |f32[262144]| at ShapeIndex {}:\n"
      "allocation 2: size 0B, color 3, preallocated-temp:\n"
      "\n"
      "\tcumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
      "\t------------------------------------------------------------\n"
      "\t       0B(-nan%);         0B;            0;                1; token[]\n"
      "\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::memory_usage_report);
  REQUIRE(file.buffers);
  const memory_report* const report = file.buffers->memory_report();
  REQUIRE(report);
  CHECK(report->total == 3149824);
  CHECK_FALSE(file.buffers->total_bytes_used());  // that of the report, not of an assignment
  REQUIRE(report->allocations.size() == 2);
  CHECK(report->allocations[0].cumulative.bytes == 2 << 20);
  CHECK(report->allocations[0].percent == 67);
  CHECK(report->allocations[1].remaining.bytes == 4096);
  CHECK(report->allocations[1].header.number == 0);
  CHECK(report->allocations[1].header.parameter->shape == "f32[262144]");
  CHECK(report->rest == report_rest{3, 5});
  REQUIRE(report->with_values.size() == 3);
  REQUIRE(report->with_values[0].table == 0u);
  CHECK_FALSE(report->with_values[1].table);
  REQUIRE(report->tables.size() == 2);
  CHECK(report->tables[0].allocation == 1);
  CHECK(report->tables[0].row_count == 2);
  CHECK(report->tables[0].rest == report_rest{7, 5});
  CHECK(report->rows[0].shapes == "2×f32[262144], (s32[], f32[2])");
  CHECK(report->rows[0].value_count == 3);
  CHECK(report->rows[1].offset == 1048576);
  CHECK_FALSE(report->rows[2].percent);
  CHECK(report->rows[2].size.exact());
  CHECK_FALSE(report->rows[1].size.exact());
}

TEST_CASE("the report since 2026") {
  const parsed_file file = read(
      "Memory Space: default (color=0)\n"
      "Total bytes: 2048 (2.0KiB)\n"
      "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
      "  ------------------------------------------------------------\n"
      "     1.0KiB(100%);     1.0KiB;            0;                1; f32[256]\n"
      "\n"
      "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
      "  ------------------------------------------------------------\n"
      "     1.0KiB(100%);     1.0KiB;            0;                1; f32[256]\n"
      "\n"
      "\n"
      "Memory Space: color_7 (color=7)\n"
      "Total bytes: 64 (64B)\n"
      "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
      "  ------------------------------------------------------------\n"
      "        64B(100%);        64B;            0;                1; s32[16]\n"
      "\n"
      "\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::memory_usage_report);
  const memory_report* const report = file.buffers->memory_report();
  REQUIRE(report);
  REQUIRE(report->spaces.size() == 2);
  CHECK(report->spaces[0].table_count == 2);
  CHECK(report->spaces[1].name == "color_7");
  CHECK(report->spaces[1].color == 7);
  CHECK(report->spaces[1].total == 64);
  CHECK(report->spaces[1].first_table == 2);
  CHECK(report->tables.size() == 3);
  CHECK(report->rows.size() == 3);
}

TEST_CASE("lines of another writer in a report") {
  CHECK(outcome("Total bytes used: 8 (8B)\n"
                "\n"
                "Allocations sorted by size:\n"
                "\n"
                "cumulative_size; total_size - cumulative_size; allocation\n"
                "---------\n"
                "        8B(100%);         0B; allocation 0: size 8B, maybe-live-out:\n"
                "\n"
                "\n"
                "Allocations sorted by size with their values:\n"
                "allocation 0: size 8B, maybe-live-out:\n"
                "Index {}:\n"
                "allocation 1: size 0B, maybe-\n"
                "allocation 1: size 0B, maybe-live-out:\n"
                "allocation 2: size 0 bytes:\n") ==
        "partial 12:1 SYN001 expected 'allocation NUMBER: size SIZE, FLAGS:', and the line after it cannot be read "
        "either "
        "15:20 SYN001 expected a size with a unit");
}

TEST_CASE("the shapes of a row stay on their line") {
  const std::string head =
      "Memory Space: default (color=0)\n"
      "Total bytes: 8 (8B)\n"
      "  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
      "  ------------------------------------------------------------\n";
  const std::string row = "         4B( 50%);         4B;            0;                1; ";
  const parsed_file file = read(head + row + "2×f32[\n" + row + "(f32[], /*index=5*/s8[2]), 3×s32[]\n");
  CHECK(outcome(file) == "partial 5:64 SYN001 expected the shapes of the values");
  REQUIRE(file.buffers->memory_report()->rows.size() == 1);
  CHECK(file.buffers->memory_report()->rows[0].shapes == "(f32[], /*index=5*/s8[2]), 3×s32[]");
}
