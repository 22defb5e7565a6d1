import json
import os
import pathlib
import shutil
import tempfile
import unittest

import hlolint
from dumps import BROKEN, CLEAN, SPARSE, STEP, TWICE, Compiled

SAMPLE = pathlib.Path(os.environ.get("HLOLINT_SAMPLE", pathlib.Path(__file__).parent.parent / "data" / "sample"))


class InFolder(unittest.TestCase):
    """Runs in a folder of its own, with no configuration."""

    def setUp(self):
        before, self.folder = os.getcwd(), pathlib.Path(tempfile.mkdtemp())
        os.chdir(self.folder)
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(os.chdir, before)


class Lint(InFolder):
    def test_findings(self):
        report = hlolint.lint(Compiled(TWICE))
        self.assertEqual([f.rule for f in report], ["ALI002"])
        f = report[0]
        self.assertEqual((f.level, f.name, f.path, f.line), ("error", "alias-duplicate", "<jit_twice>", 1))
        self.assertEqual(f.module, "jit_twice")
        self.assertEqual(f.to_dict()["rule"], "ALI002")
        json.dumps(report.to_dict())
        self.assertFalse(report.ok)
        self.assertIn("ALI002", str(f))
        self.assertIn("[ALI002 alias-duplicate]", str(report))
        self.assertTrue(hlolint.lint(CLEAN).ok)
        self.assertEqual(len(hlolint.lint(CLEAN)), 0)

    def test_query(self):
        found = hlolint.query(SAMPLE, "$all: fusion($x, ...)")
        self.assertGreater(len(found), 0)
        self.assertEqual(found[0]["all"], found[0].instruction)
        self.assertIn(found[0].instruction, found[0].text)
        self.assertEqual(hlolint.query(CLEAN, "all-to-all"), [])
        with self.assertRaises(hlolint.UsageError) as wrong:
            hlolint.query(CLEAN, "fusion where byts > 3")
        self.assertIn("did you mean bytes?", str(wrong.exception))

    def test_rule_of_ones_own(self):
        gathers = hlolint.rule("TEAM001", "all-gather($x: f32[...]) where bytes($x) >= 1MiB",
                               "gathers {bytes($x)} in {computation}", advice="Gather bf16.")
        report = hlolint.lint(STEP, rules=[gathers], select="TEAM001")
        self.assertEqual([(f.rule, f.instruction, f.source_line) for f in report], [("TEAM001", "all-gather.1", 9)])
        self.assertIn("in main", report[0].message)
        self.assertIn("TEAM001", report.format("sarif"))
        self.assertEqual(list(hlolint.lint(STEP, rules=[gathers], select="TEAM001", ignore="TEAM001")), [])
        self.assertTrue(hlolint.lint(STEP, rules=[gathers], select="TEAM001", levels={"TEAM001": "note"}).ok)
        with self.assertRaises(hlolint.UsageError) as wrong:
            hlolint.lint(STEP, rules=[hlolint.rule("TEAM001", "all-gathr")])
        self.assertIn("did you mean all-gather?", str(wrong.exception))
        with self.assertRaises(hlolint.UsageError) as wrong:
            hlolint.lint(STEP, rules=[hlolint.rule("ALI002", "all-gather")])
        self.assertIn("already", str(wrong.exception))
        with self.assertRaisesRegex(hlolint.UsageError, "select="):
            hlolint.lint(STEP, rules=["ALI002"])

    def test_check(self):
        @hlolint.check("TEAM002", why="squares overflow", advice="Sum in f32.")
        def squares(module):
            """A product of a value with itself."""
            for i in module.instructions:
                if i.opcode == "multiply" and len(set(i.operand_names)) == 1:
                    yield i, f"squares {i.operand_names[0]}"

        self.assertEqual([i.name for i, _ in squares(hlolint.parse(STEP).modules[0])], ["square.1"])
        report = hlolint.lint(STEP, rules=[squares], select="TEAM002")
        self.assertEqual([(f.rule, f.name, f.message, f.source_line) for f in report],
                         [("TEAM002", "squares", "squares p", 7)])
        hlolint.lint(STEP, rules=[squares], select="TEAM002", baseline="known.json", update_baseline=True)
        known = hlolint.lint(STEP, rules=[squares], select="TEAM002", baseline="known.json")
        self.assertEqual((len(known), len(known.dismissed)), (0, 1))
        with self.assertRaises(AssertionError):
            hlolint.assert_clean(STEP, rules=[squares], select="TEAM002")
        several = hlolint.lint([STEP, STEP.encode(), Compiled(STEP)], rules=[squares], select="TEAM002", jobs=3)
        self.assertEqual(len(several), 3)

        @hlolint.check("TEAM003")
        def broken(module):
            raise ValueError("no such thing")

        with self.assertRaises(hlolint.UsageError) as wrong:
            hlolint.lint(STEP, rules=[broken], select="TEAM003")
        self.assertIn("the check TEAM003: ValueError: no such thing", str(wrong.exception))

    def test_several(self):
        report = hlolint.lint([Compiled(TWICE), TWICE.encode(), hlolint.parse(CLEAN)])
        self.assertEqual([f.path for f in report], ["<jit_twice>", "<jit_twice#2>"])
        self.assertEqual(len(report.inputs), 3)

    def test_folder_with_buffers(self):
        rules = [f.rule for f in hlolint.lint(SAMPLE, config=False)]
        self.assertIn("MEM001", rules)
        files = [str(p) for p in sorted(SAMPLE.glob("*.after_*.txt"))]
        self.assertEqual(rules, [f.rule for f in hlolint.lint(files, config=False)])
        pair = [hlolint.parse(p.read_bytes(), path=p.name) for p in sorted(SAMPLE.glob("*.after_*.txt"))]
        self.assertEqual(rules, [f.rule for f in hlolint.lint(pair, config=False)])

    def test_settings(self):
        self.assertIn("COL001", [f.rule for f in hlolint.lint(STEP, target="gpu", select=["COL001"])])
        self.assertTrue(hlolint.lint(STEP, target="gpu", ignore="COL001", select=["COL001"]).ok)
        self.assertEqual(len(hlolint.lint(TWICE, ignore=["ALI"])), 0)
        self.assertEqual(hlolint.lint(TWICE, levels={"ALI002": "note"})[0].level, "note")
        self.assertTrue(hlolint.lint(TWICE, fail_on="never").ok)
        many = hlolint.lint(STEP, target="gpu", select="COL001", options={"COL001.min-bytes": "1GiB"})
        self.assertEqual(len(many), 0)
        # What was asked for and cannot be evaluated is an error.
        self.assertEqual([f.rule for f in hlolint.lint(TWICE, select="BUD001")], ["CFG005"])

    def test_wrong_settings(self):
        for wrong in ({"select": "XYZ"}, {"options": {"COL001.nothing": 1}}, {"target": "npu"}, {"device": "toaster"},
                      {"config": "none.toml"}, {"baseline": "none.json"}):
            with self.assertRaises(hlolint.UsageError, msg=str(wrong)) as caught:
                hlolint.lint(CLEAN, **wrong)
            self.assertNotEqual(str(caught.exception), "")

    def test_configuration(self):
        pathlib.Path(".hlolint.toml").write_text('ignore = ["ALI"]\n')
        self.assertEqual(len(hlolint.lint(TWICE)), 0)
        self.assertEqual(len(hlolint.lint(TWICE, config=False)), 1)
        other = pathlib.Path("other.toml")
        other.write_text('[[suppress]]\nrule = "ALI002"\nreason = "known"\n')
        report = hlolint.lint(TWICE, config=other)
        self.assertEqual([f.dismissed for f in report.dismissed], ["suppression"])
        self.assertTrue(report.ok)

    def test_baseline(self):
        hlolint.lint(TWICE, baseline="known.json", update_baseline=True)
        report = hlolint.lint(TWICE, baseline="known.json")
        self.assertEqual((len(report), [f.dismissed for f in report.dismissed]), (0, ["baseline"]))
        self.assertEqual(str(report).count("error:"), 0)

    def test_unreadable(self):
        report = hlolint.lint(BROKEN)
        self.assertEqual(report.exit_status, 2)
        self.assertIn("SYN001", [f.rule for f in report])
        with self.assertRaises(FileNotFoundError):
            hlolint.lint("no_such_folder")

    def test_formats(self):
        report = hlolint.lint(TWICE)
        self.assertEqual(json.loads(report.format("sarif"))["version"], "2.1.0")
        self.assertIn("<table>", report._repr_html_())
        self.assertIn("ALI002", report[0]._repr_html_())
        self.assertEqual(hlolint.lint(CLEAN)._repr_html_(), "<p>no findings</p>")
        page = report.html()
        self.assertTrue(page.lstrip().lower().startswith("<!doctype html>"))
        self.assertTrue(page._repr_html_().startswith("<iframe"))
        self.assertNotIn("<script", page._repr_html_())  # escaped

    def test_rules(self):
        self.assertIn("ALI002", [r["id"] for r in hlolint.rules()])
        self.assertIn("alias-duplicate", hlolint.explain("ALI002"))
        with self.assertRaises(hlolint.UsageError):
            hlolint.explain("ALI999")

    def test_assert_clean(self):
        self.assertTrue(hlolint.assert_clean(Compiled(CLEAN)).ok)
        hlolint.assert_clean(Compiled(TWICE), ignore=["ALI002"])
        with self.assertRaises(AssertionError) as caught:
            hlolint.assert_clean(Compiled(TWICE), select=["ALI"])
        self.assertIn("<jit_twice>:1:", str(caught.exception))
        with self.assertRaises(AssertionError):
            hlolint.assert_clean(BROKEN)


class Programs(InFolder):
    def test_collectives(self):
        start, gather = hlolint.collectives(Compiled(STEP), target="gpu", device="h100-sxm")
        self.assertEqual((start.kind, start.bytes, start.is_async, start.type), ("all-reduce", 4 << 20, True, "f32"))
        self.assertEqual((start.groups, start.group_size), ([[0, 1], [2, 3]], 2))
        self.assertEqual(start.name, "all-reduce-start.1")
        self.assertEqual((gather.kind, gather.bytes, gather.is_async), ("all-gather", 16 << 20, False))
        self.assertEqual((gather.overlap, gather.op_name), ("synchronous", "jit(step)/gather"))
        self.assertGreater(gather.exposed_us, 0)
        self.assertEqual([c.kind for c in hlolint.collectives(STEP, kind="all-gather")], ["all-gather"])
        self.assertEqual(hlolint.collectives(CLEAN), [])
        with self.assertRaisesRegex(hlolint.UsageError, "there is no collective 'all_gather'; kinds are all-gather, "):
            hlolint.collectives(STEP, kind="all_gather")

    def test_memory(self):
        m = hlolint.memory(SAMPLE)
        self.assertEqual(m.total, m.arguments + m.outputs - m.aliased + m.temporaries + m.constants)
        self.assertGreater(m.peak, 1 << 30)
        view = memoryview(m.timeline_bytes)
        self.assertEqual((view.format, max(view)), ("q", m.peak))
        self.assertEqual(len(m.timeline_positions), len(m.timeline_bytes))
        counted = {a["number"] for a in m.allocations if a["color"] == 0 and a["kind"] != "thread-local"}
        self.assertEqual(sum(r["bytes"] for r in m.resident if r["allocation"] in counted), m.total)
        groups = m.by("source")
        self.assertEqual(sum(g.bytes for g in groups), m.total)
        self.assertTrue(any(g.name.endswith("train.py:48") for g in groups))
        self.assertIn("need", str(m))
        self.assertIn("<svg", m._repr_html_())
        self.assertEqual(m.to_dict()["module"], "jit_train_step")
        earlier = hlolint.memory(SAMPLE, at=0).to_dict()["live"]["position"]
        self.assertEqual(earlier, 0)

    def test_memory_of_hlo_alone(self):
        m = hlolint.memory(Compiled(CLEAN))
        self.assertNotEqual(m.missing, "")
        self.assertTrue(m.estimated)
        self.assertEqual((m.total, m.arguments, m.outputs, m.temporaries), (64, 32, 32, 0))
        self.assertIn("need       64 bytes", str(m))  # the same numbers as text
        self.assertGreater(m.peak, 0)
        self.assertFalse(hlolint.memory(SAMPLE).estimated)
        self.assertEqual(hlolint.memory(TWICE).total, 0)  # not scheduled
        self.assertIn("jit_clean", m._repr_html_())
        self.assertEqual(len(hlolint.memories([CLEAN, TWICE])), 2)
        self.assertEqual(hlolint.memory([CLEAN, TWICE, SAMPLE]).module, "jit_train_step")  # the largest
        self.assertEqual(hlolint.memory([CLEAN, SAMPLE], module="clean").module, "jit_clean")
        self.assertNotIn("jit_train_step", str(hlolint.memory([CLEAN, SAMPLE], module="clean")))  # it alone
        with self.assertRaises(hlolint.UsageError) as wrong:
            hlolint.memory(SAMPLE, at=1000)
        self.assertIn("at=1000 is no position in the schedule of jit_train_step, which ends at", str(wrong.exception))
        with self.assertRaises(hlolint.UsageError) as wrong:
            hlolint.memory([CLEAN, TWICE], module="train_step")
        self.assertIn("there are: jit_clean, jit_twice", str(wrong.exception))
        with self.assertRaises(hlolint.ParseError):
            hlolint.memory("no dump\nat all\n")

    def test_time(self):
        t = hlolint.time(Compiled(STEP), target="gpu", device="h100-sxm")
        self.assertEqual((t.module, t.device, t.missing), ("jit_step", "h100-sxm", ""))
        self.assertAlmostEqual(t.step_ms, t.compute_ms + t.exposed_ms + t.other_streams_ms, places=3)
        self.assertEqual(t.transfers[0]["kind"], "all-gather")
        self.assertEqual(t.work[0]["program"], "step.py:7")
        self.assertIn("step", str(t))
        self.assertEqual(t.to_dict()["module"], "jit_step")
        self.assertIsNone(hlolint.time(STEP, target="gpu").step_ms)
        self.assertNotEqual(hlolint.time(TWICE, target="gpu").missing, "")
        self.assertEqual(len(hlolint.times([STEP, CLEAN], target="gpu")), 2)
        self.assertEqual(hlolint.time([CLEAN, STEP], target="gpu", device="h100-sxm").module, "jit_step")  # the longest
        clean = hlolint.time([STEP, CLEAN], module="jit_clean", target="gpu")
        self.assertEqual(clean.module, "jit_clean")
        self.assertNotIn("jit_step", str(clean))

    def test_log_beside_the_dump_is_no_module(self):
        log = ("RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 59.60G of 15.75G hbm. Exceeded hbm capacity "
               "by 43.85G.\n")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "error.txt").write_text(log)
            self.assertEqual(len(hlolint.memories(folder)), 1)  # there is nothing else
            (folder / "module_0000.jit_clean.after_optimizations.txt").write_text(CLEAN)
            self.assertEqual([one.module for one in hlolint.memories(folder)], ["jit_clean"])
            self.assertEqual([one.module for one in hlolint.times(folder)], ["jit_clean"])
            self.assertEqual([group.name for group in hlolint.memory(folder).by("opcode")], ["negate", "parameter"])

    def test_hlo_alone_has_one_set_of_numbers(self):
        compiled = Compiled(SPARSE)
        m = hlolint.memory(compiled, target="tpu")
        self.assertGreater(m.temporaries, 0)
        text = str(m)
        self.assertIn(f"need       {m.total} bytes", text)
        self.assertIn(f"in use     {m.peak} bytes", text)
        self.assertEqual((m.basis != "", m.missing != ""), (True, True))
        # Budgets and contracts are held against the same numbers.
        budget = {"target": "tpu", "select": "BUD001", "config": False}
        self.assertEqual(len(hlolint.lint(compiled, options={"BUD001.capacity": m.total}, **budget)), 0)
        over = hlolint.lint(compiled, options={"BUD001.capacity": m.total - 1}, **budget)
        self.assertEqual([f.rule for f in over], ["BUD001"])
        contract = pathlib.Path("fits.toml")
        for most, rules in ((m.temporaries, []), (m.temporaries - 1, ["BUD009"])):
            contract.write_text(f'[[contract]]\nname = "fits"\nmax-temporaries = {most}\n')
            found = hlolint.lint(compiled, target="tpu", select="BUD009", config=contract)
            self.assertEqual([f.rule for f in found], rules)
        # One answer to what is asynchronous, and how long it waits.
        (gather,) = hlolint.collectives(compiled, target="tpu", device="tpu-v6e")
        self.assertEqual((gather.is_async, gather.overlap, gather.exposed_us), (True, "hidden", 0))
        t = hlolint.time(compiled, target="tpu", device="tpu-v6e")
        self.assertEqual((t.exposed_ms, t.unknown_calls), (0, 1))
        self.assertTrue(str(t).splitlines()[0].endswith(" us, 1 call unknown"))
        self.assertEqual(len(hlolint.lint(compiled, target="tpu", device="tpu-v6e", select="COL", config=False)), 0)

    def test_findings_by_rank(self):
        larger = STEP.replace("jit_step", "jit_larger").replace("[1024,1024]", "[8192,1024]").replace("[4096,1024]", "[32768,1024]")
        report = hlolint.lint([STEP, larger, TWICE], config=False, target="gpu", device="h100-sxm", select=["COL001", "ALI"])
        levels = [("error", "warning", "note").index(f.level) for f in report]
        self.assertEqual(levels, sorted(levels))
        times = [f.impact for f in report if f.level == "note" and f.impact_unit == "seconds"]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertGreater(len(times), 1)

    def test_what_cannot_be_read_is_an_error(self):
        damaged = "HloModule a\ngarbage {\n"
        with tempfile.TemporaryDirectory() as empty:
            for unread in (damaged, empty):
                for function in (hlolint.collectives, hlolint.verify, lambda what: hlolint.diff(CLEAN, what),
                                 hlolint.memories, hlolint.times):
                    with self.assertRaises(hlolint.ParseError):
                        function(unread)

    def test_verify(self):
        (found,) = hlolint.verify(SAMPLE)
        self.assertEqual(found["module"], "jit_train_step")

    def test_diff(self):
        worse = hlolint.diff(Compiled(CLEAN), Compiled(TWICE.replace("jit_twice", "jit_clean")))
        self.assertTrue(worse.is_worse)
        self.assertIn("ALI002", str(worse))
        self.assertIs(type(worse.to_dict()), dict)
        self.assertFalse(hlolint.diff(CLEAN, CLEAN).is_worse)
        pathlib.Path("old").mkdir()
        pathlib.Path("old/module_0001.jit_clean.after_optimizations.txt").write_text(CLEAN)
        self.assertFalse(hlolint.diff("old", [CLEAN]).is_worse)
        with self.assertRaises(hlolint.UsageError):
            hlolint.diff(CLEAN, CLEAN, tolerance="much")


if __name__ == "__main__":
    unittest.main()
