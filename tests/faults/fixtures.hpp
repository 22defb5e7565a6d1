// Valid modules of some variety, and the buffer dumps that go with them.
#pragma once

#include "program_writer.hpp"
#include "written_dump.hpp"
#include "written_program.hpp"

#include <hlolint/ir/target.hpp>

#include <cstdint>
#include <string>

namespace hlolint::testing {

/// One module with its dump, as records.
struct fixture {
  target backend = target::gpu;
  written_module program;
  written_dump dump;
  std::int64_t devices = 4;
  bool combined = false;  ///< the buffer dump is one file, as before 2026
  /// The word that stands in the names of the files: XLA's spelling of the target.
  std::string stem() const {
    return "module_0001." + program.name +
           (backend == target::gpu   ? ".sm_8.0_gpu"
            : backend == target::tpu ? ".tpu"
                                     : ".cpu") +
           "_after_optimizations";
  }
};

inline fixture make_fixture(std::uint64_t seed) {
  fixture out;
  out.backend = seed % 5 == 4 ? target::cpu : seed % 2 == 0 ? target::gpu : target::tpu;
  out.combined = seed % 3 == 0;
  const program_writer writer(seed, out.backend);
  out.program = writer.program();
  out.devices = writer.devices();
  out.dump = written_dump(out.program.text(), out.backend, out.combined);
  return out;
}

}  // namespace hlolint::testing
