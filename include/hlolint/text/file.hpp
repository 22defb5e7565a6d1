// The only place of the library that opens files.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/text_buffer.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hlolint {

/// Whether a file has been read, or why not.
enum class load_status {
  loaded,       ///< nothing went wrong
  unreadable,   ///< the system reports an error
  not_regular,  ///< a folder, named pipe, socket or device, which was not opened
  binary,       ///< NUL bytes in the first 64 KiB
  too_large     ///< more bytes than allowed
};

/// A file's text, or why there is none.
struct loaded_file {
  std::optional<source> text;                ///< empty when the file could not be read
  std::string error;                         ///< empty when `text` is there
  load_status status = load_status::loaded;  ///< why there is no text, for programs; `error` is for people
};

/// How many bytes of a file decide whether it is text.
inline constexpr std::size_t text_head_size = 65536;

/// The most that a `source` holds, in bytes.
inline constexpr std::uint64_t max_text_size = 0xFFFFFFFF;

/// Whether a file that begins with this text is binary: it has NUL bytes in its first 64 KiB. UTF-16 with a byte order
/// mark counts as text, which the parser refuses.
inline bool looks_binary(std::string_view text) {
  const std::string_view mark = text.substr(0, 2);
  return mark != "\xFF\xFE" && mark != "\xFE\xFF" && text.substr(0, text_head_size).find('\0') != text.npos;
}

/// Decides by the first 64 KiB of a binary file whether it is read all the same. Null: no binary file is read.
using binary_test = bool (*)(std::string_view head);

/// An open file that is read from its beginning to its end. Opening never waits and never touches a device.
class file_reader {
 public:
  /// Opens regular files only, and pipes that a shell passes as `/dev/fd/N` (`hlolint <(command)`).
  explicit file_reader(const std::string& path) { open(path); }

  /// Reads a file that is open already, such as standard input, and does not close it.
  static file_reader of(int descriptor) { return file_reader(descriptor); }

  /// Takes the file over; the other reader has no file afterwards.
  file_reader(file_reader&& other) noexcept
      : file_(std::exchange(other.file_, -1)),
        owned_(other.owned_),
        size_(other.size_),
        status_(other.status_),
        error_(std::move(other.error_)) {}
  file_reader& operator=(file_reader&&) = delete;
  ~file_reader() {
    if (file_ >= 0 && owned_) ::close(file_);
  }

  load_status status() const { return status_; }  ///< `loaded` as long as nothing goes wrong
  /// Why reading stopped, for people; empty as long as nothing goes wrong.
  const std::string& error() const { return error_; }
  std::uint64_t size() const { return size_; }  ///< as the system reports it, which is only a hint; 0 if unknown

  /// Reads up to `count` bytes. Returns 0 at the end, and after an error, which `status()` tells.
  std::size_t read(char* to, std::size_t count) {
    while (status_ == load_status::loaded) {
      const ::ssize_t got = ::read(file_, to, std::min<std::size_t>(count, 1u << 30));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail(load_status::unreadable, std::strerror(errno));
    }
    return 0;
  }

  /// Copies up to `count` of the first bytes, which `read` still reads afterwards. Returns 0 for a pipe, which cannot
  /// do this.
  std::size_t peek(char* to, std::size_t count) const {
    const ::ssize_t got = status_ == load_status::loaded ? ::pread(file_, to, count, 0) : 0;
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

 private:
  friend class mapped_file;
  explicit file_reader(int descriptor) : file_(descriptor), owned_(false) {}

  void open(const std::string& path) {
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return fail(load_status::unreadable, std::strerror(errno));
    if (S_ISFIFO(about.st_mode) && path.compare(0, 8, "/dev/fd/") == 0) {
      const int number = leading_integer<int>(std::string_view(path).substr(8)).value_or(-1);
      file_ = ::fcntl(number, F_DUPFD_CLOEXEC, 3);
      if (file_ < 0) fail(load_status::unreadable, std::strerror(errno));
      return;
    }
    if (!is_regular(about)) return;
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);  // it may be a pipe by now
    if (file_ < 0 || ::fstat(file_, &about) != 0) return fail(load_status::unreadable, std::strerror(errno));
    if (is_regular(about)) size_ = about.st_size > 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
  }
  bool is_regular(const struct stat& about) {
    const char* const what = S_ISREG(about.st_mode)    ? nullptr
                             : S_ISDIR(about.st_mode)  ? "it is a folder"
                             : S_ISFIFO(about.st_mode) ? "it is a named pipe, not a file"
                             : S_ISSOCK(about.st_mode) ? "it is a socket, not a file"
                                                       : "it is a device, not a file";
    if (what) fail(load_status::not_regular, what);
    return !what;
  }
  void fail(load_status why, const char* error) { status_ = why, error_ = error; }

  int file_ = -1;
  bool owned_ = true;
  std::uint64_t size_ = 0;
  load_status status_ = load_status::loaded;
  std::string error_;
};

/// The bytes of a regular file, mapped into memory: the system reads only the parts that are used. For files of which
/// much is passed over, such as protobuf dumps with literals. No other program may shorten the file meanwhile.
class mapped_file {
 public:
  /// If mapping fails, `error()` is the system's message.
  explicit mapped_file(const std::string& path) {
    const file_reader file(path);
    error_ = file.error();
    if (!error_.empty() || file.size() == 0) return;
    size_ = static_cast<std::size_t>(file.size());
#if defined(__EMSCRIPTEN__)  // not all of its file systems can map files
    void* at = std::malloc(size_);
    if (at && ::pread(file.file_, at, size_, 0) != static_cast<::ssize_t>(size_)) std::free(at), at = MAP_FAILED;
    if (!at) at = MAP_FAILED;
#else
    void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.file_, 0);
#endif
    if (at == MAP_FAILED)
      error_ = std::strerror(errno);
    else
      at_ = at;
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() {
#if defined(__EMSCRIPTEN__)
    std::free(at_);
#else
    if (at_) ::munmap(at_, size_);
#endif
  }

  /// Why the file could not be read; empty if it was.
  const std::string& error() const { return error_; }
  /// Valid for as long as this object lives.
  std::string_view bytes() const { return {static_cast<const char*>(at_), at_ ? size_ : 0}; }
  /// Gives back the memory of a part of the bytes, which the system reads again when they are used.
  void release(std::string_view part) const {
    constexpr std::size_t page = 65536;  // a multiple of the page size of every machine
    const auto whole = static_cast<std::size_t>(part.data() - static_cast<const char*>(at_));
    const std::size_t begin = (whole + page - 1) / page * page, end = (whole + part.size()) / page * page;
    if (begin < end) ::madvise(static_cast<char*>(at_) + begin, end - begin, MADV_DONTNEED);
  }

 private:
  void* at_ = nullptr;
  std::size_t size_ = 0;
  std::string error_;
};

/// Reads a file to its end. More than `max_size` bytes are an error, and so is a binary file that does not pass the
/// test; both are read no further than it takes to find out. Throws only std::bad_alloc.
inline loaded_file load_file(file_reader file, std::string path, std::uint64_t max_size = max_text_size,
                             binary_test reads_binary = nullptr) {
  const auto refuse = [](load_status why, std::string error) {
    return loaded_file{std::nullopt, std::move(error), why};
  };
  max_size = std::min(max_size, max_text_size);
  const auto too_large = [&] {
    return refuse(load_status::too_large, "it is larger than " + human(static_cast<byte_count>(max_size)));
  };
  text_buffer text;
  bool head_is_text = false;
  while (file.status() == load_status::loaded) {
    // Reads the head first, then all that is left. One byte more than expected shows whether the file ends there.
    const std::uint64_t known = file.size(), done = text.size();
    const std::uint64_t left = known > done                ? known - done
                               : known == done && done > 0 ? 0
                                                           : std::max<std::uint64_t>(done, text_head_size);
    const std::uint64_t most = done < text_head_size ? text_head_size - done : max_size - done;
    const auto piece = static_cast<std::size_t>(std::min(left, most) + 1);
    const std::size_t got = file.read(text.room(piece), piece);
    text.add(got);
    if (!head_is_text && (text.size() >= text_head_size || got == 0)) {
      if (looks_binary(text.text()) && !(reads_binary && reads_binary(text.text())))
        return refuse(load_status::binary, "it is a binary file, not text");
      head_is_text = true;
      if (known > max_size) return too_large();
    }
    if (text.size() > max_size) return too_large();
    if (got == 0) break;
  }
  if (file.status() != load_status::loaded) return refuse(file.status(), file.error());
  return {text.release(std::move(path)), {}, load_status::loaded};
}

/// Reads a whole regular file.
inline loaded_file load_file(const std::string& path, std::uint64_t max_size = max_text_size) {
  return load_file(file_reader(path), path, max_size);
}

}  // namespace hlolint
