// libFuzzer target: any bytes read as a protobuf dump give diagnostics, never a crash; the module is that of the text.
#include <hlolint/tool/parse_proto.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const hlolint::parsed_file file = hlolint::parse_proto(bytes);
  for (const hlolint::diagnostic& d : file.diagnostics) (void)d.where.begin();
  if (file.status != hlolint::parse_status::ok && file.diagnostics.empty()) std::abort();
  if (file.status != hlolint::parse_status::ok) return 0;
  for (const hlolint::hlo_module& m : file.modules()) {
    const hlolint::parsed_file again = hlolint::parse_hlo(m.text());
    if (again.modules().size() != 1 || !(again.modules()[0] == m)) std::abort();
  }
  return 0;
}
