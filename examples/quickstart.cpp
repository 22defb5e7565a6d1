// Reads the dumps of a program, runs three checks and prints what they find: quickstart FILE...
#include <hlolint/check.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/memory/overlapping_live_buffers.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>

#include <iostream>
#include <vector>

int main(int count, char** paths) {
  hlolint::text_report print(std::cout);
  std::vector<hlolint::parsed_file> files;
  for (int i = 1; i < count; ++i) {
    const auto file = hlolint::load_file(paths[i]);
    if (!file.text) return std::cerr << paths[i] << ": " << file.error << '\n', 2;
    files.push_back(hlolint::parse(*file.text));
    for (const auto& unreadable : files.back().diagnostics) print(unreadable);
  }

  const auto checks = hlolint::overlapping_live_buffers{} | hlolint::tile_padding{} | hlolint::sync_collective{};
  for (const auto& finding : hlolint::lint(checks, files)) print(finding);
}
