// Reading files: what is refused, and how far it is read.
#include <hlolint/text/file.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace hlolint;

namespace {

namespace fs = std::filesystem;

struct folder {
  fs::path path;
  folder() {
    std::string name = (fs::temp_directory_path() / "hlolint_file_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  ~folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

}  // namespace

TEST_CASE("a file is read whole, whatever its size") {
  const folder here;
  for (const std::size_t size : {0u, 1u, 4095u, 65535u, 65536u, 65537u, 131072u, 1000000u}) {
    CAPTURE(size);
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; i += 7) text[i] = static_cast<char>('a' + i % 26);
    const std::string path = here.write("text", text);
    const loaded_file loaded = load_file(path);
    REQUIRE(loaded.text);
    CHECK(loaded.text->text() == text);
    CHECK(loaded.text->path() == path);
    CHECK(loaded.status == load_status::loaded);
    CHECK(load_file(path, size).text.has_value());
    if (size > 0) CHECK(load_file(path, size - 1).status == load_status::too_large);
  }
}

TEST_CASE("what is no text file is refused without waiting for it") {
  const folder here;
  const std::string pipe = (here.path / "pipe").string(), link = (here.path / "link").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink(pipe, link);
  using enum load_status;
  struct row {
    std::string path;
    load_status status;
    std::string_view error;
  };
  const row table[] = {
      {(here.path / "missing").string(), unreadable, "No such file"},
      {here.path.string(), not_regular, "folder"},
      {pipe, not_regular, "named pipe"},
      {link, not_regular, "named pipe"},
      {"/dev/zero", not_regular, "device"},
      {"/dev/fd/no-number", unreadable, ""},
      {here.write("head", std::string(65535, 'x') + '\0'), binary, "binary"},
  };
  for (const row& r : table) {
    CAPTURE(r.path);
    const loaded_file loaded = load_file(r.path);
    CHECK_FALSE(loaded.text);
    CHECK(loaded.status == r.status);
    CHECK(loaded.error.find(r.error) != std::string::npos);
  }
  // Only the first 64 KiB decide, and UTF-16 is left to the parser.
  CHECK(load_file(here.write("tail", std::string(65536, 'x') + '\0')).text.has_value());
  CHECK(load_file(here.write("utf16", std::string_view("\xFF\xFEH\0l\0o\0", 8))).text.has_value());
}

TEST_CASE("of a large file only its beginning is read") {
  const folder here;
  const std::string path = here.write("sparse", "");
  fs::resize_file(path, 0x300000000);  // 12 GiB, of which the file system stores nothing
  CHECK(load_file(path).status == load_status::binary);
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << std::string(65536, '\n');
  CHECK(load_file(path).status == load_status::too_large);
  CHECK(load_file(path, 1 << 20).error == "it is larger than 1.00MiB");
}

TEST_CASE("a pipe of a shell is read to its end, as far as it may be long") {
  const auto through_pipe = [](std::size_t size, std::uint64_t most) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    std::thread writer([&] {
      const std::string text(1000, 'x');
      for (std::size_t done = 0; done < size; done += text.size())
        if (write(ends[1], text.data(), text.size()) < 0) break;
      close(ends[1]);
    });
    const loaded_file loaded = load_file("/dev/fd/" + std::to_string(ends[0]), most);
    char rest[4096];
    while (read(ends[0], rest, sizeof rest) > 0) {
    }
    writer.join();
    close(ends[0]);
    return loaded;
  };
  const loaded_file whole = through_pipe(300000, 300000);
  REQUIRE(whole.text);
  CHECK(whole.text->text() == std::string(300000, 'x'));
  CHECK(through_pipe(300000, 299999).status == load_status::too_large);
  CHECK(through_pipe(1000, 10).status == load_status::too_large);
}

TEST_CASE("a descriptor that is open already is read and stays open") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "HloModule m", 11) == 11);
  close(ends[1]);
  const loaded_file loaded = load_file(file_reader::of(ends[0]), "<stdin>");
  REQUIRE(loaded.text);
  CHECK(loaded.text->text() == "HloModule m");
  CHECK(loaded.text->path() == "<stdin>");
  CHECK(close(ends[0]) == 0);
}

TEST_CASE("a buffer grows and keeps what was added") {
  text_buffer buffer;
  CHECK(buffer.text().empty());
  std::string expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 97), static_cast<char>('a' + i % 26));
    piece.copy(buffer.room(100), piece.size());
    buffer.add(piece.size());
    expected += piece;
  }
  CHECK(buffer.text() == expected);
  const source text = buffer.release("here");
  CHECK(text.text() == expected);
  CHECK(text.path() == "here");
  CHECK(buffer.size() == 0);
}
