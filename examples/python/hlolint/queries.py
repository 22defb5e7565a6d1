"""Instructions that match a query."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Union

from .findings import option_words, raise_if_unread, run_json
from .inputs import inputs_of


@dataclass(frozen=True)
class Match:
    """An instruction that matches. `match["x"]` is the name of the instruction that $x holds."""

    instruction: str
    computation: str
    module: str
    path: str
    line: int
    column: int
    text: str  #: as written
    source: str = ""  #: file:line of the program, or the framework's name of the operation
    captures: Mapping[str, str] = field(default_factory=dict)
    bytes: Optional[int] = None  #: of its result, where sizes are known

    def __getitem__(self, capture: str) -> str:
        return self.captures[capture]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.text}"


def query(what: Any, text: str, *, target: Optional[str] = None, device: Optional[str] = None,
          config: Union[str, os.PathLike, bool, None] = None) -> list[Match]:
    """The instructions that match a query, such as `all-reduce where bytes >= 1MiB and not in loop`.

    UsageError shows a mistake in the query with its place. `device` is for conditions on time.
    """
    words = ["query", text, *option_words(target=target, device=device, config=config)]
    status, data = run_json(words, inputs_of(what))
    raise_if_unread(status, data)
    out = []
    for found in data["matches"]:
        captures = {one["name"]: one["instruction"] for one in found.pop("captures")}
        out.append(Match(captures=captures, **found))
    return out
