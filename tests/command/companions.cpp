// The other dumps of the named files' modules are read too, except with --no-companions.
#include "outside.hpp"

using namespace from_outside;

namespace {

std::vector<std::string> read_by(const folder& here, const std::string& words) {
  std::vector<std::string> paths;
  const json report = here.run_json(words, 0);
  for (const json& input : report.at("inputs")) paths.push_back(input.at("path"));
  return paths;
}

}  // namespace

TEST_CASE("what has the stem and lies in the folder of a named file is read too, once") {
  using names = std::vector<std::string>;
  const folder here;
  for (const std::string folder : {"", "sub/"})
    for (const char* const name : {"m.txt", "m.hlo", "m.notes", "m.2.txt", "n.txt"}) here.write(folder + name, clean);

  CHECK(read_by(here, "--no-companions m.txt") == names{"m.txt"});
  CHECK(read_by(here, "m.txt") == names{"m.txt", "m.hlo"});
  CHECK(read_by(here, "--companions m.txt") == names{"m.txt", "m.hlo"});
  CHECK(read_by(here, "--companions m.hlo") == names{"m.hlo", "m.txt"});
  CHECK(read_by(here, "--companions m.txt m.hlo") == names{"m.txt", "m.hlo"});
  CHECK(read_by(here, "--companions sub/m.txt n.txt") == names{"sub/m.txt", "n.txt", "sub/m.hlo"});
  CHECK(read_by(here, "--companions ./m.txt m.txt") == names{"./m.txt", "./m.hlo"});
  CHECK(here.run("--companions no_such_file.txt").status == 2);
  here.write("c.txt", clean);
  here.write("c.txt.gz", clean);  // the same, compressed
  CHECK(read_by(here, "c.txt") == names{"c.txt"});
}

TEST_CASE("a file is read once, whatever its names") {
  const folder here;
  here.write("d/m.txt", clean);
  here.write("d/n.txt", clean);
  fs::create_symlink("d/m.txt", here / "link.txt");
  fs::create_symlink("d", here / "e");
  fs::create_symlink("n.txt", here / "d/also.txt");
  using names = std::vector<std::string>;
  CHECK(read_by(here, "--no-companions d/m.txt link.txt e/m.txt d/../d/m.txt") == names{"d/m.txt"});
  CHECK(read_by(here, "--no-companions link.txt d/m.txt") == names{"link.txt"});
  CHECK(read_by(here, "e/m.txt d") == names{"e/m.txt", "d/also.txt"});
  CHECK(read_by(here, "d e d/") == names{"d/also.txt", "d/m.txt"});
}
