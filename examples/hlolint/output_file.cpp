#include "output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hlolint::command {

namespace {

namespace fs = std::filesystem;

// Closes the file. Returns 0 or the error number.
int write_and_close(int file, std::string_view text) {
  int wrong = 0;
  while (!text.empty() && wrong == 0) {
    const ::ssize_t done = ::write(file, text.data(), std::min<std::size_t>(text.size(), std::size_t{1} << 30));
    if (done >= 0)
      text.remove_prefix(static_cast<std::size_t>(done));
    else if (errno != EINTR)
      wrong = errno;
  }
  if (::close(file) != 0 && wrong == 0) wrong = errno;
  return wrong;
}

int write_in_place(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
  return file < 0 ? errno : write_and_close(file, text);
}

// The target of a link, even if it does not exist yet.
fs::path target_of(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
    const fs::path to = fs::read_symlink(path, error);
    if (error) break;
    path = to.is_absolute() ? to : path.parent_path() / to;
  }
  return path;
}

int replace(const std::string& given, std::string_view text) {
  struct stat old {};
  const bool is_there = ::stat(given.c_str(), &old) == 0;
  if (is_there && S_ISDIR(old.st_mode)) return EISDIR;
  if (is_there && !S_ISREG(old.st_mode)) return write_in_place(given, text);
  if (is_there && ::access(given.c_str(), W_OK) != 0) return errno;

  const fs::path path = target_of(given);
  std::string fresh;
  int file = -1;
  for (int attempt = 0; attempt < 100 && file < 0; ++attempt) {
    fresh = (path.parent_path() / ("." + path.filename().string() + "." + std::to_string(::getpid()) + "-" +
                                   std::to_string(attempt) + ".new"))
                .string();
    file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  if (file < 0) {
    // No file can be created in the folder, but an existing one may be writable.
    if (is_there && (errno == EACCES || errno == EPERM || errno == EROFS || errno == ENAMETOOLONG))
      return write_in_place(given, text);
    return errno;
  }
  if (is_there && ::fchown(file, old.st_uid, old.st_gid) != 0) {
    // Ignored: only root can give the new file to the old owner.
  }
  int wrong = is_there && ::fchmod(file, old.st_mode & 07777) != 0 ? errno : 0;
  const int unwritten = write_and_close(file, text);
  if (wrong == 0) wrong = unwritten;
  if (wrong == 0 && ::rename(fresh.c_str(), path.c_str()) != 0) wrong = errno;
  if (wrong != 0) ::unlink(fresh.c_str());
  // A file that is a mount point cannot be replaced.
  return wrong == EBUSY && is_there ? write_in_place(given, text) : wrong;
}

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat of_a {
  }, of_b{};
  return a != "-" && b != "-" && ::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0 &&
         S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

std::string write_file(const std::string& path, std::string_view text) {
  const int wrong = replace(path, text);
  return wrong == 0 ? std::string{} : "cannot write " + path + ": " + std::strerror(wrong);
}

}  // namespace hlolint::command
