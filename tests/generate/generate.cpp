// Writes made-up modules and their buffer dumps: hlolint_generate INSTRUCTIONS SEED NAME [COUNT] makes NAME.txt and
// NAME-buffer-assignment.txt; with COUNT as many modules, of the seeds from SEED on, below the folder NAME as XLA calls
// them.
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>

namespace {

bool write(std::size_t instructions, std::uint64_t seed, const std::string& name) {
  const hlolint::testing::program_texts texts = hlolint::testing::generated_program(instructions, seed).texts();
  std::ofstream hlo(name + ".txt", std::ios::binary), buffers(name + "-buffer-assignment.txt", std::ios::binary);
  hlo << texts.hlo;
  buffers << texts.buffers;
  hlo.close(), buffers.close();
  if (hlo && buffers) return true;
  std::cerr << "cannot write " << name << ".txt and " << name << "-buffer-assignment.txt\n";
  return false;
}

// module_0042.jit_generated.after_optimizations
std::string name_of_module(std::uint64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 4 - std::min<std::size_t>(digits.size(), 4), '0');
  return "module_" + digits + ".jit_generated.after_optimizations";
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) {
    std::cerr << "usage: hlolint_generate INSTRUCTIONS SEED NAME [COUNT]\n";
    return 2;
  }
  const std::size_t instructions = std::strtoull(words[1], nullptr, 10);
  const std::uint64_t seed = std::strtoull(words[2], nullptr, 10);
  const std::string name = words[3];
  if (count == 4) return write(instructions, seed, name) ? 0 : 1;
  std::error_code error;
  std::filesystem::create_directories(name, error);
  const std::uint64_t modules = std::strtoull(words[4], nullptr, 10);
  for (std::uint64_t i = 0; i < modules; ++i)
    if (!write(instructions, seed + i, name + "/" + name_of_module(i))) return 1;
  return 0;
}
