#include <hlolint/parse_buffers.hpp>
#include <hlolint/tool/logs/oom_report.hpp>
#include <hlolint/tool/parse_log.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;

namespace {

parsed_file read(std::string text) { return parse_log(source(std::move(text), "dump.txt")); }
std::string outcome(const parsed_file& file) {
  std::string out(name_of(file.status));
  for (const diagnostic& d : file.diagnostics) {
    const line_column at = d.where.begin();
    out += " " + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.rule + " " + d.message;
  }
  return out;
}
std::string outcome(std::string text) { return outcome(read(std::move(text))); }

const std::string_view tpu = R"(Traceback (most recent call last):
  File "train.py", line 7, in step
XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 17.50G of 15.75G hbm. Exceeded hbm capacity by 1.75G.

Total hbm usage >= 18.00G:
    reserved        512.00M 
    program          17.50G 
    arguments       unknown size 

Output size 1.0K; shares 0B with arguments.

Program hbm requirement 17.50G:
    global            2.0K
    HLO temp         17.50G (57.1% utilization: Unpadded (10.00G) Padded (17.50G), 0.5% fragmentation (64.00M))

  Largest program allocations in hbm:

  1. Size: 16.00G
     Operator: op_type="gather" op_name="jit(step)/gather[ dims=(0,
         1) ]" source_line=3
     Shape: s32[4194304,8,4]{2,1,0:T(8,128)}
     Unpadded size: 512.00M
     Extra memory due to padding: 15.50G (32.0x expansion)
     XLA label: %copy.4 = s32[4194304,8,4]{2,1,0:T(8,128)} copy(s32[4194304,8,4] %p0...
     Allocation type: HLO temp
     ==========================

  2. Size: 1.50G
     Shape: f32[402653184]{0:T(1024)}
     Unpadded size: 1.50G
     XLA label: fusion.3
     Allocation type: scoped
     ==========================

During handling of the above exception, another exception occurred.
)";

void check_tpu(const parsed_file& file) {
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::oom_report);
  REQUIRE(file.buffers);
  REQUIRE(file.buffers->oom());
  REQUIRE(file.buffers->oom()->reports.size() == 1);
  const oom_report& report = file.buffers->oom()->reports[0];
  CHECK(report.memory_space == "hbm");
  CHECK(report.used->text == "17.50G");
  CHECK(report.capacity->bytes == 16911433728);
  CHECK(report.exceeded->text == "1.75G");
  CHECK(report.total_usage->text == "18.00G");
  CHECK(report.program_requirement->text == "17.50G");
  REQUIRE(report.usage.size() == 5);
  CHECK(report.usage[0].label == "reserved");
  CHECK(report.usage[0].size->bytes == 512 << 20);
  CHECK_FALSE(report.usage[2].size);
  const oom_usage& temp = report.usage[4];
  CHECK(temp.label == "HLO temp");
  CHECK(temp.utilization == 57.1);
  CHECK(temp.unpadded->text == "10.00G");
  CHECK(temp.padded->text == "17.50G");
  CHECK(temp.fragmented->text == "64.00M");
  REQUIRE(report.buffers.size() == 2);
  const oom_buffer& buffer = report.buffers[0];
  CHECK(buffer.size.text == "16.00G");
  CHECK(buffer.metadata.starts_with("op_type="));
  CHECK(buffer.metadata.ends_with("source_line=3"));
  CHECK(buffer.shape == "s32[4194304,8,4]{2,1,0:T(8,128)}");
  CHECK(buffer.unpadded->bytes == 512 << 20);
  CHECK(buffer.padding->text == "15.50G");
  CHECK(buffer.label.starts_with("%copy.4 = "));
  CHECK(buffer.allocation_type == "HLO temp");
  CHECK(buffer.closed);
  CHECK_FALSE(report.buffers[1].padding);
  CHECK(report.buffers[1].allocation_type == "scoped");
}

std::string with_prefix(std::string_view text, std::string_view prefix) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    out.append(prefix).append(text.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace

TEST_CASE("the report of the TPU compiler, in a traceback") { check_tpu(read(std::string(tpu))); }

TEST_CASE("the same with what loggers put before lines") {
  for (const std::string_view prefix : {"2031-04-05 06:07:08.901234: E    4321 xla/service/compile.cc:99] ",
                                        "E0405 06:07:08.901234 4321 compile.cc:99] ", "(worker pid=77, ip=10.1.2.3) ",
                                        "\x1b[36m(worker pid=77)\x1b[0m ", "[2m[36m(worker pid=77)[0m "})
    check_tpu(read(with_prefix(tpu, prefix)));
}

TEST_CASE("no room on the stack of a kernel") {
  const parsed_file file = read(
      "Ran out of memory in memory space vmem while allocating on stack for %attention.3 = f32[8]{0} custom-call(...)\n"
      "Scoped allocation with size 19.85M and limit 16.00M exceeded scoped vmem limit by 3.85M. Adjust the tiles.\n");
  CHECK(outcome(file) == "ok");
  const oom_report& report = file.buffers->oom()->reports.at(0);
  CHECK(report.memory_space == "vmem");
  CHECK(report.allocating_for.starts_with("%attention.3"));
  CHECK(report.used->text == "19.85M");
  CHECK(report.capacity->text == "16.00M");
  CHECK(report.exceeded->text == "3.85M");
}

TEST_CASE("the statistics of the open compilers") {
  const parsed_file file = read(
      "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 6291456 bytes.\n"
      "BufferAssignment OOM Debugging.\n"
      "BufferAssignment stats:\n"
      "             parameter allocation:    6.00MiB\n"
      "              constant allocation:         0B\n"
      "        maybe_live_out allocation:    6.00MiB\n"
      "     preallocated temp allocation:    1.00MiB\n"
      "  preallocated temp fragmentation:       512B (0.05%)\n"
      "                 total allocation:   13.00MiB\n"
      "Peak buffers:\n"
      "\tBuffer 1:\n"
      "\t\tSize: 6.00MiB\n"
      "\t\tOperator: op_name=\"jit(f)/concatenate\" source_line=3\n"
      "\t\tXLA Label: concatenate\n"
      "\t\tShape: f32[4096,128,3]\n"
      "\t\t==========================\n"
      "\n"
      "\tBuffer 2:\n"
      "\t\tSize: 384.0KiB\n"
      "\t\tEntry Parameter Subshape: f32[256,128,3]\n"
      "\t\t==========================\n");
  CHECK(outcome(file) == "ok");
  REQUIRE(file.buffers->oom()->reports.size() == 1);
  const oom_report& report = file.buffers->oom()->reports[0];
  CHECK(report.memory_space.empty());
  REQUIRE(report.usage.size() == 6);
  CHECK(report.usage[0].label == "parameter allocation");
  CHECK(report.usage[0].size->bytes == 6 << 20);
  CHECK(report.usage[4].label == "preallocated temp fragmentation");
  REQUIRE(report.buffers.size() == 2);
  CHECK(report.buffers[0].label == "concatenate");
  CHECK(report.buffers[0].shape == "f32[4096,128,3]");
  CHECK(report.buffers[1].entry_parameter);
  CHECK(report.buffers[1].size.text == "384.0KiB");
}

TEST_CASE("two reports in one log, and sizes that are not sizes") {
  const std::string twice = std::string(tpu) + std::string(tpu);
  CHECK(read(twice).buffers->oom()->reports.size() == 2);
  CHECK(outcome("Ran out of memory in memory space hbm.\n  1. Size: 1.5X\n     Unpadded size: ?\n") ==
        "partial 2:12 SYN001 expected a size with a unit, and the line after it cannot be read either");
}

TEST_CASE("a log may end after any line of a report") {
  const std::string begin = "Ran out of memory in memory space hbm.\n  1. Size: 1.5G\n     Shape: f32[2]\n";
  const parsed_file file = read(begin + "     Operator: a\n       b\n");
  CHECK(outcome(file) == "ok");
  REQUIRE(file.buffers->oom()->reports.at(0).buffers.size() == 1);
  const oom_buffer& last = file.buffers->oom()->reports[0].buffers[0];
  CHECK(last.size.text == "1.5G");
  CHECK(last.shape == "f32[2]");
  CHECK(last.metadata == "a\n       b");
  CHECK_FALSE(last.closed);
  // What has no size yet is no buffer.
  CHECK(read(begin + "     ====\n\tBuffer 2:\n").buffers->oom()->reports[0].buffers.size() == 1);
}

TEST_CASE("a line that the end of a log cuts is not read, and a note reports it") {
  const std::string begin = "Ran out of memory in memory space hbm.\n  1. Size: 1.5G\n     Shape: f32[2]\n";
  const auto last_of = [](const parsed_file& file) { return file.buffers->oom()->reports.at(0).buffers.back(); };
  const parsed_file in_text = read(begin + "     Operator: a\n       source_line=4");
  CHECK(outcome(in_text) == "ok 5:1 SYN001 the log is cut off in this line, which is not read");
  CHECK(in_text.diagnostics[0].level == severity::note);
  CHECK(last_of(in_text).metadata == "a");
  const parsed_file in_size = read(begin + "     Unpadded size: 1.");
  CHECK(in_size.status == parse_status::ok);
  REQUIRE(in_size.diagnostics.size() == 1);
  CHECK(in_size.diagnostics[0].level == severity::note);
  CHECK_FALSE(last_of(in_size).unpadded);
  CHECK(last_of(in_size).shape == "f32[2]");
  const parsed_file in_head = read(begin + "     ====\n  2. Size: 1.");
  CHECK(in_head.status == parse_status::ok);
  CHECK(in_head.buffers->oom()->reports[0].buffers.size() == 1);
  // The cut line is that of the log, whichever process wrote it.
  const parsed_file ranks =
      read("[rank1]: " + begin.substr(0, 39) + "[rank1]:   1. Size: 1.5G\n[rank0]: step 3\n[rank1]:      Shape: f32[1");
  CHECK(ranks.status == parse_status::ok);
  CHECK(last_of(ranks).size.text == "1.5G");
  CHECK(last_of(ranks).shape.empty());
  // Nothing is lost of a line that is no part of a report.
  CHECK(outcome(begin + "     ====\nSee the manual") == "ok");
  CHECK(outcome(begin + "     ====") == "ok");
}

TEST_CASE("a message in one line with its sizes belongs to no message before it") {
  const parsed_file file = read(
      "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 64 bytes.\n"
      "Ran out of memory in memory space vmem while allocating on stack for %a.3 = f32[8]{0} custom-call(...). Scoped "
      "allocation with size 19.85M and limit 16.00M exceeded scoped vmem limit by 3.85M. Adjust the tiles.\n");
  REQUIRE(file.buffers->oom()->reports.size() == 2);
  CHECK_FALSE(file.buffers->oom()->reports[0].used);
  CHECK(file.buffers->oom()->reports[1].used->text == "19.85M");
  CHECK(file.buffers->oom()->reports[1].memory_space == "vmem");
}

TEST_CASE("a buffer that is not closed ends where the next one begins") {
  const parsed_file file = read(
      "Ran out of memory in memory space hbm. Used 2.0G of 1.0G hbm. Exceeded hbm capacity by 1.0G.\n"
      "  1. Size: 1.0G\n"
      "     Shape: s8[8]\n"
      "  2. Size: 2.0G\n"
      "     Operator: a\n"
      "       b\n"
      "     Shape: s8[9]\n"
      "     ====\n");
  const oom_report& report = file.buffers->oom()->reports.at(0);
  REQUIRE(report.buffers.size() == 2);
  CHECK(report.buffers[0].shape == "s8[8]");
  CHECK_FALSE(report.buffers[0].closed);
  CHECK(report.buffers[1].metadata == "a\n       b");
  CHECK(report.buffers[1].shape == "s8[9]");
  CHECK(report.buffers[1].closed);
}

TEST_CASE("every text is a log: what is no message is passed over, and so is a dump of buffers") {
  for (const char* text : {"", "step 1\nstep 2\n", "Ran out of time"}) {
    CAPTURE(text);
    const parsed_file log = parse_log(source(text));
    CHECK(log.kind == input_kind::oom_report);
    CHECK(log.status == parse_status::ok);
    REQUIRE(log.buffers);
    REQUIRE(log.buffers->oom());
    CHECK(log.buffers->oom()->reports.empty());
  }
  const parsed_file dump =
      parse_buffers(source("step 1\nRan out of memory in memory space hbm. Used 33.00G of 31.25G hbm.\n"));
  CHECK(!(dump.buffers && dump.buffers->oom()));
  CHECK(dump.status != parse_status::ok);
}
