#include <hlolint/analysis/time/independent_work.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("independent_work: what neither needs a transfer nor is needed by it, and stands elsewhere") {
  const timed t = entry("%before" + timed_matmul + "%s" + timed_start + "\n%beside" + timed_matmul +
                        "%d = f32[70000000]{0} collective-permute-done(%s)\n%user = f32[70000000]{0} negate(%d)\n"
                        "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}, bf16[8192,8192]{1,0}) "
                        "tuple(%user, %before, %beside)\n");
  independent_work_finder finder(*t.time);
  const independent_work found = finder.of(t.of("s"));
  CHECK(found.largest.name() == "before");
  CHECK(found.largest_seconds == nearly(matmul_time));
  CHECK(found.seconds == nearly(matmul_time));
  CHECK_FALSE(found.ordered);
  CHECK(found.in_computation > found.seconds);
}

TEST_CASE("independent_work: what is tied by control predecessors alone is named and not counted") {
  const std::string ordered = timed_start + ", control-predecessors={%before}";
  const timed t = entry("%before" + timed_matmul + "%s" + ordered +
                        "\n%d = f32[70000000]{0} collective-permute-done(%s)\n"
                        "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %before)\n");
  const independent_work found = independent_work_finder(*t.time).of(t.of("s"));
  CHECK(found.largest.name() == "before");
  CHECK(found.ordered);
  CHECK(found.seconds == 0);
}

TEST_CASE("independent_work: of many transfers of one computation, each has its own answer") {
  std::string body;
  for (int k = 0; k < 70; ++k) {
    const std::string n = std::to_string(k);
    body += "%made" + n + timed_matmul + "%st" + n + timed_start + (k % 3 == 0 ? ", control-predecessors={%made" : "") +
            (k % 3 == 0 ? n + "}" : "") + "\n%d" + n + " = f32[70000000]{0} collective-permute-done(%st" + n +
            ")\n%user" + n + " = f32[70000000]{0} negate(%d" + n + ")\n";
  }
  const timed t = entry(body + "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%user0, %made0)\n");
  REQUIRE(t.time->transfers().size() == 70);
  independent_work_finder finder(*t.time);
  const double least = independent_work_finder(*t.time).of(t.of("st0")).seconds;
  CHECK(least > 69 * matmul_time);
  for (int k = 0; k < 70; ++k) {
    const auto& transfer = t.of("st" + std::to_string(k));
    CAPTURE(k);
    const independent_work found = finder.of(transfer);
    // All negations but its own, and all matrix products but the one that it waits for.
    CHECK(found.seconds == nearly(independent_work_finder(*t.time).of(transfer).seconds));
    CHECK(found.largest.name() == "made0");
    CHECK(found.ordered == (k == 0));
    CHECK(found.seconds == nearly(least + (k % 3 == 0 ? 0 : matmul_time)));
  }
}

TEST_CASE("independent_work: what goes to the other slices comes back, so its maker is needed") {
  const auto found = [](const std::string& received) {
    const std::string between =
        ", channel_id=7, is_host_transfer=true, frontend_attributes={_xla_host_transfer_handler_name="
        "\"xla_megascale_runtime\",_xla_host_transfer_rendezvous=\"all-reduce_";
    const timed t =
        time_of("ENTRY %e {\n" + timed_inputs + "%made" + timed_matmul +
                    "%t = token[] after-all()\n%sent = (bf16[8192,8192]{1,0}, u32[], token[]) send(%made, %t)" +
                    between + "0\"}\n%sd = token[] send-done(%sent)" + between +
                    "0\"}\n%got = (f32[70000000]{0}, u32[], token[]) recv(%t)" + between + received +
                    "\"}\n%rd = (f32[70000000]{0}, token[]) recv-done(%got)" + between + received +
                    "\"}\nROOT %r = f32[70000000]{0} get-tuple-element(%rd), index=0\n}\n",
                find_device("tpu-v5e").value());
    const hlo_instruction largest = independent_work_finder(*t.time).of(t.of("got")).largest;
    return largest && largest.name() == "made";
  };
  CHECK_FALSE(found("0"));
  CHECK(found("1"));
}

TEST_CASE("independent_work: what makes an operand that is bound after the start is needed, too") {
  const std::string array = "f32[70000000]{0}";
  const timed t = entry("%s" + offloaded_start + "%made = " + array + " negate(%a)\n%u" +
                            offloaded_update("%s", "%made") + "%beside" + timed_matmul + "%d = " + array +
                            " async-done(%u)\nROOT %r = (" + array + ", bf16[8192,8192]{1,0}) tuple(%d, %beside)\n",
                        offloaded_permute);
  const independent_work found = independent_work_finder(*t.time).of(t.of("s"));
  CHECK_FALSE(found.largest);
  CHECK(found.seconds == 0);
}

TEST_CASE("independent_work: there is none where all depends on the transfer") {
  const timed t = entry("%s" + timed_start +
                        "\n%d = f32[70000000]{0} collective-permute-done(%s)\n"
                        "ROOT %n = f32[70000000]{0} negate(%d)\n");
  const independent_work found = independent_work_finder(*t.time).of(t.of("s"));
  CHECK_FALSE(found.largest);
  CHECK(found.seconds == 0);
}
