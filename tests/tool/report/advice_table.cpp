#include <hlolint/tool/report/advise/advice_table.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;

namespace {

advice_row row(const std::string& module, byte_count need, byte_count by_edits, byte_count by_donation = 0) {
  advice_row out;
  out.module = module, out.path = "dumps/" + module + ".txt", out.need = need;
  out.by_edits = by_edits, out.by_donation = by_donation;
  return out;
}

}  // namespace

TEST_CASE("advice_table: most saved first, and one line for what saves too little") {
  std::vector<advice_row> rows{row("jit_copy", 1_KiB, 0), row("jit_copy.2", 2_KiB, 512), row("jit_eval", 2_GiB, 1_GiB),
                               row("jit_step", 8_GiB, 1_GiB, 2_GiB), row("jit_add", 1_KiB, 0)};
  rows.back().missing = "the HLO is not scheduled";
  rows.push_back(row("jit_infer", 2_GiB, 0, 900_MiB));
  rows.back().donation = certainty::estimate;
  rows.push_back(row("jit_serve", 2_GiB, 0, 800_MiB));
  rows.back().donation = certainty::bound;
  std::ostringstream out;
  write_advice_table(out, rows, least_saving(8_GiB), 20, 100);
  CHECK(out.str() ==
        "7 modules, by what can be saved\n"
        "              saves     need  by edits       by donations  by changes  module     file\n"
        "    at most 3.00GiB  8.00GiB   1.00GiB            2.00GiB           -  jit_step   jit_step.txt\n"
        "            1.00GiB  2.00GiB   1.00GiB                  -           -  jit_eval   jit_eval.txt\n"
        "    about 900.00MiB  2.00GiB         -    about 900.00MiB           -  jit_infer  jit_infer.txt\n"
        "  at most 800.00MiB  2.00GiB         -  at most 800.00MiB           -  jit_serve  jit_serve.txt\n"
        "  2 modules: jit_copy 2 times, save less than 81.92MiB each\n"
        "  1 module: jit_add has no schedule\n"
        "  --module NAME shows how to save it in one of them\n\n");
}

TEST_CASE("advice_table: what a row saves at least") {
  CHECK(least_saving(8_GiB) == 8_GiB / 100);
  CHECK(least_saving(80_GiB) == 256_MiB);
}
