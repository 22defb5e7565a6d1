// Places as code hosts expect them: relative to the repository's root, and only in files of the repository.
#pragma once

#include <hlolint/ir/source_position.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/source.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace hlolint::report {

/// A checkout, and where in it the command runs. Both are absolute paths without `..` and links.
struct repository {
  std::string root;                             ///< the top folder
  std::string working_directory;                ///< in the checkout or not
  std::function<bool(const std::string&)> has;  ///< whether there is a file at an absolute path
};

namespace detail {

// Paths relative to the root, with slashes; paths outside of it lose their leading slash.
class repository_paths {
 public:
  explicit repository_paths(const repository& in) : in_(in) {}

  /// The path from the root; empty if it does not lie in the repository.
  std::string inside(const std::string& path) const {
    const std::filesystem::path whole = (std::filesystem::path(in_.working_directory) / path).lexically_normal();
    const std::string out = whole.lexically_relative(in_.root).generic_string();
    return out.empty() || out == ".." || out.starts_with("../") ? std::string{} : out;
  }
  std::string of(const std::string& path) const {
    if (path.empty() || path == "-" || path.starts_with('<')) return path;
    const std::string relative = inside(path);
    if (!relative.empty()) return relative;
    std::filesystem::path whole = (std::filesystem::path(in_.working_directory) / path).lexically_normal();
    return whole.relative_path().generic_string();
  }
  /// The path of a file of the program; empty if it is not a file of the repository. XLA writes the path that Python
  /// had on the machine that compiled: relative to its working directory, relative to the root, or absolute.
  std::string of_program(const std::string& path) const {
    const std::filesystem::path written(path);
    if (const std::string here = inside(path); !here.empty() && has(here)) return here;
    if (written.is_relative()) {
      const std::string from_root = written.lexically_normal().generic_string();
      return !from_root.starts_with("..") && has(from_root) ? from_root : std::string{};
    }
    return {};
  }

 private:
  bool has(const std::string& relative) const {
    return in_.has((std::filesystem::path(in_.root) / relative).generic_string());
  }
  const repository& in_;
};

}  // namespace detail

/// The run with its places moved into the repository. If a line of the program is not in the repository, the message
/// names it, and the finding keeps its place in the dump.
inline run_result placed_in(run_result run, const repository& in) {
  const detail::repository_paths paths(in);
  std::map<std::string, std::string, std::less<>> programs, dumps;
  const auto known = [](auto& map, const std::string& path, auto&& make) -> const std::string& {
    const auto [at, added] = map.try_emplace(path);
    if (added) at->second = make();
    return at->second;
  };
  const auto dump_path = [&](const std::string& path) -> const std::string& {
    return known(dumps, path, [&] { return paths.of(path); });
  };
  // One source for each text, so that its lines are counted once.
  std::map<const void*, source> renamed;
  const auto move = [&](location& where) {
    const std::string& path = dump_path(where.in.path());
    if (path == where.in.path()) return;
    const void* const key = where.in.text().data();
    auto found = renamed.find(key);
    if (found == renamed.end() || found->second.path() != path) {
      const std::shared_ptr<const void> owner = std::make_shared<source>(where.in);
      found = renamed.insert_or_assign(key, source(where.in.text(), path, owner)).first;
    }
    where.in = found->second;
  };
  for (input_summary& input : run.inputs) input.path = dump_path(input.path);
  for (diagnostic& d : run.diagnostics) {
    move(d.where);
    for (related_place& other : d.related) move(other.where);
    if (d.source_file.empty()) continue;
    const std::string& program = known(programs, d.source_file, [&] { return paths.of_program(d.source_file); });
    if (program.empty()) {
      d.message += " (program: " + file_and_line(d.source_file, d.source_line) + ")";
      d.source_line = 0;
    }
    d.source_file = program;
  }
  return run;
}

}  // namespace hlolint::report
