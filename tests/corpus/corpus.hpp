// Where the corpus is, and its tables.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// The folder named by HLOLINT_CORPUS; the program of these tests does not run without it.
inline std::filesystem::path corpus() {
  const char* const folder = std::getenv("HLOLINT_CORPUS");
  return folder ? folder : "";
}

/// The rows of a table of tabs without its head. Cells that a row does not have are empty.
inline std::vector<std::vector<std::string>> table(const std::filesystem::path& path, std::size_t columns) {
  std::vector<std::vector<std::string>> out;
  std::ifstream in(path);
  std::string line, cell;
  std::getline(in, line);  // the head
  while (std::getline(in, line)) {
    std::stringstream cells(line);
    out.emplace_back();
    while (std::getline(cells, cell, '\t')) out.back().push_back(cell);
    if (out.back().size() < columns) out.back().resize(columns);
  }
  return out;
}
