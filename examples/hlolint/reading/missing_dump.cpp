#include "missing_dump.hpp"

namespace hlolint::command {

std::string how_to_dump(const std::string& missing) {
  return missing +
         ". Run the program with XLA_FLAGS=--xla_dump_to=FOLDER, which has to be set before jax, torch_xla or "
         "tensorflow is imported, and name FOLDER. On TPU set JAX_COMPILER_DETAILED_LOGGING_MIN_OPS=0 too, or small "
         "programs are left out, and LIBTPU_INIT_ARGS=--xla_dump_to=FOLDER if FOLDER stays empty.";
}

}  // namespace hlolint::command
