// Writes a made-up module and its buffer dump: hlolint_generate INSTRUCTIONS SEED NAME makes NAME.txt and
// NAME-buffer-assignment.txt.
#include "program.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int count, char** words) {
  if (count != 4) {
    std::cerr << "usage: hlolint_generate INSTRUCTIONS SEED NAME\n";
    return 2;
  }
  const std::string name = words[3];
  const hlolint::testing::generated_program program(std::strtoull(words[1], nullptr, 10), std::strtoull(words[2], nullptr, 10));
  const hlolint::testing::program_texts texts = program.texts();
  std::ofstream hlo(name + ".txt", std::ios::binary), buffers(name + "-buffer-assignment.txt", std::ios::binary);
  hlo << texts.hlo;
  buffers << texts.buffers;
  hlo.close(), buffers.close();
  if (hlo && buffers) return 0;
  std::cerr << "cannot write " << name << ".txt and " << name << "-buffer-assignment.txt\n";
  return 1;
}
