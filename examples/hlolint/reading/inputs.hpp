// From the paths of the command line to parsed files.
#pragma once

#include "packed_files.hpp"
#include "read_file.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/file.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::command {

/// A dump, and whether it was named or found in a folder.
struct input {
  std::string path;  ///< of the file, without the extension of a compression
  hlolint::parsed_file content;
  bool named = true;
};

/// All files that were read.
struct inputs {
  std::vector<input> files;                   ///< in the order of the command line, files of a folder by name
  std::vector<hlolint::diagnostic> problems;  ///< of folders; those of files are in `files`
  /// The files of earlier stages, or those that hold no program, for each folder without a final module.
  std::vector<std::vector<std::string>> unfinished;
  std::size_t ignored = 0;  ///< files of folders that are no dumps, or of an unwanted stage
};

/// The stages whose modules are read from folders. Named files are read whatever their stage.
enum class module_stages {
  last,                       ///< as XLA compiled them
  last_and_before_optimizing  ///< and the form of these before XLA optimized them
};

/// How inputs are read, and which files of folders.
struct reading_options {
  unsigned jobs = 1;  ///< files at a time
  module_stages stages = module_stages::last;
  bool only_hlo = false;  ///< no dumps of buffers and the like
  bool shows_bar = true;
  std::uint64_t max_size = hlolint::max_text_size;  ///< bytes of text that one file may hold
  const packed_files* packed = nullptr;             ///< files in archives and printed dumps; may be null
  std::vector<std::string> outputs;                 ///< files that will be written: none may be one of the dumps
  std::function<read_file(const std::string&, std::uint64_t)> read = read_input;  ///< reads one file
};

/// The files to read, and what is known of them before they are read.
struct input_plan {
  struct candidate {
    std::string path;
    std::optional<std::size_t> folder;  ///< where it was found; nothing = it was named
  };
  struct folder {
    std::string path;
    std::size_t dumps = 0;
    std::vector<std::string> earlier_stages;
    std::vector<std::string> without_program;  ///< files of compilers that hold none
    bool has_problems = false;
    bool packed = false;  ///< an archive, or what XLA printed
  };
  std::vector<candidate> candidates;  ///< in the order of the command line, those of a folder by name
  std::vector<folder> folders;
  std::vector<hlolint::diagnostic> problems;
  std::size_t ignored = 0;
};

/// Whether a file is no dump to check, so that it is left out of its folder: by its name, or where that leaves it open,
/// by its content.
bool is_left_out(const std::string& path, const hlolint::parsed_file& content);

/// Lists the files to read, each once, however often it is given.
input_plan plan_inputs(const std::vector<std::string>& paths, const reading_options& how);

/// Splits the candidates into sets that can be read independently: files of folders, by the module number in the name.
/// Empty if the names do not tell. Files without a number are in no set.
std::vector<std::vector<std::size_t>> independent_inputs(const input_plan& plan);

/// Reads some of the candidates, and calls `done` after each. A file of a folder that is no dump yields nothing. Throws
/// `overwrites_input`.
std::vector<std::optional<input>> read_candidates(const input_plan& plan, const std::vector<std::size_t>& which,
                                                  const reading_options& how, const std::function<void()>& done);

/// Counts what was read; after the last file the problems and the unfinished folders are known.
void add_read(input_plan& plan, std::vector<std::optional<input>>&& read, const std::vector<std::size_t>& which,
              inputs& out);
void finish_inputs(input_plan&& plan, inputs& out);

/// Reads files, folders with all their contents, and standard input (`-`). Each file is read once, however often it is
/// given. Compressed files are decompressed. Files of `before_optimizations` in folders are read only if
/// their final module lies beside them. Throws `overwrites_input`.
inputs read_inputs(const std::vector<std::string>& paths, const reading_options& how);

}  // namespace hlolint::command
