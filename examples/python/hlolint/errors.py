"""The exceptions of hlolint."""
from __future__ import annotations

from typing import Any


class Error(Exception):
    """Any error of hlolint."""


class UsageError(Error, ValueError):
    """A usage error, such as an unknown option or an unreadable configuration, with the message of the command."""


class CompileError(Error):
    """An error of XLA's compiler that is no finding, with its message."""


class ParseError(Error, ValueError):
    """A text that cannot be read completely.

    `path`, `line` and `column` (from 1, columns in bytes) give the place of the first error. `problems` lists all
    errors as dictionaries, and `parsed` holds what could be read.
    """

    def __init__(self, problems: list[dict[str, Any]], parsed: Any = None):
        self.problems = problems
        self.parsed = parsed
        errors = [p for p in problems if p["level"] == "error"] or problems
        unknown = {"path": "", "line": 0, "column": 0, "message": "this is no dump of XLA"}
        first: dict[str, Any] = errors[0] if errors else unknown
        self.path: str = first["path"]
        self.line: int = first["line"]
        self.column: int = first["column"]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{self.path}:{self.line}:{self.column}: {first['message']}{more}")
