// Comparing two compilations: values in, changes out.
#include <hlolint/checks/all.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/tool/compare/module_summary_of.hpp>
#include <hlolint/tool/compare/program_diff.hpp>
#include <hlolint/tool/compare/same_causes.hpp>

#include "analysis/module_of.hpp"
#include "diff_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::compare;
using namespace hlolint::testing;

namespace {

diff_options usual_options() {
  diff_options out;
  out.causes = same_causes;
  return out;
}

linted_module linted(const dumped& from, target backend = target::gpu, const std::string& name = {}) {
  context::parts parts;
  if (!from.hlo.empty()) parts.hlo = module_of(from.hlo);
  if (!from.buffers.empty()) parts.buffers = buffers_of(from.buffers);
  parts.target = backend;
  parts.name = name;
  const context dump(std::move(parts));
  findings found = lint(catalogue<sync_collective, empty_overlap_window, large_constant, layout_copy, donated_not_used,
                                  replicated_large>{},
                        dump);
  linted_module out{module_summary_of(dump), std::move(found.diagnostics), {}};
  // Times and memory that follows from the HLO have tests of their own, in time_diff.cpp and memory_diff.cpp.
  out.summary.time.reset();
  if (from.buffers.empty()) out.summary.has_memory = false;
  for (const skipped_check& skipped : found.skipped) out.skipped.push_back(skipped.rule);
  return out;
}

/// The changes of a lone module, one line each: `verdict kind: text [rules]`.
std::vector<std::string> changes(const dumped& before, const dumped& after,
                                 const diff_options& options = usual_options(), target backend = target::gpu) {
  std::vector<std::string> out;
  for (const module_change& change :
       diff(std::vector{linted(before, backend)}, std::vector{linted(after, backend)}, options).changes) {
    std::string line =
        std::string(name_of(change.verdict)) + " " + std::string(name_of(change.kind)) + ": " + change.text;
    if (change.number) line += " " + std::to_string(change.number->before) + " " + std::to_string(change.number->after);
    if (change.count > 1) line += " x" + std::to_string(change.count);
    for (const std::string& rule : change.rules) line += " [" + rule + "]";
    out.push_back(std::move(line));
  }
  return out;
}

using lines = std::vector<std::string>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// A scheduled module of 4 MiB arrays with this entry, and nothing about its buffers.
dumped entry_of(const std::string& body, const std::string& header = {}) {
  return {"HloModule m, is_scheduled=true, num_partitions=2" + header +
              "\n\nENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n" + body + "}\n",
          {}};
}

/// What hides a transfer, without its name.
const std::string sine_of_p = ".w = f32[1048576]{0} sine(%p), frontend_attributes={latency_metadata=\"1000000\"}\n";

/// Two equal all-reduces (by name, shape and op_name), each start and done or a single instruction.
std::string reduces(const std::string& first, bool first_overlapped, const std::string& second,
                    bool second_overlapped) {
  const std::string attributes =
      ", replica_groups={{0,1}}, channel_id=1, dimensions={0}, use_global_device_ids=true, "
      "metadata={op_name=\"f/gather\"}\n";
  std::string out, roots;
  const auto add = [&](const std::string& name, bool overlapped) {
    if (overlapped)
      out += "  %" + name + ".s = (f32[1048576]{0}, f32[2097152]{0}) all-gather-start(%p)" + attributes + "  %" + name +
             sine_of_p + "  %" + name + " = f32[2097152]{0} all-gather-done(%" + name + ".s)\n";
    else
      out += "  %" + name + " = f32[2097152]{0} all-gather(%p)" + attributes;
  };
  add(first, first_overlapped), add(second, second_overlapped);
  return out + "  ROOT %t = (f32[2097152]{0}, f32[2097152]{0}) tuple(%" + first + ", %" + second + ")\n";
}

}  // namespace

TEST_CASE("diff: a collective became synchronous, a donation was lost, the peak grew: exactly these") {
  const lines expected{
      "worse memory: peak grew 37748736 46137344",
      "worse donation: parameter 0 (f32[1048576]{0}, 4.00MiB, weights) is no longer donated to output {0}",
      "worse synchronous: all-reduce of 16.00MiB, f32[4194304] (train.py:31, jit(step)/psum) became synchronous "
      "[COL001]"};
  CHECK(changes(good_step(), bad_step()) == expected);
  CHECK(changes(good_step(), renumbered(bad_step())) == expected);

  const program_diff found = diff(std::vector{linted(good_step())}, std::vector{linted(bad_step())}, usual_options());
  REQUIRE(found.changes.size() == 3);
  CHECK(found.is_worse());
  CHECK(found.compared == 1);
  CHECK(found.remarks.empty());
  CHECK(numbers_of(found.changes[0]) ==
        "peak: 36.00MiB -> 44.00MiB\nneed: 40.00MiB -> 44.00MiB\nmultiply in all: 0B -> 4.00MiB\n"
        "sine in all: 0B -> 4.00MiB\n");
  CHECK(found.changes[1].after == lines{"weights.1"});
  CHECK(found.changes[2].before == lines{"all-reduce-start.3"});
  CHECK(found.changes[2].after == lines{"all-reduce.3"});
  CHECK(found.changes[2].module == "jit_step");

  // Without knowing which rules repeat a change, the finding is a change of its own.
  CHECK(changes(good_step(), bad_step(), {}).size() == 4);
}

TEST_CASE("diff: the other way round all is better") {
  const lines found = changes(bad_step(), good_step());
  REQUIRE(found.size() == 3);
  CHECK(found[0] == "better memory: peak shrank 46137344 37748736");
  CHECK(found[1] == "better donation: parameter 0 (f32[1048576]{0}, 4.00MiB, weights) is now donated to output {0}");
  CHECK(found[2] ==
        "better synchronous: all-reduce of 16.00MiB, f32[4194304] (train.py:31, jit(step)/psum) became asynchronous "
        "[COL001]");
}

TEST_CASE("diff: nothing") {
  for (const dumped& step : {good_step(), bad_step()}) {
    CHECK(changes(step, step).empty());
    CHECK(changes(step, renumbered(step)).empty());
    CHECK(changes(renumbered(step), step).empty());
  }
  CHECK(renumbered(good_step()).hlo != good_step().hlo);
  const dumped first = entry_of(reduces("g.1", true, "g.2", false)),
               second = entry_of(reduces("g.7", false, "g.3", true));
  CHECK(changes(first, second).empty());  // equal ones in another order
}

TEST_CASE("diff: what one side does not give is not compared") {
  const dumped without_buffers{bad_step().hlo, {}};
  const program_diff found =
      diff(std::vector{linted(good_step())}, std::vector{linted(without_buffers)}, usual_options());
  REQUIRE(found.remarks.size() == 1);
  CHECK(found.remarks[0] ==
        "jit_step: only the old one has a buffer assignment, or a schedule to estimate one from; "
        "changes that depend on this are not compared");
  CHECK(found.changes.size() == 2);
  CHECK(std::none_of(found.changes.begin(), found.changes.end(),
                     [](const module_change& c) { return c.kind == change_kind::memory; }));
  CHECK(changes({{}, good_step().buffers}, {{}, bad_step().buffers}).size() == 1);  // from the buffers alone

  // COL001 runs on scheduled modules only: its findings did not come or go.
  const dumped unscheduled{replaced(bad_step().hlo, " is_scheduled=true,", ""), {}};
  CHECK(changes(without_buffers, unscheduled).empty());
  CHECK(changes(unscheduled, without_buffers).empty());
}

TEST_CASE("diff: half a module is not compared") {
  const linted_module good = linted(good_step()), bad = linted(bad_step());
  linted_module half = bad;
  half.whole = false;
  const program_diff found = diff({good}, {half}, usual_options());
  CHECK(found.changes.empty());
  CHECK(found.compared == 0);
  CHECK(found.remarks == lines{"jit_step: not compared, as the new one could not be read in full"});
  CHECK(diff({half}, {good}, usual_options()).remarks ==
        lines{"jit_step: not compared, as the old one could not be read in full"});
  CHECK(diff({half}, {half}, usual_options()).remarks ==
        lines{"jit_step: not compared, as neither could be read in full"});
}

TEST_CASE("diff: tolerance") {
  diff_options options = usual_options();
  CHECK_FALSE(read_tolerance("9%", options.tolerance));
  CHECK(changes(good_step(), bad_step(), options).size() == 3);  // the total grew by 10 %, the peak by 22 %
  CHECK_FALSE(read_tolerance("22.3%", options.tolerance));
  CHECK(changes(good_step(), bad_step(), options)[0].starts_with("worse donation"));
  CHECK_FALSE(read_tolerance("4MiB", options.tolerance));
  CHECK(options.tolerance == change_tolerance{0.223, 4_MiB});
  const lines left = changes(good_step(), bad_step(), options);  // nor a donation of 4 MiB
  REQUIRE(left.size() == 1);
  CHECK(left[0].starts_with("worse synchronous"));

  CHECK_FALSE(read_tolerance("16MiB", options.tolerance));  // a finding of so few bytes is listed, but is no worse
  const lines found = changes(good_step(), bad_step(), options);
  REQUIRE(found.size() == 1);
  CHECK(found[0].starts_with("changed new-finding"));

  change_tolerance kept{0.5, 7};
  for (const char* const wrong : {"", "x", "1 %", "-1%", "%", "nan%", "1e400%", "-5", "1MB"}) {
    CAPTURE(wrong);
    CHECK(read_tolerance(wrong, kept).has_value());
  }
  CHECK(kept == change_tolerance{0.5, 7});
  CHECK(change_tolerance{}.covers(5, 5));
  CHECK_FALSE(change_tolerance{}.covers(5, 6));
  CHECK(change_tolerance{0.1, 0}.covers(100, 110));
  CHECK(change_tolerance{0.1, 0}.covers(100, 90));
  CHECK_FALSE(change_tolerance{0.1, 0}.covers(100, 111));
}

TEST_CASE("diff: collectives") {
  const auto overlapped = entry_of(reduces("a", true, "b", true));
  SUBCASE("of equal ones as many as there are") {
    CHECK(changes(overlapped, entry_of(reduces("a", false, "b", true))) ==
          lines{"worse synchronous: all-gather of 8.00MiB, f32[2097152] (f/gather) became synchronous [COL001]"});
    CHECK(changes(overlapped, entry_of(reduces("a", false, "b", false))) ==
          lines{"worse synchronous: all-gather of 8.00MiB, f32[2097152] (f/gather) became synchronous x2"});
  }
  SUBCASE("on CPU all are synchronous") {
    const lines found = changes(overlapped, entry_of(reduces("a", false, "b", false)), usual_options(), target::cpu);
    REQUIRE(found.size() == 1);
    CHECK(found[0].starts_with("changed program: the same cost, but not the same program; more of: "));
  }
  SUBCASE("lost overlap") {
    std::string text = overlapped.hlo;
    text = replaced(text, "  %a" + sine_of_p, "");
    text = replaced(text, "  %b" + sine_of_p, "");
    const lines found = changes(overlapped, {text, {}});
    REQUIRE(found.size() == 1);
    CHECK(found[0] ==
          "worse overlap: all-gather of 8.00MiB, f32[2097152] (f/gather) is no longer overlapped: nothing runs beside "
          "it x2 [COL002]");
    CHECK(changes({text, {}}, overlapped).front().starts_with("better overlap"));

    // XLA makes empty windows synchronous: that costs nothing more.
    CHECK(changes({text, {}}, entry_of(reduces("a", false, "b", false))) ==
          lines{"changed synchronous: all-gather of 8.00MiB, f32[2097152] (f/gather) became synchronous, and nothing "
                "runs beside it on either side x2 [COL002]"});
  }
  SUBCASE("less work beside it") {
    std::string more = "  %a" + sine_of_p;
    for (const char* const name : {"x", "y", "z"}) more += "  %" + (name + sine_of_p);
    const dumped busy{replaced(overlapped.hlo, "  %a" + sine_of_p, more), {}};
    const lines found = changes(busy, overlapped);
    REQUIRE(found.size() == 1);
    CHECK(found[0] ==
          "changed overlap: all-gather of 8.00MiB, f32[2097152] (f/gather) has 1 instruction of work beside it, had 4 "
          "instructions");
  }
  SUBCASE("groups written otherwise are the same") {
    const auto one = [](const std::string& groups, bool asynchronous) {
      const std::string attributes =
          ", channel_id=1, replica_groups=" + groups + ", dimensions={0}, use_global_device_ids=true\n";
      return dumped{
          "HloModule m, is_scheduled=true, num_partitions=4\n\nENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n" +
              (asynchronous ? "  %s = (f32[1048576]{0}, f32[2097152]{0}) all-gather-start(%p)" + attributes + "  %w" +
                                  sine_of_p + "  ROOT %g = f32[2097152]{0} all-gather-done(%s)\n"
                            : "  ROOT %g = f32[2097152]{0} all-gather(%p)" + attributes) +
              "}\n",
          {}};
    };
    const lines expected{"worse synchronous: all-gather of 8.00MiB, f32[2097152] became synchronous"};
    for (const char* const groups : {"{{0,1},{2,3}}", "{{2,3},{0,1}}", "[2,2]<=[4]"}) {
      CAPTURE(groups);
      CHECK(changes(one("{{0,1},{2,3}}", true), one(groups, false)) == expected);
    }
    CHECK(changes(one("{{0,1},{2,3}}", true), one("{{0,2},{1,3}}", false)) != expected);
  }
  SUBCASE("a loop of which only one side gives the length transfers no more") {
    const auto loop = [](const std::string& count, const std::string& bytes) {
      return dumped{
          "HloModule m, is_scheduled=true, num_partitions=2\n\n%condition {\n  %c = f32[1048576]{0} parameter(0)\n  "
          "ROOT %t = pred[] constant(true)\n}\n\n"
          "%body {\n  %d = f32[1048576]{0} parameter(0)\n  %g = f32[" +
              bytes +
              "]{0} all-gather(%d), channel_id=1, replica_groups={{0,1}}, dimensions={0}, "
              "use_global_device_ids=true\n  ROOT %s = f32[1048576]{0} sine(%d)\n}\n\nENTRY %main {\n  %p = "
              "f32[1048576]{0} parameter(0)\n  ROOT %w = f32[1048576]{0} "
              "while(%p), condition=%condition, body=%body" +
              (count.empty() ? "" : ", backend_config={\"known_trip_count\":{\"n\":\"" + count + "\"}}") + "\n}\n",
          {}};
    };
    CHECK(changes(loop("8", "2097152"), loop("", "2097152")).empty());
    CHECK(changes(loop("", "2097152"), loop("8", "2097152")).empty());
    CHECK(changes(loop("", "2097152"), loop("8", "4194304"))[0] ==
          "worse collective-bytes: all-gather sends more, counting every loop once, as some are of unknown length "
          "4194304 8388608");
    CHECK(changes(loop("8", "2097152"), loop("9", "2097152"))[0] ==
          "worse collective-bytes: all-gather sends more 33554432 37748736");
  }
  SUBCASE("one more is more bytes, and a finding") {
    const std::string work = "  %x" + sine_of_p;
    const dumped one = entry_of(work + "  ROOT %r = f32[1048576]{0} negate(%p)\n"),
                 two = entry_of(work +
                                "  %r = f32[1048576]{0} negate(%p)\n"
                                "  ROOT %g = f32[2097152]{0} all-gather(%r), replica_groups={{0,1}}, channel_id=1, "
                                "dimensions={0}, use_global_device_ids=true\n");
    const lines found = changes(one, two);
    REQUIRE(found.size() == 2);
    CHECK(found[0] == "worse collective-bytes: all-gather sends more 0 4194304");
    CHECK(found[1].starts_with("worse new-finding: new: all-gather of 8.00MiB is synchronous"));
    CHECK(changes(two, one)[1].starts_with("better fixed-finding: fixed: all-gather of 8.00MiB is synchronous"));
  }
}

TEST_CASE("diff: donations") {
  const std::string body = "  %q = f32[1048576]{0} parameter(1)\n  ROOT %a = f32[1048576]{0} add(%p, %q)\n";
  const dumped aliased = entry_of(body, ", input_output_alias={ {}: (1, {}, may-alias) }"),
               donor = entry_of(body, ", buffer_donor={ (1, {}) }"), plain = entry_of(body);
  const std::string parameter = "donation: parameter 1 (f32[1048576]{0}, 4.00MiB) ";
  CHECK(changes(aliased, donor) ==
        lines{"worse " + parameter + "is still a buffer donor, but no longer shares the buffer of output {}"});
  CHECK(changes(donor, aliased) ==
        lines{"better " + parameter + "was a buffer donor, and now shares the buffer of output {}"});
  CHECK(changes(donor, plain) == lines{"worse " + parameter + "is no longer a buffer donor"});
  CHECK(changes(aliased, plain) == lines{"worse " + parameter + "is no longer donated to output {}"});

  // One more argument before it: the numbers change, the donation does not.
  const dumped moved = entry_of(
      "  %n = f32[] parameter(1)\n  %q = f32[1048576]{0} parameter(2)\n"
      "  ROOT %a = f32[1048576]{0} add(%p, %q)\n",
      ", input_output_alias={ {}: (2, {}, may-alias) }");
  CHECK(changes(aliased, moved).empty());

  // The same arguments in another order.
  const auto ordered = [](const std::string& first, const std::string& second, const std::string& donated) {
    return dumped{"HloModule m, input_output_alias={ {}: (" + donated +
                      ", {}, may-alias) }\n\nENTRY %main {\n"
                      "  %a = f32[1048576]{0} parameter(0), metadata={op_name=\"" +
                      first + "\"}\n  %b = f32[1048576]{0} parameter(1), metadata={op_name=\"" + second +
                      "\"}\n  ROOT %r = f32[1048576]{0} add(%a, %b)\n}\n",
                  {}};
  };
  CHECK(changes(ordered("params", "batch", "0"), ordered("batch", "params", "1")).empty());
  CHECK(changes(ordered("params", "batch", "0"), ordered("weights", "batch", "0")).empty());  // renamed
}

TEST_CASE("diff: large copies and constants") {
  const dumped before = entry_of("  ROOT %n = f32[1048576]{0} negate(%p)\n");
  const dumped after = entry_of(
      "  %c = f32[1048576]{0} constant({...})\n  %k = f32[1048576]{0} copy(%p)\n"
      "  %l = f32[1048576]{0} copy(%p)\n"
      "  %small = f32[8]{0} constant({...})\n  %x = f32[1048576]{0} add(%c, %k)\n"
      "  ROOT %n = f32[1048576]{0} add(%x, %l)\n");
  CHECK(changes(before, after) == lines{"worse copy: copy of 4.00MiB, f32[1048576]{0} is new x2",
                                        "worse constant: constant of 4.00MiB, f32[1048576]{0} is new [PRF001]"});
  CHECK(changes(after, before) == lines{"better copy: copy of 4.00MiB, f32[1048576]{0} is gone x2",
                                        "better constant: constant of 4.00MiB, f32[1048576]{0} is gone [PRF001]"});
  CHECK(changes(after, after).empty());
}

TEST_CASE("diff: findings") {
  const auto parameter = [](const std::string& rows, const std::string& op_name, const std::string& name = "p") {
    return dumped{"HloModule m, num_partitions=4\n\nENTRY %main {\n  ROOT %" + name + " = f32[" + rows +
                      "]{0} parameter(0), sharding={replicated}, metadata={op_name=\"" + op_name + "\"}\n}\n",
                  {}};
  };
  CHECK(changes(parameter("8", "w"), parameter("67108864", "w"))
            .front()
            .starts_with("worse new-finding: new: 256.00MiB are replicated"));
  CHECK(changes(parameter("67108864", "w"), parameter("8", "w"))
            .front()
            .starts_with("better fixed-finding: fixed: 256.00MiB are replicated"));
  // The shape is part of the key, but it is the same finding, only worse.
  const lines worse = changes(parameter("67108864", "w"), parameter("134217728", "w"));
  REQUIRE(worse.size() == 1);
  CHECK(worse[0].starts_with("worse worse-finding: grew: 512.00MiB are replicated"));
  CHECK(worse[0].find(" 201326592 402653184 [PRF014]") != std::string::npos);
  CHECK(changes(parameter("134217728", "w"), parameter("67108864", "w")).empty());
  CHECK(changes(parameter("67108864", "w"), parameter("67108864", "weights")).empty());
  CHECK(changes(parameter("67108864", "w"), parameter("67108864", "w", "p.4")).empty());

  diff_options options = usual_options();
  options.fail_on = severity::error;
  CHECK(changes(parameter("8", "w"), parameter("67108864", "w"), options).front().starts_with("changed new-finding"));
  options.fail_on.reset();
  CHECK(changes(parameter("8", "w"), parameter("67108864", "w"), options).front().starts_with("changed new-finding"));

  // Of a higher level, though not of more bytes; and equal ones of which only one counts.
  diagnostic note;
  note.rule = "PRF014", note.level = severity::note, note.message = "m", note.bytes = 8;
  diagnostic warning = note;
  warning.level = severity::warning, warning.bytes = 4;
  const auto told_of = [](const std::vector<diagnostic>& before, const std::vector<diagnostic>& after) {
    std::vector<module_change> out;
    diff_findings(before, after, {}, usual_options(), out);
    return out;
  };
  const std::vector<module_change> higher = told_of({note}, {warning});
  REQUIRE(higher.size() == 1);
  CHECK(higher[0].verdict == change_verdict::worse);
  CHECK(higher[0].text == "grew: m (warning now, was note)");
  CHECK_FALSE(higher[0].number);
  const std::vector<module_change> both = told_of({}, {note, warning});
  REQUIRE(both.size() == 2);
  CHECK(both[0].verdict == change_verdict::neither);
  CHECK(both[1].verdict == change_verdict::worse);

  diagnostic unread;
  unread.rule = "SYN001";
  std::vector<module_change> found;
  diff_findings({}, {unread}, {}, usual_options(), found);
  CHECK(found.empty());
  diagnostic known = unread;
  known.rule = "PRF014";
  diff_findings({}, {known}, {"PRF014"}, usual_options(), found);  // did not run on both sides
  CHECK(found.empty());
  known.dismissed = dismissal{};
  diff_findings({}, {known}, {}, usual_options(), found);
  CHECK(found.empty());
}

TEST_CASE("diff: modules belong together by name") {
  const dumped step = good_step();
  const auto named = [&](const std::string& name) { return linted(step, target::gpu, name); };
  const auto found = [&](const std::vector<linted_module>& before, const std::vector<linted_module>& after) {
    lines out;
    for (const module_change& change : diff(before, after, usual_options()).changes)
      out.push_back(change.module + ": " + change.text);
    return out;
  };
  CHECK(found({named("jit_f.3")}, {named("jit_f.9")}).empty());
  CHECK(found({named("jit_f")}, {named("jit_g")}).empty());  // both alone
  CHECK(
      found({named("jit_f"), named("jit_g")}, {named("jit_f"), named("jit_h")}) ==
      lines{"jit_h: the module is new, with a need of 40.00MiB", "jit_g: the module is gone, with a need of 40.00MiB"});
  CHECK_FALSE(diff({named("jit_f")}, {named("jit_f"), named("jit_h")}, usual_options()).is_worse());
  CHECK(diff({named("jit_f")}, {named("jit_f"), named("jit_h")}, usual_options()).compared == 1);

  // What is alone in its name belongs to its namesake whatever its layout is, but one of several does not: small
  // functions are compiled for many shapes.
  const auto of_size = [&](const std::string& name, const std::string& size) {
    return linted({"HloModule " + name + ", is_scheduled=true, entry_computation_layout={(f32[" + size + "]{0})->f32[" +
                       size + "]{0}}\n\nENTRY %main {\n  %p = f32[" + size + "]{0} parameter(0)\n  ROOT %n = f32[" +
                       size + "]{0} negate(%p)\n}\n",
                   {}});
  };
  CHECK(found({of_size("a", "8"), of_size("b", "8")}, {of_size("a", "9"), of_size("b", "8")}).empty());
  CHECK(found({of_size("a", "8"), of_size("a", "7"), of_size("b", "8")},
              {of_size("a", "8"), of_size("a", "9"), of_size("b", "8")}) ==
        lines{"a: the module is new, with a need of 72B", "a: the module is gone, with a need of 56B"});
  CHECK(found({of_size("a", "8")}, {of_size("c", "8"), of_size("d", "8"), of_size("e", "8")}) ==
        lines{": 3 modules are new, with a need of 192B together", "a: the module is gone, with a need of 64B"});

  // Of several with one name those that are alike.
  const linted_module good = linted(good_step()), bad = linted(bad_step());
  CHECK(found({good, bad}, {bad, good}).empty());
  CHECK(found({good}, {bad, good}) == lines{"jit_step: the module is new, with a need of 44.00MiB"});
}

TEST_CASE("match_entries: the strictest key first, each entry once") {
  const std::vector<std::string> before{"a1", "a2", "b1", "c"}, after{"a2", "a3", "a1", "b2", ""};
  const auto whole = [](const std::string& s) { return s; };
  const auto first = [](const std::string& s) { return s.substr(0, 1); };
  const matched_entries found = match_entries(before, after, whole, first);
  CHECK(found.pairs == std::vector<std::pair<std::size_t, std::size_t>>{{1, 0}, {0, 2}, {2, 3}});
  CHECK(found.added == std::vector<std::size_t>{1, 4});
  CHECK(found.gone == std::vector<std::size_t>{3});
}

TEST_CASE("module_summary: numbers of the fixture") {
  const module_summary good = linted(good_step()).summary;
  CHECK(good.name == "jit_step");
  CHECK(good.memory == memory_summary{"jit_step", 41943056, 4194304, 37748736});
  CHECK(good.padding == 0);
  CHECK(good.spaces == std::vector{memory_space_summary{0, 41943056}});
  CHECK(good.parameters == lines{"weights.1", "batch.2"});
  REQUIRE(good.donations.size() == 1);
  CHECK(good.donations[0].output == shape_index{0});
  REQUIRE(good.collectives.size() == 1);
  CHECK(good.collectives[0].is_overlapped());
  CHECK(good.collectives[0].work == 2);
  CHECK(good.collectives[0].bytes == 16_MiB);
  CHECK(good.collectives[0].hidden_by > 0);
  CHECK(linted(bad_step()).summary.collectives[0].synchronous);
}

TEST_CASE("diff: another operation is another program, even at the same cost") {
  const auto with = [](const std::string& line) { return entry_of("  " + line + "\n"); };
  const dumped one = with("ROOT %n = f32[1048576]{0} negate(%p)");
  CHECK(changes(one, with("ROOT %other = f32[1048576]{0} negate(%p)")).empty());  // only a name
  CHECK(changes(one, with("%c = f32[1048576]{0} bitcast(%p)\n  ROOT %n = f32[1048576]{0} negate(%c)")).empty());
  CHECK(changes(one, with("ROOT %n = f32[1048576]{0} exponential(%p)")) ==
        lines{"changed program: the same cost, but not the same program; more of: exponential of f32; less of: negate "
              "of f32"});
  CHECK(changes(with("ROOT %c = f32[1048576]{0} custom-call(%p), custom_call_target=\"old\""),
                with("ROOT %c = f32[1048576]{0} custom-call(%p), custom_call_target=\"new\"")) ==
        lines{"changed program: the same cost, but not the same program; more of: custom-call new of f32; less of: "
              "custom-call old of f32"});
}

TEST_CASE("diff: what only became smaller or larger is not new") {
  const auto copies = [](const std::string& size) {
    return dumped{
        "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[" + size +
            ",1024]{1,0} parameter(0)\n"
            "  ROOT %c = f32[" +
            size +
            ",1024]{0,1} copy(%p), metadata={op_name=\"jit(f)/transpose\" source_file=\"a.py\" source_line=3}\n}\n",
        {}};
  };
  const lines smaller = changes(copies("4096"), copies("3072"));
  REQUIRE(smaller.size() == 1);
  CHECK(smaller[0].starts_with("better copy: copy of 12.00MiB"));
  CHECK(smaller[0].find("shrank from 16.00MiB") != std::string::npos);
  const lines larger = changes(copies("3072"), copies("4096"));
  REQUIRE_FALSE(larger.empty());
  CHECK(larger[0].starts_with("worse copy: copy of 16.00MiB"));
  CHECK(larger[0].find("grew from 12.00MiB") != std::string::npos);
}

TEST_CASE("diff: --fail-on decides which kinds of changes are worse for a gate") {
  diff_options options = usual_options();
  const auto is_worse = [&](std::vector<change_kind> kinds) {
    options.fail_on_kinds = std::move(kinds);
    return diff(std::vector{linted(good_step())}, std::vector{linted(bad_step())}, options).is_worse();
  };
  CHECK(is_worse({}));
  CHECK(is_worse({change_kind::memory}));
  CHECK(is_worse({change_kind::time, change_kind::donation}));
  CHECK_FALSE(is_worse({change_kind::time}));
}

TEST_CASE("diff: bytes of collectives are what each device sends") {
  const auto one = [](const std::string& lines) {
    return dumped{
        "HloModule m, is_scheduled=true, num_partitions=4\n\nENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n" +
            lines + "}\n",
        {}};
  };
  const dumped
      gather =
          one("  ROOT %g = f32[4194304]{0} all-gather(%p), channel_id=1, replica_groups=[1,4]<=[4], dimensions={0}, "
              "use_global_device_ids=true\n"),
      permutes = one(
          "  %q = f32[1048576]{0} collective-permute(%p), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n"
          "  %r = f32[1048576]{0} collective-permute(%q), channel_id=2, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n"
          "  %s = f32[1048576]{0} collective-permute(%r), channel_id=3, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n"
          "  ROOT %g = f32[4194304]{0} concatenate(%p, %q, %r, %s), dimensions={0}\n");
  const lines found = changes(gather, permutes);
  CHECK(std::count(found.begin(), found.end(), "worse collective-bytes: collective-permute sends more 0 12582912") ==
        1);
  CHECK(std::count(found.begin(), found.end(), "better collective-bytes: all-gather sends less 12582912 0") == 1);
}
