// libFuzzer target: any bytes read as a buffer dump, or as a log, give diagnostics, never a crash; reading them twice
// gives the same.
#include <hlolint/parse_buffers.hpp>
#include <hlolint/tool/parse_log.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

template <class Parse>
void check(Parse parse, const std::string& text) {
  const hlolint::parsed_file file = parse(hlolint::source(text)), again = parse(hlolint::source(text));
  for (const hlolint::diagnostic& d : file.diagnostics)
    if (d.where.at.end < d.where.at.begin || d.where.at.end > text.size()) std::abort();
  if (file.status != again.status || file.diagnostics.size() != again.diagnostics.size()) std::abort();
  if (file.status == hlolint::parse_status::ok && !file.buffers) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check([](hlolint::source in) { return hlolint::parse_buffers(in); }, text);
  check([](hlolint::source in) { return hlolint::parse_log(in); }, text);
  return 0;
}
