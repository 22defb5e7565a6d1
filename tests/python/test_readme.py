"""Runs the Python code of examples/python/README.md, with a module that stands for JAX."""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import types
import unittest

from dumps import STEP, Compiled

PROJECT = pathlib.Path(os.environ.get("HLOLINT_PROJECT", pathlib.Path(__file__).parent.parent.parent))


def snippets():
    text = (PROJECT / "examples" / "python" / "README.md").read_text()
    return re.findall(r"```python\n(.*?)```", text, re.S)


class Jax(types.ModuleType):
    """jax.jit(f).lower(x).compile().as_text()"""

    def jit(self, function, **_):
        lowered = types.SimpleNamespace(compile=lambda: Compiled(STEP))
        return types.SimpleNamespace(lower=lambda *arguments: lowered)


class Readme(unittest.TestCase):
    def test_snippets(self):
        self.assertEqual(len(snippets()), 7)
        sample = PROJECT / "tests" / "data" / "sample"
        before = os.getcwd()
        for code in snippets():
            with self.subTest(code=code), tempfile.TemporaryDirectory() as folder:
                shutil.copytree(sample, pathlib.Path(folder) / "dumps")
                os.chdir(folder)
                sys.modules["jax"] = Jax("jax")
                try:
                    names = {"train_step": None, "batch": None}
                    exec(compile(code, "README.md", "exec"), names)
                    tests = [f for name, f in names.items() if name.startswith("test_")]
                    for test in tests:
                        test()
                finally:
                    del sys.modules["jax"]
                    os.chdir(before)


if __name__ == "__main__":
    unittest.main()
