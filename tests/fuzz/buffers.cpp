// libFuzzer target: any bytes read as a buffer dump give diagnostics, never a crash; reading them twice gives the same.
#include <hlolint/parse_buffers.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = [&] { return hlolint::parse_buffers(hlolint::source(std::string(text))); };
  const hlolint::parsed_file file = read(), again = read();
  for (const hlolint::diagnostic& d : file.diagnostics)
    if (d.where.at.end < d.where.at.begin || d.where.at.end > size) std::abort();
  if (file.status != again.status || file.diagnostics.size() != again.diagnostics.size()) std::abort();
  if (file.status == hlolint::parse_status::ok && !file.buffers) std::abort();
  return 0;
}
