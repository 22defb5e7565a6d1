"""Comparing two compilations of a program."""
from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Optional, Union

from . import _hlolint
from .errors import UsageError
from .findings import option_words, raise_if_unread
from .inputs import Inputs, inputs_of


class Diff:
    """The changes. `is_worse`: something is worse by more than the tolerance, or there is a new finding at the level of
    `fail_on` or above."""

    def __init__(self, status: int, data: dict[str, Any], text: str):
        self.is_worse = status == 1
        self.exit_status = status
        self._data, self._text = data, text

    def to_dict(self) -> dict[str, Any]:
        """The object `diff` of `hlolint diff --format json`."""
        return json.loads(json.dumps(self._data["diff"]))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Diff: {'worse' if self.is_worse else 'not worse'}>"


def _one_path(inputs: Inputs, side: str, folder: Path) -> Inputs:
    """The inputs as one file or folder; texts are written to files."""
    if len(inputs.paths) == 1 and not inputs.at_hand:
        return inputs
    if len(inputs.paths) > len(inputs.at_hand):
        raise UsageError("diff takes one path or any number of texts on each side")
    place = folder / side
    place.mkdir()
    for i, file in enumerate(inputs.at_hand):
        name = file.modules[0].name if file.modules else "text"
        (place / f"module_{i:04}.{name}.after_optimizations.txt").write_bytes(file.text)
    return Inputs([str(place)])


def diff(old: Any, new: Any, *, tolerance: Union[str, list[str], None] = None, config: Any = None,
         target: Optional[str] = None, **settings: Any) -> Diff:
    """Compares two compilations; each is a path, texts, or objects with `as_text()`.

    tolerance: how much sizes may change, such as "1%" or "16MiB". The other settings are those of `lint`.
    """
    with tempfile.TemporaryDirectory(prefix="hlolint_") as name:
        before = _one_path(inputs_of(old), "old", Path(name))
        after = _one_path(inputs_of(new), "new", Path(name))
        words = ["diff", *option_words(config=config, target=target, **settings)]
        for one in [tolerance] if isinstance(tolerance, str) else tolerance or []:
            words.append(f"--tolerance={one}")
        paths = ["--", *before.paths, *after.paths]
        status, output, errors = _hlolint.run_command([*words, "--format=json", *paths], [])
        if status == 2 and not output:
            raise UsageError(errors.strip())
        data = json.loads(output)
        raise_if_unread(status, data)
        text = _hlolint.run_command([*words, *paths], [])[1]
    return Diff(status, data, text)
