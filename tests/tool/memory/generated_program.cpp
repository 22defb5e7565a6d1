// The made-up programs of tests/generate are right in all that they state, so that times measured with them mean
// something.
#include "analysis/module_of.hpp"
#include "generate/program.hpp"

#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/tool/memory/verification.hpp>

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("generated programs are consistent, packed legally, and leave something to gain") {
  for (const std::size_t size : {16u, 50u, 3000u})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      CAPTURE(size);
      CAPTURE(seed);
      const program_texts texts = generated_program(size, seed).texts();
      const hlo_module module = module_of(texts.hlo);
      const buffer_dump dump = buffers_of(texts.buffers);
      CHECK(module.instruction_count() == size);
      CHECK(dump.values().size() == size);
      const verification compared(module, dump);
      for (const verified_section which : verified_sections) {
        CAPTURE(name_of(which));
        REQUIRE(compared.section(which));
        CHECK(compared.section(which)->total > 0);
      }
      CHECK(compared.all_equal());
      CHECK(buffer_conflicts(dump).size() == 0);

      const std::size_t temporary = dump.allocations().size() - 1;
      const packing_bound bound(dump);
      const repack packed(dump);
      CHECK(packed.of_allocation(temporary)->size <= dump.allocations()[temporary].size);
      CHECK(packed.of_allocation(temporary)->size >= bound.of_allocation(temporary)->bound);
      if (size == 3000) CHECK(packed.of_allocation(temporary)->size < dump.allocations()[temporary].size);
    }
}

TEST_CASE("generated programs: the same numbers make the same text, another seed another one") {
  CHECK(generated_program(100, 1).texts().buffers == generated_program(100, 1).texts().buffers);
  CHECK(generated_program(100, 1).texts().hlo != generated_program(100, 2).texts().hlo);
}
