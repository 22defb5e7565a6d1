// libFuzzer target: any bytes read as HLO give diagnostics, never a crash; what is read whole is printed and read back
// as the same module.
#include <hlolint/parse_hlo.hpp>
#include <hlolint/print/print.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hlolint::parsed_file file =
      hlolint::parse_hlo(hlolint::source(std::string(reinterpret_cast<const char*>(data), size)));
  for (const hlolint::diagnostic& d : file.diagnostics) (void)d.where.begin();
  if (file.status != hlolint::parse_status::ok) return 0;
  for (const hlolint::hlo_module& m : file.modules()) {
    const hlolint::parsed_file again = hlolint::parse_hlo(hlolint::source(hlolint::print(m, hlolint::form_of(m))));
    if (again.modules().size() != 1 || !(again.modules()[0] == m)) std::abort();
  }
  return 0;
}
