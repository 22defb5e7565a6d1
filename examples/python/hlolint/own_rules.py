"""User-defined rules: queries with a message, and functions."""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Callable, Iterable, Optional, Union

from ._hlolint import Instruction, Module
from .errors import UsageError

#: What a check returns for each finding: an instruction, or a message, or both.
Found = Union[Instruction, str, "tuple[Optional[Instruction], str]"]


@dataclass(frozen=True)
class Rule:
    """A query with a message, made by `rule`. The fields are the keys of [[rule]] in a configuration."""

    id: str
    match: str
    message: str = ""
    name: str = ""
    level: str = "warning"
    what: str = ""
    why: str = ""
    advice: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True)
class Check:
    """A function that checks a module, made by `check`. It can still be called like the function."""

    id: str
    function: Callable[[Module], Iterable[Found]]
    name: str = ""
    level: str = "warning"
    what: str = ""
    why: str = ""
    advice: str = ""

    def __call__(self, module: Module) -> Iterable[Found]:
        return self.function(module)

    def _find(self, module: Module) -> list[tuple[Optional[Instruction], str]]:
        out: list[tuple[Optional[Instruction], str]] = []
        for found in self.function(module) or ():
            if isinstance(found, Instruction):
                out.append((found, self.what))
            elif isinstance(found, str):
                out.append((None, found))
            else:
                at, message = found
                out.append((at, str(message)))
        return out

    def to_dict(self) -> dict[str, Any]:
        texts = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "function"}
        return {**texts, "find": self._find}


def _check_words(id: str, level: str) -> None:
    if not id:
        raise UsageError("a rule needs an id, such as TEAM001")
    if level not in ("note", "warning", "error"):
        raise UsageError(f"level is note, warning or error, not {level!r}")


def rule(id: str, match: str, message: str = "", *, name: str = "", level: str = "warning", what: str = "",
         why: str = "", advice: str = "") -> Rule:
    """A rule for `lint(..., rules=[...])`: a finding for each instruction that matches the query.

    `message` may have properties in braces: "sums {bytes($x)} in f32 in {computation}".
    """
    _check_words(id, level)
    return Rule(id, match, message, name, level, what, why, advice)


def check(id: str, *, name: str = "", level: str = "warning", what: str = "", why: str = "",
          advice: str = "") -> Callable[[Callable[[Module], Iterable[Found]]], Check]:
    """Turns a function of a Module into a check for `lint(..., rules=[...])`.

    What it yields are findings: an Instruction, a message, or a pair of both. Without `name` and `what` they are the
    function's name and the first line of its description.
    """
    _check_words(id, level)

    def made(function: Callable[[Module], Iterable[Found]]) -> Check:
        described = (function.__doc__ or "").strip().splitlines()
        return Check(id, function, name or function.__name__.replace("_", "-"), level,
                     what or (described[0] if described else ""), why, advice)

    return made
