#include <hlolint/tool/job_log/oom_text.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

using namespace hlolint;

namespace {

printed_size size_of(std::int64_t bytes, std::string_view text = {}) {
  printed_size out;
  out.bytes = bytes, out.text = text;
  return out;
}
oom_incident failed(oom_phase phase) {
  oom_incident out;
  out.report.phase = phase;
  return out;
}

}  // namespace

TEST_CASE("what did not fit, in one sentence") {
  oom_incident compiled = failed(oom_phase::compile);
  compiled.report.memory_space = "hbm";
  compiled.report.used = size_of(20_GiB, "20.00G"), compiled.report.capacity = size_of(16911433728, "15.75G");
  CHECK(oom_sentence(compiled) ==
        "out of memory in hbm when the program was compiled: 20.00GiB are needed, and there are 15.75GiB (tpu-v5e), "
        "4.25GiB too much");
  oom_incident ran = failed(oom_phase::run);
  ran.report.wanted = size_of(8_GiB), ran.report.free = size_of(9_GiB), ran.report.largest_free = size_of(5_GiB);
  ran.processes = {"rank0", "rank1"};
  CHECK(oom_sentence(ran) ==
        "out of memory when it ran: 8.00GiB in one piece, and 9.00GiB are free, at most 5.00GiB of them in "
        "one piece, 3.00GiB too much (on 2 processes)");
  oom_incident loaded = failed(oom_phase::load);
  loaded.report.wanted = size_of(8_GiB), loaded.report.free = size_of(9_GiB), loaded.report.reservable = size_of(6_GiB);
  CHECK(oom_sentence(loaded) ==
        "out of memory when the program was loaded: 8.00GiB in one piece for the program, and of 9.00GiB that are free "
        "only 6.00GiB can be reserved, 2.00GiB too much");
  loaded.report.outcome = oom_outcome::retried;
  CHECK(oom_sentence(loaded).starts_with("memory ran short, and the program tried again or did without: 8.00GiB"));
  oom_incident vague = failed(oom_phase::run);
  vague.report.vague = true, vague.report.text = "no room left";
  CHECK(oom_sentence(vague) == "a message about missing memory, in words that are not known: no room left");
}

TEST_CASE("what the compiler expects, in one sentence") {
  oom_report r;
  r.outcome = oom_outcome::hint;
  r.used = size_of(20_GiB), r.capacity = size_of(16_GiB);
  CHECK(oom_hint_text(r) ==
        "the compiler expects too little memory: the temporaries of a program need 20.00GiB, and 16.00GiB are left for "
        "them");
  r.capacity = std::nullopt;
  CHECK(oom_hint_text(r).ends_with("need 20.00GiB, and its arguments and results leave no room for them"));
  r.total_usage = size_of(30_GiB);
  CHECK(oom_hint_text(r).ends_with("the arguments and results of a program need 30.00GiB"));
}

TEST_CASE("what helps follows from what the report shows") {
  oom_incident incident = failed(oom_phase::run);
  incident.report.wanted = size_of(24_GiB), incident.report.capacity = size_of(16_GiB);
  CHECK(oom_advice(incident).starts_with("One value is larger than the memory: no flag helps."));
  incident.report.capacity = size_of(32_GiB), incident.report.in_use = size_of(16_GiB);
  CHECK(oom_advice(incident).starts_with("Arrays that live on take most of the memory"));
  oom_buffer padded;
  padded.shape = "u32[12582912,1]{1,0:T(8,128)}", padded.padding = size_of(9_GiB);
  incident.report.buffers.push_back(padded);
  CHECK(oom_advice(incident) ==
        "Padding alone is more than what is missing: keep dimensions below 8 and 128 out of the two minor places of "
        "u32[12582912,1]{1,0:T(8,128)}.");
  incident.report.buffers[0].padding = size_of(7_GiB);
  CHECK(oom_advice(incident).starts_with("Begin with the values named here"));
  incident.report.buffers[0].metadata = R"(op_name="jit(f)/jvp(mlp)/dot")";
  CHECK(oom_advice(incident).starts_with("The largest values are made in the forward pass"));
  incident.report.free = size_of(30_GiB);
  CHECK(oom_advice(incident).starts_with("Enough is free, but not in one piece"));
  incident.report.memory_space = "vmem";
  CHECK(oom_advice(incident).starts_with("Make the blocks of the kernel smaller, or raise its limit"));
  incident.report.capacity = size_of(32_MiB);
  CHECK(
      oom_advice(incident) ==
      "Make the blocks of the kernel smaller, or raise its limit (vmem_limit_bytes, --xla_tpu_scoped_vmem_limit_kib): "
      "32.00MiB is the default of tpu-v6e (of 128.00MiB), tpu-7x (of 64.00MiB).");
  CHECK(scoped_limit_text(16_MiB) ==
        "16.00MiB is the default of tpu-v5e (of 128.00MiB), tpu-v5p (of 64.00MiB), and all that there is on tpu-v2, "
        "tpu-v3, tpu-v4");
  CHECK(scoped_limit_text(48_MiB).empty());
  incident.report.buffers[0].label = "register spills";
  CHECK(oom_advice(incident) == "Registers are spilled: make the blocks of the kernel smaller.");
  // The compiler's own fusion is no kernel, whose blocks could be smaller.
  incident.report.buffers.clear();
  incident.report.allocating_for = "%fusion.3 = bf16[64]{0} fusion(%p)";
  CHECK(oom_advice(incident).starts_with("The compiler made this fusion"));
  incident.report.memory_space = "smem";
  CHECK(oom_advice(incident).starts_with("Scalar memory holds prefetched operands"));
  incident.report.memory_space = "shared";
  CHECK(oom_advice(incident).find("--xla_tpu") == std::string::npos);
  CHECK(oom_advice(incident).starts_with("This is the shared memory of a GPU's multiprocessor"));
  incident.report.memory_space = "tensor";
  CHECK(oom_advice(incident).starts_with("This is the tensor memory of a GPU's multiprocessor"));
  incident.report.memory_space = "host";
  CHECK(oom_advice(incident).starts_with("This is memory of the host"));
  incident.report.outcome = oom_outcome::retried;
  CHECK(oom_advice(incident).empty());

  // The tables of the SparseCore, padding by the utilization alone, pools that others fill, and all temporaries.
  oom_incident of_program = failed(oom_phase::compile);
  oom_report& r = of_program.report;
  r.used = size_of(40_GiB), r.capacity = size_of(32_GiB), r.exceeded = size_of(8_GiB);
  r.usage.push_back({"SparseCore", size_of(30_GiB), {}, {}, {}, {}, {}});
  r.usage.push_back({"TensorCore", size_of(10_GiB), {}, {}, {}, {}, {}});
  CHECK(oom_advice(of_program).starts_with("The embedding tables of the SparseCore take most of it"));
  r.usage.clear();
  r.usage.push_back({"HLO temp", size_of(40_GiB), 50, {}, {}, {}, {}});
  CHECK(oom_advice(of_program).starts_with("20.00GiB of the temporaries are padding"));
  r = {}, r.wanted = size_of(1_GiB), r.capacity = size_of(32_GiB), r.in_use = size_of(32_GiB);
  r.usage.push_back({"total allocation", size_of(1_GiB), {}, {}, {}, {}, {}});
  CHECK(oom_advice(of_program).starts_with("The program itself needs only 1.00GiB"));
  r.wanted = size_of(20_GiB);
  r.usage = {{"preallocated temp allocation", size_of(20_GiB), {}, {}, {}, {}, {}},
             {"total allocation", size_of(24_GiB), {}, {}, {}, {}, {}}};
  CHECK(oom_advice(of_program).starts_with("The run time takes the temporaries of a program as one piece"));
  CHECK(oom_advice(failed(oom_phase::run)).starts_with("Dump the program"));
}

TEST_CASE("the capacity that a TPU's compiler prints names the TPU") {
  std::string names;
  // of libtpu's two messages: `31.25G hbm`, `available HBM (31.24G)`
  for (const double printed : {7.48, 15.48, 30.75, 15.75, 95.74, 31.25, 31.24, 94.75, 94.74, 95.0, 0.0})
    names += std::string(device_of_capacity(static_cast<byte_count>(printed * 1024 * 1024 * 1024))) + ";";
  CHECK(names == "tpu-v2;tpu-v3;tpu-v4;tpu-v5e;tpu-v5p;tpu-v6e;tpu-v6e;tpu-7x;tpu-7x;;;");
}

TEST_CASE("no limit of a kernel can be raised above the VMEM of a core") {
  oom_incident incident = failed(oom_phase::compile);
  oom_report& r = incident.report;
  r.memory_space = "vmem", r.used = size_of(192_MiB), r.capacity = size_of(128_MiB);
  CHECK(oom_advice(incident) == "Make the blocks of the kernel smaller: 128.00MiB is all the VMEM of a core.");
  r.capacity = size_of(16_MiB);  // all of a v3's, and the default of a v5e
  CHECK(oom_advice(incident).find("or raise its limit") != std::string::npos);
}

TEST_CASE("one buffer of a report in a line") {
  oom_buffer b;
  b.size = size_of(8_GiB), b.padding = size_of(4_GiB), b.unpadded = size_of(4_GiB), b.shape = "bf16[32,64]";
  b.metadata = R"(op_name="jit(step)/dot" source_file="/app/net.py" source_line=41)", b.label = "fusion.1";
  CHECK(oom_value_text(b) == "8.00GiB, bf16[32,64], 4.00GiB of it padding (2.0x), /app/net.py:41, jit(step)/dot");
  b.tag = "input window allocation for operator input 1. The window shape is f32[2048,4096]";
  CHECK(oom_value_text(b).ends_with(", jit(step)/dot, input window allocation for operator input 1"));
  b.tag = {};
  b.metadata = {}, b.padding = std::nullopt, b.entry_parameter = true;
  CHECK(oom_value_text(b) == "8.00GiB, bf16[32,64], a parameter, fusion.1");
}
