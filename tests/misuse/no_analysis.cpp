// expect: an analysis is constructed from
#include <hlolint/lint/lint.hpp>

using namespace hlolint;

struct instruction_total {
#ifdef HLOLINT_MISUSE
  explicit instruction_total(int) {}
#else
  explicit instruction_total(const hlo_module&) {}
#endif
};

const void* total(const context& dump) { return &dump.get<instruction_total>(); }
