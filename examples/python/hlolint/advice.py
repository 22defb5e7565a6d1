"""What would save memory or time, and what compiling again gives."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Optional

from .compilation import Compilation, compile
from .errors import UsageError
from .findings import option_words, raise_if_unread, run, run_json
from .inputs import Inputs, inputs_of, is_uncompiled, of_name
from .memory import memory


@dataclass(frozen=True)
class Confirmed:
    """What the compiler gives when arguments are donated: needs in bytes, promised by `advise` and as compiled."""

    donated: list[str]  #: the arguments, such as "params['w']"
    before_bytes: int
    promised_bytes: int
    after_bytes: int
    compilation: Compilation = field(repr=False)

    def __str__(self) -> str:
        return (f"donating {', '.join(self.donated)}: {self.before_bytes} bytes to {self.after_bytes} as compiled, "
                f"{self.promised_bytes} promised")


class Advice:
    """The advice for one module. Sizes are in bytes."""

    def __init__(self, data: dict[str, Any], words: list[str], inputs: Inputs):
        self._data, self._words, self._inputs = data, words, inputs
        self.module: str = data.get("module", "")
        self.path: str = data["path"]
        self.need: int = data.get("need_bytes", 0)        #: what the module needs now
        self.after: int = data.get("after_bytes", 0)      #: what it needs after the edits of its schedule
        self.confirmed: Optional[Confirmed] = None        #: with `confirm=True`, if there is a donation

    @property
    def edits(self) -> list[dict[str, Any]]:
        """Edits of the schedule that pay."""
        return list(self._data.get("edits", []))

    @property
    def donation(self) -> Optional[dict[str, Any]]:
        """The arguments to give away: arguments, saves_bytes, after_bytes, how, and certainty, which is "confirmed" if
        compiling again gave what was promised, to within 2 %. None if there are none."""
        return self._data.get("donation")

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Changes of the program: kind ("layout", "narrow" or "split"), instruction, saves_bytes, how, ..."""
        return list(self._data.get("proposals", {}).get("changes", []))

    def to_dict(self) -> dict[str, Any]:
        """The module as in `hlolint advise --format json`."""
        return json.loads(json.dumps(self._data))

    def __str__(self) -> str:
        """The output of `hlolint advise`, and what was confirmed."""
        text = run(self._words, self._inputs)[1]
        return f"{text}\nconfirmed  {self.confirmed}\n" if self.confirmed else text

    def __repr__(self) -> str:
        return f"<Advice for {self.module}: {self.need} bytes, {len(self.edits)} edits, {len(self.changes)} changes>"


def advise(what: Any, *, module: Optional[str] = None, confirm: bool = False, target: Optional[str] = None,
           device: Optional[str] = None) -> Advice:
    """What would save memory in the module that needs most, or in the one of this name.

    confirm: compiles the program again with the arguments that the advice donates; for what `hlolint.compile` returned.
    """
    if is_uncompiled(what):
        what = compile(what)
    inputs = inputs_of(what)
    words = ["advise", *option_words(target=target, device=device)]
    status, data = run_json(words, inputs)
    raise_if_unread(status, data)
    found = [Advice(one, words, inputs) for one in data["advice"]]
    advice = max(of_name(found, module), key=lambda one: one.need)
    if confirm and advice.donation:
        if not isinstance(what, Compilation) or what.recompile is None:
            raise UsageError("only what hlolint.compile made of a function and its arguments can be compiled again")
        names = [one["source"] for one in advice.donation["arguments"]]
        again = what.recompile(names)
        promised = advice.need - advice.donation["saves_bytes"]
        after = memory(again, target=target, device=device).total
        advice.confirmed = Confirmed(names, advice.need, promised, after, again)
        if abs(after - promised) <= 0.02 * advice.donation["saves_bytes"]:
            advice._data["donation"]["certainty"] = "confirmed"
    return advice
