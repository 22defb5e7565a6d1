// MemoryUsageReportProto as the text of `-memory-usage-report.txt` since 2026 (buffer_dumps.md 6): the bytes of each
// memory space. The rows of the tables are left out, as the message has no offsets.
#pragma once

#include <hlolint/protobuf/reading.hpp>
#include <hlolint/protobuf/text_parts.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::protobuf {

/// Writes the report to `in.out`.
inline void put_memory_report(reading& in, std::string_view bytes) {
  constexpr std::string_view spaces[] = {"default", "vmem", "smem", "hbm", "host", "cmem"};
  std::int64_t index = 0;
  in.guarded([&] {
    for_each_field_until_end(bytes, [&](const field& f) {
      if (f.key() != sized(1)) return;
      if (f.missing) return in.cut("memory_space_allocation_entries", index, f.missing);
      in.in("memory_space_allocation_entries", index++, [&] {
        const message entry(f.bytes);
        const std::int64_t total = entry.number(1), color = entry.number(2);
        if (total < 0 || color < 0) throw bad_message("a negative number of bytes or color");
        const std::string space = color < 6 ? std::string(spaces[color]) : str_cat({"color_", color});
        append_to(in.out, {"Memory Space: ", space, " (color=", color, ")\nTotal bytes: ", total, " (", human(total),
                           ")\n\n"});
      });
    });
  });
}

}  // namespace hlolint::protobuf
