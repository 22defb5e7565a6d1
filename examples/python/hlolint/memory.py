"""What uses the memory of a module, and when."""
from __future__ import annotations

import html
import json
from array import array
from dataclasses import dataclass
from typing import Any, Optional

from .errors import UsageError
from .findings import option_words, raise_if_unread, run, run_json
from .inputs import Inputs, inputs_of, listed_modules, of_name, one_input


@dataclass(frozen=True)
class Group:
    """The memory of one source line, scope, opcode or shape: bytes, and the number of values."""

    name: str
    bytes: int
    values: int
    depth: int = 0  #: nesting depth of a scope


class Memory:
    """The memory of one module. All sizes are in bytes; positions are positions in the schedule.

    The numbers come from the dumped buffer assignment. If there is none (see `missing`), they come from the assignment
    that hlolint computes from the schedule by XLA's rules, or are `estimated` if these rules are not fully known (see
    `basis`). For a module without a schedule the sizes are 0 and the lists are empty.
    """

    def __init__(self, data: dict[str, Any], words: list[str], inputs: Inputs, number: int):
        self._data, self._words, self._inputs, self._number = data, words, inputs, number
        need = data.get("need", {})
        self.module: str = data.get("module", "")
        self.path: str = data["path"]
        self.missing: str = data.get("missing", "")
        self.estimated: bool = data.get("estimated", False)  #: XLA's numbers may be larger or smaller, see `basis`
        self.basis: str = data.get("basis", "")  #: origin of the numbers if no buffer assignment was dumped
        self.total: int = need.get("bytes", 0)  #: need of the loaded module: arguments + outputs - aliased + ...
        self.arguments: int = need.get("arguments", 0)
        self.outputs: int = need.get("outputs", 0)
        self.aliased: int = need.get("aliased", 0)
        self.temporaries: int = need.get("temporaries", 0)
        self.constants: int = need.get("constants", 0)
        peak = data.get("peak", {})
        self.peak: int = peak.get("bytes", 0)  #: most bytes in use at one position, in all of `spaces` together
        self.peak_position: Optional[int] = peak["positions"][0][0] if peak else None
        self.peak_instruction: str = peak.get("instruction", "")
        #: The steps of the bytes in use: from positions[i] on, bytes[i]. Arrays of int64 with the buffer protocol:
        #: numpy.asarray(memory.timeline_bytes) copies nothing.
        curve = data.get("curve", [])
        self.timeline_positions = array("q", [position for position, _ in curve])
        self.timeline_bytes = array("q", [bytes_ for _, bytes_ in curve])

    @property
    def resident(self) -> list[dict[str, Any]]:
        """Everything in memory at the peak, largest first: bytes, kind, allocation and value."""
        return list(self._data.get("resident", []))

    @property
    def allocations(self) -> list[dict[str, Any]]:
        return list(self._data.get("allocations", []))

    @property
    def spaces(self) -> list[dict[str, Any]]:
        """The memory spaces: color, name, bytes allocated, peak and curve."""
        return list(self._data.get("spaces", []))

    def by(self, what: str = "source") -> list[Group]:
        """Memory at the peak, summed by 'source' (line), 'scope' (of the framework), 'opcode' or 'shape'."""
        _, data = run_json([*self._words, f"--by={what}"], self._inputs)
        groups = data["memory"][self._number].get("groups", [])
        return [Group(g["name"], g["bytes"], g["items"], g.get("depth", 0)) for g in groups]

    def to_dict(self) -> dict[str, Any]:
        """The module as in `hlolint memory --format json`."""
        return json.loads(json.dumps(self._data))

    def __str__(self) -> str:
        """The output of `hlolint memory` for this module."""
        words = [word for word in self._words if not word.startswith("--top=")]
        return run(words, one_input(self._inputs, self.path))[1]

    def __repr__(self) -> str:
        about = "about " if self.estimated else ""
        return f"<Memory of {self.module}: {about}{self.total} bytes, {self.peak} at the peak>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td style='text-align:left'>{name}</td><td>{getattr(self, name):,}</td></tr>" for name in
                       ("total", "arguments", "outputs", "aliased", "temporaries", "constants", "peak"))
        return (f"<b>{html.escape(self.module)}</b> {html.escape(self.missing)}"
                f"<table><thead><tr><th>memory</th><th>bytes</th></tr></thead><tbody>{rows}</tbody></table>"
                + self._chart())

    def _chart(self) -> str:
        """A chart of the bytes in use over the schedule."""
        if len(self.timeline_positions) < 2 or self.peak == 0:
            return ""
        last = max(self.timeline_positions[-1], 1)
        points, height = [], 100.0
        for position, bytes_ in zip(self.timeline_positions, self.timeline_bytes):
            x, y = 400.0 * position / last, 100.0 - 96.0 * bytes_ / self.peak
            points += [f"{x:.1f},{height:.1f}", f"{x:.1f},{y:.1f}"]
            height = y
        return (f'<svg viewBox="0 0 400 100" width="600" height="150" role="img" aria-label="bytes in use by schedule '
                f'position"><polygon points="0,100 {" ".join(points)} 400,100" fill="#4c78a8"/></svg>')


def memories(what: Any, *, at: Optional[int] = None, target: Optional[str] = None,
             device: Optional[str] = None) -> list[Memory]:
    """The memory of each module. `at`: a schedule position to look at instead of the peak."""
    inputs = inputs_of(what)
    words = ["memory", "--top=1000000000", *option_words(target=target, device=device)]
    if at is not None:
        words.append(f"--at={at}")
    status, data = run_json(words, inputs)
    raise_if_unread(status, data)
    return [Memory(one, words, inputs, i) for i, one in listed_modules(data["memory"], data)]


def memory(what: Any, *, module: Optional[str] = None, at: Optional[int] = None, target: Optional[str] = None,
           device: Optional[str] = None) -> Memory:
    """The memory of the module that needs most, as JAX compiles small ones beside it, or of the one of this name, such as
    "train_step" or "jit_train_step"; use `memories` for all."""
    found = memories(what, at=at, target=target, device=device)
    most = max(of_name(found, module), key=lambda one: one.total)
    last = most.to_dict().get("last_position")
    if at is not None and last is not None and not 0 <= at <= last:
        raise UsageError(f"at={at} is no position in the schedule of {most.module}, which ends at {last}")
    return most
