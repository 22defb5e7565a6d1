"""Reads the text dumps of the XLA compiler and lints them.

    import hlolint
    hlolint.assert_clean(jax.jit(step).lower(x).compile())

These functions take the path of a file or folder, HLO text (str with line breaks, or bytes), a ParsedFile, anything
with `as_text()` such as a compiled object of JAX, or a list of these. JAX is not needed. What JAX has only traced or lowered
is compiled for its dumps; `compile` does that for a device that is not there.
"""
from ._hlolint import (Computation, Instruction, Instructions, Module, ParsedFile, Shape, __version__)
from .advice import Advice, Confirmed, advise
from .changes import Diff, diff
from .assertions import assert_clean
from .collectives import Collective, collectives
from .compilation import Compilation, compile, devices
from .errors import CompileError, Error, ParseError, UsageError
from .findings import Finding, Page, Report, explain, lint, rules, verify
from .inputs import parse
from .program_tests import compiled
from .own_rules import Check, Rule, check, rule
from .memory import Group, Memory, memories, memory
from .profile import MeasuredModule, Profile, profile
from .queries import Match, query
from .time import Time, time, times

__all__ = [
    "Advice", "Check", "Collective", "Compilation", "CompileError", "Computation", "Confirmed", "Diff", "Error", "Finding",
    "Group", "Instruction", "Instructions", "Match", "MeasuredModule", "Memory", "Module", "Page", "ParseError",
    "ParsedFile", "Profile", "Report", "Rule", "Shape", "Time", "UsageError", "__version__", "advise", "assert_clean",
    "check", "collectives", "compile", "compiled", "devices", "diff", "explain", "lint", "memories", "memory", "parse",
    "profile", "query", "rule", "rules", "time", "times", "verify",
]
