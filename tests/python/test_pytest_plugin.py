import importlib.metadata
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import hlolint
from dumps import CLEAN, TWICE

HERE = pathlib.Path(__file__).parent
DEBIAN = "/usr/lib/python3/dist-packages"  # a virtual environment does not see it

TESTS = '''
import hlolint, os, pathlib, subprocess, sys
from dumps import CLEAN, TWICE, Compiled

def test_passes():
    hlolint.assert_clean(Compiled(CLEAN))

def test_fails():
    hlolint.assert_clean(Compiled(TWICE), config=False)

# What XLA does in a process that has XLA_FLAGS.
XLA = """
import os, sys
folder = [w for w in os.environ["XLA_FLAGS"].split() if w.startswith("--xla_dump_to=")][0].split("=")[1]
open(folder + "/module_0001.jit_f.cpu_after_optimizations.txt", "w").write(sys.argv[1])
"""

def test_dump_passes(xla_dump):
    subprocess.run([sys.executable, "-c", XLA, CLEAN], check=True)
    assert xla_dump.has_dumps

def test_dump_fails(xla_dump):
    subprocess.run([sys.executable, "-c", XLA, TWICE], check=True)

def test_dump_looked_at(xla_dump):
    subprocess.run([sys.executable, "-c", XLA, TWICE], check=True)
    assert [f.rule for f in xla_dump.lint(config=False)] == ["ALI002"]

def test_no_dump(xla_dump):
    assert not xla_dump.has_dumps
'''


def pytest_environment():
    """Where pytest can be imported, or None."""
    for path in ("", DEBIAN):
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(HERE), path]))
        tried = subprocess.run([sys.executable, "-c", "import pytest"], env=environment, capture_output=True)
        if tried.returncode == 0:
            return environment
    return None


class Plugin(unittest.TestCase):
    def run_pytest(self, folder, *words):
        try:
            importlib.metadata.distribution("hlolint")
        except importlib.metadata.PackageNotFoundError:
            self.skipTest("hlolint is not installed, so pytest does not know the plugin")
        environment = pytest_environment()
        if environment is None:
            self.skipTest("there is no pytest (Debian: apt-get install python3-pytest)")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rA", *words, "test_step.py"]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout

    def test_plugin(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_step.py").write_text(TESTS)
            output = self.run_pytest(folder)
            self.assertIn("5 passed", output, output)
            self.assertIn("FAILED test_step.py::test_fails", output, output)
            self.assertIn("ERROR test_step.py::test_dump_fails", output, output)  # when it ends
            self.assertIn("<jit_twice>:1:", output)
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
