// The folders that a client lets the server read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command::server {

/// The path in a `file:` address, decoded; nothing for other addresses.
std::optional<std::string> path_of_uri(std::string_view uri);
/// The `file:` address of a path.
std::string uri_of_path(const std::string& path);

/// Folders whose files may be read, and no others, whatever links lead where.
class roots {
 public:
  roots() = default;
  /// Folders that do not exist are left out.
  explicit roots(const std::vector<std::string>& folders);

  const std::vector<std::string>& folders() const { return folders_; }
  /// Whether the path leads to a file or folder in one of the folders. A path that leads nowhere is judged by what of
  /// it exists.
  bool allow(const std::string& path) const;
  /// Why a path is not allowed, for messages; empty if it is.
  std::string refusal(const std::string& path) const;
  /// A relative path as seen from the folder in which it exists, or from the working folder, else from the first one.
  std::string resolve(const std::string& path) const;

 private:
  std::vector<std::string> folders_;  // canonical
};

}  // namespace hlolint::command::server
