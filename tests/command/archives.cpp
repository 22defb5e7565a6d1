// Archives of folders of dumps, and what XLA prints with --xla_dump_to=-: the same answers as for the folder.
#include "command/compressed.hpp"
#include "command/outside.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

using namespace from_outside;

namespace {

std::string module_text(const std::string& name) {
  return "HloModule " + name +
         ", is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}\n\n"
         "ENTRY %main (a: f32[8]) -> f32[8] {\n  %a = f32[8]{0} parameter(0)\n  ROOT %r = f32[8]{0} negate(%a)\n}\n\n";
}
// The value is written twice in one place.
const std::string buffers =
    "BufferAssignment:\nallocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}:\n"
    " value: <0 a @0> (size=32,offset=0): f32[8]{0}\nallocation 1: size 64, output shape is |f32[8]|, maybe-live-out:\n"
    " value: <1 r @0> (size=32,offset=0): f32[8]{0}\n\nTotal bytes used: 96 (96B)\n";

using files = std::vector<std::pair<std::string, std::string>>;
const files dump{{"module_0001.jit_f.before_optimizations.txt", module_text("jit_f")},
                 {"module_0001.jit_f.cpu_after_optimizations.txt", module_text("jit_f")},
                 {"module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt", buffers},
                 {"module_0001.jit_f.debug_options", "xla_cpu_x: true\n"},
                 {"module_0002.jit_g.cpu_after_optimizations.txt", module_text("jit_g")}};

// A tar file in the format of POSIX (ustar).
std::string tar_of(const files& all) {
  std::string out;
  for (const auto& [name, text] : all) {
    std::string head(512, '\0');
    const auto put = [&](std::size_t at, const std::string& field) { head.replace(at, field.size(), field); };
    char size[12];
    std::snprintf(size, sizeof size, "%011lo", static_cast<unsigned long>(text.size()));
    put(0, name), put(100, "0000644"), put(108, "0000000"), put(116, "0000000"), put(124, size);
    put(136, "00000000000"), put(148, "        "), put(156, "0"), put(257, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%06o", sum);
    put(148, digits), head[154] = '\0', head[155] = ' ';
    out += head + text + std::string((512 - text.size() % 512) % 512, '\0');
  }
  return out + std::string(1024, '\0');
}
// A zip file that stores its files as they are.
std::string zip_of(const files& all) {
  std::string out, list;
  for (const auto& [name, text] : all) {
    const std::size_t at = out.size();
    std::string fields;
    append_little_endian(fields, 20, 2), append_little_endian(fields, 0, 8);
    append_little_endian(fields, crc32_of(text), 4), append_little_endian(fields, text.size(), 4);
    append_little_endian(fields, text.size(), 4), append_little_endian(fields, name.size(), 2);
    append_little_endian(fields, 0, 2);
    out += "PK\3\4" + fields + name + text;
    list += std::string("PK\1\2\x14\0", 6) + fields;
    append_little_endian(list, 0, 6);
    append_little_endian(list, 0x81A40000, 4), append_little_endian(list, at, 4);
    list += name;
  }
  std::string end("PK\5\6\0\0\0\0", 8);
  append_little_endian(end, all.size(), 2), append_little_endian(end, all.size(), 2);
  append_little_endian(end, list.size(), 4), append_little_endian(end, out.size(), 4), append_little_endian(end, 0, 2);
  return out + list + end;
}
std::string printed(const files& all) {
  std::string out = "step 1: loss 0.5\n";
  for (const auto& [name, text] : all)
    out += "I0000 00:00:1.2 3 dump.cc:4] *** Begin " + name + " ***\n" + text + "\n*** End " + name + " ***\n";
  return out;
}

bool reads_archives(const folder& here) {
  here.write("test.tar", tar_of(dump));
  const bool reads = here.run("parse test.tar").errors.find("without libarchive") == std::string::npos &&
                     here.run("parse test.tar").output.find("without libarchive") == std::string::npos;
  if (!reads) MESSAGE("this hlolint was built without libarchive");
  return reads;
}

// The report without the name of the folder or the archive.
std::string without(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != text.npos;) text.replace(at, name.size(), "HERE");
  return text;
}

}  // namespace

TEST_CASE("an archive is read as its folder") {
  const folder here;
  if (!reads_archives(here)) return;
  for (const auto& [name, text] : dump) here.write("d/" + name, text);
  const files archives{{"d.tar", tar_of(dump)},
                       {"d.tar.gz", gzip_of(tar_of(dump))},
                       {"d.tgz", gzip_of(tar_of(dump))},
                       {"d.zip", zip_of(dump)}};
  for (const auto& archive : archives) {
    const std::string& name = archive.first;
    CAPTURE(name);
    here.write(name, archive.second);
    for (const std::string words : {"--select ALL --format json ", "memory --format json ", "query negate ", "time "}) {
      CAPTURE(words);
      const outcome folder_says = here.run(words + "d"), archive_says = here.run(words + name);
      CHECK(archive_says.status == folder_says.status);
      CHECK(without(archive_says.output, name + "/") == without(folder_says.output, "d/"));
    }
  }
}

TEST_CASE("the path of a file in an archive names it, with what lies beside it") {
  const folder here;
  if (!reads_archives(here)) return;
  for (const auto& [name, text] : dump) here.write("d/" + name, text);
  here.write("d.tar", tar_of(dump));
  const std::string file = "/module_0001.jit_f.cpu_after_optimizations.txt";
  for (const std::string words : {"--select ALL --format json ", "memory --format json ", "query negate ", "show "}) {
    CAPTURE(words);
    const std::string rest = file + (words == "show " ? " %r" : "");
    const outcome file_says = here.run(words + "d" + rest), archive_says = here.run(words + "d.tar" + rest);
    CHECK(archive_says.status == file_says.status);
    CHECK(archive_says.output.find("jit_f") != std::string::npos);
    CHECK(without(archive_says.output, "d.tar/") == without(file_says.output, "d/"));
  }
  const outcome both = here.run("query negate d.tar" + file + " d.tar/module_0002.jit_g.cpu_after_optimizations.txt");
  CHECK(both.output.find("jit_f") != std::string::npos);
  CHECK(both.output.find("jit_g") != std::string::npos);
  const outcome none = here.run("d.tar/module_0009.txt");
  CHECK(none.status == 2);
  CHECK((none.output + none.errors).find("the archive has no such file") != std::string::npos);
  here.write("text.zip", "no archive\n");
  CHECK(here.run("parse text.zip/a.txt").status == 2);
}

TEST_CASE("bad archives are refused or read in part, and say so") {
  const folder here;
  if (!reads_archives(here)) return;
  files out = dump;
  out.push_back({"../../leads_out.txt", module_text("evil")});
  out.push_back({"/leads_out.txt", module_text("evil")});
  here.write("out.tar", tar_of(out));
  const outcome leads_out = here.run("parse out.tar");
  CHECK(leads_out.status == 2);
  CHECK((leads_out.output + leads_out.errors).find("leads out of the archive: ../../leads_out.txt") !=
        std::string::npos);
  CHECK(leads_out.output.find("evil") == std::string::npos);
  CHECK_FALSE(fs::exists(here / "../../leads_out.txt"));

  here.write("bomb.tar.gz", gzip_bomb('\0', std::size_t{64} << 20));  // blocks of zeros end a tar file
  CHECK(here.run("parse bomb.tar.gz").status == 2);
  const std::string whole = tar_of(dump);
  here.write("cut.tar", whole.substr(0, 2 * 1024 + 600));  // within a file
  CHECK(here.run("parse cut.tar").status == 2);
  here.write("text.zip", "no archive\n");
  CHECK(here.run("parse text.zip").status == 2);
  here.write("empty.tar", tar_of({{"a.bin", "x"}}));
  const outcome nothing = here.run("parse empty.tar");
  CHECK((nothing.output + nothing.errors).find("no dump of XLA in this archive") != std::string::npos);
}

TEST_CASE("standard input is read as the file that it comes from") {
  const folder here;
  if (!reads_archives(here)) return;
  const auto piped = [&](const std::string& words, const std::string& file) {
    return here.run(words + " - <" + file + " >../output 2>../errors #");
  };
  for (const auto& [name, text] : dump) here.write("d/" + name, text);
  here.write("d.tar", tar_of(dump)), here.write("d.tgz", gzip_of(tar_of(dump))), here.write("d.zip", zip_of(dump));
  here.write("job.log", printed(dump));
  for (const std::string name : {"d.tar", "d.tgz", "d.zip", "job.log"}) {
    CAPTURE(name);
    for (const std::string words : {"--select ALL --format json", "memory --format json", "query negate"}) {
      CAPTURE(words);
      const outcome folder_says = here.run(words + " d"), input_says = piped(words, name);
      CHECK(input_says.status == folder_says.status);
      CHECK(without(input_says.output, "-/") == without(folder_says.output, "d/"));
    }
  }
  const std::string module = module_text("jit_f");
  here.write("m.txt", module), here.write("m.txt.gz", gzip_of(module)),
      here.write("cut.gz", gzip_of(module).substr(0, 40));
  const outcome plain = piped("query negate", "m.txt");
  CHECK(plain.output.find("<standard input>:") != std::string::npos);
  CHECK(piped("query negate", "m.txt.gz").output == plain.output);
  CHECK(piped("print", "m.txt.gz").output == here.run("print m.txt").output);
  CHECK(piped("", "cut.gz").status == 2);
  CHECK(piped("--max-size 100", "m.txt").output.find("--max-size sets the limit") != std::string::npos);
}

TEST_CASE("ranks and digest read archives as they read folders") {
  const folder here;
  if (!reads_archives(here)) return;
  const auto rank_of = [](int rank, const std::string& name) {
    return files{{"job/rank" + std::to_string(rank) + "/module_0001." + name + ".cpu_after_optimizations.txt",
                  module_text(name)}};
  };
  files all, equal;
  for (int rank = 0; rank < 3; ++rank) {
    const files one = rank_of(rank, rank == 2 ? "jit_g" : "jit_f"), same = rank_of(rank, "jit_f");
    all.insert(all.end(), one.begin(), one.end()), equal.insert(equal.end(), same.begin(), same.end());
    here.write(one.front().first, one.front().second);
    here.write("rank" + std::to_string(rank) + ".tgz", gzip_of(tar_of(one)));
  }
  here.write("job.tar", tar_of(all)), here.write("equal.zip", zip_of(equal));
  const outcome folder_says = here.run("ranks job"), archive_says = here.run("ranks job.tar");
  CHECK(folder_says.output.find("2 modules on 3 ranks (rank0-2)") != std::string::npos);
  CHECK(archive_says.status == folder_says.status);
  CHECK(without(archive_says.output, "job.tar/") == folder_says.output);
  CHECK(here.run("ranks equal.zip").status == 0);
  CHECK(here.run("ranks - <equal.zip >../output 2>../errors #").status == 0);
  const outcome apart = here.run("ranks rank0.tgz rank1.tgz job/rank2");
  CHECK(apart.output.find("3 ranks") != std::string::npos);
  CHECK(apart.output.find("jit_g (0 collectives) only on job/rank2") != std::string::npos);
  CHECK(here.run("digest rank0.tgz --name a").output == here.run("digest job/rank0 --name a").output);
  CHECK(here.run("digest --each-folder job.tar").output == here.run("digest --each-folder job").output);

  here.write("cut.tar", tar_of(all).substr(0, 2 * 1024 + 600));
  const outcome cut = here.run("ranks cut.tar");
  CHECK(cut.status == 2);
  CHECK((cut.output + cut.errors).find("cut.tar/job/rank2/module_0001.jit_g.cpu_after_optimizations.txt") !=
        std::string::npos);
}

TEST_CASE("an agent asks about an archive as about a folder") {
  const folder here;
  if (!reads_archives(here)) return;
  here.write("d.tgz", gzip_of(tar_of(dump)));
  const std::string call = R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query","arguments":)";
  here.write("asked", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
                      R"("capabilities":{},"clientInfo":{"name":"x","version":"1"}}})"
                      "\n" +
                          call + R"({"query":"negate","paths":["d.tgz"]}}})" + "\n");
  const outcome said = here.run("mcp <asked >../output 2>../errors #");
  CHECK(said.output.find("count 2") != std::string::npos);
  CHECK(said.output.find("d.tgz/module_0002.jit_g.cpu_after_optimizations.txt") != std::string::npos);
}

TEST_CASE("what XLA prints is read as the files that it names") {
  const folder here;
  for (const auto& [name, text] : dump) here.write("d/" + name, text);
  here.write("job.log", printed(dump));
  for (const std::string words : {"--select ALL --format json ", "memory --format json ", "query negate "}) {
    CAPTURE(words);
    const outcome folder_says = here.run(words + "d"), log_says = here.run(words + "job.log");
    CHECK(log_says.status == folder_says.status);
    CHECK(without(log_says.output, "job.log/") == without(folder_says.output, "d/"));
  }
  // Messages around the files are read, too.
  here.write("oom.log", printed(dump) +
                            "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. "
                            "Exceeded hbm capacity by 2.65G.\n");
  const outcome both = here.run("oom.log");
  CHECK(both.output.find("BUD008") != std::string::npos);
  CHECK(both.output.find("oom.log:") != std::string::npos);
}

TEST_CASE("blanks in the names of printed dumps are underscores, as in a folder") {
  const folder here;
  here.write("job.log", printed({{"module_0001.m.cpu_after_optimizations.txt", std::string(clean)},
                                 {"module_0001.m.0024.copy-insertion.after adding copies.txt", std::string(clean)}}));
  CHECK(here.run_json("parse job.log", 0).at("inputs").size() == 1);
}
