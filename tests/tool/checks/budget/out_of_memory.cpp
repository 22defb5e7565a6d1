#include <hlolint/lint/lint.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/tool/checks/budget/out_of_memory.hpp>
#include <hlolint/tool/parse_log.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include "all_settings.hpp"
#include "first_module.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

using texts = std::vector<std::string>;

findings lint_log(std::string log) {
  const parsed_file file = parse_parts(source(std::move(log), "job.log"));
  REQUIRE_MESSAGE(file.status == parse_status::ok, file.text.text());
  REQUIRE(file.kind == input_kind::oom_report);
  context dump(*file.buffers);
  return lint(as_catalogue(out_of_memory{}), dump, all_settings(as_catalogue(out_of_memory{})));
}
/// The errors; notes are left out, as by default.
texts errors_of(std::string log) {
  texts out;
  for (const diagnostic& d : lint_log(std::move(log)).diagnostics)
    if (d.level == severity::error) out.push_back(d.message);
  return out;
}

std::string joined(const texts& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

std::string each_line(std::string_view text, std::string_view before, std::string_view after = "") {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out.append(before).append(text.substr(at, end - at)).append(after) += '\n';
    at = end + 1;
  }
  return out;
}
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\\n" : c == '"' ? "\\\"" : c == '\t' ? "\\t" : std::string(1, c);
  return out;
}

const std::string_view tpu =
    R"(jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 20.25G of 15.75G hbm. Exceeded hbm capacity by 4.50G.

Total hbm usage >= 20.50G:
    reserved        256.00M 
    program          16.25G 
    arguments         4.00G 

Output size 4.00G; shares 4.00G with arguments.

Program hbm requirement 16.25G:
    scoped           16.00M
    HLO temp         16.23G (60.5% utilization: Unpadded (9.80G) Padded (16.20G), 0.2% fragmentation (30.00M))

  Largest program allocations in hbm:

  1. Size: 12.00G
     Operator: op_name="jit(fit)/jvp(mlp)/dot_general" source_file="/src/fit.py" source_line=88
     Shape: bf16[48,16,4096,64]{3,2,1,0:T(8,128)(2,1)}
     Unpadded size: 6.00G
     Extra memory due to padding: 6.00G (2.0x expansion)
     XLA label: fusion.11 = fusion(p.4, p.5), kind=kOutput, calls=fused.11
     Allocation type: HLO temp
     ==========================

  2. Size: 4.23G
     Shape: f32[1135607808]{0:T(1024)}
     Unpadded size: 4.23G
     XLA label: all-gather.3
     Allocation type: HLO temp
     ==========================
)";
const std::string tpu_error =
    "out of memory in hbm when the program was compiled: 20.25GiB are needed, and there are 15.75GiB (tpu-v5e), "
    "4.50GiB too much";

/// The whole report was read.
void check_tpu(const std::string& log) {
  INFO(log);
  const findings found = lint_log(log);
  REQUIRE(found.diagnostics.size() == 1);
  const diagnostic& d = found.diagnostics[0];
  CHECK(d.rule == "BUD008");
  CHECK(d.level == severity::error);
  CHECK(d.message == tpu_error);
  CHECK(d.bytes == 4831838208);
  CHECK(d.source_file == "/src/fit.py");
  CHECK(d.source_line == 88);
  CHECK(d.advice.starts_with("Padding alone is more than what is missing"));
  REQUIRE(d.related.size() == 2);
  CHECK(d.related[0].message ==
        "12.00GiB, bf16[48,16,4096,64]{3,2,1,0:T(8,128)(2,1)}, 6.00GiB of it padding (2.0x), /src/fit.py:88, "
        "jit(fit)/jvp(mlp)/dot_general");
  CHECK(d.related[1].message == "4.23GiB, f32[1135607808]{0:T(1024)}, all-gather.3");
}

}  // namespace

TEST_CASE("BUD008: the report of the TPU compiler, whatever is around it") {
  const std::string text(tpu);
  check_tpu(text);
  CHECK(lint_log(text).diagnostics[0].where.begin().line == 1);
  for (const std::string_view prefix : {"2030-05-06 07:08:09.101112: E external/xla/xla/service/compile.cc:31] ",
                                        "E0506 07:08:09.101112    4321 compile.cc:31] ",
                                        "E0000 00:00:1893456000.123456    4321 compile.cc:31] ",
                                        "(train pid=81) ",
                                        "(train pid=81, ip=10.8.0.2) ",
                                        "\x1b[36m(train pid=81)\x1b[0m ",
                                        "[2m[36m(train pid=81)[0m ",
                                        "(EngineCore pid=81) ERROR 05-06 07:08:09 [core.py:31] ",
                                        "0: ",
                                        " 12: ",
                                        "[rank3]: ",
                                        "[default3]:",
                                        "[1,3]<stderr>:",
                                        "[pod/fit-0/main] ",
                                        "fit-0  | ",
                                        "10.8.0.2 [0] ",
                                        "2030-05-06T07:08:09.1011121Z ",
                                        "2030-05-06T07:08:09.101112131Z stderr F ",
                                        "E   ",
                                        "> ",
                                        "2030-05-06T07:08:09.1Z [rank3]: "})
    check_tpu(each_line(text, prefix));
  check_tpu("E0506 07:08:09.101112    4321 compile.cc:31] " + text);  // one message of many lines
  check_tpu(each_line(text, "", "\r"));
  check_tpu(each_line(text, "(train pid=81) ", " [repeated 3x across cluster]"));
  check_tpu(each_line(text, "\x1b[31m", "\x1b[0m"));
  check_tpu("  0%|          | 0/300 [00:00<?, ?it/s]\r" + text);
  check_tpu("ERROR: LoadError: " + text + "Stacktrace:\n [1] top-level\n");
  check_tpu("terminate called after throwing an instance of 'XlaError'\n  what():  " + text);
}

TEST_CASE("BUD008: a log may end anywhere in a report") {
  for (std::size_t size = tpu.find('\n') + 1; size <= tpu.size(); ++size) {
    const std::string log(tpu.substr(0, size));
    INFO(log);
    CHECK(errors_of(log) == texts{tpu_error});
  }
}

TEST_CASE("BUD008: line numbers before lines are no processes") {
  std::string numbered;
  int line = 100;
  std::string_view left = tpu;
  while (!left.empty()) {
    const std::size_t end = left.find('\n');
    numbered += std::to_string(line++) + ": " + std::string(left.substr(0, end)) + "\n";
    left.remove_prefix(end + 1);
  }
  check_tpu(numbered);
}

TEST_CASE("BUD008: logs of containers in JSON, and reports in one line") {
  std::string docker;
  std::string_view left = tpu;
  while (!left.empty()) {
    const std::size_t end = left.find('\n');
    docker += "{\"log\":\"" + escaped(left.substr(0, end + 1)) + "\",\"stream\":\"stderr\"}\n";
    left.remove_prefix(end + 1);
  }
  check_tpu(docker);
  check_tpu("{\"severity\":\"ERROR\", \"textPayload\": \"" + escaped(tpu) + "\"}\n");
  check_tpu("{\"jsonPayload\":{\"message\":\"" + escaped(tpu) + "\"}}\n");
  check_tpu("JaxRuntimeError('" + escaped(tpu) + "')\n");
  std::string joined;
  for (const char c : tpu) joined += c == '\n' ? ' ' : c;
  check_tpu(joined + "\n");
}

TEST_CASE("BUD008: a container's log cuts long lines") {
  std::string cut;
  std::string_view left = tpu;
  while (!left.empty()) {
    std::size_t end = left.find('\n') + 1;
    for (; end > 60; end -= 50, left.remove_prefix(50))
      cut += "2030-05-06T07:08:09.1Z stderr P " + std::string(left.substr(0, 50)) + "\n";
    cut += "2030-05-06T07:08:09.1Z stderr F " + std::string(left.substr(0, end));
    left.remove_prefix(end);
  }
  check_tpu(cut);
}

TEST_CASE("BUD008: ranks that write at the same time, and the same exception twice, are one finding") {
  std::string both;
  std::string_view left = tpu;
  while (!left.empty()) {
    const std::size_t end = left.find('\n') + 1;
    for (const char* const rank : {"(train pid=81, ip=10.8.0.2) ", "(train pid=93, ip=10.8.0.3) "})
      both += rank + std::string(left.substr(0, end));
    left.remove_prefix(end);
  }
  const findings found = lint_log(both);
  REQUIRE(found.diagnostics.size() == 1);
  CHECK(found.diagnostics[0].message == tpu_error + " (on 2 processes)");
  CHECK(found.diagnostics[0].related.size() == 2);
  CHECK(errors_of(std::string(tpu) + "\nThe above exception was the direct cause of the following exception:\n\n" +
                  std::string(tpu)) == texts{tpu_error});
  CHECK(errors_of(std::string(tpu) + "XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used "
                                     "19.00G of 15.75G hbm. Exceeded hbm capacity by "
                                     "3.25G.\n")
            .size() == 2);
}

TEST_CASE("BUD008: lists at level INFO, of compilations that went well, are no part of a report") {
  const std::string info =
      "I0506 07:08:09.101112    4321 tpu_compiler.cc:77] XLA::TPU program HBM usage: 1.00G / 15.75G\n"
      "I0506 07:08:09.101112    4321 tpu_compiler.cc:80] Total hbm usage >= 1.25G:\n"
      "I0506 07:08:09.101112    4321 tpu_compiler.cc:80]     program          1.00G\n"
      "I0506 07:08:09.101112    4321 tpu_compiler.cc:90] Program hbm requirement 1.00G:\n"
      "I0506 07:08:09.101112    4321 tpu_compiler.cc:90]     HLO temp         1.00G (99.0% utilization, 0.0% "
      "fragmentation (0B))\n";
  CHECK(lint_log(info).diagnostics.empty());
  check_tpu(info + std::string(tpu));
  check_tpu("E0506 07:08:09.101112    4321 run.cc:31] " + std::string(tpu) + info);
  const parsed_file file =
      parse_parts(source("E0506 07:08:09.101112    4321 run.cc:31] " + std::string(tpu) + info, "job.log"));
  CHECK(file.buffers->oom()->reports.at(0).total_usage->text == "20.50G");
  CHECK(file.buffers->oom()->reports.at(0).usage.size() == 5);
}

TEST_CASE("BUD008: sentences that the width of a terminal cut") {
  CHECK(errors_of(
            "XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 20.25G of 15.75G hbm.\n"
            "Exceeded hbm capacity by 4.50G.\n") == texts{tpu_error});
  CHECK(errors_of("XlaRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 20.2\n"
                  "5G of 15.75G hbm. Exceeded hbm capacity by 4.50G.\n") == texts{tpu_error});
  CHECK(errors_of("XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to alloca\nte 18.44GiB.\n") ==
        texts{"out of memory when it ran: 18.44GiB in one piece"});
}

TEST_CASE("BUD008: compile time, TPU") {
  struct form {
    const char* log;
    const char* message;
  };
  for (const form& f : {
           form{"RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: XLA:TPU compile permanent error. Ran out of memory in "
                "memory space hbm. Used "
                "33.00G of 31.25G hbm. Exceeded hbm capacity by 1.75G.\n",
                "out of memory in hbm when the program was compiled: 33.00GiB are needed, and there are 31.25GiB "
                "(tpu-v6e), 1.75GiB too much"},
           form{"RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom:\nRan out of memory in memory space hbm. Used 96.00G of "
                "95.74G hbm. Exceeded hbm "
                "capacity by 266.24M.\n",
                "out of memory in hbm when the program was compiled: 96.00GiB are needed, and there are 95.74GiB "
                "(tpu-v5p), 266.24MiB too much"},
           form{"E1001: CompileTimeScopedVmemOom:\nRan out of memory in memory space vmem while allocating on stack "
                "for %attn.2 = f32[8] "
                "custom-call(%p), metadata={op_name=\"a\"}. Scoped allocation with size 21.50M and limit 16.00M "
                "exceeded scoped vmem limit by "
                "5.50M. It should not be possible to run out of scoped vmem - please file a bug against XLA.\n",
                "out of memory in vmem when the program was compiled: 21.50MiB are needed, and there are 16.00MiB, "
                "5.50MiB too much"},
           form{"Ran out of memory in memory space vmem while allocating on stack for %attn.2 = f32[8] "
                "custom-call(%p)\nScoped allocation with "
                "size 21.50M and limit 16.00M exceeded scoped vmem limit by 5.50M.\n",
                "out of memory in vmem when the program was compiled: 21.50MiB are needed, and there are 16.00MiB, "
                "5.50MiB too much"},
           form{"Ran out of memory in memory space smem. Used 1.00M of 1.00M smem. Exceeded smem capacity by 1.7K.\n",
                "out of memory in smem when the program was compiled: 1.00MiB are needed, and there are 1.00MiB, "
                "1.7KiB too much"},
           form{"RESOURCE_EXHAUSTED: Allocation (size=3145728) would exceed memory (size=1048576) :: #allocation7 "
                "[shape = 'u8[3145728]{0}', "
                "space=smem, size = 0x300000, scoped, tag = 'prefetched operand 0'] :: kernel.5\n",
                "out of memory in smem when the program was compiled: 3.00MiB in one piece, and the "
                "limit is 1.00MiB, 2.00MiB too much"},
           form{"Mosaic failed: Insufficient scoped vmem: 18.00M > 16.00M\n",
                "out of memory in vmem when the program was compiled: 18.00MiB are needed, and there are 16.00MiB, "
                "2.00MiB too much"},
           form{"RESOURCE_EXHAUSTED: TPU TensorCore Hbm usage: 14.00G, SparseCore Hbm usage 2.00G, exceeding available "
                "bytes: 15.75G\n",
                "out of memory in hbm when the program was compiled: 16.00GiB are needed, and there are 15.75GiB "
                "(tpu-v5e), 256.00MiB too much"},
           form{"RESOURCE_EXHAUSTED: Aborting compilation early because it's unlikely to have enough memory. Requires "
                "40.00G, has 15.75G "
                "available.\n",
                "out of memory when the program was compiled: 40.00GiB are needed, and there are 15.75GiB, 24.25GiB "
                "too much"},
           form{"Ran out of memory on HBM, the total memory required for HLO temporaries (20.00G) exceeds available "
                "HBM (15.00G).\n",
                "out of memory in hbm when the program was compiled: 20.00GiB are needed, and there are 15.00GiB, "
                "5.00GiB too much"},
           form{"RESOURCE_EXHAUSTED: 'memref.alloca' op current allocation offset upper bound (90 words) exceeds the "
                "legitimate user allocatable "
                "offset upper bound (80 words) in memory space 201 when allocating 20 words\n",
                "out of memory when the program was compiled: RESOURCE_EXHAUSTED: 'memref.alloca' op current "
                "allocation offset upper bound (90 "
                "words) exceeds the legitimate user allocatable offset upper bound (80 words) in memory space 201 when "
                "allocating 20 wor"},
       })
    CHECK(joined(errors_of(f.log)) == f.message);
}

TEST_CASE("BUD008: run time, TPU") {
  CHECK(errors_of("ValueError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 3.00G. That "
                  "was not possible. There "
                  "are 1.25G free.; (0x0x0_HBM0)\n") ==
        texts{"out of memory when it ran: 3.00GiB in one piece, and 1.25GiB are free, 1.75GiB too much"});
  const findings pieces = lint_log(
      "RESOURCE_EXHAUSTED: E0100: RuntimeBufferAllocationFailure: Attempting to allocate 3.00G. That was not possible. "
      "There are 5.00G free. Due "
      "to fragmentation, the largest contiguous region of free memory is 2.00G.; (0x0x0_HBM0)\n");
  CHECK(pieces.diagnostics.at(0).message ==
        "out of memory when it ran: 3.00GiB in one piece, and 5.00GiB are free, at most 2.00GiB of them "
        "in one piece, 1.00GiB too "
        "much");
  CHECK(pieces.diagnostics.at(0).advice.starts_with("Enough is free, but not in one piece"));
  const std::string reserve =
      "Error loading program 'jit_fit': Attempting to reserve 9.00G at the bottom of memory. That was not possible. "
      "There are 10.00G free, "
      "1.00G reserved, and 6.00G reservable.";
  CHECK(errors_of("E0101: RuntimeProgramAllocationFailure: " + reserve +
                  " Scope: program..: while running replica 0 and partition 0\n") ==
        texts{"out of memory when the program was loaded: 9.00GiB in one piece for the program, and of 10.00GiB that "
              "are free only 6.00GiB can "
              "be reserved, 3.00GiB too much"});
  const findings xrt =
      lint_log("Resource exhausted: " + reserve +
               ";\nHBM capacity 16.00G:\n    reserved(Infeed/Outfeed/Continuations):  512.00M (  536,870,912 bytes)\n"
               "; attempting reservation for program memory\nTotal hbm usage >= 12.00G:\n    program     9.00G\n"
               "Heap allocator status:\n    Max free chunk 5.00G\n");
  CHECK(xrt.diagnostics.size() == 1);
  CHECK(errors_of("Could not allocate 4294967296 bytes in memory 0x0x0_HBM0; 1073741824 bytes allocatable, 2147483648 "
                  "bytes available\n") == texts{"out of memory when it ran: 4.00GiB in one piece, and "
                                                "2.00GiB are free, at most 1.00GiB of them in one piece, "
                                                "3.00GiB too much"});
  // What a second try cured is no error; what it did not cure is one.
  const std::string retry =
      "I0506 07:08:09.1    4321 client.cc:7] TpuLoadedExecutable::ExecutePrepareWithOomRetries attempting to "
      "defragment and "
      "retry after seeing error: RESOURCE_EXHAUSTED: " +
      reserve + "\n";
  CHECK(errors_of(retry).empty());
  CHECK(errors_of(retry +
                  "E0506 07:08:10.1    4321 client.cc:9] ExecutePrepareWithOomRetries failed: RESOURCE_EXHAUSTED: " +
                  reserve + "\n")
            .size() == 1);
}

TEST_CASE("BUD008: GPU") {
  struct form {
    const char* log;
    const char* message;
  };
  for (const form& f : {
           form{"RESOURCE_EXHAUSTED: Out of memory while trying to allocate 6442450944 bytes.\n",
                "out of memory when it ran: 6.00GiB in one piece"},
           form{"jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 12.00GiB with "
                "allocator GPU_0_bfc on device "
                "0. [tf-allocator-allocation-error='']\n",
                "out of memory when it ran: 12.00GiB in one piece"},
           form{"RESOURCE_EXHAUSTED: Out of host memory while trying to allocate 2147483648 bytes.\n",
                "out of memory in host when it ran: 2.00GiB in one piece"},
           form{"RESOURCE_EXHAUSTED: Failed to allocate request for 2.00GiB (2147483648B) on device ordinal 0\n",
                "out of memory when it ran: 2.00GiB in one piece"},
           form{"W0506 07:08:09.1    4321 gpu_async.cc:7] gpu_async_0 cuMemAllocAsync failed to allocate 2147483648 "
                "bytes: RESOURCE_EXHAUSTED\n "
                "Reported by CUDA: Free memory/Total memory: 1073741824/8589934592\n",
                "out of memory when it ran: 2.00GiB in one piece, and 1.00GiB are free, 1.00GiB too much"},
           form{"INTERNAL: [0] Failed to allocate device memory of 2.00GiB (2147483648 bytes): RESOURCE_EXHAUSTED\n",
                "out of memory when it ran: 2.00GiB in one piece"},
           form{"RESOURCE_EXHAUSTED: Not enough PA budget: pa_allocated=3221225472B, allocation_size=2147483648B, "
                "pa_budget=4294967296B\n",
                "out of memory when it ran: 2.00GiB in one piece, and of 4.00GiB there are 3.00GiB in "
                "use, 1.00GiB too much"},
           form{"INTERNAL: NCCL operation ncclCommInitRank(&comm, n, id, rank) failed: unhandled cuda error. Last NCCL "
                "warning(error) log entry "
                "(may be unrelated) 'Cuda failure 2 'out of memory''.\n",
                "out of memory when it ran: INTERNAL: NCCL operation ncclCommInitRank(&comm, n, id, rank) failed: "
                "unhandled cuda error. Last NCCL "
                "warning(error) log entry (may be unrelated) 'Cuda failure 2 'out of memory''."},
           form{"failed to allocate 1.00GiB (1073741824 bytes) from device collective memory: INTERNAL\n",
                "out of memory in collective when it ran: 1.00GiB in one piece"},
           form{
               "failed to create cublas handle: the resource allocation failed\nFailure to initialize cublas may be "
               "due to OOM (it needs some "
               "free memory)\n",
               "out of memory when it ran: Failure to initialize cublas may be due to OOM (it needs some free memory)"},
           form{"Failed to load in-memory CUBIN: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n",
                "out of memory when it ran: Failed to load in-memory CUBIN: CUDA_ERROR_OUT_OF_MEMORY: out of memory"},
           form{"Failed to load HSACO: HIP_ERROR_OutOfMemory\n",
                "out of memory when it ran: Failed to load HSACO: HIP_ERROR_OutOfMemory"},
           form{"RESOURCE_EXHAUSTED: Shared memory size limit exceeded: requested 270336, available: 232448, context: "
                "[x]\n",
                "out of memory in shared when the program was compiled: 264.0KiB are needed, and there are 227.0KiB, "
                "37.0KiB too much"},
           form{"RESOURCE_EXHAUSTED: Allocating 2097152 bytes exceeds the memory limit of 1048576 bytes.\n",
                "out of memory when it ran: 2.00MiB in one piece, and the limit is 1.00MiB, 1.00MiB too "
                "much"},
           form{"RESOURCE_EXHAUSTED: Underlying backend ran out of memory trying to instantiate command buffer with 40 "
                "(total of 900 alive graphs "
                "in the process).\n",
                "out of memory when it ran: RESOURCE_EXHAUSTED: Underlying backend ran out of memory trying to "
                "instantiate command buffer with 40 "
                "(total of 900 alive graphs in the process)."},
       })
    CHECK(joined(errors_of(f.log)) == f.message);
}

TEST_CASE(
    "BUD008: the allocator of a GPU, then the exception, are one finding; what the compiler expected goes with it") {
  const std::string log =
      "W0000 00:00:1893456000.1    4242 remat.cc:31] Can't reduce memory use below 5.00GiB (5368709120 bytes) by "
      "rematerialization; only reduced to "
      "9.00GiB (9663676416 bytes), down from 12.00GiB (12884901888 bytes) originally\n"
      "2030-05-06 07:08:09.1: W external/xla/xla/tsl/framework/bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of "
      "memory trying to allocate "
      "3.00GiB (rounded to 3221225472)requested by op \n"
      "2030-05-06 07:08:09.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1119] Stats: \n"
      "Limit:                      6442450944\nInUse:                      4294967296\nMaxInUse:                   "
      "4294967296\n\n"
      "2030-05-06 07:08:09.1: E external/xla/xla/pjrt/client.cc:7] Execution of replica 0 failed: RESOURCE_EXHAUSTED: "
      "Out of memory while trying to "
      "allocate 3221225472 bytes.\n"
      "BufferAssignment OOM Debugging.\nBufferAssignment stats:\n             parameter allocation:    2.00GiB\n"
      "  preallocated temp fragmentation:     1.0KiB (0.05%)\n                 total allocation:    5.00GiB\nPeak "
      "buffers:\n"
      "\tBuffer 1:\n\t\tSize: 2.00GiB\n\t\tOperator: op_name=\"jit(f)/concatenate\" source_file=\"f.py\" "
      "source_line=3\n\t\tXLA Label: concatenate\n"
      "\t\tShape: f32[512,1048576]\n\t\t==========================\n\n";
  const findings found = lint_log(log);
  texts errors;
  for (const diagnostic& d : found.diagnostics)
    if (d.level == severity::error) errors.push_back(d.message);
  CHECK(errors == texts{"out of memory when it ran: 3.00GiB in one piece, and of 6.00GiB there are "
                        "4.00GiB in use, 1.00GiB too much"});
  const diagnostic& d = found.diagnostics.back();
  REQUIRE(d.related.size() == 2);
  CHECK(d.related[0].message == "2.00GiB, f32[512,1048576], f.py:3, jit(f)/concatenate");
  CHECK(d.related[1].message == "the compiler expected to need 9.00GiB");
  CHECK(d.related[1].where.text().find("by rematerialization") != std::string_view::npos);
  const parsed_file file = parse_parts(source(log, "job.log"));
  for (const oom_report& r : file.buffers->oom()->reports)
    for (const oom_usage& u : r.usage)
      if (u.label.ends_with("fragmentation")) CHECK_FALSE(u.utilization);
}

TEST_CASE("BUD008: CPU and host") {
  for (const char* const log :
       {"jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 2147483648 bytes.\n",
        "RESOURCE_EXHAUSTED: Failed to allocate 2147483648 bytes of aligned host memory\n",
        "[0] Failed to allocate 2.00GiB (2147483648 bytes) of pinned host memory: CUDA\n",
        "Failed to allocate 2.00GiB (2147483648 bytes) of host memory pinned to NUMA node 0\n",
        "Failed to allocate 2147483648 bytes for host offloading transfer buffer\n",
        "RESOURCE_EXHAUSTED: Shape f32[536870912] requires too much memory (2147483648 bytes)\n"})
    CHECK(errors_of(log) == texts{"out of memory in host when it ran: 2.00GiB in one piece"});
}

TEST_CASE("BUD008: statistics without a message above them are of no known memory") {
  const findings found = lint_log(
      "BufferAssignment OOM Debugging.\nBufferAssignment stats:\n             parameter allocation:    2.00GiB\n"
      "                 total allocation:    5.00GiB\nPeak buffers:\n\tBuffer 1:\n\t\tSize: 2.00GiB\n"
      "\t\tXLA Label: concatenate\n\t\tShape: f32[512,1048576]\n\t\t==========================\n\n");
  REQUIRE(found.diagnostics.size() == 1);
  CHECK(found.diagnostics[0].message.starts_with("out of memory when it ran"));  // not "in host"
}

TEST_CASE("BUD008 does not catch: healthy logs, other resources, and texts that quote a message") {
  for (const char* const log :
       {"2030-05-06 07:08:09.1: W bfc_allocator.cc:290] Allocator (GPU_0_bfc) ran out of memory trying to allocate "
        "4.00GiB with freed_by_count=0. "
        "The caller indicates that this is not a failure, but this may mean that there could be performance gains.\n",
        "W0000 00:00:1893456000.1    4242 remat.cc:31] Can't reduce memory use below 5.00GiB (5368709120 bytes) by "
        "rematerialization; only reduced "
        "to 9.00GiB (9663676416 bytes), down from 12.00GiB (12884901888 bytes) originally\n",
        "E0000 00:00:1893456000.1    4242 sched.cc:31] The byte size of input/output arguments (9663676416) exceeds "
        "the base limit (-5). This "
        "indicates an error in the calculation!\n",
        "2030-05-06 07:08:09.1: I cuda_driver.cc:9] failed to allocate 15.90G (17072495001 bytes) from device: "
        "CUDA_ERROR_OUT_OF_MEMORY: out of "
        "memory\n",
        "grpc: RESOURCE_EXHAUSTED: Received message larger than max (9 vs. 4)\n",
        "RESOURCE_EXHAUSTED: ptxas: Register allocation failed with register count of '168'\n",
        "    return ResourceExhausted(\"Ran out of memory in memory space hbm. Used 9.00G of 8.00G hbm. Exceeded hbm "
        "capacity by 1.00G.\");\n",
        "  EXPECT_THAT(status, HasSubstr(\"Out of memory while trying to allocate 12 bytes.\"));\n",
        "   * Out of memory while trying to allocate 12 bytes.\n  // Out of memory while trying to allocate 12 "
        "bytes.\n",
        "    pytest.raises(RuntimeError, match=\"RESOURCE_EXHAUSTED: Out of memory allocating 12 bytes.\")\n",
        "  raise Error(\"Out of memory while trying to allocate 12 bytes.\")\n  raise(\"RESOURCE_EXHAUSTED: Out of "
        "memory allocating 12 bytes.\")\n"})
    CHECK_MESSAGE(errors_of(log).empty(), log);
}

TEST_CASE("BUD008: a harmless log that names a resource has a note, so that it is not silent") {
  for (const char* const log :
       {"grpc: RESOURCE_EXHAUSTED: Received message larger than max (9 vs. 4)\n",
        "step 1\nI0000 00:00:1893456000.1    4242 cuda_executor.cc:9] failed to allocate 15.90GiB (17072495001 bytes) "
        "from device: RESOURCE_EXHAUSTED: : CUDA_ERROR_OUT_OF_MEMORY: out of memory\n",
        "  raise Error(\"Out of memory while trying to allocate 12 bytes.\")\n", "we may run out of memory here\n"}) {
    CAPTURE(std::string(log));
    const parsed_file file = parse_parts(source(log, "job.log"));
    CHECK(errors_of(log).empty());
    REQUIRE_FALSE(file.diagnostics.empty());
    CHECK(file.diagnostics.back().rule == "DMP013");
    CHECK(file.diagnostics.back().level == severity::note);
    CHECK(file.diagnostics.back().where.begin().line == (std::string_view(log).starts_with("step") ? 2 : 1));
  }
  CHECK(parse_parts(source(std::string(tpu), "job.log")).diagnostics.empty());
}

TEST_CASE("BUD008: a message in words that are not known is a warning, and only if no other message is an error") {
  for (const char* const log :
       {"RESOURCE_EXHAUSTED: the pool of the accelerator has no memory left\n", "Resource exhausted: no HBM\n",
        "[worker 3] ResourceExhaustedError: failed to allocate\n", "trainer: out of memory\n",
        "Worker 3 ran out of memory.\n", "CUDA out of memory\n", "java.lang.OutOfMemoryError: heap\n",
        "slurmstepd: error: Detected 1 oom_kill event\n"}) {
    CAPTURE(std::string(log));
    const findings found = lint_log(log);
    REQUIRE(found.diagnostics.size() == 1);
    CHECK(found.diagnostics[0].level == severity::warning);
    CHECK(found.diagnostics[0].message == "a message about missing memory, in words that are not known: " +
                                              std::string(log, std::string_view(log).size() - 1));
    CHECK(lint_log(log + std::string(tpu)).diagnostics.size() == 1);
    CHECK(errors_of(log + std::string(tpu)) == texts{tpu_error});
  }
}

TEST_CASE("BUD008: as people quote messages") {
  const std::string bytes = "out of memory when it ran: 272.00MiB in one piece";
  for (const char* const log :
       {"I get `RESOURCE_EXHAUSTED: Out of memory while trying to allocate 285212672 bytes.` all the time.\n",
        "I get ` RESOURCE_EXHAUSTED: Out of memory while trying to allocate 285212672 bytes.` errors.\n",
        "- `Out of memory while trying to allocate 272.00MiB.`\n",
        "* Out of memory while trying to allocate 272.00MiB.\n",
        "## RESOURCE_EXHAUSTED: Out of memory while trying to allocate 272.00MiB.\n",
        "> > XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 285212672 bytes.\n",
        ">XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 285212672 bytes.\n",
        "**RuntimeError: Resource exhausted: Failed to allocate request for 272.00MiB (285212672B) on device ordinal "
        "0**\n",
        "<ResourceExhaustedError: Failed to allocate request for 272.00MiB (285212672B) on device ordinal 0>\n",
        "\"jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 272.00MiB "
        "(285212672B) on device ordinal 0: while running replica 0\"\n",
        "** (RuntimeError) Out of memory while trying to allocate 285212672 bytes.\n    (exla 0.9) lib/exla.ex:7\n",
        "13:21:27.502 [error] Execution of replica 0 failed: RESOURCE_EXHAUSTED: Out of memory while trying to "
        "allocate "
        "285212672 bytes.\n",
        "[1] 2019-06-13 01:17:08.8: E xla/client.cc:6] Execution of replica 0 failed: Resource exhausted: Out \nof "
        "memory while trying to allocate 285212672 bytes.\n",
        "> RESOURCE_EXHAUSTED: Out\n> of memory while trying to allocate 285212672 bytes.\n",
        "RESOURCE_EXHAUSTED: Out of memory while trying to\nallocate 285212672 bytes.\n",
        "RESOURCE_EXHAUSTED: Out of memory while trying to allocate \n285212672 bytes.\n",
        "RESOURCE_EXHAUSTED: Out of memory while trying to allocate\n285212672 bytes.\n",
        "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 28521\n2672 bytes.\n",
        "RESOURCE_EXHAUSTED: Out of mem\nory while trying to allocate 285212672 bytes.\n",
        "\xE2\x94\x82 XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while     \xE2\x94\x82\n"
        "\xE2\x94\x82 trying to allocate 285212672 bytes.                          \xE2\x94\x82\n",
        "FAILED tests/a.py::b - RuntimeError: Resource exhausted: Out of memory while trying to allocate 285212672 "
        "bytes.\n",
        "level=error err=\"RESOURCE_EXHAUSTED: Out of memory while trying to allocate 285212672 bytes.\"\n",
        "It's here: Out of memory while trying to allocate 285212672 bytes.\n"})
    CHECK_MESSAGE(errors_of(log) == texts{bytes}, std::string(log));
}

TEST_CASE("BUD008: notebooks, and prefixes that are not known") {
  const std::string text(tpu);
  std::string cell;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    cell += "      \"" + escaped(text.substr(at, end - at)) + "\",\n";
    at = end;
  }
  const std::string begin = "{\n \"cells\": [\n  {\n   \"outputs\": [\n    {\n";
  check_tpu(begin + "     \"text\": [\n" + cell + "     ]\n}]}]}\n");
  check_tpu(begin + "     \"evalue\": \"" + escaped(text) + "\",\n     \"output_type\": \"error\"\n}]}]}\n");
  check_tpu(begin + "     \"traceback\": [\n      \"\\u001b[0;31mXlaRuntimeError\\u001b[0m: " + escaped(text) +
            "\"\n     ]\n}]}]}\n");
  for (const char* const prefix :
       {"2030-05-06 07:08:09,101 - root - ERROR - ",
        "node-7 app: ", "2030/05/06 07:08:09 [7] <err>: ", "May 06 07:08:09 host train[7]: ", "  17 | ", " 17\t"})
    check_tpu(each_line(text, prefix));
}

TEST_CASE("BUD008: two kinds of cores share the memory") {
  const findings found = lint_log(
      "XlaRuntimeError: RESOURCE_EXHAUSTED: TPU TensorCore Hbm usage: 34.82G, SparseCore Hbm usage 174.10G, exceeding "
      "available bytes: 95.74G\n");
  REQUIRE(found.diagnostics.size() == 1);
  CHECK(found.diagnostics[0].message ==
        "out of memory in hbm when the program was compiled: 208.92GiB are needed, and there are 95.74GiB (tpu-v5p), "
        "113.18GiB too much");
}

TEST_CASE("BUD008: a buffer that does not fit has its shape and what it holds") {
  const std::string log =
      "XlaRuntimeError: RESOURCE_EXHAUSTED: Allocation (size=107374182400) would exceed memory (size=17179869184) :: "
      "#allocation7 [shape = 'u8[327680,327680]{1,0:T(8,128)(4,1)}', space=hbm, size = 0xffffffffffffffff, tag = "
      "'output "
      "of fusion.549@{1}'] :: <no-hlo-instruction>\n";
  const findings found = lint_log(log);
  REQUIRE(found.diagnostics.size() == 1);
  CHECK(found.diagnostics[0].message ==
        "out of memory in hbm when the program was compiled: 100.00GiB in one piece for one value, and the limit is "
        "16.00GiB, 84.00GiB too much");
  CHECK(found.diagnostics[0].instruction.empty());
  REQUIRE(found.diagnostics[0].related.size() == 1);
  CHECK(found.diagnostics[0].related[0].message ==
        "100.00GiB, u8[327680,327680]{1,0:T(8,128)(4,1)}, output of fusion.549@{1}");
  const parsed_file file = parse_parts(source(log, "job.log"));
  CHECK(file.buffers->oom()->reports.at(0).buffers.at(0).tag == "output of fusion.549@{1}");
}

TEST_CASE("BUD008: a request for all temporaries of a program is no single value") {
  const std::string log =
      "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 29985211392 bytes.\nBufferAssignment OOM Debugging.\n"
      "BufferAssignment stats:\n             parameter allocation:    2.00GiB\n"
      "     preallocated temp allocation:   27.93GiB\n                 total allocation:   29.93GiB\n";
  const findings found = lint_log(log);
  REQUIRE(found.diagnostics.size() == 1);
  CHECK(found.diagnostics[0].message ==
        "out of memory when it ran: 27.93GiB in one piece for the whole scratch memory of the program (all its "
        "temporaries)");
  CHECK(found.diagnostics[0].advice.find("temporaries of a program as one piece") != std::string::npos);
}

TEST_CASE("BUD008: statistics of the allocator before the message, and statistics in its line") {
  const std::string stats =
      "14:58:53.921 [info] Stats:\nLimit:                      6442450944\nInUse:                      5368709120\n"
      "MaxInUse:                   5368709120\nNumAllocs:                          7\n\n14:58:53.922 [warning] *****\n";
  CHECK(errors_of(stats + "** (RuntimeError) Out of memory while trying to allocate 2147483648 bytes.\n") ==
        texts{"out of memory when it ran: 2.00GiB in one piece, and of 6.00GiB there are 5.00GiB in use, "
              "1.00GiB too much"});
  CHECK(parse_log(source(stats + stats)).buffers->oom()->reports.empty());
  CHECK(errors_of("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4770354232 bytes. BufferAssignment OOM "
                  "Debugging. BufferAssignment stats: parameter allocation: 372.76MiB maybe_live_out allocation: "
                  "9.64GiB preallocated temp allocation: 4.44GiB total allocation: 14.44GiB\n") ==
        texts{"out of memory when it ran: 4.44GiB in one piece for the whole scratch memory of the program (all its "
              "temporaries)"});
}

TEST_CASE("BUD008: what the compiler expects is one note, without a limit of nothing") {
  const auto remat = [](const char* limit, const char* need) {
    return std::string("W0000 00:00:1893456000.1    4242 remat.cc:31] Can't reduce memory use below ") + limit +
           " by rematerialization; only reduced to " + need + ", down from 90.00GiB (96636764160 bytes) originally\n";
  };
  const auto messages = [](const std::string& log) {
    texts out;
    for (const diagnostic& d : lint_log(log).diagnostics) out.push_back(d.message);
    return out;
  };
  CHECK(
      messages(remat("0B (0 bytes)", "9.00GiB (9663676416 bytes)") +
               remat("0B (0 bytes)", "8.00GiB (8589934592 bytes)")) ==
      texts{"the compiler expects too little memory: the temporaries of a program need 9.00GiB, and its arguments and "
            "results leave no room for them"});
  CHECK(messages(remat("5.00GiB (5368709120 bytes)", "9.00GiB (9663676416 bytes)")) ==
        texts{"the compiler expects too little memory: the temporaries of a program need 9.00GiB, and 5.00GiB are left "
              "for them"});
  CHECK(messages("E0000 00:00:1893456000.1    4242 sched.cc:31] The byte size of input/output arguments (9663676416) "
                 "exceeds the base limit (-5). This indicates an error in the calculation!\n") ==
        texts{"the compiler expects too little memory: the arguments and results of a program need 9.00GiB"});
}

TEST_CASE("BUD008: other frameworks in the same job") {
  struct form {
    const char* log;
    const char* message;
  };
  for (const form& f :
       {form{"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 14.00 GiB total "
             "capacity; 12.50 GiB already allocated; 1.00 GiB free; 13.00 GiB reserved in total by PyTorch)\n",
             "out of memory when it ran: 2.00GiB in one piece, and 1.00GiB are free, 1.00GiB too much"},
        form{"CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 23.50 GiB of which 64.00 "
             "MiB is free.\n",
             "out of memory when it ran: 256.00MiB in one piece, and 64.00MiB are free, 192.00MiB too "
             "much"},
        form{"ResourceExhaustedError: OOM when allocating tensor with shape[64,1024,1024,4] and type float on "
             "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n",
             "out of memory when it ran: 1.00GiB in one piece for one value"},
        form{"ERROR: Out of GPU memory trying to allocate 3.000 GiB\nEffective GPU memory usage: 99.59% (23.500 "
             "GiB/24.000 GiB)\n",
             "out of memory when it ran: 3.00GiB in one piece, and of 24.00GiB there are 23.50GiB in use, "
             "2.50GiB too much"},
        form{"numpy.core._exceptions._ArrayMemoryError: Unable to allocate 4.00 GiB for an array with shape (2, 3)\n",
             "out of memory in host when it ran: 4.00GiB in one piece"},
        form{"RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate 4294967296 bytes.\n",
             "out of memory in host when it ran: 4.00GiB in one piece"},
        form{"kernel: [17.5] Out of memory: Killed process 7 (python) total-vm:9kB, anon-rss:8kB\n",
             "out of memory in host when it ran: kernel: [17.5] Out of memory: Killed process 7 (python) total-vm:9kB, "
             "anon-rss:8kB"}})
    CHECK(joined(errors_of(f.log)) == f.message);
}

TEST_CASE("BUD008: the advice names the line of the program, if its text is in the same log") {
  const std::string program =
      "HloModule m, is_scheduled=true\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n  ROOT "
      "%fusion.7 = f32[8]{0} negate(%p), metadata={op_name=\"jit(f)/neg\"}\n}\n";
  const auto log = [](const std::string& field) {
    return "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. Exceeded hbm "
           "capacity by "
           "2.65G.\n  Largest program allocations in hbm:\n\n  1. Size: 8.00G\n     Shape: f32[8]{0}\n     " +
           field + "\n     ==========================\n";
  };
  for (const auto& row : {std::pair{"XLA label: fusion.7 = fusion(p.1), kind=kLoop", true},
                          {"XLA label: %fusion.7 = f32[8]{0} fusion(%p.1)", true},
                          {"Operator: op_name=\"jit(f)/neg\"", true},
                          {"XLA label: fusion.8 = fusion(p.1), kind=kLoop", false}}) {
    CAPTURE(std::string(row.first));
    const parsed_file file = parse_parts(source(program + log(row.first), "job.log"));
    REQUIRE(file.modules().size() == 1);
    REQUIRE(file.buffers);
    context both(file.modules()[0], *file.buffers);
    const std::vector<diagnostic> found =
        lint(as_catalogue(out_of_memory{}), both, all_settings(as_catalogue(out_of_memory{}))).diagnostics;
    REQUIRE(found.size() == 1);
    CHECK((found[0].advice.find("In the program it is fusion.7, in line 5.") != std::string::npos) == row.second);
  }
}

TEST_CASE("BUD008: a context without a log has none") {
  context nothing(
      first_module(parse_parts(source("HloModule m\n\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n", "m.hlo"))));
  CHECK(lint(as_catalogue(out_of_memory{}), nothing, all_settings(as_catalogue(out_of_memory{}))).diagnostics.empty());
}
