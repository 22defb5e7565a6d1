"""What would save memory or time, and what compiling again gives."""
from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Optional

from .compilation import Compilation, compile
from .errors import CompileError, UsageError
from .findings import option_words, raise_if_unread, run, run_json
from .inputs import Inputs, inputs_of, is_uncompiled, of_name, parse
from .layouts import NotPlaced, placed
from .memory import memory


@dataclass(frozen=True)
class Confirmed:
    """What the compiler gives when arguments are donated, or when what a line of the program makes gets a layout: needs
    in bytes, promised by `advise` and as compiled."""

    donated: list[str]  #: the arguments, such as "params['w']"; none for a layout
    before_bytes: int
    promised_bytes: int
    after_bytes: Optional[int] = None  #: None if there is a problem
    compilation: Optional[Compilation] = field(default=None, repr=False)
    layout: str = ""  #: the shape with the layout; empty for a donation
    source: str = ""  #: file:line of the program; may be empty
    instructions: list[str] = field(default_factory=list)  #: the values in the HLO that the advice names
    problem: str = ""  #: why it could not be compiled again and measured

    @property
    def holds(self) -> bool:
        """Whether the compiler saves at least what was promised, to within 2 %."""
        promised = self.before_bytes - self.promised_bytes
        return self.after_bytes is not None and self.before_bytes - self.after_bytes >= 0.98 * promised

    def __str__(self) -> str:
        what = f"donating {', '.join(self.donated)}"
        if self.layout:
            what = f"{self.layout} for {', '.join(self.instructions)}" + (f" ({self.source})" if self.source else "")
        if self.after_bytes is None:
            return f"{what}: {self.problem}"
        return f"{what}: {self.before_bytes} bytes to {self.after_bytes} as compiled, {self.promised_bytes} promised"


class Advice:
    """The advice for one module. Sizes are in bytes."""

    def __init__(self, data: dict[str, Any], words: list[str], inputs: Inputs):
        self._data, self._words, self._inputs = data, words, inputs
        self.module: str = data.get("module", "")
        self.path: str = data["path"]
        self.need: int = data.get("need_bytes", 0)        #: what the module needs now
        self.after: int = data.get("after_bytes", 0)      #: what it needs after the edits of its schedule
        self.confirmed: Optional[Confirmed] = None        #: with `confirm=True`, if there is a donation
        #: With `confirm=True`: what each line of the program with changes of kind "layout" gives, together with those
        #: before it that did not raise the need. The donation and the edits are not made.
        self.confirmed_layouts: list[Confirmed] = []

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
        lines = ""
        for one in ([self.confirmed] if self.confirmed else []) + self.confirmed_layouts:
            word = "confirmed" if one.holds else "unknown" if one.after_bytes is None else "measured"
            lines += f"{word:9}  {one}\n"
        return f"{text}\n{lines}" if lines else text

    def __repr__(self) -> str:
        return f"<Advice for {self.module}: {self.need} bytes, {len(self.edits)} edits, {len(self.changes)} changes>"


def _measured(one: Confirmed, what: Compilation, target: Optional[str], device: Optional[str],
              within: Any = None) -> Confirmed:
    """With what the compiler gives."""
    try:
        again = what.recompile(one.donated, within)
    except (CompileError, NotPlaced) as error:
        return replace(one, problem=str(error))
    if again.compiled is None:
        return replace(one, compilation=again, problem=again.error.splitlines()[0])
    after = memory(again, target=target, device=device).total
    if after == 0:
        return replace(one, compilation=again, problem="the compiler wrote nothing that tells the need")
    return replace(one, compilation=again, after_bytes=after)


def _confirmed_layouts(changes: list[dict[str, Any]], advice: Advice, what: Compilation, target: Optional[str],
                       device: Optional[str]) -> list[Confirmed]:
    """Each line of the program in turn, with the changes before it that did not raise the need. A line promises what its
    changes save without those of other lines: one that saves nothing by itself is needed by the next that saves."""
    lines: dict[tuple[str, str], list[dict[str, Any]]] = {}
    saved: dict[tuple[str, str], int] = {}
    needed: set[tuple[str, str]] = set()
    for change in changes:
        key = change.get("source", ""), change["becomes"]
        lines.setdefault(key, []).append(change)
        saved.setdefault(key, 0)
        if change["saves_bytes"] == 0:
            needed.add(key)
            continue
        if needed <= {key}:
            saved[key] += change["saves_bytes"]
        needed = set()
    if not changes:
        return []
    out: list[Confirmed] = []
    kept: list[dict[str, Any]] = []
    need = advice.need
    hlo = parse(advice.path, strict=False).modules[0]
    for (source, becomes), line in lines.items():
        one = Confirmed([], need, need - saved[source, becomes], layout=becomes, source=source,
                        instructions=[change["instruction"] for change in line])
        out.append(_measured(one, what, target, device, lambda lowered: placed(lowered, hlo, kept + line)))
        if out[-1].after_bytes is not None and out[-1].after_bytes <= need:
            kept, need = kept + line, out[-1].after_bytes
    return out


def advise(what: Any, *, module: Optional[str] = None, confirm: bool = False, target: Optional[str] = None,
           device: Optional[str] = None) -> Advice:
    """What would save memory in the module that needs most, or in the one of this name.

    confirm: compiles the program again, once with the arguments donated that the advice names, and once for each line
    of the program whose values should get another layout; for what `hlolint.compile` returned.
    """
    if is_uncompiled(what):
        what = compile(what)
    if confirm and (not isinstance(what, Compilation) or what.recompile is None):
        raise UsageError("only what hlolint.compile made of a function and its arguments can be compiled again")
    inputs = inputs_of(what)
    words = ["advise", *option_words(target=target, device=device)]
    status, data = run_json(words, inputs)
    raise_if_unread(status, data)
    found = [Advice(one, words, inputs) for one in data["advice"]]
    advice = max(of_name(found, module), key=lambda one: one.need)
    layouts = [one for one in advice.changes if one["kind"] == "layout"]
    if confirm:
        if advice.donation:
            names = [one["source"] for one in advice.donation["arguments"]]
            promised = advice.need - advice.donation["saves_bytes"]
            advice.confirmed = _measured(Confirmed(names, advice.need, promised), what, target, device)
            after = advice.confirmed.after_bytes
            if after is not None and abs(after - promised) <= 0.02 * advice.donation["saves_bytes"]:
                advice._data["donation"]["certainty"] = "confirmed"
        advice.confirmed_layouts = _confirmed_layouts(layouts, advice, what, target, device)
    return advice
