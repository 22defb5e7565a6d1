// A program outside the tree: two of hlolint's checks and one of its own, on a text at hand.
#include <hlolint/hlolint.hpp>
#if __has_include(<hlolint/checks/all.hpp>)  // the single header has all rules in it
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>
#endif

#include <iostream>
#include <string>

int main() {
  const auto checks = hlolint::sync_collective{} | hlolint::tile_padding{.min_waste = hlolint::byte_count{1} << 20} |
                      [](const hlolint::hlo_module& m, hlolint::sink auto& report) {
                        if (m.instruction_count() < 3) report(hlolint::finding_at(m, "nearly empty"));
                      };
  const std::string text =
      "HloModule small, is_scheduled=true\n\nENTRY main {\n  p = f32[65536,1]{1,0:T(8,128)} parameter(0)\n"
      "  ROOT n = f32[65536,1]{1,0:T(8,128)} negate(p)\n}\n";
  std::string rules;
  for (const hlolint::diagnostic& finding : hlolint::lint(checks, hlolint::parse(text, "small.txt")))
    rules += finding.rule + " ";
  std::cout << rules << '\n';
  return rules == "PAD001 CUSTOM " || rules == "CUSTOM PAD001 " || rules == "CUSTOM PAD001 PAD001 " ? 0 : 1;
}
