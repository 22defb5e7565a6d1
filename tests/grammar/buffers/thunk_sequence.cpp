#include <hlolint/ir/thunk_sequence.hpp>

#include "grammar/buffers/reading.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using buffer_reading::outcome;
using buffer_reading::read;

TEST_CASE("thunks of 2024 and 2025: kinds in a column, loops set in") {
  const parsed_file file = read(
      "kKernel    \t, kernel = loop_add, launch dimensions = blocks: {2, 1, 1}\n"
      "kWhile     \t  \n"
      "condition:\n"
      "    kKernel\t, kernel = compare\n"
      "  body:\n"
      "    kCopy\t\n"
      "    kGemm\t\n"
      "\n"
      "kSequential\t  kCopy           \t\n"
      "  kFft\t\n"
      "kCopy      \t\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::thunk_sequence);
  const thunk_sequence* const sequence = file.buffers->thunks();
  REQUIRE(sequence);
  REQUIRE(sequence->thunks.size() == 9);
  CHECK(sequence->thunks[0].kind == "kKernel");
  CHECK(sequence->thunks[0].description == ", kernel = loop_add, launch dimensions = blocks: {2, 1, 1}");
  CHECK(sequence->thunks[1].description.empty());
  CHECK(sequence->thunks[2].body == "condition");
  CHECK(sequence->thunks[3].body == "body");
  CHECK(sequence->thunks[3].indent == 4);
  CHECK(sequence->thunks[5].kind == "kSequential");
  CHECK(sequence->thunks[6].kind == "kCopy");
  CHECK(sequence->thunks[6].indent == 2);
  CHECK(sequence->thunks[6].body.empty());
  CHECK(sequence->thunks[8].indent == 0);
  CHECK(sequence->slices.empty());
}

TEST_CASE("numbered thunks with neighbors and buffers") {
  const parsed_file file = read(
      "000: kGemm   [source       | next=001 (2)] out={index:3, offset:256, size:64}, in={index:0, offset:0, size:64}\n"
      "001: kWhile  [prev=000 (1) | next=003 (1)] trip_count=3\n"
      "  002: kCopy [prev=001 (1) | next=sink] {index:-1, offset:0, size:0} {index:x}\n"
      "      and {index:1, offset:4, size:8}\n"
      "003: kMemset {0}\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::thunk_sequence);
  const thunk_sequence* const sequence = file.buffers->thunks();
  REQUIRE(sequence);
  REQUIRE(sequence->thunks.size() == 4);
  const auto& thunks = sequence->thunks;
  CHECK(thunks[0].number == 0);
  CHECK_FALSE(thunks[0].previous);
  CHECK(thunks[0].next == 1);
  CHECK(thunks[1].previous == 0);
  CHECK(thunks[1].description == "trip_count=3");
  CHECK(thunks[2].indent == 2);
  CHECK_FALSE(thunks[2].next);
  REQUIRE(sequence->slices.size() == 4);
  CHECK(thunks[0].slice_count == 2);
  CHECK(sequence->slices[0].allocation == 3);
  CHECK(sequence->slices[0].offset == 256);
  CHECK(sequence->slices[0].size == 64);
  CHECK(sequence->slices[0].text == "{index:3, offset:256, size:64}");
  CHECK(thunks[2].first_slice == 2);
  CHECK(thunks[2].slice_count == 2);
  CHECK(sequence->slices[2].allocation == -1);
  CHECK_FALSE(thunks[3].next);
}

TEST_CASE("no thunks at all, and lines that are not thunks") {
  CHECK(outcome("No thunks.") == "ok");
  CHECK(outcome("kCopy\t\n?\n!\nkCopy\t\n") ==
        "partial 2:1 SYN001 expected 'KIND DESCRIPTION' or 'NUMBER: KIND DESCRIPTION' of a thunk, and the line after "
        "it cannot be read either");
}
