#include "roots.hpp"

#include <hlolint/report/places.hpp>
#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace hlolint::command::server {

namespace {

namespace fs = std::filesystem;

bool is_in(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end();
}

}  // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return std::nullopt;
  uri.remove_prefix(scheme.size());
  const std::size_t path = uri.find('/');  // after the host, which is this one
  if (path == std::string_view::npos) return std::nullopt;
  uri.remove_prefix(path);
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '#' || uri[i] == '?') break;
    if (uri[i] != '%') {
      out += uri[i];
      continue;
    }
    unsigned char byte = 0;
    const char* const code = uri.data() + i + 1;
    if (i + 2 >= uri.size() || std::from_chars(code, code + 2, byte, 16).ptr != code + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return std::nullopt;
  return out;
}

std::string uri_of_path(const std::string& path) {
  constexpr std::string_view plain = "/-._~!$&'()*+,;=:@";
  std::string out = "file://";
  for (const char c : path)
    out += hlolint::is_alphanumeric(c) || plain.find(c) != plain.npos ? std::string(1, c)
                                                                      : hlolint::report::detail::percent_code(c);
  return out;
}

roots::roots(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path there = fs::canonical(folder, error);
    if (!error) folders_.push_back(there.string());
  }
}

bool roots::allow(const std::string& path) const {
  std::error_code error;
  // A relative path of which nothing exists would stay relative.
  const fs::path there = fs::weakly_canonical(fs::absolute(path, error), error);
  return !error && std::any_of(folders_.begin(), folders_.end(), [&](const auto& f) { return is_in(there, f); });
}

std::string roots::refusal(const std::string& path) const {
  if (allow(path)) return {};
  std::string where;
  for (const std::string& folder : folders_) where += (where.empty() ? "" : ", ") + folder;
  return "is not read: it is outside of the folders that the client allows (" + where + ")";
}

std::string roots::resolve(const std::string& path) const {
  if (folders_.empty() || fs::path(path).is_absolute()) return path;
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  for (const std::string& folder : folders_) {
    const fs::path there = fs::path(folder) / path;
    if (fs::exists(there, error)) return folder == here ? path : there.string();
  }
  if (fs::exists(path, error) && allow(path)) return path;
  return folders_.front() == here ? path : (fs::path(folders_.front()) / path).string();
}

}  // namespace hlolint::command::server
