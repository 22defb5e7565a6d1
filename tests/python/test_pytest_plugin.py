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

import hlolint
from dumps import CLEAN, TWICE

HERE = pathlib.Path(__file__).parent

TESTS = '''
import hlolint, os, subprocess, sys
from dumps import CLEAN, TWICE, Compiled
from test_jax import TRAIN, program

def test_compiles_first():
    program()[0].jit(lambda x: x + 1)(1.0)

def test_dump_here(xla_dump):
    jax, step, params, batch = program()
    assert any("jit_train_step" in path.name for path in xla_dump.folder.iterdir())
    assert hlolint.memory(xla_dump.folder).module == "jit_train_step"

def test_passes():
    hlolint.assert_clean(Compiled(CLEAN))

def test_fails():
    hlolint.assert_clean(Compiled(TWICE), config=False)

def train():
    subprocess.run([sys.executable, "-c", TRAIN], check=True)

def test_dump_passes(xla_dump):
    train()
    assert xla_dump.has_dumps

def test_dump_fails(xla_dump):
    xla_dump.settings["options"] = {"BUD001.capacity": "1MiB"}
    train()

def test_dump_looked_at(xla_dump):
    train()
    assert "BUD001" in [f.rule for f in xla_dump.lint(config=False, options={"BUD001.capacity": "1MiB"})]

def test_no_dump(xla_dump):
    assert not xla_dump.has_dumps

def test_compile_passes(xla_compile):
    jax, step, params, batch = program()
    assert xla_compile(step, params, batch).memory().module == "jit_train_step"

def test_compile_fails(xla_compile):
    jax, step, params, batch = program()
    xla_compile.settings["options"] = {"BUD001.capacity": "1MiB"}
    xla_compile(step, params, batch)

@hlolint.compiled(topology=["cpu"], select="MEM")
def test_program(devices):
    jax, step, params, batch = program()
    return step, params, batch

def test_linted_already(xla_compile):
    jax, step, params, batch = program()
    xla_compile.settings["options"] = {"BUD001.capacity": "1MiB"}
    hlolint.assert_clean(xla_compile(step, params, batch), config=False, select="MEM")

def test_fails_by_itself(xla_compile):
    jax, step, params, batch = program()
    xla_compile.settings["options"] = {"BUD001.capacity": "1MiB"}
    xla_compile(step, params, batch)
    assert False, "by itself"

class TestStep:
    @hlolint.compiled(topology="cpu", select="MEM")
    def test_one(self, devices):
        jax, step, params, batch = program()
        return step, params, batch

    @hlolint.compiled(topology=["cpu"], select="MEM")
    def test_each(self):
        jax, step, params, batch = program()
        return jax.jit(step).lower(params, batch)

@hlolint.compiled(topology="cpu", select="BUD001", options={"BUD001.capacity": "1MiB"})
def test_large_program():
    jax, step, params, batch = program()
    return step, params, batch
'''


class Plugin(unittest.TestCase):
    def run_pytest(self, folder, *words):
        try:
            importlib.metadata.distribution("hlolint")
        except importlib.metadata.PackageNotFoundError:
            self.skipTest("hlolint is not installed, so pytest does not know the plugin")
        if not all(importlib.util.find_spec(name) for name in ("pytest", "jax")):
            self.skipTest("there is no pytest, or no jax")
        environment = dict(os.environ, PYTHONPATH=str(HERE), JAX_PLATFORMS="cpu")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rA", *words, "test_step.py"]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout

    def test_plugin(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_step.py").write_text(TESTS)
            output = self.run_pytest(folder)
            self.assertRegex(output, "3 failed, 13 passed, 1 warning, 2 errors", output)  # one by itself
            self.assertIn("nothing was dumped", self.run_pytest(folder, "-k", "test_no_dump"))
            self.assertIn("FAILED test_step.py::test_fails", output, output)
            self.assertIn("FAILED test_step.py::test_large_program", output, output)
            (named,) = set(re.findall(r"\S+/hlolint_\w+(?=/\S+-buffer-assignment-values.txt:)", output))
            self.assertTrue(os.path.isdir(named))  # what a report names is there
            shutil.rmtree(named)
            self.assertIn("ERROR test_step.py::test_dump_fails", output, output)  # when it ends
            self.assertIn("ERROR test_step.py::test_compile_fails", output, output)
            self.assertIn("<jit_twice>:1:", output)
            self.assertNotIn("CompileError", output)  # `options` of the decorator are those of rules
            self.assertIn("[ALI002 alias-duplicate]", output)
            self.assertNotIn("assertions.py:", output)  # the line of the test is shown, not ours

    def test_baseline(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_step.py").write_text(TESTS)
            hlolint.lint(TWICE, baseline=folder + "/known.json", update_baseline=True, config=False)
            output = self.run_pytest(folder, "--hlolint-baseline=known.json", "-k", "test_fails")
            self.assertIn("1 passed", output, output)


if __name__ == "__main__":
    unittest.main()
