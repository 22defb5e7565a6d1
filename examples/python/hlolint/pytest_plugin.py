"""The plugin for pytest: --hlolint-baseline, and the fixtures xla_compile, xla_dump and xla_profile."""
from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest

from . import assertions
from .compilation import Compilation, compile
from .findings import Report, lint
from .profile import Profile, profile


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hlolint")
    group.addoption("--hlolint-baseline", metavar="FILE", help="findings that assert_clean and xla_dump leave out")


def pytest_configure(config: pytest.Config) -> None:
    assertions.default_baseline = config.getoption("--hlolint-baseline")


_FAILED = pytest.StashKey[bool]()
_FOLDER = pytest.StashKey[Path]()


def _dump_from_now_on(config: pytest.Config) -> Path:
    """Makes XLA dump into a folder. It reads XLA_FLAGS once in each process, at the first compilation."""
    if _FOLDER not in config.stash:
        folder = Path(tempfile.mkdtemp(prefix="hlolint_"))
        config.stash[_FOLDER] = folder
        flags = os.environ.get("XLA_FLAGS")
        os.environ["XLA_FLAGS"] = f"{flags or ''} --xla_dump_to={folder} --xla_dump_hlo_as_text".strip()

        def restore() -> None:
            shutil.rmtree(folder, ignore_errors=True)
            if flags is None:
                os.environ.pop("XLA_FLAGS", None)
            else:
                os.environ["XLA_FLAGS"] = flags

        config.add_cleanup(restore)
    return config.stash[_FOLDER]


def pytest_collection_finish(session: pytest.Session) -> None:
    if any("xla_dump" in getattr(item, "fixturenames", ()) for item in getattr(session, "items", ())):
        _dump_from_now_on(session.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Removes what the test before has dumped."""
    if _FOLDER in item.config.stash:
        shutil.rmtree(item.config.stash[_FOLDER], ignore_errors=True)
        item.config.stash[_FOLDER].mkdir()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Notes that a test failed by itself, so that it has no second error from a fixture."""
    item.stash[_FAILED] = call.excinfo is not None


class XlaDump:
    """What XLA dumps during a test."""

    def __init__(self, source: Path, folder: Path):
        self._source, self._folder = source, folder
        self.settings: dict[str, Any] = {}  #: settings of `lint` for the end of the test
        self.checked = False

    def lint(self, **settings: Any) -> Report:
        """Returns the dumps so far; nothing is linted at the end of the test then."""
        self.checked = True
        return lint(self.folder, **{**self.settings, **settings})

    def assert_clean(self, **settings: Any) -> Report:
        __tracebackhide__ = True
        self.checked = True
        return assertions.assert_clean(self.folder, **{**self.settings, **settings})

    @property
    def folder(self) -> Path:
        """A folder of the test, with the dumps so far."""
        for path in self._source.iterdir():
            shutil.move(path, self._folder / path.name)
        return self._folder

    @property
    def has_dumps(self) -> bool:
        return any(self.folder.glob("**/*.txt"))


@pytest.fixture
def xla_dump(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[XlaDump]:
    """Lints, at the end of the test, what XLA dumped during it. What JAX has compiled before is not compiled again."""
    folder = tmp_path / "xla_dump"
    folder.mkdir()
    dump = XlaDump(_dump_from_now_on(request.config), folder)
    yield dump
    if request.node.stash[_FAILED]:
        return
    if not dump.checked and dump.has_dumps:
        dump.assert_clean()
    elif not dump.checked:
        warnings.warn("nothing was dumped, so nothing was linted: the test compiled nothing that was not compiled before, or "
                      "XLA read XLA_FLAGS before the first test")


class XlaProfile:
    """Measures steps, each into a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.count = 0

    def measure(self, step: Callable[..., Any], *arguments: Any, runs: int = 5) -> Profile:
        """Runs a step of JAX once to compile it, then `runs` times under the profiler."""
        import jax

        jax.block_until_ready(step(*arguments))
        self.count += 1
        folder = self.folder / str(self.count)
        with jax.profiler.trace(str(folder)):
            for _ in range(runs):
                jax.block_until_ready(step(*arguments))
        return profile(folder)


@pytest.fixture
def xla_profile(tmp_path: Path) -> XlaProfile:
    """Measures a step on the devices of this machine: `xla_profile.measure(step, x).assert_exposed(most_us=100)`."""
    return XlaProfile(tmp_path / "xla_profile")


class XlaCompile:
    """Compiles with `hlolint.compile`, each time into a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.made: list[Compilation] = []
        self.settings: dict[str, Any] = {}  #: settings of `lint` for the end of the test

    def __call__(self, f: Any, *shapes: Any, **settings: Any) -> Compilation:
        settings.setdefault("folder", self.folder / str(len(self.made) + 1))
        self.made.append(compile(f, *shapes, **settings))
        return self.made[-1]


@pytest.fixture
def xla_compile(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[XlaCompile]:
    """Compiles for a device that need not be there: `xla_compile(step, x, topology="v5e:2x2")` returns what
    `hlolint.compile` does. What the test has not linted itself is linted at its end."""
    compiling = XlaCompile(tmp_path / "xla_compile")
    yield compiling
    for one in compiling.made:
        if not one.linted and not request.node.stash[_FAILED]:
            assertions.assert_clean(one, **compiling.settings)
