#include "read_file.hpp"

#include "decompress.hpp"
#include "../heap.hpp"
#include "packed_files.hpp"
#include "read_proto.hpp"

#include <hlolint/grammar/proto/proto_scan.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/logs/input_parts.hpp>
#include <hlolint/tool/logs/other_producers.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace hlolint::command {

namespace {

read_file failed(const std::string& path, std::string message, bool is_dump) {
  read_file out;
  out.content.text = source(std::string_view{}, path, borrow);
  out.content.diagnostics.push_back(unreadable(path, std::move(message)));
  out.is_dump = is_dump;
  return out;
}

struct loaded_input : loaded_file {
  std::string damage;   // error in compressed data, after `text`
  bool is_dump = true;  // for a file that is too large, judged by its beginning
};

bool begins_as_dump(std::string_view text) {
  return begins_as_proto(text) || kind_of_parts(text.substr(0, text_head_size)) != input_kind::unknown;
}
bool begins_as_dump(file_reader file) {
  std::string head(text_head_size, '\0');
  head.resize(file.read(head.data(), head.size()));
  return begins_as_dump(std::string_view(head));
}

// The text of a job's log with blanks for zeros, which crashed machines and rotated files leave in it; nothing for
// other texts.
std::optional<std::string> without_zeros(std::string_view text) {
  constexpr std::string_view of_binaries = "\x01\x02\x03\x04\x05\x06\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17";
  if (text.find('\0') == text.npos || text.find_first_of(of_binaries) != text.npos) return std::nullopt;
  std::string out(text);
  std::ranges::replace(out, '\0', ' ');
  return kind_of_parts(out) == input_kind::oom_report ? std::optional(std::move(out)) : std::nullopt;
}
bool is_log_with_zeros(std::string_view head) { return without_zeros(head).has_value(); }

std::string about_binary(const std::string& path) {
  std::string head(logs::producer_head_size, '\0');
  head.resize(file_reader(path).read(head.data(), head.size()));
  const std::string_view other = logs::other_binary_producer(head);
  return other.empty() ? "this is a binary file: neither a text dump nor a protobuf dump of XLA" : std::string(other);
}

loaded_input load(const std::string& path, file_reader file, compression how, std::uint64_t max_size) {
  if (how == compression::none) {
    loaded_input out{load_file(std::move(file), path, max_size, is_log_with_zeros), {}};
    if (out.status == load_status::too_large) out.is_dump = begins_as_dump(file_reader(path));
    return out;
  }
  if (file.status() != load_status::loaded) return {{std::nullopt, file.error(), file.status()}, {}};
  decompressed held = decompress(how, file, max_size, begins_as_proto);
  if (held.status == load_status::loaded) return {{held.text.release(path), {}, {}}, {}};
  if (held.status == load_status::unreadable && held.text.size() > 0)
    return {{held.text.release(path), {}, {}}, std::move(held.error)};
  return {{std::nullopt, std::move(held.error), held.status}, {}, begins_as_dump(held.text.text())};
}

// Reports damage in compressed data, after which everything is lost.
void note_damage(parsed_file& content, const std::string& damage) {
  diagnostic cut;
  cut.rule = "SYN001";
  cut.message = damage + ": nothing after this could be read";
  const auto end = static_cast<std::uint32_t>(content.text.text().size());
  cut.where = {content.text, {end, end}};
  content.diagnostics.push_back(std::move(cut));
  content.status = parse_status::partial;
}

read_file parsed_proto(std::string_view bytes, const std::string& path, std::uint64_t max_size,
                       const std::string& damage) {
  read_file out{read_proto(bytes, path, max_size), true};
  out.is_dump = out.content.kind != input_kind::unknown;
  if (!damage.empty()) note_damage(out.content, damage);
  return out;
}

// A text, or a message that was read as a whole. `is_text`: its first bytes show that it is no message.
read_file parsed_text(const source& loaded, const std::string& path, std::uint64_t max_size, const std::string& damage,
                      bool is_text, bool is_called_dump) {
  const std::string_view text = loaded.text();
  if (text.empty()) return failed(path, "the file is empty", false);
  if (is_text_proto(text))
    return failed(path,
                  "this is a protocol buffer in text form, which is not read as a dump: have XLA write HLO with "
                  "--xla_dump_hlo_as_text or --xla_dump_hlo_as_proto",
                  false);
  if (!is_text && begins_as_proto(text)) return parsed_proto(text, path, max_size, damage);
  if (std::optional<std::string> log = without_zeros(text))
    return parsed_text(source(*std::move(log), path), path, max_size, damage, true, is_called_dump);
  if (kind_of_parts(text) == input_kind::unknown) {  // not a dump, so there is no place to point at
    if (!damage.empty()) return failed(path, "cannot be read: " + damage, is_called_dump);
    if (text.find('\0') < text_head_size)  // then the parser knows the kind of the file
      return failed(path, parse_parts(loaded).diagnostics.front().message, is_called_dump);
    if (logs::holds_mlir(text))
      return failed(path,
                    "this is MLIR (StableHLO or another dialect), not HLO: XLA writes HLO with --xla_dump_to, and "
                    "JAX with lowered.compile().as_text() or lowered.as_text(dialect=\"hlo\")",
                    false);
    if (const std::string_view other = logs::other_producer(text); !other.empty())
      return failed(path, std::string(other), false);
    return failed(path, "this is no dump of XLA that hlolint knows: neither HLO text nor a buffer dump", false);
  }
  read_file out{parse_parts(loaded), true};
  parsed_file& content = out.content;
  if (!damage.empty()) {
    note_damage(content, damage);
  } else if (content.status != parse_status::ok && content.diagnostics.empty()) {
    content.diagnostics.push_back(unreadable(path, "cannot be read"));
  }
  return out;
}

read_file parsed(const std::string& path, std::uint64_t max_size) {
  const std::string_view ending = file_stem_of(without_compression(path)).ending;
  const bool is_called_dump = ending.ends_with(".txt") || ending == ".hlo.pb" || ending == ".hlo_proto.pb";
  file_reader file(path);
  prepare_heap(file.size());
  compression how = compression_of(path, {});
  bool is_text = false;
  if (how == compression::none) {  // most files are texts, which their first bytes show
    std::array<char, proto_test_size> room;
    const std::string_view begin(room.data(), file.peek(room.data(), room.size()));
    how = compression_of(path, begin);
    is_text = how == compression::none && !begin.empty() && !may_be_proto(begin);
    if (how == compression::none && !begin.empty() && !is_text) {
      std::string head(text_head_size, '\0');
      head.resize(file.peek(head.data(), head.size()));
      is_text = !begins_as_proto(head);
    }
    // Mapped, since most of the file may be literals, which the parser skips.
    if (how == compression::none && !begin.empty() && !is_text) {
      const mapped_file whole(path);
      if (!whole.error().empty()) return failed(path, "cannot be read: " + whole.error(), is_called_dump);
      return parsed_proto(whole.bytes(), path, max_size, {});
    }
  }
  const loaded_input loaded = load(path, std::move(file), how, max_size);
  switch (loaded.status) {
    case load_status::loaded: break;
    case load_status::unreadable: return failed(path, "cannot be read: " + loaded.error, is_called_dump);
    case load_status::not_regular: return failed(path, "is not read: " + loaded.error, is_called_dump);
    case load_status::binary:
      return ending.ends_with(".pb") && !missing_for_proto().empty()
                 ? failed(path, std::string(missing_for_proto()), is_called_dump)
                 : failed(path, about_binary(path), false);
    case load_status::too_large:
      return failed(path, "is not read: " + loaded.error + " (--max-size sets the limit)", loaded.is_dump);
  }
  return parsed_text(*loaded.text, path, max_size, loaded.damage, is_text, is_called_dump);
}

}  // namespace

diagnostic unreadable(const std::string& path, std::string message) {
  diagnostic out;
  out.rule = "SYN000";
  out.message = std::move(message);
  out.where = {source(std::string_view{}, path, borrow), {}};
  return out;
}

read_file read_input(const std::string& path, std::uint64_t max_size) {
  try {
    return parsed(path, max_size);
  } catch (const std::bad_alloc&) {  // the other files may still fit into memory
    return failed(path, "cannot be read: out of memory", true);
  } catch (const std::exception& thrown) {
    return failed(path, std::string("cannot be read: ") + thrown.what(), true);
  }
}

read_file read_bytes(const std::shared_ptr<const std::string>& bytes, const std::string& path, std::uint64_t max_size) {
  const std::string_view ending = file_stem_of(without_compression(path)).ending;
  const bool is_called_dump = ending.ends_with(".txt") || ending == ".hlo.pb" || ending == ".hlo_proto.pb";
  try {
    std::shared_ptr<const std::string> held = bytes;
    if (compression_of(path, *held) != compression::none) held = unpacked_text(*bytes, max_size);
    if (!held) return failed(path, str_cat({"cannot be read: ", not_unpacked}), is_called_dump);
    if (held->size() > max_size)
      return failed(
          path,
          "is not read: it is larger than " + human(static_cast<byte_count>(max_size)) + " (--max-size sets the limit)",
          begins_as_dump(*held));
    const std::string_view head = std::string_view(*held).substr(0, text_head_size);
    if (looks_binary(head) && !begins_as_proto(*held) && !is_log_with_zeros(head)) {
      const std::string_view other = logs::other_binary_producer(*held);
      return failed(
          path,
          other.empty() ? "this is a binary file: neither a text dump nor a protobuf dump of XLA" : std::string(other),
          false);
    }
    const std::string_view text = *held;
    return parsed_text(source(text, path == "-" ? "<standard input>" : path, std::shared_ptr<const void>(held)), path,
                       max_size, {}, false, is_called_dump);
  } catch (const std::bad_alloc&) {
    return failed(path, "cannot be read: out of memory", true);
  } catch (const std::exception& thrown) {
    return failed(path, std::string("cannot be read: ") + thrown.what(), true);
  }
}

}  // namespace hlolint::command
