// Reads the dumps of a program, runs three checks and prints what they find: quickstart FILE...
#include <hlolint/check.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/memory/overlapping_live_buffers.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>

#include <iostream>
#include <vector>

int main(int count, char** paths) {
  std::vector<hlolint::parsed_file> files;
  for (int i = 1; i < count; ++i)
    if (const auto file = hlolint::load_file(paths[i]); file.text) files.push_back(hlolint::parse(*file.text));

  const auto checks = hlolint::overlapping_live_buffers{} | hlolint::tile_padding{} | hlolint::sync_collective{};
  hlolint::text_report print(std::cout);
  for (const auto& finding : hlolint::lint(checks, files)) print(finding);
}
