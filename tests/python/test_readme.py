"""Runs the Python code of examples/python/README.md with JAX, on the dumps that JAX writes."""
import importlib.metadata
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from test_jax import jax_dumps, program

PROJECT = pathlib.Path(os.environ.get("HLOLINT_PROJECT", pathlib.Path(__file__).parent.parent.parent))
FSDP = PROJECT / "examples" / "python" / "fsdp"
README = (PROJECT / "examples" / "python" / "README.md").read_text()


def snippets():
    return re.findall(r"```python\n(.*?)```", README, re.S)


def versions(*names):
    try:
        return [importlib.metadata.version(name) for name in names]
    except importlib.metadata.PackageNotFoundError:
        return []


@unittest.skipUnless(importlib.util.find_spec("jax") and importlib.util.find_spec("libtpu"), "there is no jax, or no libtpu")
class Readme(unittest.TestCase):
    def test_snippets(self):
        self.assertGreater(len(snippets()), 7)
        _, train_step, params, batch = program()
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            jax_dumps(pathlib.Path(folder) / "dumps")
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            for code in snippets():
                if "import train" in code:  # run below, by pytest
                    self.assertEqual(code, (FSDP / "test_step.py").read_text())
                    continue
                with self.subTest(code=code):
                    names = {"train_step": train_step, "params": params, "batch": batch}
                    exec(compile(code, "README.md", "exec"), names)
                    for test in [f for name, f in names.items() if name.startswith("test_")]:
                        test()

    @unittest.skipUnless(versions("jax", "libtpu") == ["0.12.0.1", "0.0.52"], "README shows what other versions print")
    def test_what_is_printed(self):
        """The blocks that begin with `$ python`, but for the numbers of lines, the time, and where the folders are."""
        blocks = re.findall(r"```console\n\$ python (.*?)\n(.*?)```", README, re.S)
        self.assertEqual(len(blocks), 2)
        self.assertIn(f"```toml\n{(FSDP / '.hlolint.toml').read_text()}```", README)
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.realpath(folder) + "/fsdp"
            shutil.copytree(FSDP, place)
            for words, shown in blocks:
                ran = subprocess.run([sys.executable, *words.split()], cwd=place, capture_output=True, text=True,
                                     env=self.environment())
                self.assertEqual(ran.returncode, 1, ran.stderr)
                self.assertEqual(self.comparable(ran.stdout.replace(place, "/home/user/fsdp")), self.comparable(shown))

    @staticmethod
    def environment():
        # In CI, pytest repeats the whole message of a failed test in its summary.
        in_ci = {"CI", "BUILD_NUMBER"}
        return {name: value for name, value in os.environ.items() if name not in in_ci} | {"JAX_PLATFORMS": "cpu"}

    @staticmethod
    def comparable(text):
        text = re.sub(r"\S*/hlolint_\w+(?=/)", "FOLDER", text)
        text = re.sub(r"\bin [0-9.]+s( \([0-9:]+\))?", "", text)
        return re.sub(r"(\.txt:)\d+:|^ *\d+ \|", r"\1", text, flags=re.M).strip()


if __name__ == "__main__":
    unittest.main()
