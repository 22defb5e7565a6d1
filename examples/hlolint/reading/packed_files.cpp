#include "packed_files.hpp"

#include "decompress.hpp"
#include "parallel.hpp"
#include "read_file.hpp"
#include "read_proto.hpp"

#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include <unistd.h>

#ifdef HLOLINT_HAS_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace hlolint::command {

namespace {

constexpr std::array<std::string_view, 8> archive_endings{".tar", ".tar.gz",  ".tgz",      ".tar.xz",
                                                          ".txz", ".tar.zst", ".tar.zstd", ".zip"};

// What an archive may hold at most, and what standard input may bring.
constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;

// Whether bytes are those of an archive, compressed or not, or of a compressed file.
bool begins_packed(std::string_view bytes) {
  return bytes.starts_with("PK\3\4") || bytes.substr(std::min<std::size_t>(257, bytes.size())).starts_with("ustar") ||
         compression_of({}, bytes) != compression::none;
}

#ifdef HLOLINT_HAS_ARCHIVE
constexpr std::size_t most_entries = 200'000;
// Text of HLO shrinks to a fiftieth at best; what shrinks more is made to fill the memory.
constexpr std::uint64_t most_ratio = 500, least_for_ratio = std::uint64_t{16} << 20;

struct free_archive {
  void operator()(archive* a) const { archive_read_free(a); }
};
using archive_reader = std::unique_ptr<archive, free_archive>;

std::string error_of(archive* a) {
  const char* const text = archive_error_string(a);
  return text ? text : "the archive is damaged";
}

// The path inside of the archive; nothing if it leads out of it.
std::optional<std::string> inner_path(std::string_view written) {
  std::string out;
  if (written.starts_with('/')) return std::nullopt;
  while (!written.empty()) {
    const std::size_t end = std::min(written.find_first_of("/\\"), written.size());
    const std::string_view part = written.substr(0, end);
    written.remove_prefix(std::min(end + 1, written.size()));
    if (part == "..") return std::nullopt;
    if (part.empty() || part == ".") continue;
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}
#endif

// The name in `*** Begin NAME ***`, which may stand after a prefix; empty for other lines.
std::string_view name_in(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == line.npos || at > 200) return {};
  const std::size_t begin = at + mark.size(), end = line.find(" ***", begin);
  return end == line.npos ? std::string_view{} : line.substr(begin, end - begin);
}

constexpr std::string_view begin_mark = "*** Begin ", end_mark = "*** End ";

}  // namespace

bool is_archive_name(std::string_view path) {
  return std::any_of(archive_endings.begin(), archive_endings.end(),
                     [&](std::string_view ending) { return path.size() > ending.size() && path.ends_with(ending); });
}

packed_files::packed_files(const std::vector<std::string>& paths, std::uint64_t max_size) {
  progress_bar bar("reading", paths.size());
  for (const std::string& path : paths) {
    if (!problems_.contains(path) && !files_.contains(path)) take(path, max_size);
    bar.step();
  }
}

void packed_files::take(const std::string& path, std::uint64_t max_size) {
  if (path == "-") return take_standard_input(max_size);
  const file_reader file(path);
  if (file.status() != load_status::loaded) return unpack_around(path, max_size);
  if (is_archive_name(path)) {
    unpack(path, nullptr, max_size);
    return;
  }
  std::string head(text_head_size, '\0');
  head.resize(file.peek(head.data(), head.size()));
  if (looks_binary(head) || (kind_by_beginning(head) != input_kind::unknown && head.find(begin_mark) == head.npos))
    return;
  const mapped_file whole(path);
  if (whole.error().empty() && whole.bytes().find(begin_mark) != std::string_view::npos) split(path, whole.bytes());
}

void packed_files::unpack_around(const std::string& path, std::uint64_t max_size) {
  for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1)) {
    const std::string around = path.substr(0, at);
    if (!is_archive_name(around) || file_reader(around).status() != load_status::loaded) continue;
    if (!problems_.contains(around)) unpack(around, nullptr, max_size);
    if (find(path) || !files_of(path).empty()) return;
    std::vector<diagnostic> problems = problems_of(around);
    if (problems.empty()) problems.push_back(unreadable(path, "cannot be read: the archive has no such file"));
    problems_[path] = std::move(problems);
    return;
  }
}

std::vector<std::string> packed_files::files_of(const std::string& path) const {
  std::vector<std::string> out;
  const std::string begin = path + '/';
  for (auto at = files_.lower_bound(begin); at != files_.end() && at->first.starts_with(begin); ++at)
    out.push_back(at->first);
  return out;
}

std::vector<std::string> packed_files::folders_of(const std::string& path) const {
  std::string above = path;
  for (;;) {
    std::vector<std::string> out;
    bool has_files = false;
    for (const std::string& file : files_of(above)) {
      const std::size_t end = file.find('/', above.size() + 1);
      has_files |= end == file.npos;
      if (end != file.npos && (out.empty() || out.back() != file.substr(0, end))) out.push_back(file.substr(0, end));
    }
    if (out.size() != 1 || has_files) return out;
    above = out.front();
  }
}

// Reads no further than it takes to find out that nothing can be done with the bytes.
void packed_files::take_standard_input(std::uint64_t max_size) {
  file_reader in = file_reader::of(STDIN_FILENO);
  std::string bytes;
  std::uint64_t most = text_head_size;
  for (std::size_t got = 1; got > 0 && bytes.size() < most;) {
    const std::size_t done = bytes.size();
    bytes.resize(done + static_cast<std::size_t>(std::min<std::uint64_t>(std::max(done, text_head_size), most - done)));
    got = in.read(bytes.data() + done, bytes.size() - done);
    bytes.resize(done + got);
    if (bytes.size() != text_head_size) continue;
    if (begins_packed(bytes))
      most = most_bytes;
    else if (!looks_binary(bytes) || begins_as_proto(bytes))
      most = std::max<std::uint64_t>(max_size, text_head_size) + 1;
  }
  if (in.status() != load_status::loaded) {
    problems_["-"].push_back(unreadable("-", "cannot be read: " + in.error()));
    return;
  }
  if (begins_packed(bytes)) {
    if (unpack("-", &bytes, max_size)) return;
    if (const content text = unpacked_text(bytes, max_size)) bytes = *text;
  }
  const bool has_files = !looks_binary(bytes) && bytes.find(begin_mark) != bytes.npos;
  if (has_files) split("-", bytes);
  if (!problems_.contains("-")) files_.insert_or_assign("-", std::make_shared<const std::string>(std::move(bytes)));
}

void packed_files::split(const std::string& path, std::string_view text) {
  std::string rest, name, section;
  bool is_open = false;
  const auto close = [&] {
    // Of a name that comes twice the last text counts, and blanks are underscores, as on disk.
    std::replace(name.begin(), name.end(), ' ', '_');
    files_.insert_or_assign(path + '/' + name, std::make_shared<const std::string>(std::move(section)));
    section = {}, is_open = false;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end), whole = text.substr(0, std::min(end + 1, text.size()));
    text.remove_prefix(whole.size());
    const std::string_view begun = name_in(line, begin_mark), ended = name_in(line, end_mark);
    if (!begun.empty() && begun.find("..") == begun.npos) {
      if (is_open) close();
      is_open = true, name = begun;
      rest += '\n';
    } else if (is_open && ended == name) {
      close();
      rest += '\n';
    } else if (is_open) {
      section += whole;
      rest += '\n';
    } else {
      rest += whole;
    }
  }
  if (is_open) close();
  if (files_of(path).empty()) return;
  problems_[path];
  files_.insert_or_assign(path, std::make_shared<const std::string>(std::move(rest)));
}

#ifdef HLOLINT_HAS_ARCHIVE

const std::string_view not_unpacked = "the compressed data is damaged or too large";

bool packed_files::unpack(const std::string& path, const std::string* bytes, std::uint64_t max_size) {
  const archive_reader in(archive_read_new());
  for (const auto support :
       {archive_read_support_filter_gzip, archive_read_support_filter_xz, archive_read_support_filter_zstd,
        archive_read_support_format_tar, archive_read_support_format_zip})
    support(in.get());
  const int opened = bytes ? archive_read_open_memory(in.get(), bytes->data(), bytes->size())
                           : archive_read_open_filename(in.get(), path.c_str(), std::size_t{1} << 16);
  archive_entry* entry = nullptr;
  int status = opened == ARCHIVE_OK ? archive_read_next_header(in.get(), &entry) : opened;
  if (bytes && status != ARCHIVE_OK && status != ARCHIVE_WARN) return false;
  std::vector<diagnostic>& problems = problems_[path];
  const auto stop = [&](std::string name, std::string why) {
    problems.push_back(unreadable(name, std::move(why)));
    return true;
  };
  if (opened != ARCHIVE_OK) return stop(path, "cannot be read: " + error_of(in.get()));
  std::uint64_t total = 0;
  std::size_t entries = 0;
  const auto fits = [&] {
    const auto packed = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_filter_bytes(in.get(), -1), 1));
    if (total > most_bytes)
      problems.push_back(unreadable(
          path, str_cat({"is read only in part: it holds more than ", human(static_cast<byte_count>(most_bytes))})));
    else if (total > least_for_ratio && total / packed > most_ratio)
      problems.push_back(unreadable(path, str_cat({"is read only in part: it is ", most_ratio,
                                                   " times as large as its archive, which no dump is"})));
    else
      return true;
    return false;
  };
  for (;; status = archive_read_next_header(in.get(), &entry)) {
    if (status == ARCHIVE_EOF) return true;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
      return stop(path, "cannot be read to its end: " + error_of(in.get()));
    if (++entries > most_entries)
      return stop(path, str_cat({"is read only in part: it holds more than ", most_entries, " files"}));
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) continue;
    const char* const written = archive_entry_pathname(entry);
    const std::optional<std::string> inner = inner_path(written ? written : "");
    if (!inner || inner->empty()) {
      problems.push_back(unreadable(
          path, str_cat({"a file in it is not read: its path leads out of the archive: ", written ? written : ""})));
      if (problems.size() > 100) return true;
      continue;
    }
    std::string name = path + '/' + *inner, held;
    if (dump_file_of(*inner).role == dump_role::left_out) {  // listed as in a folder, and never read
      total += static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
      if (!fits()) return true;
      files_.insert_or_assign(std::move(name), std::make_shared<const std::string>());
      continue;
    }
    std::vector<char> piece(std::size_t{1} << 16);
    la_ssize_t got = 0;
    while ((got = archive_read_data(in.get(), piece.data(), piece.size())) > 0) {
      total += static_cast<std::uint64_t>(got);
      if (!fits()) return true;
      if (held.size() <= max_size) held.append(piece.data(), static_cast<std::size_t>(got));
    }
    if (got < 0) return stop(name, "cannot be read: " + error_of(in.get()));
    files_.insert_or_assign(std::move(name), std::make_shared<const std::string>(std::move(held)));
  }
}

packed_files::content unpacked_text(const std::string& bytes, std::uint64_t max_size) {
  const archive_reader in(archive_read_new());
  for (const auto support : {archive_read_support_filter_gzip, archive_read_support_filter_xz,
                             archive_read_support_filter_zstd, archive_read_support_format_raw})
    support(in.get());
  archive_entry* entry = nullptr;
  if (archive_read_open_memory(in.get(), bytes.data(), bytes.size()) != ARCHIVE_OK ||
      archive_read_next_header(in.get(), &entry) != ARCHIVE_OK)
    return nullptr;
  std::string out;
  std::vector<char> piece(std::size_t{1} << 16);
  la_ssize_t got = 0;
  while ((got = archive_read_data(in.get(), piece.data(), piece.size())) > 0) {
    out.append(piece.data(), static_cast<std::size_t>(got));
    if (out.size() > max_size || (out.size() > least_for_ratio && out.size() / bytes.size() > most_ratio))
      return nullptr;
  }
  return got < 0 ? nullptr : std::make_shared<const std::string>(std::move(out));
}

#else

const std::string_view not_unpacked = "this hlolint was built without libarchive, which reads this";

bool packed_files::unpack(const std::string& path, const std::string* bytes, std::uint64_t) {
  if (bytes && compression_of({}, *bytes) != compression::none) return false;  // it may be a file
  problems_[path].push_back(unreadable(
      path,
      "is not read: this hlolint was built without libarchive, which reads archives; unpack it, and name the folder"));
  return true;
}

packed_files::content unpacked_text(const std::string&, std::uint64_t) { return nullptr; }

#endif

}  // namespace hlolint::command
