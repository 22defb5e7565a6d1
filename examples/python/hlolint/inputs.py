"""Conversion of Python objects to dumps."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator, Optional

from . import _hlolint
from ._hlolint import ParsedFile
from .errors import ParseError, UsageError

_MAX_SIZE = 1 << 30  # bytes of text, as the command's default
_LARGE = 1 << 25  # protobuf messages of this many bytes are not converted to text


def _large_message_of(thing: Any) -> Optional[bytes]:
    """The protobuf message of a compiled object of JAX, if it is large, since making its text would take long."""
    if not hasattr(thing, "runtime_executable"):
        return None
    try:
        modules = thing.runtime_executable().hlo_modules()
        if len(modules) != 1:
            return None
        message = modules[0].as_serialized_hlo_module_proto()
    except Exception:  # not every runtime gives its modules; use the text then
        return None
    return bytes(message) if len(message) >= _LARGE else None


def _text_of(thing: Any) -> Optional[bytes]:
    """A text itself, or the text form of an object; None if it has none."""
    if isinstance(thing, (bytes, bytearray, memoryview)):
        return bytes(thing)
    if isinstance(thing, str):
        return thing.encode("utf-8", "surrogateescape") if "\n" in thing else None
    if hasattr(thing, "as_serialized_hlo_module_proto"):  # an HLO module of JAX or XLA: smaller than its text
        return bytes(thing.as_serialized_hlo_module_proto())
    if not hasattr(thing, "as_text"):
        return None
    message = _large_message_of(thing)
    if message is not None:
        return message
    text = thing.as_text()
    if isinstance(text, str) and text.lstrip().startswith(("module", "#loc")):
        text = thing.as_text(dialect="hlo")  # by default, a lowered object of JAX prints StableHLO
    if isinstance(text, (list, tuple)):
        text = "\n\n".join(text)
    if text is None:
        raise UsageError(f"as_text() of {type(thing).__name__} gives no text")
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def is_uncompiled(what: Any) -> bool:
    """Whether JAX traced or lowered this and has not compiled it: the compiler's dumps have buffers and live ranges."""
    return hasattr(what, "compile") and hasattr(what, "compiler_ir") or hasattr(what, "lower") and hasattr(what, "jaxpr")


def _name_of(text: bytes) -> str:
    """The name that serves as path of a text: `<jit_step>`."""
    head = text.lstrip()[:512]
    name = head[len(b"HloModule "):].split(b",")[0].split() if head.startswith(b"HloModule ") else []
    return f"<{name[0].decode('utf-8', 'replace')}>" if name else "<text>"


def parse(what: Any, *, path: Optional[str] = None, strict: bool = True) -> ParsedFile:
    """Parses a text (str with line breaks, bytes, anything with `as_text()`), the bytes of a protobuf message, anything
    with `as_serialized_hlo_module_proto()`, or a file, which may be compressed.

    `path` is the name of a text in messages. With `strict`, raises ParseError unless the input could be read
    completely; otherwise the errors are in `problems` of the returned file.
    """
    if isinstance(what, ParsedFile):
        return what
    text = _text_of(what)
    if text is not None:
        parsed = _hlolint.parse_text(text, path or _name_of(text))
    elif isinstance(what, (str, os.PathLike)):
        file = os.fspath(what)
        if not os.path.exists(file):
            raise FileNotFoundError(f"there is no file {file!r} (a text has line breaks)")
        parsed = _hlolint.parse_file(os.fsdecode(file), _MAX_SIZE)
    else:
        raise TypeError(f"{type(what).__name__} is neither a path nor a text, and has no as_text()")
    if strict and parsed.status != "ok":
        raise ParseError(parsed.problems, parsed)
    return parsed


@dataclass
class Inputs:
    """Dumps for the command: paths, some of which stand for parsed files in `at_hand`."""

    paths: list[str] = field(default_factory=list)
    at_hand: list[ParsedFile] = field(default_factory=list)
    rules: list[Any] = field(default_factory=list)  #: rules of the calling program, see own_rules.py
    keeps: list[Any] = field(default_factory=list)  #: compilations, whose folders last as long as they do

    def add(self, what: Any) -> None:
        """Adds one input, or each of a list."""
        if is_uncompiled(what):
            from .compilation import compile
            what = compile(what)
        single = isinstance(what, (str, bytes, bytearray, memoryview, os.PathLike, ParsedFile))
        is_module = hasattr(what, "as_text") or hasattr(what, "as_serialized_hlo_module_proto")
        if not single and not is_module and isinstance(what, Iterable):
            for one in what:
                self.add(one)
            return
        if isinstance(what, (str, os.PathLike)) and _text_of(what) is None:
            path = os.fsdecode(os.fspath(what))
            if not os.path.exists(path):
                raise FileNotFoundError(f"there is no file or folder {path!r} (a text has line breaks)")
            self.paths.append(path)
            self.keeps.append(what)
            return
        if isinstance(what, ParsedFile):
            if any(what is one for one in self.at_hand):
                return
            if what.path in self.paths:
                raise UsageError(f"two dumps are called {what.path}; name them with parse(..., path=...)")
            parsed = what
        else:
            text = _text_of(what)
            if text is None:
                hint = "; a function is lowered with its arguments: f.lower(...)" if callable(what) else ""
                raise TypeError(f"{type(what).__name__} is neither a path nor a text, and has no as_text(){hint}")
            name = first = _name_of(text)
            count = 1
            while name in self.paths:
                count += 1
                name = f"{first[:-1]}#{count}>"
            parsed = _hlolint.parse_text(text, name)
        self.paths.append(parsed.path)
        self.at_hand.append(parsed)

    def parsed(self) -> Iterator[ParsedFile]:
        """Parses all HLO among the inputs."""
        by_path = {file.path: file for file in self.at_hand}
        for path in self.paths:
            if path in by_path:
                yield by_path[path]
            elif not os.path.isdir(path):
                yield parse(path)
            else:
                from .findings import raise_if_unread, run_json
                status, data = run_json(["parse"], Inputs([path]))
                raise_if_unread(status, data)
                for file in data["inputs"]:
                    if file["kind"] in ("hlo", "hlo-proto", "hlo-snapshot"):
                        yield parse(file["path"])


def of_name(found: list[Any], module: Optional[str]) -> list[Any]:
    """Those of the modules that have this name, with or without JAX's `jit_` before it; all of them for None."""
    chosen = [one for one in found if module is None or one.module in (module, f"jit_{module}")]
    if not chosen:
        names = ", ".join(sorted({one.module for one in found}))
        raise UsageError(f"there is no module {module!r}; there are: {names}" if found else "there is no module")
    return chosen


def one_input(inputs: Inputs, path: str) -> Inputs:
    """Only the input of this path, if it can be read alone; what an archive holds cannot."""
    if path not in inputs.paths and not os.path.exists(path):
        return inputs
    return Inputs([path], [file for file in inputs.at_hand if file.path == path], inputs.rules, inputs.keeps)


def listed_modules(entries: list[dict[str, Any]], data: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """The entries of a report with their numbers, without logs that ran out of memory unless there is nothing else: they
    are beside the dumps of what does not fit."""
    logs = {one["path"] for one in data["inputs"] if one.get("kind") == "oom-report"}
    numbered = list(enumerate(entries))
    return [(i, one) for i, one in numbered if one["path"] not in logs] or numbered


def inputs_of(what: Any) -> Inputs:
    out = Inputs()
    out.add(what)
    if not out.paths:
        raise UsageError("there is nothing to read: an empty list")
    return out
