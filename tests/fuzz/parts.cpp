// libFuzzer target: any text is split into parts without losing a line.
#include <hlolint/tool/logs/input_parts.hpp>
#include <hlolint/tool/logs/whole_lines.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hlolint;

bool has_text(std::string_view in, std::size_t begin, std::size_t end) {
  return begin < in.size() && in.substr(begin, end - begin).find_first_not_of(" \t\r\n") != in.npos;
}

void check_split(const std::string& text) {
  const logs::input_parts parts = logs::text_splitter(text).read();
  std::vector<std::string_view> kept{parts.hlo, parts.fragment, parts.rest};
  kept.insert(kept.end(), parts.buffers.begin(), parts.buffers.end());
  for (const std::string_view one : kept)
    if (!one.empty() && one.size() != text.size()) std::abort();
  std::size_t before = 0;
  for (const file_part& p : parts.parts) {
    if (p.at.begin < before || p.at.end < p.at.begin || p.at.end > text.size() || p.last_line < p.first_line)
      std::abort();
    before = p.at.begin;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const bool known =
        !has_text(text, begin, end) || parts.has_gaps || logs::is_section_mark(line) || !parts.escaped.empty() ||
        !parts.notes.empty() ||
        std::any_of(kept.begin(), kept.end(), [&](std::string_view one) { return has_text(one, begin, end); });
    // Of a line with the prefix of a module nothing may be left, within the module or behind it.
    const bool is_bare = line.size() < 200 && !parts.parts.empty() && line.find_first_of("=({") == line.npos;
    const bool is_prefix = is_bare || std::any_of(parts.parts.begin(), parts.parts.end(), [&](const file_part& p) {
                             return p.at.begin < begin && end <= p.at.end;
                           });
    if (!known && !is_prefix) std::abort();
    begin = end + 1;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_split(text);
  if (const auto plain = logs::without_markdown(text)) {
    if (plain->size() != text.size()) std::abort();
    check_split(*plain);
  }
  return 0;
}
