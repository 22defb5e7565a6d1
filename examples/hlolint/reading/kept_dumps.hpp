// What a server keeps between two questions: the files that it read, and the modules with their analyses.
#pragma once

#include "read_file.hpp"

#include <hlolint/lint/context.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace hlolint::command {

/// Keeps parsed files for as long as they do not change on disk, and contexts for as long as their texts are the same
/// objects. Both are bounded: what was used least recently is dropped. Several threads may use it.
class kept_dumps {
 public:
  /// Why a file must not be read; empty = it may be.
  using permission = std::function<std::string(const std::string& path)>;

  explicit kept_dumps(permission allowed = {}, std::size_t most_contexts = 8)
      : allowed_(std::move(allowed)), most_contexts_(most_contexts) {}

  /// As `read_input`, but a file that has not changed is read once.
  read_file read(const std::string& path, std::uint64_t max_size);

  using maker = std::function<std::shared_ptr<const hlolint::context>(hlolint::context::parts&&)>;

  /// The context of these parts, made by `make` unless it is kept. `choices`: all else that the result of `make` and of
  /// the context's analyses depends on.
  std::shared_ptr<const hlolint::context> context_of(hlolint::context::parts&& parts, const std::string& choices,
                                                     const maker& make);

  /// Forgets everything.
  void clear();
  /// Forgets the contexts.
  void clear_contexts();

 private:
  struct stamp {
    std::int64_t seconds = 0, nanoseconds = 0;
    std::uint64_t size = 0, inode = 0;
    friend bool operator==(const stamp&, const stamp&) = default;
  };
  struct kept_file {
    std::string path;
    stamp when;
    std::uint64_t max_size = 0;
    read_file content;
  };
  struct kept_context {
    std::string key;
    std::shared_ptr<const hlolint::context> made;
  };

  permission allowed_;
  std::size_t most_contexts_;
  std::mutex guard_;
  // The most recently used first.
  std::list<kept_file> files_;
  std::list<kept_context> contexts_;
};

}  // namespace hlolint::command
