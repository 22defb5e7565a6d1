// What reads memory, on HLO alone: everything has the numbers that `hlolint memory` prints.
#include "outside.hpp"

#include <string>

using namespace from_outside;

namespace {

/// A temporary of 64 MiB (of another size: so many elements) between a parameter and a result of 16 MiB.
std::string step(const std::string& elements = "16777216", const std::string& header = ", is_scheduled=true") {
  return "HloModule jit_step" + header + "\n\nENTRY %main {\n  %p = f32[4194304]{0} parameter(0)\n  %big.1 = f32[" +
         elements +
         "]{0} custom-call(%p), custom_call_target=\"grow\"\n  ROOT %small.1 = f32[4194304]{0} "
         "custom-call(%big.1), custom_call_target=\"shrink\"\n}\n";
}
constexpr const char* name = "module_0001.jit_step.sm_8.0_gpu_after_optimizations.txt";

std::string message_of(const json& report) {
  REQUIRE(report["diagnostics"].size() == 1);
  return report["diagnostics"][0]["message"];
}

struct hlo_alone : folder {
  hlo_alone() {
    write(name, step());
    write("unscheduled.txt", step("16777216", ""));
  }
};

}  // namespace

TEST_CASE("HLO alone: memory gives the same numbers as text, JSON and a table") {
  const hlo_alone in;
  const std::string text = in.run("memory " + std::string(name)).output;
  CHECK(has(text, "as XLA assigns it"));
  CHECK(has(text, "need       100663296 bytes (96.00MiB) in 3 allocations"));
  CHECK(has(text, "temporaries 64.00MiB"));
  const json module = in.run_json("memory " + std::string(name), 0)["memory"][0];
  CHECK(module.find("estimated") == module.end());
  CHECK(module["basis"].get<std::string>().starts_with("as XLA assigns it"));
  CHECK(module["need"]["bytes"] == 100663296);
  CHECK(module["need"]["temporaries"] == 67108864);
  const std::string page = in.run("memory " + std::string(name) + " --format html").output;
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(has(page, "\"need\":{\"total\":100663296,"));
  CHECK(has(page, "\"unchecked\":true"));  // no rule was asked
  CHECK(!has(in.run(std::string(name) + " --format html").output, "\"unchecked\":true"));
  CHECK(in.run("memory --verify " + std::string(name) + " --format html").status == 2);
  CHECK(has(text, "in use     " + std::to_string(module["peak"]["bytes"].get<long>()) + " bytes"));
  CHECK(module["missing"].get<std::string>().starts_with("no buffer assignment"));
  for (const char* const number : {"2", "3", "4"})
    in.write("all/module_000" + std::string(number) + ".jit_step.sm_8.0_gpu_after_optimizations.txt", step());
  in.write("all/" + std::string(name), step());
  CHECK(has(in.run("memory all").output, "  96.00MiB"));
}

TEST_CASE("HLO alone: a rule that is not known and matters makes an estimate") {
  const hlo_alone in;
  in.write("step.txt", step());
  const json unknown = in.run_json("memory step.txt", 0)["memory"][0];
  CHECK(unknown["estimated"] == true);
  CHECK(has(unknown["basis"].get<std::string>(), "as the target is not known"));
  for (const char* const number : {"2", "3", "4", "5"}) in.write("all/" + std::string(number) + ".txt", step());
  CHECK(has(in.run("memory all").output, "  ~96.00MiB"));
  CHECK(has(in.run("step.txt --select BUD001 --set BUD001.capacity=32MiB").output, "(estimated from the HLO)"));
  CHECK(has(in.run("memory step.txt --target tpu").output, "not public"));
  CHECK(has(in.run("memory step.txt --target cpu").output, "as XLA assigns it"));

  // Two temporary values at the same time, of which the first ends between multiples of 128 and of 256.
  in.write("two.txt",
           "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
           "  %a = f32[32]{0} custom-call(%p), custom_call_target=\"a\"\n"
           "  %b = f32[32]{0} custom-call(%p), custom_call_target=\"b\"\n"
           "  ROOT %r = f32[8]{0} custom-call(%a, %b), custom_call_target=\"c\"\n}\n");
  const auto memory = [&](const std::string& words) {
    return in.run_json("memory two.txt --target gpu" + words, 0)["memory"][0];
  };
  CHECK(has(memory("")["basis"].get<std::string>(), "(--xla-date), and earlier ones assign 320 bytes instead of 448"));
  CHECK(memory(" --xla-date 2025-06-16")["need"]["temporaries"] == 256);
  CHECK(memory(" --xla-date 2025-06-17")["need"]["temporaries"] == 384);
  CHECK(has(memory(" --xla-date 2025-06-17")["basis"].get<std::string>(), "as XLA assigns it"));
  in.write("dated.toml", "xla-date = \"2025-06-16\"\n");
  CHECK(memory(" --config dated.toml")["need"]["temporaries"] == 256);
  CHECK(in.run("memory two.txt --xla-date June").status == 2);
}

TEST_CASE("HLO alone: budgets, contracts, limits and baselines have these numbers, too") {
  const hlo_alone in;
  const std::string file = name;
  CHECK(message_of(in.run_json(file + " --select BUD001 --set BUD001.capacity=32MiB", 1)) ==
        "allocations in HBM take 96.00MiB, 64.00MiB more than the budget of 32.00MiB (as XLA assigns it)");
  CHECK(in.run(file + " --select BUD001 --set BUD001.capacity=96MiB").status == 0);
  in.write("budget.toml", "[[contract]]\nname = \"fits\"\nmax-temporaries = \"63MiB\"\n");
  CHECK(message_of(in.run_json(file + " --config budget.toml", 1)) ==
        "contract 'fits': 64.00MiB are temporary, at most 63.00MiB are agreed (as XLA assigns it)");
  in.write("budget.toml", "[[contract]]\nname = \"fits\"\nmax-temporaries = \"64MiB\"\nmax-total = \"96MiB\"\n");
  CHECK(in.run(file + " --config budget.toml").status == 0);
  CHECK(in.run(file + " --baseline known.json --update-baseline").status == 0);
  CHECK(in.run(file + " --baseline known.json").status == 0);
  in.write(file, step("20971520"));  // 80 MiB
  const json grown = in.run_json(file + " --baseline known.json --select BUD002", 1);
  REQUIRE(grown["diagnostics"].size() == 3);
  CHECK(has(grown["diagnostics"][2]["message"].get<std::string>(), "112.00MiB, was 96.00MiB in the baseline"));

  // A device whose memory it exceeds, and rules that have to be named.
  in.write(file, step("8589934592"));  // 32 GiB
  CHECK(has(in.run(file + " --device tpu-v5e --target gpu --select BUD").output, "more than the memory of tpu-v5e"));
  CHECK(rules_in(in.run_json(file + " --select BUD003", 0)) == std::vector<std::string>{"BUD003"});
  CHECK(rules_in(in.run_json(file, 0)).empty());  // nothing asks for an estimate
}

TEST_CASE("HLO alone: rules about what lies idle in allocations, if they are named") {
  const folder in;
  in.write(name,
           "HloModule jit_step, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
           "  %a.1 = f32[300]{0} custom-call(%p), custom_call_target=\"a\"\n"
           "  %b.1 = f32[100]{0} custom-call(%a.1), custom_call_target=\"b\"\n"
           "  ROOT %r.1 = f32[8]{0} custom-call(%a.1, %b.1), custom_call_target=\"r\"\n}\n");
  const std::string file = name;
  CHECK(has(in.run(file + " --select PAD006 --set PAD006.min-bytes=1").output, "no value ever takes 80B of 1.6KiB"));
  CHECK(in.run_json("memory " + file, 0)["memory"][0]["allocations"][2]["gaps"] == 80);
  CHECK(in.run(file + " --select PAD005,PAD007 --set PAD005.min-bytes=1").status == 0);  // not CFG005
}

TEST_CASE("HLO alone: diff shows need and temporaries") {
  const hlo_alone in;
  in.write("old/" + std::string(name), step());
  in.write("new/" + std::string(name), step("33554432"));
  const outcome got = in.run("diff old new");
  CHECK(got.status == 1);
  CHECK(has(got.output, "need: 96.00MiB -> 160.00MiB (+64.00MiB, +66.7 %)\n"));
  CHECK(has(got.output, "temporaries: 64.00MiB -> 128.00MiB (+64.00MiB, +100 %)\n"));
  CHECK(has(in.run("diff new old").output, "peak shrank"));
}

TEST_CASE("CFG005: what was asked for and could not be evaluated fails") {
  const hlo_alone in;
  const auto expect = [&](const std::string& words, const std::string& message) {
    CAPTURE(words);
    const json report = in.run_json(words, 1);
    REQUIRE(rules_in(report) == std::vector<std::string>{"CFG005"});
    CHECK(report["diagnostics"][0]["level"] == "error");
    CHECK(report["diagnostics"][0]["message"] == message);
  };
  expect("unscheduled.txt --select BUD001 --set BUD001.capacity=1GiB",
         "rule BUD001 could not be evaluated in module jit_step: no buffer assignment");
  expect("unscheduled.txt --select MEM --set BUD007.limit-1=1GiB --extend-select space-budget",
         "rule BUD007 could not be evaluated in module jit_step: no buffer assignment");
  expect("unscheduled.txt --select BUD001",
         "rule BUD001 could not be evaluated in module jit_step: neither a capacity nor a device is known; name one "
         "with --device");
  expect("unscheduled.txt --select COL001",
         "rule COL001 could not be evaluated in module jit_step: the module is not scheduled");
  expect(std::string(name) + " --select BUD009",
         "rule BUD009 could not be evaluated in module jit_step: no [[contract]] of the configuration limits memory");
  in.write("c.toml", "select = [\"BUD\"]\n[[contract]]\nname = \"fits\"\nmax-temporaries = \"4GiB\"\n");
  expect("unscheduled.txt --config c.toml",
         "contract 'fits' could not be evaluated in module jit_step: no buffer assignment");
  CHECK(has(in.run("unscheduled.txt --config c.toml").output, "c.toml:2:1: error: contract 'fits' could not"));
  in.write("c.toml", "select = [\"COL\"]\n[[contract]]\nname = \"hidden\"\nmust-overlap = true\n");
  expect("unscheduled.txt --config c.toml",
         "contract 'hidden' could not be evaluated in module jit_step: must-overlap: the module is not scheduled");
  in.write("c.toml", "select = [\"COL\"]\n[[contract]]\nname = \"hidden\"\nmax-exposed-ms = 1\n");
  in.write("plain.txt", clean);
  expect("plain.txt --config c.toml",
         "contract 'hidden' could not be evaluated in module clean: max-exposed-ms: no device is known; name one with "
         "--device");

  // A prefix, ALL and the default set ask for what there is.
  for (const char* const words : {"unscheduled.txt", "unscheduled.txt --select BUD", "unscheduled.txt --select MEM",
                                  "unscheduled.txt --select BUD001 --ignore CFG005"}) {
    CAPTURE(words);
    CHECK(in.run_json(words, 0)["diagnostics"].empty());
  }
  // One finding for many modules.
  for (const char* const number : {"1", "2", "3", "4"})
    in.write("all/module_000" + std::string(number) + ".jit_f" + number + ".txt",
             "HloModule jit_f" + std::string(number) + step("1", "").substr(18));
  expect("all --select COL001",
         "rule COL001 could not be evaluated in 4 modules (jit_f1, jit_f2, jit_f3, ...): the module is not scheduled");
  // Modules of one name are as many modules, in one folder or in several, together or one by one.
  for (const char* const number : {"1", "2", "3"}) {
    const std::string text = "HloModule jit_g" + step("1", "").substr(18);
    in.write("same/module_000" + std::string(number) + ".jit_g.txt", text);
    in.write("apart" + std::string(number) + "/g.txt", text);
  }
  expect("same --select COL001",
         "rule COL001 could not be evaluated in 3 modules (jit_g): the module is not scheduled");
  expect("apart1 apart2 apart3 -j 1 --select COL001",
         "rule COL001 could not be evaluated in 3 modules (jit_g): the module is not scheduled");
}
