"""Linting with the command's settings as keyword arguments; findings as Python values."""
from __future__ import annotations

import html
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Union

from . import _hlolint
from .errors import ParseError, UsageError
from .inputs import Inputs, inputs_of
from .own_rules import Check, Rule

Words = Union[str, Sequence[str], None]


def _list(words: Words) -> list[str]:
    return [] if words is None else [words] if isinstance(words, str) else list(words)


def option_words(*, select: Words = None, extend_select: Words = None, ignore: Words = None,
                 levels: Optional[Mapping[str, str]] = None, options: Optional[Mapping[str, Any]] = None,
                 config: Union[str, os.PathLike, bool, None] = None, baseline: Union[str, os.PathLike, None] = None,
                 update_baseline: bool = False, target: Optional[str] = None, device: Optional[str] = None,
                 fail_on: Optional[str] = None, jobs: int = 1) -> list[str]:
    """These settings as arguments of the command."""
    words = []
    for name, value in [("select", select), ("extend-select", extend_select), ("ignore", ignore)]:
        words += [f"--{name}={word}" for word in _list(value)]
    words += [f"--level={rule}={level}" for rule, level in (levels or {}).items()]
    for name, value in (options or {}).items():
        words.append(f"--set={name}={str(value).lower() if isinstance(value, bool) else value}")
    if config is False:
        words.append("--isolated")
    elif config is not None and config is not True:
        words.append(f"--config={os.fspath(config)}")
    if baseline is not None:
        words.append(f"--baseline={os.fspath(baseline)}")
    if update_baseline:
        words.append("--update-baseline")
    for name, value in [("target", target), ("device", device), ("fail-on", fail_on)]:
        if value is not None:
            words.append(f"--{name}={value}")
    return words + ([f"--jobs={jobs}"] if jobs != 1 else [])


def run(words: list[str], inputs: Inputs) -> tuple[int, str]:
    """Runs the command. Raises UsageError if it fails without output."""
    status, output, errors = _hlolint.run_command([*words, "--", *inputs.paths], inputs.at_hand,
                                                  [one.to_dict() for one in inputs.rules])
    if status == 2 and not output:
        raise UsageError(errors.strip() or "the command failed")
    return status, output


def run_json(words: list[str], inputs: Inputs) -> tuple[int, dict[str, Any]]:
    status, output = run([*words, "--format=json"], inputs)
    return status, json.loads(output)


@dataclass(frozen=True)
class Finding:
    """One finding. `line` and `column` start at 1, in bytes. `bytes` is the size that is wasted or in conflict."""

    rule: str
    name: str
    level: str
    message: str
    path: str
    line: int
    column: int
    module: str = ""
    computation: str = ""
    instruction: str = ""
    source_file: str = ""
    source_line: int = 0  #: 0 = unknown
    bytes: Optional[int] = None
    impact: Optional[float] = None  #: cost over a whole step, in `impact_unit`
    impact_unit: str = ""  #: "resident_bytes", "moved_bytes" or "seconds"
    fingerprint: str = ""
    dismissed: Optional[str] = None  #: "baseline" or "suppression"
    data: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Finding":
        source, impact = data.get("source", {}), data.get("impact", {})
        plain = {name: data[name] for name in ("rule", "level", "message", "path", "line", "column")}
        for name in ("name", "module", "computation", "instruction", "fingerprint"):
            plain[name] = data.get(name, "")
        return cls(**plain, source_file=source.get("file", ""), source_line=source.get("line", 0),
                   bytes=data.get("bytes"), impact=impact.get("amount"), impact_unit=impact.get("unit", ""),
                   dismissed=data.get("dismissed", {}).get("by"), data=data)

    @property
    def related(self) -> list[dict[str, Any]]:
        """The other places of the finding: dictionaries with path, line, column, instruction, message."""
        return list(self.data.get("related", []))

    def to_dict(self) -> dict[str, Any]:
        """The finding as in the command's JSON."""
        return json.loads(json.dumps(self.data))

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.level}: {self.message} [{self.rule} {self.name}]"

    def _repr_html_(self) -> str:
        return _table([self])


def _table(findings: Sequence[Finding]) -> str:
    left = "style='text-align:left'"
    rows = []
    for f in findings:
        source = f"{f.source_file}:{f.source_line}" if f.source_line else f.source_file
        cells = [f.level, f"{f.rule} {f.name}", f.message, f.instruction, source or f"{f.path}:{f.line}"]
        rows.append("<tr>" + "".join(f"<td {left}>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th {left}>{name}</th>" for name in ("level", "rule", "finding", "instruction", "where"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


class Page(str):
    """An HTML page, which a notebook shows in a frame."""

    def _repr_html_(self) -> str:
        return (f'<iframe style="width:100%;height:40em;border:0" sandbox="allow-scripts" '
                f'srcdoc="{html.escape(self, quote=True)}"></iframe>')


def _rank(f: Finding) -> tuple[int, int, float]:
    """Sort key: errors, warnings, notes; in each level costs in time, in bytes moved, in memory; largest first."""
    units = ("seconds", "moved_bytes", "resident_bytes")
    unit = units.index(f.impact_unit) if f.impact_unit in units else len(units)
    return ("error", "warning", "note").index(f.level), unit, -(f.impact or 0)


class Report(Sequence):
    """The result of a run: a sequence of the findings that count, the worst of each level first.

    `dismissed` lists the findings that suppressions or the baseline cover.
    """

    def __init__(self, status: int, data: dict[str, Any], words: list[str], inputs: Inputs):
        found = sorted((Finding.from_dict(one) for one in data["diagnostics"]), key=_rank)
        self.findings = [f for f in found if f.dismissed is None]
        self.dismissed = [f for f in found if f.dismissed is not None]
        #: Rule, module and reason of each check that did not run for lack of input.
        self.skipped: list[dict[str, str]] = data["skipped"]
        self.inputs: list[dict[str, Any]] = data["inputs"]
        self.summary: dict[str, int] = data["summary"]
        self.exit_status = status  #: 0, 1: findings at the level of fail_on or above, 2: an input could not be read
        self._data, self._words, self._inputs = data, words, inputs

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, i: Any) -> Any:
        return self.findings[i]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def ok(self) -> bool:
        """Whether no finding is at the level of `fail_on` (default: warning) or above, and all inputs could be read."""
        return self.exit_status == 0

    def to_dict(self) -> dict[str, Any]:
        """The report as in the command's JSON (examples/hlolint/schema.json)."""
        return json.loads(json.dumps(self._data))

    def format(self, name: str = "text") -> str:
        """The report in a format of the command, such as 'sarif' or 'markdown'."""
        return run([*self._words, f"--format={name}"], self._inputs)[1]

    def html(self) -> Page:
        """The command's HTML report, which a notebook displays."""
        return Page(self.format("html"))

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"<Report: {len(self.findings)} findings, {len(self.dismissed)} dismissed>"

    def _repr_html_(self) -> str:
        if not self.findings:
            return "<p>no findings</p>"
        return _table(self.findings)


def lint(what: Any, *, select: Words = None, extend_select: Words = None, ignore: Words = None,
         levels: Optional[Mapping[str, str]] = None, options: Optional[Mapping[str, Any]] = None,
         config: Union[str, os.PathLike, bool, None] = None, baseline: Union[str, os.PathLike, None] = None,
         update_baseline: bool = False, target: Optional[str] = None, device: Optional[str] = None,
         fail_on: Optional[str] = None, jobs: int = 1, rules: Sequence[Union[Rule, Check]] = ()) -> Report:
    """Lints texts, files or folders with the settings of the command.

    select, extend_select, ignore: ids or names of rules, or beginnings of ids.
    levels: {"PAD001": "error"}. options: {"PAD001.min-waste": "64MiB"}.
    config: path of a configuration; None: the nearest .hlolint.toml, False: none.
    baseline: a file whose findings are dismissed; with update_baseline it is written instead.
    target: "cpu", "gpu" or "tpu". device: "h100-sxm", ... or a TOML file. jobs: modules at the same time, 0: all cores.
    rules: rules of your own, made with `rule` and `check`. The settings above apply to them, too.
    """
    inputs = inputs_of(what)
    inputs.rules = list(rules)
    for one in inputs.rules:
        if not isinstance(one, (Rule, Check)):
            raise UsageError(f"rules= takes rules of your own, made with rule() or check(), not {one!r}; rules of hlolint "
                             "are chosen with select=")
    if hasattr(what, "linted"):  # a Compilation
        what.linted = True
    words = option_words(select=select, extend_select=extend_select, ignore=ignore, levels=levels, options=options,
                         config=config, baseline=baseline, target=target, device=device, fail_on=fail_on, jobs=jobs)
    status, data = run_json(words + (["--update-baseline"] if update_baseline else []), inputs)
    return Report(status, data, words, inputs)


def verify(what: Any, *, target: Optional[str] = None) -> list[dict[str, Any]]:
    """Computes sizes, schedule, values and live ranges from the HLO and compares them with those in the dump.

    Returns a dictionary for each module with HLO and a buffer dump, as in `hlolint memory --verify --format json`.
    """
    status, data = run_json(["memory", "--verify", *option_words(target=target)], inputs_of(what))
    raise_if_unread(status, data)
    return data["verified"]


def rules() -> list[dict[str, Any]]:
    """All rules as dictionaries with id, name, level, what, why, advice, options, ..."""
    _, output, _ = _hlolint.run_command(["rules", "--format=json"], [])
    return json.loads(output)["rules"]


def explain(rule: str) -> str:
    """Explains a rule, given by id or name."""
    status, output, errors = _hlolint.run_command(["explain", "--", rule], [])
    if status:
        raise UsageError(errors.strip())
    return output


def problems_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The reading errors of a run."""
    return [d for d in data["diagnostics"] if d["rule"].startswith("SYN")]


def raise_if_unread(status: int, data: dict[str, Any]) -> None:
    if status == 2 and problems_of(data):
        raise ParseError(problems_of(data))
