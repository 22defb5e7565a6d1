#include <hlolint/tool/job_log/oom_incidents.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

printed_size gib(std::int64_t n) {
  printed_size out;
  out.bytes = n * 1_GiB;
  return out;
}

struct sizes_of_a_report {
  std::optional<printed_size> used{}, capacity{}, exceeded{}, wanted{}, free{}, largest_free{}, reservable{}, in_use{};
};
oom_report report_of(const sizes_of_a_report& s) {
  oom_report r;
  r.used = s.used, r.capacity = s.capacity, r.exceeded = s.exceeded, r.wanted = s.wanted, r.free = s.free;
  r.largest_free = s.largest_free, r.reservable = s.reservable, r.in_use = s.in_use;
  return r;
}
oom_incident with_sizes(const sizes_of_a_report& s) { return {report_of(s), 1, {}, {}, {}}; }

oom_log log_of(const std::vector<oom_report>& reports) {
  oom_log out;
  for (const oom_report& r : reports) out.reports.push_back(r);
  return out;
}

}  // namespace

TEST_CASE("what is missing, from whatever numbers the message has") {
  CHECK(with_sizes({.used = gib(20), .capacity = gib(16), .exceeded = gib(5)}).missing() ==
        5_GiB);  // its own word first
  CHECK(with_sizes({.used = gib(20), .capacity = gib(16)}).missing() == 4_GiB);
  CHECK(with_sizes({.wanted = gib(8), .free = gib(9), .reservable = gib(6)}).missing() == 2_GiB);
  CHECK(with_sizes({.wanted = gib(8), .free = gib(9), .largest_free = gib(5)}).missing() == 3_GiB);
  CHECK(with_sizes({.wanted = gib(8), .free = gib(7)}).missing() == 1_GiB);
  CHECK(with_sizes({.capacity = gib(16), .wanted = gib(8), .in_use = gib(10)}).missing() == 2_GiB);
  CHECK(with_sizes({.capacity = gib(16), .wanted = gib(24)}).missing() == 8_GiB);
  CHECK_FALSE(with_sizes({.capacity = gib(16), .wanted = gib(8), .in_use = gib(4)}).missing());
  CHECK_FALSE(with_sizes({.wanted = gib(8), .free = gib(9)}).missing());
  CHECK_FALSE(with_sizes({.wanted = gib(8)}).missing());
  CHECK(with_sizes({.wanted = gib(8), .free = gib(9)}).fragmented());
  CHECK_FALSE(with_sizes({.wanted = gib(8), .free = gib(9), .reservable = gib(6)}).fragmented());
  CHECK(with_sizes({.capacity = gib(16), .wanted = gib(24)}).larger_than_all());
  CHECK_FALSE(with_sizes({.capacity = gib(16), .wanted = gib(8)}).larger_than_all());
  oom_incident scratch = with_sizes({.wanted = gib(8)});
  CHECK_FALSE(scratch.is_scratch());
  oom_usage temporaries;
  temporaries.label = "preallocated temp allocation", temporaries.size = gib(8);
  scratch.report.usage.push_back(temporaries);
  CHECK(scratch.is_scratch());
}

TEST_CASE("messages of the same space and sizes are one incident, with all that each of them knows") {
  oom_report first = report_of({.wanted = gib(8)}), same = report_of({.wanted = gib(8), .free = gib(2)}),
             other = report_of({.wanted = gib(9)});
  first.process = "rank0", same.process = "rank1", other.process = "rank0";
  oom_buffer buffer;
  buffer.shape = "f32[8]";
  same.buffers.push_back(buffer);
  same.allocator = "GPU_0_bfc", same.device = "0";
  const std::vector<oom_incident> found = incidents_of(log_of({first, same, other, same}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].messages == 3);
  CHECK(found[0].processes == std::vector<std::string_view>{"rank0", "rank1"});
  CHECK(found[0].report.free->bytes == 2_GiB);
  CHECK(found[0].report.buffers.size() == 1);
  CHECK(found[0].report.allocator == "GPU_0_bfc");
  CHECK(found[0].report.device == "0");
  CHECK(found[1].messages == 1);
  CHECK(found[1].report.wanted->bytes == 9_GiB);
  same.memory_space = "host";
  CHECK(incidents_of(log_of({first, same})).size() == 2);
  CHECK(incidents_of(oom_log{}).empty());
}

TEST_CASE("a message that was cut before its last size is one with the whole message") {
  const oom_report whole = report_of({.used = gib(20), .capacity = gib(16), .exceeded = gib(5)}),
                   cut = report_of({.used = gib(20), .capacity = gib(16)});
  for (const auto& both : {log_of({whole, cut}), log_of({cut, whole})}) {
    const std::vector<oom_incident> found = incidents_of(both);
    REQUIRE(found.size() == 1);
    CHECK(found[0].messages == 2);
    CHECK(found[0].missing() == 5_GiB);
  }
}

TEST_CASE("what the compiler expected is part of the failure that follows in the same process") {
  oom_report hint = report_of({.used = gib(20), .capacity = gib(16)}), failure = report_of({.wanted = gib(8)});
  hint.outcome = oom_outcome::hint;
  hint.process = failure.process = "rank0";
  const std::vector<oom_incident> found = incidents_of(log_of({hint, failure}));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].expected);
  CHECK(found[0].expected->bytes == 20_GiB);
  CHECK(found[0].report.outcome == oom_outcome::failed);
  failure.process = "rank1";
  CHECK(incidents_of(log_of({hint, failure})).size() == 2);
  CHECK(incidents_of(log_of({hint})).size() == 1);
  oom_report worse = hint;
  worse.used = gib(30);
  const std::vector<oom_incident> hints = incidents_of(log_of({hint, worse, hint}));
  REQUIRE(hints.size() == 1);
  CHECK(hints[0].report.used->bytes == 30_GiB);
}

TEST_CASE("the source of a buffer, and buffers by size") {
  oom_buffer b;
  b.metadata = R"(op_name="jit(f)/dot" source_file="/src/net.py" source_line=41 more)";
  const oom_source from = source_of(b);
  CHECK(from.op_name == "jit(f)/dot");
  CHECK(from.file == "/src/net.py");
  CHECK(from.line == 41);
  b.metadata = R"(op_name="f" source_line=many)";
  CHECK(source_of(b).op_name == "f");
  CHECK(source_of(b).file.empty());
  CHECK(source_of(b).line == 0);
  oom_report r;
  for (const std::int64_t size : {2, 9, 2, 5}) {
    b.number = static_cast<std::int64_t>(r.buffers.size());
    b.size.bytes = size;
    r.buffers.push_back(b);
  }
  std::vector<std::int64_t> numbers;
  for (const oom_buffer* const sorted : buffers_by_size(r)) numbers.push_back(sorted->number);
  CHECK(numbers == std::vector<std::int64_t>{1, 3, 0, 2});
}

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
  r.usage.push_back({"usage", "SparseCore", size_of(30_GiB), {}, {}, {}, {}, {}, {}});
  r.usage.push_back({"usage", "TensorCore", size_of(10_GiB), {}, {}, {}, {}, {}, {}});
  CHECK(oom_advice(of_program).starts_with("The embedding tables of the SparseCore take most of it"));
  r.usage.clear();
  r.usage.push_back({"requirement", "HLO temp", size_of(40_GiB), 50, {}, {}, {}, {}, {}});
  CHECK(oom_advice(of_program).starts_with("20.00GiB of the temporaries are padding"));
  r = {}, r.wanted = size_of(1_GiB), r.capacity = size_of(32_GiB), r.in_use = size_of(32_GiB);
  r.usage.push_back({"stats", "total allocation", size_of(1_GiB), {}, {}, {}, {}, {}, {}});
  CHECK(oom_advice(of_program).starts_with("The program itself needs only 1.00GiB"));
  r.wanted = size_of(20_GiB);
  r.usage = {{"stats", "preallocated temp allocation", size_of(20_GiB), {}, {}, {}, {}, {}, {}},
             {"stats", "total allocation", size_of(24_GiB), {}, {}, {}, {}, {}, {}}};
  CHECK(oom_advice(of_program).starts_with("The run time takes the temporaries of a program as one piece"));
  CHECK(oom_advice(failed(oom_phase::run)).starts_with("Dump the program"));
}

TEST_CASE("one buffer of a report in a line") {
  oom_buffer b;
  b.size = size_of(8_GiB), b.padding = size_of(4_GiB), b.unpadded = size_of(4_GiB), b.shape = "bf16[32,64]";
  b.metadata = R"(op_name="jit(step)/dot" source_file="/app/net.py" source_line=41)", b.label = "fusion.1";
  CHECK(oom_value_text(b) == "8.00GiB, bf16[32,64], 4.00GiB of it padding (2.0x), /app/net.py:41, jit(step)/dot");
  b.metadata = {}, b.padding = std::nullopt, b.entry_parameter = true;
  CHECK(oom_value_text(b) == "8.00GiB, bf16[32,64], a parameter, fusion.1");
}
