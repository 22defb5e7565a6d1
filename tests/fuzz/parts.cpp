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

/// Whether nothing is left of a line: it has only the prefix of a part, or it stands for lines that were left out.
bool leaves_nothing(std::string_view text, std::string_view line, const std::vector<file_part>& parts) {
  const auto says_nothing = [](std::string_view rest) {
    if (rest.starts_with('+')) rest.remove_prefix(1);  // of a difference
    return !has_text(rest, 0, rest.size()) || logs::is_gap(rest);
  };
  if (says_nothing(line) || says_nothing(logs::bare(line, true).text)) return true;
  return std::any_of(parts.begin(), parts.end(), [&](const file_part& p) {
    const std::string_view before = text.substr(0, p.at.begin), prefix = before.substr(before.rfind('\n') + 1);
    const std::string_view rest = logs::after_prefix(line, prefix);
    if (rest.data() && says_nothing(rest)) return true;
    return logs::is_line_number(prefix) || !logs::number_prefix(prefix).empty()
               ? says_nothing(line.substr(std::min(line.find_first_not_of("0123456789 \t|:"), line.size())))
               : false;
  });
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
    const bool is_kept =
        std::any_of(kept.begin(), kept.end(), [&](std::string_view one) { return has_text(one, begin, end); });
    const bool is_passed_over =
        std::any_of(parts.notes.begin(), parts.notes.end(),
                    [&](const logs::input_parts::passed_over& n) { return begin <= n.at && n.at < end; });
    const bool is_escaped =
        !parts.escaped.empty() && std::any_of(parts.parts.begin(), parts.parts.end(),
                                              [&](const file_part& p) { return p.at.begin < end && begin < p.at.end; });
    if (!is_kept && !is_passed_over && !is_escaped && !logs::is_section_mark(line) &&
        !leaves_nothing(text, line, parts.parts))
      std::abort();
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
