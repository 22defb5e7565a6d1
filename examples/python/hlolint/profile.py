"""Measured profiles: run `jax.profiler.trace(folder)`, then `hlolint.profile(folder)`."""
from __future__ import annotations

import json
import statistics
from typing import Any, Optional

from .errors import UsageError
from .findings import option_words, raise_if_unread, run, run_json
from .inputs import Inputs, inputs_of


class MeasuredModule:
    """The measured times of one module on one device, in microseconds. Times of one run are means."""

    def __init__(self, data: dict[str, Any]):
        self._data = data
        self.module: str = data["module"]
        self.device: str = data["device"]
        self.path: str = data["path"]  #: path of the profile
        self.program_id: str = data.get("program_id", "")  #: empty if the profile does not give it
        self.runs: int = data["runs"]
        self.median_us: float = data["median_us"]  #: median time of a run
        self.estimate_us: Optional[float] = data.get("estimate_us")  #: estimate for a run, if its program is known
        each = 1 / max(self.runs, 1)
        self.idle_us: float = data["idle_us"] * each
        self.exposed_us: float = sum(c["exposed_us"] for c in data["collectives"]) * each  #: collectives alone

    @property
    def collectives(self) -> list[dict[str, Any]]:
        """Sums over all runs by kind of collective: kind, count, total_us, exposed_us."""
        return list(self._data["collectives"])

    @property
    def operations(self) -> list[dict[str, Any]]:
        """Sums over all runs, most time first: instruction, count, total_us and, with its program, estimate_us."""
        return list(self._data["operations"])

    def to_dict(self) -> dict[str, Any]:
        """The module as in the member `measured` of `hlolint time --format json`."""
        return json.loads(json.dumps(self._data))

    def __repr__(self) -> str:
        return f"<{self.module} on {self.device}: {self.median_us:.6g} us, {self.runs} runs>"


class Profile:
    """All runs on devices. `modules` has an entry for each module on each device, most time first."""

    def __init__(self, data: dict[str, Any], words: list[str], inputs: Inputs):
        self._words, self._inputs = words, inputs
        self.modules = [MeasuredModule(one) for one in data.get("measured", [])]

    def of(self, module: str) -> list[MeasuredModule]:
        """The entries of one module, one for each device."""
        return [m for m in self.modules if m.module == module]

    @property
    def step_us(self) -> float:
        """The median run of the module with the most time, on the device where it takes longest; 0 if nothing ran."""
        return max((m.median_us for m in self.of(self.modules[0].module)), default=0) if self.modules else 0

    @property
    def exposed_us(self) -> float:
        """Time of collectives that nothing hid in a run of the module with the most time: the median of its devices."""
        return statistics.median(m.exposed_us for m in self.of(self.modules[0].module)) if self.modules else 0

    def assert_exposed(self, most_us: float) -> None:
        """Raises AssertionError if `exposed_us` is more than this."""
        __tracebackhide__ = True
        if self.exposed_us > most_us:
            raise AssertionError(f"{self.exposed_us:.6g} us of collectives are exposed in a step of {self.step_us:.6g} us; "
                                 f"{most_us:.6g} us are allowed\n{self}")

    def __str__(self) -> str:
        """The output of `hlolint time`."""
        return run(self._words, self._inputs)[1]

    def __repr__(self) -> str:
        return f"<Profile of {len(self.modules)} modules>"


def profile(what: Any, *, dumps: Any = None, device: Optional[str] = None) -> Profile:
    """Reads a profile: the folder of a trace, an .xplane.pb or a .trace.json.gz. `dumps`: dumps of its
    programs, if the profile does not hold them. Raises ParseError if it cannot be read."""
    inputs = inputs_of(what)
    words = ["time", *option_words(device=device)]
    if dumps is not None:
        if inputs.at_hand:
            raise UsageError("a profile is a path")
        words += [f"--profile={path}" for path in inputs.paths]
        inputs = inputs_of(dumps)
    status, data = run_json(words, inputs)
    raise_if_unread(status, data)
    if "measured" not in data:
        raise UsageError("this is no profile, and there is none in it")
    return Profile(data, words, inputs)
