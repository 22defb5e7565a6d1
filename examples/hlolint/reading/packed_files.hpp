// Files inside of other files: in the archive of a folder of dumps, or in what XLA prints with --xla_dump_to=-.
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

  /// Unpacks the archives among some paths, by their names, and what XLA printed, by its marks. `max_size`: of one
  /// file.
  packed_files(const std::vector<std::string>& paths, std::uint64_t max_size);

  /// Whether nothing is packed.
  bool empty() const { return problems_.empty(); }
  /// Whether a path is one of an archive or of a printed dump.
  bool holds(const std::string& path) const { return problems_.contains(path); }
  /// The paths of the files in it, by name.
  std::vector<std::string> files_of(const std::string& path) const;
  /// What could not be unpacked.
  const std::vector<hlolint::diagnostic>& problems_of(const std::string& path) const { return problems_.at(path); }
  /// The bytes of a file; the path of a printed dump stands for the lines around its files. Null if there are none.
  content find(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : found->second;
  }

 private:
  void unpack(const std::string& path, std::uint64_t max_size);
  void split(const std::string& path, std::string_view text);

  std::map<std::string, content> files_;
  std::map<std::string, std::vector<hlolint::diagnostic>> problems_;
};

/// Whether a name is that of an archive: `.tar`, `.tar.gz`, `.tgz`, `.tar.xz`, `.tar.zst`, `.zip`.
bool is_archive_name(std::string_view path);

/// The text of a file in an archive that is compressed itself; nothing if it cannot be had.
packed_files::content unpacked_text(const std::string& bytes, std::uint64_t max_size);

}  // namespace hlolint::command
