#include <hlolint/tool/report/code_hosts/gitlab.hpp>
#include <hlolint/tool/report/code_hosts/repository_places.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::report;

namespace {

diagnostic in_dump(std::string path, std::string program) {
  diagnostic d;
  d.rule = "PAD001";
  d.message = "padded";
  d.where = {source(std::string("one\ntwo\n"), std::move(path)), {4, 7}};
  d.source_file = std::move(program);
  d.source_line = d.source_file.empty() ? 0 : 12;
  return d;
}

// The command runs in /home/user/repo/sub; /home/user/repo/src/train.py is a file of the repository.
diagnostic placed(diagnostic d) {
  run_result run;
  run.diagnostics.push_back(std::move(d));
  const repository in{"/home/user/repo", "/home/user/repo/sub", [](const std::string& path) {
                        return path == "/home/user/repo/src/train.py" || path == "/home/user/repo/sub/here.py";
                      }};
  return placed_in(std::move(run), in).diagnostics.front();
}

}  // namespace

TEST_CASE("dumps are named from the root of the repository, and never absolutely") {
  CHECK(placed(in_dump("dumps/m.txt", "")).where.in.path() == "sub/dumps/m.txt");
  CHECK(placed(in_dump("../m.txt", "")).where.in.path() == "m.txt");
  CHECK(placed(in_dump("/home/user/repo/dumps/m.txt", "")).where.in.path() == "dumps/m.txt");
  CHECK(placed(in_dump("/srv/dumps/m.txt", "")).where.in.path() == "srv/dumps/m.txt");
  CHECK(placed(in_dump("-", "")).where.in.path() == "-");
  const diagnostic d = placed(in_dump("m.txt", ""));
  CHECK(d.where.begin() == line_column{2, 1});
  CHECK(d.where.text() == "two");
}

TEST_CASE("lines of the program count if the repository has the file") {
  for (const char* const path : {"/home/user/repo/src/train.py", "src/train.py", "../src/train.py"}) {
    const diagnostic d = placed(in_dump("m.txt", path));
    CHECK(d.source_file == "src/train.py");
    CHECK(d.source_line == 12);
    CHECK(d.message == "padded");
  }
  CHECK(placed(in_dump("m.txt", "here.py")).source_file == "sub/here.py");
}

TEST_CASE("a line of the program elsewhere is named, and the finding stands in the dump") {
  for (const std::string path :
       {"/usr/lib/python3/jax/api.py", "/home/user/repo/src/gone.py", "../../other/train.py", "x.py"}) {
    const diagnostic d = placed(in_dump("m.txt", path));
    CHECK(d.source_file == "");
    CHECK(d.source_line == 0);
    CHECK(d.message == "padded (program: " + path + ":12)");
    CHECK(d.where.in.path() == "sub/m.txt");
  }
}
