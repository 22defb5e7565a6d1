"""Assertions for tests."""
from __future__ import annotations

import os
from typing import Any, Union

from .findings import Report, lint

#: The baseline of assertions without one of their own; the option --hlolint-baseline of pytest sets it.
default_baseline: Union[str, os.PathLike, None] = None


def assert_clean(what: Any, **settings: Any) -> Report:
    """Fails with the command's report if there are findings at the level of `fail_on` (default: warning) or above, or
    something cannot be read. Takes the settings of `lint`. Returns the report.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    settings.setdefault("baseline", default_baseline)
    report = lint(what, **settings)
    if not report.ok:
        raise AssertionError("hlolint:\n" + str(report))
    return report
