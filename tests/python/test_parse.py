import gc
import os
import pathlib
import tempfile
import threading
import unittest

import hlolint
from dumps import BROKEN, CLEAN, STEP, Compiled, message


class Views(unittest.TestCase):
    def setUp(self):
        self.module = hlolint.parse(STEP).modules[0]
        self.by_name = {i.name: i for i in self.module.instructions}

    def test_module(self):
        m = self.module
        self.assertEqual((m.name, m.is_scheduled, m.num_partitions, m.replica_count), ("jit_step", True, 4, 1))
        self.assertEqual([c.name for c in m.computations], ["add", "main"])
        self.assertTrue(m.computation("main").is_entry)
        self.assertIsNone(m.computation("nothing"))
        self.assertEqual(m.entry.root.name, "all-gather.1")
        self.assertEqual([p.parameter_number for p in m.entry.parameters], [0, 1])
        self.assertEqual(m.attributes["num_partitions"], "4")

    def test_sequence_of_instructions(self):
        all_of_them = self.module.instructions
        self.assertEqual(len(all_of_them), 9)
        self.assertEqual(all_of_them[-1], self.module.entry.root)
        self.assertEqual([i.name for i in all_of_them[1:3]], ["b", "sum"])
        self.assertEqual([i.name for i in all_of_them][:3], ["a", "b", "sum"])
        with self.assertRaises(IndexError):
            all_of_them[9]
        self.assertEqual(len(self.module.entry.instructions), 6)

    def test_instruction(self):
        i = self.by_name["square.1"]
        self.assertEqual((i.opcode, i.shape_text, str(i.shape)), ("multiply",) + ("f32[1024,1024]{1,0}",) * 2)
        self.assertEqual(i.operand_names, ["p", "p"])
        self.assertEqual([o.name for o in i.operands], ["p", "p"])
        self.assertEqual([u.name for u in i.users], ["all-reduce-start.1"])
        self.assertEqual([u.name for u in self.by_name["p"].users], ["square.1"])
        self.assertEqual(i.metadata, {"op_name": "jit(step)/mul", "source_file": "step.py", "source_line": 7})
        self.assertEqual((i.path, i.line), ("<jit_step>", 12))
        self.assertEqual(i.computation.name, "main")
        self.assertFalse(i.is_root)
        self.assertIn("multiply(", i.text)
        self.assertIs(type(hash(i)), int)
        self.assertNotEqual(i, self.by_name["p"])

    def test_instruction_without_a_shape(self):
        module = hlolint.parse("ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT n = negate(p)\n}\n").modules[0]
        self.assertEqual((module.entry.root.shape, module.entry.root.shape_text), (None, ""))

    def test_attributes_are_values(self):
        square, gather = self.by_name["square.1"], self.by_name["all-gather.1"]
        start = self.by_name["all-reduce-start.1"]
        self.assertEqual(square.attributes["backend_config"], {"window_config": {"kernel": [1, 2]}})
        self.assertEqual(square.attributes["frontend_attributes"], {"_team": "ours", "_x": "1"})
        self.assertEqual(gather.attributes["channel_id"], 1)
        self.assertEqual(gather.attributes["dimensions"], [0])
        self.assertIs(gather.attributes["use_global_device_ids"], True)
        self.assertEqual(gather.attributes["replica_groups"], [[0, 1, 2, 3]])
        self.assertEqual(start.attributes["replica_groups"], [[0, 1], [2, 3]])
        self.assertEqual(start.attribute_text("replica_groups"), "[2,2]<=[4]")
        self.assertIsNone(start.attribute_text("sharding"))
        self.assertEqual(start.attributes["to_apply"], "add")
        self.assertEqual([c.name for c in start.called_computations], ["add"])

    def test_shape(self):
        s = self.by_name["p"].shape
        self.assertEqual((s.type, s.dimensions, s.minor_to_major, s.bytes), ("f32", (1024, 1024), [1, 0], 4 << 20))
        self.assertEqual((s.is_tuple, s.is_static, s.memory_space, s.elements), (False, True, 0, []))
        self.assertEqual(s, self.by_name["square.1"].shape)

    def test_views_keep_their_module_alive(self):
        i = hlolint.parse(STEP * 1).modules[0].entry.instructions[2]
        gc.collect()
        self.assertEqual(i.name, "square.1")
        walk = iter(hlolint.parse(STEP).modules[0].instructions)
        gc.collect()
        self.assertEqual(next(walk).name, "a")


class Inputs(unittest.TestCase):
    def test_text_bytes_path_and_as_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "clean.txt"
            path.write_text(CLEAN)
            for what in (CLEAN, CLEAN.encode(), str(path), path, Compiled(CLEAN)):
                self.assertEqual(hlolint.parse(what).modules[0].name, "jit_clean")
            self.assertEqual(hlolint.parse(path).path, str(path))
            self.assertEqual(hlolint.parse(path).text.decode(), CLEAN)

    def test_what_is_neither(self):
        with self.assertRaises(FileNotFoundError):
            hlolint.parse("no_such_file.txt")
        with self.assertRaises(TypeError):
            hlolint.parse(7)
        with self.assertRaises(hlolint.UsageError):
            hlolint.lint([])

    def test_errors_have_places(self):
        with self.assertRaises(hlolint.ParseError) as caught:
            hlolint.parse(BROKEN, path="broken.txt")
        self.assertEqual((caught.exception.path, caught.exception.line), ("broken.txt", 6))
        self.assertEqual(len(caught.exception.parsed.modules), 1)
        self.assertEqual(hlolint.parse(BROKEN, strict=False).status, "partial")
        with self.assertRaises(hlolint.ParseError):
            hlolint.parse("no dump\nat all\n")

    def test_bytes_that_are_no_utf8(self):
        text = CLEAN.encode().replace(b"parameter(0)", b'parameter(0), metadata={op_name="\xff"}')
        module = hlolint.parse(text).modules[0]
        self.assertEqual(module.entry.parameters[0].metadata["op_name"], "\ufffd")


class Messages(unittest.TestCase):
    def test_bytes(self):
        parsed = hlolint.parse(message())
        self.assertEqual((parsed.kind, parsed.status), ("hlo-proto", "ok"))
        self.assertEqual(parsed.modules[0].entry.root.name, "t")
        self.assertIn(b"ROOT %t = ", hlolint.parse(message()).text)
        cut = hlolint.parse(message()[:-20], strict=False)
        self.assertIn("HloModuleProto", cut.problems[0]["message"])


class Memory(unittest.TestCase):
    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "there is no /proc")
    def test_nothing_is_kept(self):
        def resident():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        lines = "".join(f"  %n.{i} = f32[8]{{0}} negate(f32[8]{{0}} %p)\n" for i in range(20000))
        text = CLEAN.replace("  ROOT", lines + "  ROOT").encode()

        def use():
            module = hlolint.parse(text).modules[0]
            users = [len(i.users) + len(i.attributes) + len(i.shape_text) for i in module.instructions]
            hlolint.lint(text, config=False)
            return users

        for _ in range(3):
            use()
        before = resident()
        for _ in range(10):
            use()
        self.assertLess(resident() - before, 4 << 20)  # one of them takes more


class Threads(unittest.TestCase):
    def test_parsing_lets_other_threads_run(self):
        lines = "".join(f"  %n.{i} = f32[8]{{0}} negate(f32[8]{{0}} %p)\n" for i in range(200000))
        text = CLEAN.replace("  ROOT", lines + "  ROOT").encode()
        count, stop = [0], threading.Event()

        def work():
            while not stop.is_set():
                count[0] += 1

        other = threading.Thread(target=work)
        other.start()
        try:
            from hlolint import _hlolint
            before = count[0]
            _hlolint.parse_text(text, "long.txt")
            meanwhile = count[0] - before
        finally:
            stop.set()
            other.join()
        self.assertGreater(meanwhile, 1000)

    def test_several_at_a_time(self):
        failed = []

        def work(text, rules):
            for _ in range(5):
                if [f.rule for f in hlolint.lint(text, config=False)] != rules:
                    failed.append(rules)
                try:
                    hlolint.lint(text, select=["NO999"], config=False)
                    failed.append("no error")
                except hlolint.UsageError as error:
                    if "NO999" not in str(error):
                        failed.append(str(error))

        from dumps import TWICE
        threads = [threading.Thread(target=work, args=a) for a in ((CLEAN, []), (TWICE, ["ALI002"])) * 2]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failed, [])


class Stubs(unittest.TestCase):
    def test_stubs_list_what_there_is(self):
        import ast
        from hlolint import _hlolint
        tree = ast.parse((pathlib.Path(hlolint.__file__).parent / "_hlolint.pyi").read_text())
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                written = {n.name for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("__")}
                there = {name for name in vars(getattr(_hlolint, node.name)) if not name.startswith("_")}
                self.assertEqual(written, there, node.name)
            elif isinstance(node, ast.FunctionDef):
                self.assertTrue(callable(getattr(_hlolint, node.name)), node.name)


@unittest.skipUnless(os.environ.get("HLOLINT_CORPUS"), "HLOLINT_CORPUS is not set")
class Speed(unittest.TestCase):
    def test_walking_a_large_module(self):
        import glob
        import time
        module = hlolint.parse(glob.glob(os.environ["HLOLINT_CORPUS"] + "/seeds/004*")[0]).modules[0]
        best = 1e9
        for _ in range(20):
            start = time.process_time()
            for i in module.instructions:
                i.opcode, i.shape_text, i.operand_names
            best = min(best, time.process_time() - start)
        each = best / len(module.instructions) * 1e6
        print(f"{len(module.instructions)} instructions, {each:.2f} us of CPU each")  # to be read: a time is no test
        self.assertTrue(all(i.opcode for i in module.instructions))


if __name__ == "__main__":
    unittest.main()
