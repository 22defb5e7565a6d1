"""What goes wrong, as exceptions."""
from __future__ import annotations

from typing import Any


class Error(Exception):
    """Any error of hlolint."""


class UsageError(Error, ValueError):
    """An option that does not exist, a configuration that cannot be read, and the like; the message of the command."""


class ParseError(Error, ValueError):
    """A text that cannot be read, or not all of it.

    `path`, `line` and `column` (from 1, columns in bytes) are the first place; `problems` has all as dictionaries, and
    `parsed` what could be read.
    """

    def __init__(self, problems: list[dict[str, Any]], parsed: Any = None):
        self.problems = problems
        self.parsed = parsed
        errors = [p for p in problems if p["level"] == "error"] or problems
        first = errors[0] if errors else {"path": "", "line": 0, "column": 0, "message": "this is no dump of XLA"}
        self.path: str = first["path"]
        self.line: int = first["line"]
        self.column: int = first["column"]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{self.path}:{self.line}:{self.column}: {first['message']}{more}")
