// From the paths of the command line to parsed files.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

/// A dump, and whether its name was given (it was found in a folder otherwise).
struct input {
  std::string path;  ///< of what was read, without the ending of a compression
  hlolint::parsed_file content;
  bool named = true;
};

/// All that was read.
struct inputs {
  hlolint::record_list<input> files;                   ///< in the order of the command line, those of a folder by name
  hlolint::record_list<hlolint::diagnostic> problems;  ///< with folders; those with files are in `files`
  /// Of each folder without a final module, the files of earlier stages.
  hlolint::record_list<hlolint::record_list<std::string>> unfinished;
  std::size_t ignored = 0;                    ///< files of folders that are not dumps, or of a stage that is not wanted
};

/// Of which stages modules are wanted, where the user did not name the files.
enum class module_stages {
  last,                       ///< as XLA compiled them
  last_and_before_optimizing  ///< and, of these, what they were before XLA optimized them
};

/// What of folders is read, and how.
struct reading_options {
  unsigned jobs = 1;  ///< files at a time
  module_stages stages = module_stages::last;
  bool only_hlo = false;  ///< no dumps of buffers and the like
  bool shows_bar = true;
  std::uint64_t max_size = hlolint::max_text_size;  ///< bytes of text that one file may hold
  const std::map<std::string, hlolint::parsed_file>* at_hand = nullptr;  ///< what some paths stand for; may be null
  hlolint::record_list<std::string> outputs;  ///< files that will be written: none may be one of the dumps
};

/// What is to be read, and what is known of it before anything is.
struct input_plan {
  struct candidate {
    std::string path;
    hlolint::optional<std::size_t> folder;  ///< that it was found in; nothing = its name was given
  };
  struct folder {
    std::string path;
    std::size_t dumps = 0;
    hlolint::record_list<std::string> earlier_stages;
    bool has_problems = false;
  };
  hlolint::record_list<candidate> candidates;  ///< in the order of the command line, those of a folder by name
  hlolint::record_list<folder> folders;
  hlolint::record_list<hlolint::diagnostic> problems;
  std::size_t ignored = 0;
};

/// Looks what there is. Each file is taken once, however often it is given.
input_plan plan_inputs(const hlolint::record_list<std::string>& paths, const reading_options& how);

/// Sets of candidates that have nothing to do with each other: files of folders that carry the numbers of different
/// modules. Empty if the names do not show it. What is in none of the sets carries no number.
hlolint::record_list<hlolint::record_list<std::size_t>> independent_inputs(const input_plan& plan);

/// Reads some of the candidates; `done` is called after each. Nothing for those of folders that are not dumps. Throws
/// `overwrites_input`.
hlolint::record_list<hlolint::optional<input>> read_candidates(const input_plan& plan,
                                                           const hlolint::record_list<std::size_t>& which,
                                                           const reading_options& how,
                                                           const std::function<void()>& done);

/// Counts what was read; after the last one the problems and what is unfinished are known.
void add_read(input_plan& plan, hlolint::record_list<hlolint::optional<input>>&& read,
              const hlolint::record_list<std::size_t>& which, inputs& out);
void finish_inputs(input_plan&& plan, inputs& out);

/// Reads files, folders with all that is in them, and standard input (`-`). Each file is read once, however often it is
/// given. Compressed files are read as what they hold. Files of `before_optimizations` in folders are read only if
/// their final module lies beside them. Throws `overwrites_input`.
inputs read_inputs(const hlolint::record_list<std::string>& paths, const reading_options& how);
