// MemoryUsageReportProto as the text of `-memory-usage-report.txt` since 2026 (buffer_dumps.md 6): the bytes of each
// memory space. The rows of the tables are not written: the message has no offsets.
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
        std::int64_t total = 0, color = 0;
        for_each_field(f.bytes, [&](const field& part) {
          if (part.key() == varint(1)) total = part.number();
          if (part.key() == varint(2)) color = part.number();
        });
        if (total < 0 || color < 0) throw bad_message("a negative number of bytes or color");
        in.out += "Memory Space: ";
        if (color < 6) in.out += spaces[color];
        else in.out += "color_", put(in.out, color);
        in.out += " (color=";
        put(in.out, color);
        in.out += ")\nTotal bytes: ";
        put(in.out, total);
        in.out += " (" + human(total) + ")\n\n";
      });
    });
  });
}

}  // namespace hlolint::protobuf
