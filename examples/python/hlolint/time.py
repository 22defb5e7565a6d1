"""Where the time of one step of a module goes, by its schedule."""
from __future__ import annotations

import json
from typing import Any, Optional

from .findings import option_words, raise_if_unread, run, run_json
from .inputs import Inputs, inputs_of, of_name
from .memory import memories


class Time:
    """The estimated time of one step of one module.

    Times are None if no device is known (see `device`) or there is no schedule (see `missing`).
    """

    def __init__(self, data: dict[str, Any], words: list[str], inputs: Inputs):
        self._data, self._words, self._inputs = data, words, inputs
        self.module: str = data.get("module", "")
        self.path: str = data["path"]
        self.missing: str = data.get("missing", "")
        self.device: str = data.get("device", "")  #: the device of the times; `assumptions` tells if it is a guess
        self.step_ms: Optional[float] = data.get("step_ms")
        self.compute_ms: Optional[float] = data.get("compute_ms")
        self.exposed_ms: Optional[float] = data.get("exposed_ms")  #: waiting for transfers
        self.other_streams_ms: Optional[float] = data.get("other_streams_ms")  #: waiting for computations of other streams
        self.unknown_calls: int = data.get("unknown_calls", 0)  #: of these, `step_ms` counts only memory traffic
        self.assumptions: list[str] = list(data.get("assumptions", []))

    @property
    def transfers(self) -> list[dict[str, Any]]:
        """Transfers, the most exposed first: instruction, kind, runs, transfer_us, exposed_us, total_ms, class, ..."""
        return list(self._data.get("transfers", []))

    @property
    def work(self) -> list[dict[str, Any]]:
        """Work by place in the program and kind, most time first: program, kind, bound, total_ms, share, runs, ..."""
        return list(self._data.get("work", []))

    def to_dict(self) -> dict[str, Any]:
        """The module as in `hlolint time --format json`."""
        return json.loads(json.dumps(self._data))

    def __str__(self) -> str:
        """The output of `hlolint time` for the modules of this name."""
        return run([*self._words, f"--module={self.module}"], self._inputs)[1]

    def __repr__(self) -> str:
        step = "no time" if self.step_ms is None else f"{self.step_ms:.4g} ms on {self.device}"
        return f"<Time of {self.module}: {step}>"


def times(what: Any, *, target: Optional[str] = None, device: Optional[str] = None) -> list[Time]:
    """The time of each module. `device`: "h100-sxm", ... or a TOML file; None: the device is taken from the dump."""
    inputs = inputs_of(what)
    words = ["time", *option_words(target=target, device=device)]
    status, data = run_json(words, inputs)
    raise_if_unread(status, data)
    return [Time(one, words, inputs) for one in data["time"]]


def time(what: Any, *, module: Optional[str] = None, target: Optional[str] = None,
         device: Optional[str] = None) -> Time:
    """The time of the module that takes longest, as JAX compiles small ones beside it, or of the one of this name, such as
    "train_step" or "jit_train_step"; use `times` for all."""
    found = times(what, target=target, device=device)
    chosen = of_name(found, module)
    if all(one.step_ms is None for one in chosen):  # no device, so no times: what needs most memory instead
        most = max(of_name(memories(what, target=target), module), key=lambda one: one.total).module
        chosen = [one for one in chosen if one.module == most] or chosen
    return max(chosen, key=lambda one: one.step_ms or 0)
