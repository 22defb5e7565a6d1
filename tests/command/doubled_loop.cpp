// A mutation of the report: a loop that runs twice as often costs twice as much, wherever its cost is shown.
#include "outside.hpp"

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>

using namespace from_outside;

namespace {

/// From where the count of the loop is known.
enum class count { known, derived, assumed };

/// A loop with what rules about time find in it, and a copy of the same size before it, in the same lines whatever the
/// count.
std::string program(int times, count how) {
  const std::string array = "f32[4096,4096]{1,0}", turned = "f32[4096,4096]{0,1}";
  const std::string state = "(s32[], " + array + ", " + turned + ", " + array + ")";
  const std::string all = ", replica_groups={{0,1,2,3}}, use_global_device_ids=true";
  std::string out =
      "HloModule loop, is_scheduled=true, num_partitions=4\n\n%sum (a: f32[], b: f32[]) -> f32[] {\n"
      "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %c = f32[] add(%a, %b)\n}\n\n";
  out += "%body (p: " + state + ") -> " + state + " {\n  %p = " + state + " parameter(0)\n";
  out += "  %i = s32[] get-tuple-element(%p), index=0\n";
  out += "  %x = " + array + " get-tuple-element(%p), index=1\n";
  out += "  %y = " + array + " get-tuple-element(%p), index=3\n";
  out += "  %one = s32[] constant(1)\n  %next = s32[] add(%i, %one)\n";
  out += "  %turned = " + turned + " copy(%x), metadata={source_file=\"train.py\" source_line=5}\n";
  out += "  %read = " + turned + " negate(%turned)\n";
  out += "  %reduced = " + array + " all-reduce(%y), channel_id=1" + all + ", to_apply=%sum\n";
  out += "  %sent = (" + array + ", " + array +
         ") collective-permute-start(%reduced), channel_id=2, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n";
  out += "  %got = " + array + " collective-permute-done(%sent)\n";
  out += "  %asked = " + array + " custom-call(%got), custom_call_target=\"xla_ffi_python_gpu_callback\"\n";
  out += "  %again = " + array + " copy(%y)\n";
  out += "  %late = " + array + " add(%again, %asked)\n";
  out += "  ROOT %t = " + state + " tuple(%next, %x, %read, %late)\n}\n\n";
  out += "%goes_on (p: " + state + ") -> pred[] {\n  %p = " + state + " parameter(0)\n";
  out += "  %i = s32[] get-tuple-element(%p), index=0\n  %n = s32[] constant(" +
         std::to_string(how == count::known ? 1000 : times) + ")\n";
  out += "  ROOT %c = pred[] compare(%i, %n), direction=LT\n}\n\n";
  out += "ENTRY %main (in: " + array + ", begin: s32[]) -> " + state + " {\n  %in = " + array + " parameter(0)\n";
  out += "  %begin = s32[] parameter(1)\n  %zero = s32[] constant(0)\n";
  out += "  %once = " + turned + " copy(%in)\n  %first = " + turned + " negate(%once)\n";
  out += "  %init = " + state + " tuple(" + (how == count::assumed ? "%begin" : "%zero") + ", %in, %first, %in)\n";
  out += "  ROOT %w = " + state + " while(%init), condition=%goes_on, body=%body";
  if (how == count::known) out += ", backend_config={\"known_trip_count\":{\"n\":\"" + std::to_string(times) + "\"}}";
  return out + "\n}\n";
}

/// Milliseconds by what they are of.
using costs = std::map<std::string, double>;

const std::string options = " --isolated --device h100-sxm --target gpu --select COL,PRF ";

costs of_json(const json& report) {
  costs out;
  for (const json& found : report.at("diagnostics"))
    for (const json& one : found.value("impacts", json::array()))
      if (one["unit"] == "seconds")
        out[found.value("rule", "") + " " + found.value("instruction", "")] = 1e3 * one["amount"].get<double>();
  return out;
}

/// What text says of the groups that cost most, by their lines.
costs of_text(const std::string& text) {
  static const std::regex line(R"(\n  [1-5]\. [a-z]+ ([A-Z]{3}\d{3}) [^\n]* ([\d.]+) ([mu])s of a step: [^\n]*:(\d+))");
  costs out;
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i)
    out[(*i)[1].str() + ":" + (*i)[4].str()] = std::stod((*i)[2].str()) / ((*i)[3] == "u" ? 1e3 : 1);
  return out;
}

costs of_page(const std::string& page) {
  const std::string_view begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  const json data = json::parse(page.substr(at, page.find("</script>", at) - at));
  costs out;
  for (const json& found : data["findings"]) {
    if (!found.contains("cost") || !found.contains("instruction")) continue;
    const std::string cost = found["cost"];
    const std::size_t ms = cost.find("s of a step");
    if (ms == std::string::npos) continue;
    const std::size_t from = cost.rfind(' ', ms - 3);
    out[found["rule"].get<std::string>() + " " + found["instruction"].get<std::string>()] =
        std::stod(cost.substr(from == std::string::npos ? 0 : from + 1)) / (cost[ms - 1] == 'u' ? 1e3 : 1);
  }
  return out;
}

/// All costs are twice those of `once`, but for what is outside of the loop.
void check_doubled(const costs& once, const costs& twice, double digits, std::size_t at_least) {
  std::size_t doubled = 0;
  REQUIRE(once.size() == twice.size());
  for (const auto& each : once) {
    CAPTURE(each.first);
    REQUIRE(twice.contains(each.first));
    const double factor = each.first.ends_with(" once") ? 1 : 2;
    CHECK(twice.at(each.first) == doctest::Approx(factor * each.second).epsilon(digits));
    doubled += factor == 2 && each.second > 0;
  }
  CHECK(doubled >= at_least);
}

}  // namespace

TEST_CASE("hlolint: a loop that runs twice as often costs twice as much, in text, JSON, page and diff") {
  for (const count how : {count::known, count::derived, count::assumed}) {
    CAPTURE(static_cast<int>(how));
    const folder f;
    f.write("ten/loop.txt", program(10, how));
    f.write("twenty/loop.txt", program(20, how));
    const auto run = [&](const std::string& words, const std::string& name) {
      return f.run(words + options + name + "/loop.txt").output;
    };
    const json ten = f.run_json(options + "ten/loop.txt", 1), twenty = f.run_json(options + "twenty/loop.txt", 1);
    const costs in_json = of_json(ten);
    // The copies, the collectives and the callback, each of one run a tenth of what the loop has.
    for (const char* const name : {"PRF002 turned", "PRF004 again", "COL001 reduced", "COL002 sent", "PRF012 asked"}) {
      CAPTURE(name);
      CHECK(in_json.contains(name));
    }
    CHECK(in_json.at("PRF002 turned") == doctest::Approx(10 * in_json.at("PRF002 once")).epsilon(1e-4));
    check_doubled(in_json, of_json(twenty), 1e-4, 5);
    check_doubled(of_page(run("--format html", "ten")), of_page(run("--format html", "twenty")), 0.01, 5);
    check_doubled(of_text(run("", "ten")), of_text(run("", "twenty")), 0.01, 5);

    // The step is what is outside and all iterations, and so is that of `time` and of `diff`.
    const auto step = [](const json& report) { return report["steps"][0]["step_ms"].get<double>(); };
    const double loop = step(twenty) - step(ten), outside = step(ten) - loop;
    CHECK(outside > 0);
    CHECK(outside < 0.1 * loop);
    for (const auto& each : {std::pair{"ten", &ten}, std::pair{"twenty", &twenty}})
      CHECK(f.run_json("time --isolated --device h100-sxm --target gpu " + std::string(each.first) + "/loop.txt",
                       0)["time"][0]["step_ms"]
                .get<double>() == doctest::Approx(step(*each.second)).epsilon(1e-5));
    const json found = f.run_json("diff --isolated --device h100-sxm --target gpu ten twenty", 1);
    std::size_t steps = 0;
    for (const json& change : found["diff"]["changes"]) {
      if (change["kind"] != "time") continue;
      ++steps;
      CHECK(change["verdict"] == "worse");
      CHECK(change["time"]["before"].get<double>() == doctest::Approx(step(ten)).epsilon(1e-4));
      CHECK(change["time"]["after"].get<double>() == doctest::Approx(step(twenty)).epsilon(1e-4));
      bool line = false;
      for (const json& row : change["with"])
        if (row["what"] == "train.py:5") {
          line = true;
          CHECK(row["after"].get<double>() == doctest::Approx(2 * row["before"].get<double>()).epsilon(1e-3));
        }
      CHECK(line);
    }
    CHECK(steps == 1);
  }
}
