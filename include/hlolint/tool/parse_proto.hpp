// Reads XLA's protobuf dumps: HloProto, a bare HloModuleProto, snapshots, memory usage reports (protobuf_dumps.md).
// Needs the headers of protozero (Debian: libprotozero-dev); nothing else of this library does.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/parse_buffers.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/assignment_text.hpp>
#include <hlolint/tool/protobuf/message_kind.hpp>
#include <hlolint/tool/protobuf/module_text.hpp>
#include <hlolint/tool/protobuf/reading.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Whether bytes begin as a message that `parse_proto` knows. It refuses some of them with a diagnostic.
inline bool is_proto(std::string_view bytes) {
  return protobuf::kind_of_message(bytes) != protobuf::message_kind::none;
}

namespace protobuf {

/// Messages within the bytes of a file.
struct file_parts {
  std::string_view module, assignment;
};

/// Finds the module and the buffer assignment. The current place of `in` is the outermost message.
inline file_parts parts_of(message_kind kind, std::string_view bytes, reading& in) {
  file_parts out;
  const auto outer = [&](std::string_view all, std::string_view& first, const char* name, std::string_view* third) {
    in.guarded([&] {
      for_each_field<cut_field::used>(all, [&](const field& f) {
        if (f.key() == sized(1)) {
          if (f.missing) in.cut(name, -1, f.missing);
          in.merge(first, f.bytes);
        } else if (third && f.key() == sized(3)) {
          if (f.missing) in.cut("buffer_assignment", -1, f.missing);
          in.merge(*third, f.bytes);
        } else if (f.missing) {
          in.cut("(field)", f.tag, f.missing);
        }
      });
    });
  };
  if (kind == message_kind::hlo_module) {
    out.module = bytes;
  } else if (kind == message_kind::hlo_snapshot) {
    std::string_view hlo;
    outer(bytes, hlo, "hlo", nullptr);
    in.in("hlo", [&] { outer(hlo, out.module, "hlo_module", &out.assignment); });
  } else {
    const bool framed = kind == message_kind::framed_snapshot;
    outer(framed ? framed_message(bytes) : bytes, out.module, "hlo_module",
          kind == message_kind::hlo_proto ? &out.assignment : nullptr);
  }
  return out;
}

/// The name and the kind of the messages that hold HLO or memory usage.
struct message_form {
  message_kind kind;
  std::string_view name;
  input_kind input;
};
inline constexpr message_form message_forms[] = {
    {message_kind::hlo_proto, "HloProto", input_kind::hlo_proto},
    {message_kind::hlo_module, "HloModuleProto", input_kind::hlo_proto},
    {message_kind::hlo_snapshot, "HloSnapshot", input_kind::hlo_snapshot},
    {message_kind::framed_snapshot, "HloUnoptimizedSnapshot", input_kind::hlo_snapshot},
    {message_kind::unoptimized_snapshot, "HloUnoptimizedSnapshot", input_kind::hlo_snapshot},
    {message_kind::memory_usage_report, "MemoryUsageReportProto", input_kind::memory_usage_proto}};

/// Adds the results of a reader of text. `begin` is the place of its part in the whole text, and moves the diagnostics.
inline void add_part(parsed_file& to, parsed_file&& part, std::size_t begin, bool keep_diagnostics) {
  if (keep_diagnostics)
    for (diagnostic& d : part.diagnostics) {
      const auto shift = static_cast<std::uint32_t>(begin);
      d.where = {to.text, {d.where.at.begin + shift, d.where.at.end + shift}};
      to.diagnostics.push_back(std::move(d));
    }
  for (hlo_module& m : part.modules()) to.modules().push_back(std::move(m));
  if (!part.buffers) return;
  auto data = std::make_shared<buffer_data>(part.buffers->data());
  data->texts = {to.text};
  to.buffers.emplace(std::move(data));
}

}  // namespace protobuf

/// Reads a message. The content decides its type. The function writes the text that XLA prints for the message, with
/// the buffer assignment after the module, and reads that text: it is the `text` of the result, and all places refer to
/// it. Skips literals of more than ten elements by their length, so `bytes` may be a mapped file or a part of another
/// message; the result does not refer to them. Bad bytes never throw: `diagnostics` names the parts that cannot be read
/// by their paths in the message. Refuses more than `most_text` bytes of text. A template, so that only a caller that
/// parses compiles the grammar.
inline parsed_file parse_proto(std::string_view bytes, std::string path = "<bytes>",
                               std::uint64_t most_text = 0xFFFFFFFF) {
  using namespace protobuf;
  const message_kind kind = kind_of_message(bytes);
  parsed_file out;
  const message_form* const form = std::find_if(std::begin(message_forms), std::end(message_forms),
                                                [&](const message_form& f) { return f.kind == kind; });
  if (form != std::end(message_forms)) out.kind = form->input;
  out.text = source(std::string_view{}, path, borrow);
  const auto refuse = [&](std::string why) {
    out.diagnostics.push_back(reading_problem("SYN000", std::move(why), {out.text, {}}));
    return std::move(out);
  };
  if (kind == message_kind::profile) return refuse("this is a profile (XSpace), not a dump of a module");
  if (kind == message_kind::riegeli)
    return refuse(
        "these are riegeli records, which are not read: have XLA write --xla_dump_hlo_as_text or "
        "--xla_dump_hlo_as_proto without --xla_dump_hlo_as_riegeli");
  if (out.kind == input_kind::unknown) return refuse("this is no protobuf message of XLA that holds HLO");

  // A small message can lead to a long text, as names and configurations are shared, but never to one this long.
  const std::uint64_t most =
      std::min<std::uint64_t>({most_text, 0xFFFFFFFF, 64 * std::uint64_t{bytes.size()} + (1u << 26)});
  reading in(std::string(form->name), static_cast<std::size_t>(most));
  std::size_t module_size = 0;
  in.out.reserve(std::min(bytes.size() + bytes.size() / 2, std::size_t{1} << 29));  // not touched before it is written
  try {
    if (kind == message_kind::memory_usage_report) {
      put_memory_report(in, bytes);
    } else {
      const file_parts parts = parts_of(kind, bytes, in);
      module_text module(in);
      const bool bare = kind == message_kind::hlo_module, in_hlo = kind == message_kind::hlo_snapshot;
      const auto at = [&](const char* name, auto&& what) {
        if (bare) return what();
        if (!in_hlo) return in.in(name, what);
        in.in("hlo", [&] { in.in(name, what); });
      };
      at("hlo_module", [&] { module.put(parts.module); });
      module_size = in.out.size();
      if (!parts.assignment.empty())
        at("buffer_assignment", [&] { assignment_text(in, module.whole()).put(parts.assignment); });
    }
  } catch (const reading::too_much_text&) {
    return refuse("this message stands for more than " + human(static_cast<byte_count>(most)) + " of text");
  }
  in.report_cut();

  const auto text = std::make_shared<const std::string>(std::move(in.out));
  const std::string_view written = *text;
  out.text = source(written, path, std::shared_ptr<const void>(text));
  // If the message is broken, the faults in its text are consequences of the problems that are reported here.
  const bool whole = std::none_of(in.problems().begin(), in.problems().end(),
                                  [](const problem& p) { return p.level == severity::error; });
  for (const problem& p : in.problems()) {
    const auto place = static_cast<std::uint32_t>(std::min(p.at, written.size()));
    out.diagnostics.push_back(reading_problem("SYN001", p.path + ": " + p.why, {out.text, {place, place}}, p.level));
    out.diagnostics.back().advice = p.advice;
  }
  if (in.unlisted() > 0) out.diagnostics.back().message += " (and " + std::to_string(in.unlisted()) + " more problems)";
  const auto part = [&](std::size_t begin, std::size_t size) {
    return source(written.substr(begin, size), path, std::shared_ptr<const void>(text));
  };
  const std::size_t heading = std::string_view("BufferAssignment:\n").size();
  if (module_size > 0) add_part(out, parse_hlo(part(0, module_size)), 0, whole);
  if (written.size() > module_size + (module_size > 0 ? heading : 0))
    add_part(out, parse_buffers(part(module_size, written.size() - module_size)), module_size, whole);
  const bool something = !out.modules().empty() || out.buffers;
  const bool errors = std::any_of(out.diagnostics.begin(), out.diagnostics.end(),
                                  [](const diagnostic& d) { return d.level == severity::error; });
  out.status = !something ? parse_status::failed : errors ? parse_status::partial : parse_status::ok;
  return out;
}

}  // namespace hlolint
