"""The plugin for pytest: --hlolint-baseline, and the fixture xla_dump."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest

from . import assertions
from .findings import Report, lint


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hlolint")
    group.addoption("--hlolint-baseline", metavar="FILE", help="findings that assert_clean and xla_dump leave out")


def pytest_configure(config: pytest.Config) -> None:
    assertions.default_baseline = config.getoption("--hlolint-baseline")


class XlaDump:
    """Where XLA writes its dumps during a test."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.settings: dict[str, Any] = {}  #: of `lint`, for what is linted when the test ends
        self.checked = False

    def lint(self, **settings: Any) -> Report:
        """What was dumped so far; then nothing is linted when the test ends."""
        self.checked = True
        return lint(self.folder, **{**self.settings, **settings})

    def assert_clean(self, **settings: Any) -> Report:
        __tracebackhide__ = True
        self.checked = True
        return assertions.assert_clean(self.folder, **{**self.settings, **settings})

    @property
    def has_dumps(self) -> bool:
        return any(self.folder.glob("**/*.txt"))


@pytest.fixture
def xla_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[XlaDump]:
    """Lets XLA dump into a folder of the test's tmp_path, and lints that when the test ends.

    XLA reads XLA_FLAGS once in each process, before it compiles anything: use it in the first test that does, or where
    the test starts a process of its own.
    """
    dump = XlaDump(tmp_path / "xla_dump")
    dump.folder.mkdir()
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_dump_to={dump.folder} --xla_dump_hlo_as_text"
    monkeypatch.setenv("XLA_FLAGS", flags.strip())
    yield dump
    if not dump.checked and dump.has_dumps:
        dump.assert_clean()
