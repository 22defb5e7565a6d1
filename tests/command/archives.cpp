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
