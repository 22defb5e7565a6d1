// Files inside of other files: in the archive of a folder of dumps, or in what XLA prints with --xla_dump_to=-. Both
// may come from standard input.
#pragma once

#include <hlolint/text/diagnostic.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command {

/// The files inside of some files, by path: `dump.tar.gz/module_0001.jit_f.cpu_after_optimizations.txt`. They are held
/// in memory; nothing is written to disk.
class packed_files {
 public:
  using content = std::shared_ptr<const std::string>;

  /// Unpacks the archives among some paths, by their names, those that the paths of files in them begin with, and what
  /// XLA printed, by its marks. Standard input (`-`) is read to its end, and its bytes tell what it is. `max_size`: of
  /// one file.
  packed_files(const std::vector<std::string>& paths, std::uint64_t max_size);

  /// Whether no file is held.
  bool empty() const { return problems_.empty() && files_.empty(); }
  /// Whether a path is one of an archive, of a folder in it, or of a printed dump.
  bool holds(const std::string& path) const { return problems_.contains(path) || !files_of(path).empty(); }
  /// The paths of the files in it, by name.
  std::vector<std::string> files_of(const std::string& path) const;
  /// The folders in an archive, by path: those below the only folder if there is but one.
  std::vector<std::string> folders_of(const std::string& path) const;
  /// What could not be unpacked; of a folder in an archive nothing.
  std::vector<hlolint::diagnostic> problems_of(const std::string& path) const {
    const auto found = problems_.find(path);
    return found == problems_.end() ? std::vector<hlolint::diagnostic>() : found->second;
  }
  /// The bytes of a file; the path of a printed dump stands for the lines around its files. Null if there are none.
  content find(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : found->second;
  }

 private:
  /// Unpacks an archive from its file, or from its bytes. Returns false if bytes are no archive.
  bool unpack(const std::string& path, const std::string* bytes, std::uint64_t max_size);
  /// Unpacks the archive that a path of a file or a folder in it begins with, if there is one.
  void unpack_around(const std::string& path, std::uint64_t max_size);
  void split(const std::string& path, std::string_view text);
  void take(const std::string& path, std::uint64_t max_size);
  void take_standard_input(std::uint64_t max_size);

  std::map<std::string, content> files_;
  std::map<std::string, std::vector<hlolint::diagnostic>> problems_;
};

/// Whether a name is that of an archive: `.tar`, `.tar.gz`, `.tgz`, `.tar.xz`, `.tar.zst`, `.zip`.
bool is_archive_name(std::string_view path);

/// Why compressed bytes that are held in memory cannot be read.
extern const std::string_view not_unpacked;

/// The text of compressed bytes: a file in an archive, or standard input; nothing if it cannot be had.
packed_files::content unpacked_text(const std::string& bytes, std::uint64_t max_size);

}  // namespace hlolint::command
