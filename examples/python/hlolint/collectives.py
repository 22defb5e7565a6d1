"""The collectives of a program, with asynchronous ones under the names of their synchronous forms."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

from ._hlolint import Instruction
from .errors import UsageError
from .findings import option_words, raise_if_unread, run_json
from .inputs import Inputs, inputs_of


_KINDS = ("all-gather", "all-reduce", "all-to-all", "collective-broadcast", "collective-permute", "ragged-all-to-all",
          "reduce-scatter")


@dataclass(frozen=True)
class Collective:
    """One collective: a synchronous one, or the start of an asynchronous one.

    A collective that an async-start runs is listed as the start, however deep it is inside of fusions and calls.

    `bytes` is the larger of operands and results, on one device. `groups` (or `pairs` of a collective-permute) lists
    numbers of devices as written; an empty list means one group of all devices.
    """

    instruction: Instruction
    kind: str  #: "all-reduce", never "all-reduce-start"
    bytes: Optional[int]
    is_async: bool  #: written as start and done, and executed so
    type: Optional[str] = None  #: element type of the first operand
    groups: list[list[int]] = field(default_factory=list)
    group_size: int = 0  #: devices of the first group; 0 = all
    pairs: list[tuple[int, int]] = field(default_factory=list)
    #: The next four describe the work scheduled between start and done. None if the program is not scheduled.
    overlap: Optional[str] = None  #: "hidden", "tight", "exposed" or "synchronous"
    work_bytes: Optional[int] = None  #: memory that this work reads and writes, if no device is known
    work_us: Optional[float] = None  #: time of this work, if a device is known
    exposed_us: Optional[float] = None  #: time of the transfer that nothing hides
    runs: float = 1  #: how often one step executes it

    @property
    def name(self) -> str:
        return self.instruction.name

    @property
    def op_name(self) -> str:
        return self.instruction.metadata.get("op_name", "")


def collectives(what: Any, *, kind: Optional[str] = None, target: Optional[str] = None,
                device: Optional[str] = None) -> list[Collective]:
    """All collectives in text order; of one `kind` such as "all-gather" if it is given."""
    if kind is not None and kind not in _KINDS:
        raise UsageError(f"there is no collective '{kind}'; kinds are {', '.join(_KINDS)}")
    inputs = inputs_of(what)
    out = []
    for file in inputs.parsed():
        times: dict[tuple[str, str, int], dict[str, Any]] = {}
        status, data = run_json(["time", *option_words(target=target, device=device)], Inputs([file.path], [file]))
        raise_if_unread(status, data)
        for module in data.get("time", []):
            for transfer in module.get("transfers", []):
                times[transfer["computation"], transfer["instruction"], transfer["line"]] = transfer
        for module in file.modules:
            for found in module.collectives():
                if kind is not None and found["kind"] != kind:
                    continue
                i = found.pop("timed_as")
                known = times.get((i.computation.name, i.name, i.line), {})
                out.append(Collective(**found, overlap=known.get("class"), work_bytes=known.get("work_bytes"),
                                      work_us=known.get("work_us"), exposed_us=known.get("exposed_us"),
                                      runs=known.get("runs", 1)))
    return out
