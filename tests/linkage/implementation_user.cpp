// A program of two sources without a library: this one only sees declarations, implementation.cpp has the code.
#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

#include <iostream>

using namespace hlolint;

int main() {
  const parsed_file read = parse(R"(HloModule m

ENTRY %e (p: f32[4]) -> f32[4] {
  ROOT %p = f32[4]{0} parameter(0)
}
)");
  if (read.status != parse_status::ok || read.modules().size() != 1) return 1;
  const context dump(read.modules().front());
  for (const diagnostic& each : lint(all, dump)) std::cout << each.message << '\n';
  return dump.hlo()->instruction_count() == 1 ? 0 : 1;
}
