// libFuzzer target: any bytes read as a profile, or as trace events, give numbers or a diagnostic, never a crash.
#include <hlolint/tool/parse_profile.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const hlolint::profile_file file = hlolint::parse_profile(bytes);
  if ((file.status == hlolint::parse_status::failed) == file.diagnostics.empty()) std::abort();
  for (const hlolint::diagnostic& d : file.diagnostics) (void)d.where.begin();
  for (const hlolint::profile_device& d : file.profile.devices)
    for (const hlolint::profile_module& m : d.modules)
      for (const hlolint::profile_event& e : m.events)
        if (e.operation >= m.operations.size()) std::abort();
  return 0;
}
