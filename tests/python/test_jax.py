"""What JAX compiles: for this machine, and for TPUs that are not there."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import hlolint
from hlolint import layouts

HAS_JAX = importlib.util.find_spec("jax") is not None
HAS_LIBTPU = importlib.util.find_spec("libtpu") is not None
PROJECT = pathlib.Path(os.environ.get("HLOLINT_PROJECT", pathlib.Path(__file__).parents[2]))
EXAMPLES = PROJECT / "examples" / "python" / "fsdp"

# A step that replaces its weights, with small modules beside it, as every program of JAX has them.
TRAIN = '''
import jax, jax.numpy as jnp

def train_step(params, batch):
    loss, gradients = jax.value_and_grad(lambda p: jnp.mean(jnp.square(jnp.tanh(batch @ p["w"]) @ p["v"])))(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients), loss

params = {"w": jax.random.normal(jax.random.key(0), (512, 512)), "v": jnp.ones((512, 512))}
batch = jnp.ones((256, 512))
for _ in range(2):
    params, loss = jax.jit(train_step)(params, batch)
'''


def jax_dumps(folder):
    """Dumps of all that JAX compiles in a process of its own, as README has them made."""
    flags = f"--xla_dump_to={folder} --xla_dump_hlo_as_text"
    subprocess.run([sys.executable, "-c", TRAIN], check=True, env=dict(os.environ, XLA_FLAGS=flags, JAX_PLATFORMS="cpu"))


def program():
    names = {}
    exec(TRAIN, names)
    return names["jax"], names["train_step"], names["params"], names["batch"]


def large(scale=1):
    """Two products of 8 GiB each on one device for scale 1: too much for a v5e, not for a v5p."""
    import jax
    import jax.numpy as jnp

    x = jax.ShapeDtypeStruct((32768 * scale, 65536), jnp.float32)
    return jax.jit(lambda x: (jnp.sort(x * 2, axis=0), jnp.sin(x).sum())), x


def refused():
    raise ValueError("a program that cannot be made")


def padded():
    """A step that keeps rows of eight numbers, each padded to 128 on a TPU, while it computes something else."""
    import jax
    import jax.numpy as jnp
    from jax.experimental.layout import Layout, with_layout_constraint

    def step(w, v, x, batch):
        def loss(w, v):
            rows = with_layout_constraint(jnp.tanh(x * w), Layout(major_to_minor=(0, 1)))
            return jnp.sum(jnp.tanh(batch * jnp.mean(rows) @ v) ** 2) + jnp.sum(rows ** 3)
        return jax.grad(loss, (0, 1))(w, v)

    shapes = [(2**18, 8), (512, 4096), (2**18, 8), (4096, 512)]
    return step, [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]


@unittest.skipUnless(HAS_JAX, "there is no jax")
class Jax(unittest.TestCase):
    def test_compiled(self):
        jax, step, params, batch = program()
        compiled = jax.jit(step).lower(params, batch).compile()
        self.assertEqual(hlolint.parse(compiled).modules[0].name, "jit_train_step")
        (module,) = compiled.runtime_executable().hlo_modules()
        parsed = hlolint.parse(module)
        self.assertEqual((parsed.kind, parsed.modules[0].name), ("hlo-proto", "jit_train_step"))
        with unittest.mock.patch("hlolint.inputs._LARGE", 10):  # the text of what is large is not made
            self.assertEqual(hlolint.parse(compiled).kind, "hlo-proto")
        hlolint.lint(compiled)

    def test_what_is_not_compiled_yet(self):
        jax, step, params, batch = program()
        for what in (jax.jit(step).lower(params, batch), jax.jit(step).trace(params, batch)):
            report = hlolint.lint(what)
            kinds = {one["kind"] for one in report.inputs}
            self.assertIn("buffer-assignment", kinds)  # as_text() alone has none
            self.assertEqual({one.get("module") for one in report.inputs if one["kind"] == "hlo"}, {"jit_train_step"})
        self.assertEqual(hlolint.memory(jax.jit(step).lower(params, batch)).missing, "")

    def test_a_folder_that_jax_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            jax_dumps(folder)
            self.assertGreater(len(hlolint.memories(folder)), 1)
            memory, time = hlolint.memory(folder), hlolint.time(folder)
            self.assertEqual((memory.module, time.module), ("jit_train_step", "jit_train_step"))
            self.assertEqual(memory.total, hlolint.memory(folder, module="train_step").total)
            self.assertLess(hlolint.memory(folder, module="broadcast_in_dim").total, memory.total)

    def test_compile(self):
        jax, step, params, batch = program()
        made = hlolint.compile(step, params, batch)
        self.assertEqual(made.memory().module, "jit_train_step")
        self.assertTrue(any(made.folder.iterdir()))
        self.assertIsNotNone(made.compiled)
        self.assertFalse(made.diff(hlolint.compile(step, params, batch)).is_worse)
        smaller = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), (params, batch[:8]))
        self.assertTrue(hlolint.compile(step, *smaller).diff(made).is_worse)
        folder = made.folder
        report, memory = made.lint(), made.memory()
        del made
        self.assertIn('"version"', report.format("sarif"))  # they read the folder again
        self.assertGreater(memory.by("opcode")[0].bytes, 0)
        del report, memory
        self.assertFalse(folder.exists())

    def test_confirmed_donation(self):
        jax, step, params, batch = program()
        advice = hlolint.advise(hlolint.compile(step, params, batch), confirm=True)
        confirmed = advice.confirmed
        self.assertEqual(confirmed.donated, [one["source"] for one in advice.donation["arguments"]])
        self.assertLess(confirmed.after_bytes, confirmed.before_bytes)
        self.assertEqual(confirmed.after_bytes, confirmed.promised_bytes)
        self.assertEqual(advice.donation["certainty"], "confirmed")
        self.assertIn("jax.jit(..., donate_argnums=...)", str(advice))
        self.assertIn("as compiled", str(advice))

    def test_confirmed_with_what_is_given_away_already(self):
        import jax
        import jax.numpy as jnp

        x = jax.ShapeDtypeStruct((512, 512), jnp.float32)
        f = jax.jit(lambda a, b: (a * 2, b * 3), donate_argnums=0)
        confirmed = hlolint.advise(hlolint.compile(f, x, x), confirm=True).confirmed
        self.assertEqual((confirmed.donated, confirmed.compilation.memory().aliased), (["b"], 2 * 2**20))
        confirmed = hlolint.advise(hlolint.compile(lambda *a: a[0] * 2 + a[1], x, x), confirm=True).confirmed
        self.assertEqual((confirmed.donated, confirmed.compilation.memory().aliased), (["a[0]"], 2**20))

    def test_the_cache_of_compilations_is_not_used(self):
        with tempfile.TemporaryDirectory() as folder:
            script = (
                "import hlolint, jax, jax.numpy as jnp\n"
                f"jax.config.update('jax_compilation_cache_dir', {folder!r})\n"
                "jax.config.update('jax_persistent_cache_min_compile_time_secs', 0)\n"
                "jax.config.update('jax_persistent_cache_min_entry_size_bytes', -1)\n"
                "f, x = jax.jit(lambda a: jnp.tanh(a @ a)), jnp.ones((256, 256))\n"
                "f(x)\n"
                "assert hlolint.compile(f, x).memory().missing == ''\n"
                f"assert jax.config.jax_compilation_cache_dir == {folder!r}\n")
            for _ in range(2):
                subprocess.run([sys.executable, "-c", script], check=True, env=dict(os.environ, JAX_PLATFORMS="cpu"))
            self.assertTrue(any(pathlib.Path(folder).iterdir()))

    def test_layouts_are_placed_and_taken_back(self):
        import jax
        import jax.numpy as jnp

        sine = jax.jit(jnp.sin)
        f = jax.jit(lambda x: jnp.cos(sine(sine(x).T) @ x))
        lowered = f.lower(jnp.ones((48, 48)))
        module = hlolint.parse(lowered.compile()).modules[0]
        before = lowered.as_text()
        for opcode in ("sine", "cosine"):
            one = next(i for i in module.instructions if i.opcode == opcode)
            change = {"computation": one.computation.name, "instruction": one.name, "becomes": "f32[48,48]{0,1}"}
            with layouts.placed(lowered, module, [change, change]):
                self.assertEqual(lowered.as_text().count("@LayoutConstraint"), 1)  # a function called twice is there once
                self.assertIn("dense<[0, 1]>", lowered.as_text())
                lowered.compile()
            self.assertEqual(lowered.as_text(), before)
        for wrong, why in (({"becomes": "f32[48,12]{0,1}"}, "the value is the compiler's"),
                           ({"becomes": "bf16[48,48]{0,1}"}, "has no value of this shape"),
                           ({"instruction": "none"}, "the value is the compiler's")):
            with self.assertRaisesRegex(layouts.NotPlaced, why), layouts.placed(lowered, module, [change | wrong]):
                pass
        self.assertEqual(lowered.as_text(), before)

    def test_a_layout_is_for_a_line(self):
        import jax
        import jax.numpy as jnp

        def f(x):
            y = jnp.sin(x @ x)
            return jnp.sin(y @ x)

        lowered = jax.jit(f).lower(jnp.ones((48, 48)))
        module = hlolint.parse(lowered.compile()).modules[0]
        one = next(i for i in module.instructions if i.opcode == "sine")
        change = {"computation": one.computation.name, "instruction": one.name, "becomes": "f32[48,48]{0,1}"}
        first = f.__code__.co_firstlineno + 1
        for source, count in ((f"{__file__}:{first}", 1), (f"{__file__}:{first + 1}", 1), ("", 2), (f"{__file__}:1", 2)):
            with layouts.placed(lowered, module, [change | {"source": source}]):
                self.assertEqual(lowered.as_text().count("@LayoutConstraint"), count, source)

    def test_wrong_use(self):
        jax, step, params, batch = program()
        with self.assertRaises(hlolint.UsageError):
            hlolint.compile(jax.jit(step).lower(params, batch), batch)
        with self.assertRaises(hlolint.UsageError):
            hlolint.compile(step, params, batch, topology="cuda:1x1x8")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "old.txt").touch()
            with self.assertRaises(hlolint.UsageError):
                hlolint.compile(step, params, batch, folder=folder)
        with self.assertRaises(hlolint.CompileError):
            hlolint.compile(step, params, batch, options={"xla_no_such_flag": True})
        # A folder of this test alone: other processes have theirs in the common one.
        with tempfile.TemporaryDirectory() as temporary, unittest.mock.patch("tempfile.tempdir", temporary):
            for settings in ({"topology": "cpu:x"}, {"topology": "cpu:0"}, {"mesh": ("data", 2)}, {"options": ["flag"]},
                             {"folder": __file__}, {"topology": ["cpu"]}, {"mesh": {"data": 0}}, {"mesh": {"data": "x"}}):
                with self.assertRaises(hlolint.UsageError, msg=settings):
                    hlolint.compile(step, params, batch, **settings)
            with self.assertRaises(hlolint.UsageError):
                hlolint.advise(jax.jit(lambda x: x + 1).lower(batch), confirm=True)  # whether or not there is advice
            for what in (jax.jit(step).lower(params, batch).compile(), "step"):
                with self.assertRaisesRegex(hlolint.UsageError, "takes a function of JAX"):
                    hlolint.compile(what)
            with self.assertRaises(hlolint.CompileError):
                hlolint.compile(step, params, batch, options={"xla_no_such_flag": True})
            self.assertEqual(os.listdir(temporary), [])
        self.assertEqual(hlolint.devices(None), jax.devices())
        with unittest.mock.patch("importlib.util.find_spec", return_value=None), \
                self.assertRaisesRegex(hlolint.UsageError, "pip install jax.tpu."):
            hlolint.devices("v5e:2x2")


@unittest.skipUnless(HAS_LIBTPU, "there is no libtpu")
class Tpu(unittest.TestCase):
    def command(self, *words, cwd=EXAMPLES):
        return subprocess.run([sys.executable, "-m", "hlolint", "compile", *words], cwd=cwd, capture_output=True, text=True,
                              env=dict(os.environ, PYTHONPATH=str(pathlib.Path(__file__).parent)))

    def test_devices(self):
        for name, count in (("v5e:2x2", 4), ("v6e:4x4", 16), ("7x:2x2x1", 8), ("v4:2x2x1", 4), ("tpu-v5p:2x2x1", 4)):
            self.assertEqual(len(hlolint.devices(name)), count, name)
        with self.assertRaisesRegex(hlolint.UsageError, "there is no topology 'v9:2x2'"):
            hlolint.devices("v9:2x2")

    def test_shardings_move_to_the_mesh(self):
        import jax
        import jax.numpy as jnp
        from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P

        mesh = AbstractMesh((4,), ("data",))
        x = jax.ShapeDtypeStruct((4096, 1024), jnp.float32, sharding=NamedSharding(mesh, P("data")))
        w = jax.ShapeDtypeStruct((1024, 1024), jnp.float32)
        for given in (None, {"data": 4}):
            made = hlolint.compile(lambda x, w: jnp.sum(x @ w, axis=0), x, w, topology="v5e:2x2", mesh=given)
            self.assertEqual([c.kind for c in hlolint.collectives(made)], ["all-reduce"])
        with self.assertRaises(hlolint.UsageError):
            hlolint.compile(lambda x, w: x @ w, x, w, topology="v5e:2x2", mesh={"data": 8})

    def test_arguments_are_as_jax_takes_them(self):
        import jax
        import jax.numpy as jnp
        import numpy
        from jax.experimental.layout import Format, Layout
        from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec as P

        def compile(f, *shapes, **settings):
            return hlolint.compile(f, *shapes, topology="v5e:2x2", **settings)

        x = jax.ShapeDtypeStruct((1024, 1024), jnp.bfloat16)
        here = jax.make_mesh((1,), ("data",))
        on_host = jax.device_put(jnp.ones((1024, 1024)), NamedSharding(here, P("data")))
        for settings in ({}, {"mesh": here}):
            self.assertEqual(compile(lambda a: a * 2, on_host, **settings).time().device, "tpu-v5e")
        self.assertEqual(compile(lambda: jnp.ones((64, 64))).time().device, "tpu-v5e")
        # A number of Python, and a weak type, do not widen bf16.
        weak = jax.ShapeDtypeStruct((), jnp.float32, weak_type=True)
        for factor in (2.0, weak):
            self.assertEqual(compile(lambda a, s: a * s, x, factor).memory().outputs, 2 * 2**20)
        static = jax.jit(lambda a, n, name: a * 2 if name == "twice" and n else a, static_argnums=(1, 2))
        compile(static, x, 3, "twice")

        mesh = Mesh(numpy.array(hlolint.devices("v5e:2x2")), ("data",))
        sharded = jax.jit(lambda a: jnp.tanh(a), in_shardings=NamedSharding(mesh, P("data")))
        for settings in ({}, {"mesh": mesh}):
            self.assertEqual(compile(sharded, x, **settings).memory().arguments, 2**19)
        explicit = AbstractMesh((4,), ("data",), axis_types=(AxisType.Explicit,))
        rows = jax.ShapeDtypeStruct((1024, 1024), jnp.bfloat16, sharding=NamedSharding(explicit, P("data")))
        resharded = compile(lambda a: jax.reshard(jnp.tanh(a), P(None, "data")), rows)
        self.assertEqual([c.kind for c in hlolint.collectives(resharded)], ["all-to-all"])
        pinned = jax.ShapeDtypeStruct((1024, 1024), jnp.bfloat16,
                                      sharding=NamedSharding(explicit, P("data"), memory_kind="pinned_host"))
        moved = compile(lambda a: jnp.tanh(jax.device_put(a, jax.memory.Space.Device)), pinned)
        self.assertEqual(moved.compiled.memory_analysis().host_argument_size_in_bytes, 2**19)
        transposed = jax.ShapeDtypeStruct((1024, 512), jnp.bfloat16, sharding=Format(
            Layout(major_to_minor=(1, 0)), NamedSharding(mesh, P())))
        self.assertIn("bf16[1024,512]{0,1", compile(lambda a: a * 2, transposed).compiled.as_text().split("->")[0])

    def test_too_large_is_a_finding(self):
        f, x = large()
        made = hlolint.compile(f, x, topology="v5e:2x2")
        self.assertIsNone(made.compiled)
        report = made.lint(config=False)
        self.assertIn("BUD008", [finding.rule for finding in report])
        self.assertFalse(report.ok)
        self.assertNotIn("BUD008", [f.rule for f in hlolint.compile(f, x, topology="v5p:2x2x1").lint(config=False)])
        with self.assertRaisesRegex(AssertionError, "(?s)does not fit.*BUD008"):  # whatever is selected
            hlolint.compiled(topology="v5e:2x2", select="PAD")(large)()

    def test_confirmed_donation(self):
        jax, step, params, batch = program()
        confirmed = hlolint.advise(hlolint.compile(step, params, batch, topology="v5e:2x2"), confirm=True).confirmed
        self.assertEqual(sorted(confirmed.donated), ["params['v']", "params['w']"])
        self.assertLess(confirmed.after_bytes, confirmed.before_bytes)
        self.assertLess(abs(confirmed.after_bytes - confirmed.promised_bytes), confirmed.before_bytes / 50)

    def test_confirmed_layout(self):
        import jax

        step, shapes = padded()
        made = hlolint.compile(step, *shapes, topology="v5e:2x2")
        advice = hlolint.advise(made, confirm=True)
        confirmed, *others = advice.confirmed_layouts
        self.assertEqual(confirmed.layout, "f32[262144,8]{0,1:T(8,128)}")
        self.assertIn("test_jax.py:", confirmed.source)
        # The libtpu of JAX 0.10 needs more memory with the layout, which has to be reported as it is.
        follows = jax.__version_info__ >= (0, 12)
        self.assertEqual(confirmed.after_bytes < confirmed.before_bytes, follows)
        self.assertEqual(confirmed.after_bytes, confirmed.compilation.memory().total)
        self.assertEqual(confirmed.holds, follows)
        self.assertIn(f"{'confirmed' if follows else 'measured '}  {confirmed.layout} for", str(advice))
        # What this line would save only together with the layout of an argument, which has no line, is not its promise.
        self.assertEqual([one.problem for one in others], ["x has no value of this shape"] if follows else [])
        made.recompile = unittest.mock.Mock(side_effect=layouts.NotPlaced("no such value"))
        advice = hlolint.advise(made, confirm=True)
        refused, *_ = advice.confirmed_layouts
        self.assertEqual((refused.after_bytes, refused.holds, refused.problem), (None, False, "no such value"))
        self.assertIn(f"unknown    {confirmed.layout} for", str(advice))

    def test_command(self):
        too_large = self.command("test_jax:large", "--topology", "v5e:2x2", "--isolated")
        self.assertEqual((too_large.returncode, too_large.stderr),
                         (1, "hlolint: the dumps are deleted now; --dumps FOLDER keeps them\n"))
        self.assertIn("out of memory in hbm", too_large.stdout)
        fits = self.command("test_jax:large", "--topology", "v5p:2x2x1", "--isolated", "--select", "BUD")
        self.assertEqual((fits.returncode, fits.stderr), (0, ""))
        hidden = self.command("test_jax:large", "--topology", "v5e:2x2", "--isolated", "--select", "PAD")
        self.assertEqual(hidden.returncode, 1)
        self.assertIn("the program does not fit", hidden.stderr)
        for words in (["test_jax:nothing"], ["test_jax:refused"], ["test_jax"], ["--select", "PAD", "test_jax:large"],
                      ["test_jax:HAS_JAX"], ["test_jax:large", "--topology", "cpu:x"]):
            self.assertEqual(self.command(*words).returncode, 2, words)
        shown = self.command("train:step", "--topology", "v5e:2x2", "show", "train.py:25")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        memory = self.command("train:step", "--topology", "v5e:2x2", "memory")
        self.assertEqual((memory.returncode, memory.stderr), (0, ""))
        self.assertIn("module jit_update (tpu)", memory.stdout)

    @unittest.skipUnless(importlib.util.find_spec("pre_commit") and shutil.which("git"), "there is no pre-commit, or no git")
    def test_pre_commit(self):
        """The hook refuses the commit of a program that breaks its contract, and is not run when no Python file changes."""
        with tempfile.TemporaryDirectory() as folder:
            hooks, work = pathlib.Path(folder, "hooks"), pathlib.Path(folder, "work")
            environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
            environment |= {"HOME": folder, "PRE_COMMIT_HOME": folder + "/kept", "PYTHONDONTWRITEBYTECODE": "1",
                            "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}

            def run(place, *words, check=True):
                return subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, check=check)

            def git(place, *words, check=True):
                return run(place, "git", "-c", "user.name=test", "-c", "user.email=test@example.com", *words, check=check)

            hooks.mkdir()
            shutil.copy(PROJECT / ".pre-commit-hooks.yaml", hooks)
            shutil.copytree(EXAMPLES, work)
            for place in (hooks, work):
                git(place, "init", "-q")
            git(hooks, "add", ".")
            git(hooks, "commit", "-qm", "hooks")
            revision = git(hooks, "rev-parse", "HEAD").stdout.strip()
            arguments = '["train:step", "--topology=v6e:2x2", "--select=COL017"]'
            (work / ".pre-commit-config.yaml").write_text(
                f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n  - id: hlolint-compile\n    args: {arguments}\n")
            run(work, sys.executable, "-m", "pre_commit", "install")
            git(work, "add", ".pre-commit-config.yaml", ".hlolint.toml")
            git(work, "commit", "-qm", "configuration")  # no Python, so nothing is compiled
            git(work, "add", ".")
            refused = git(work, "commit", "-qm", "model", check=False)
            self.assertEqual(refused.returncode, 1, refused.stdout + refused.stderr)
            self.assertIn("[COL017 collective-contract]", refused.stdout + refused.stderr)
            self.assertEqual(git(work, "rev-list", "--count", "HEAD").stdout.strip(), "1")


if __name__ == "__main__":
    unittest.main()
