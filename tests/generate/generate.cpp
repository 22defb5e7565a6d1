// Writes made-up modules and their buffer dumps: hlolint_generate INSTRUCTIONS SEED NAME [COUNT] makes NAME.txt and
// NAME-buffer-assignment.txt; with COUNT as many modules, of the seeds from SEED on, below the folder NAME as XLA calls
// them. With `jax` in place of INSTRUCTIONS their names and sizes are those of a run of JAX: nearly all are small, many
// have one name, one is a step.
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace {

bool write(std::size_t instructions, std::uint64_t seed, const std::string& name, const std::string& module = {}) {
  hlolint::testing::program_texts texts = hlolint::testing::generated_program(instructions, seed).texts();
  constexpr std::string_view head = "HloModule ";
  if (!module.empty() && texts.hlo.starts_with(head))
    texts.hlo.replace(head.size(), texts.hlo.find(',') - head.size(), module);
  std::ofstream hlo(name + ".txt", std::ios::binary), buffers(name + "-buffer-assignment.txt", std::ios::binary);
  hlo << texts.hlo;
  buffers << texts.buffers;
  hlo.close(), buffers.close();
  if (hlo && buffers) return true;
  std::cerr << "cannot write " << name << ".txt and " << name << "-buffer-assignment.txt\n";
  return false;
}

// module_0042.jit_generated.after_optimizations
std::string name_of_module(std::uint64_t number, const std::string& module = "jit_generated",
                           const std::string& target = {}) {
  std::string digits = std::to_string(number);
  digits.insert(0, 4 - std::min<std::size_t>(digits.size(), 4), '0');
  return "module_" + digits + "." + module + "." + target + "after_optimizations";
}

// Of a run of JAX: of ten modules eight have some 20 instructions and are compiled more than once, one in thirty has
// hundreds, and one is the step.
bool write_run(std::uint64_t seed, const std::string& folder, std::uint64_t modules) {
  constexpr const char* names[] = {"convert_element_type",
                                   "broadcast_in_dim",
                                   "_normal",
                                   "_uniform",
                                   "concatenate",
                                   "_where",
                                   "_mean",
                                   "fn",
                                   "less",
                                   "true_divide",
                                   "_threefry_split",
                                   "dynamic_slice",
                                   "init_fn",
                                   "eval_step",
                                   "_reduce_sum",
                                   "prepare_batch"};
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < modules; ++i) {
    const std::uint64_t kind = random() % 100, more = random();
    const std::size_t size = i + 1 == modules ? 20'000
                             : kind < 80      ? 16 + more % 10
                             : kind < 97      ? 20 + more % 80
                                              : 100 + more % 400;
    const std::string name =
        i + 1 == modules ? "jit_train_step" : std::string("jit_") + names[random() % std::size(names)];
    // Equal functions of equal shapes are compiled again by other callers.
    if (!write(size, kind < 80 ? seed + more % 200 : seed + i, folder + "/" + name_of_module(i, name, "gpu_"), name))
      return false;
  }
  return true;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) {
    std::cerr << "usage: hlolint_generate INSTRUCTIONS|jax SEED NAME [COUNT]\n";
    return 2;
  }
  const std::string name = words[3];
  if (std::string_view(words[1]) == "jax" && count == 5) {
    std::error_code error;
    std::filesystem::create_directories(name, error);
    return write_run(std::strtoull(words[2], nullptr, 10), name, std::strtoull(words[4], nullptr, 10)) ? 0 : 1;
  }
  const std::size_t instructions = std::strtoull(words[1], nullptr, 10);
  const std::uint64_t seed = std::strtoull(words[2], nullptr, 10);
  if (count == 4) return write(instructions, seed, name) ? 0 : 1;
  std::error_code error;
  std::filesystem::create_directories(name, error);
  const std::uint64_t modules = std::strtoull(words[4], nullptr, 10);
  for (std::uint64_t i = 0; i < modules; ++i)
    if (!write(instructions, seed + i, name + "/" + name_of_module(i))) return 1;
  return 0;
}
