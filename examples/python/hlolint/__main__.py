"""`python -m hlolint`: the command, and `python -m hlolint compile MODULE:FUNCTION`."""
from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import traceback
from pathlib import Path

from . import _hlolint
from .errors import Error
from .program_tests import compile_program

_DESCRIPTION = """Compiles a program for a device that need not be there, and runs the command on its dumps.
FUNCTION returns a function of JAX, jitted or not, and its arguments, such as jax.ShapeDtypeStructs; a parameter of it,
`devices`, gets the devices of the topology. All other options, and a subcommand such as `memory` or `time`, are those of hlolint."""


def _value(text: str) -> object:
    return {"true": True, "false": False}.get(text.lower(), int(text) if text.lstrip("-").isdigit() else text)


def _compile(words: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m hlolint compile", description=_DESCRIPTION, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="MODULE:FUNCTION")
    parser.add_argument("--topology", metavar="NAME", help="v5e:2x2, v5p:2x2x1, v6e:4x4, 7x:2x2x1, cpu:8, cuda:1x1x8; "
                        "default: the devices that JAX finds here")
    parser.add_argument("--dumps", metavar="FOLDER", help="keep the dumps here; default: they are deleted")
    parser.add_argument("--xla", metavar="FLAG=VALUE", action="append", default=[], help="a flag of the compiler")
    parser.add_argument("--target-config", metavar="FILE", help="the GPU of cuda:..., XLA's GpuTargetConfigProto")
    known, rest = parser.parse_known_args(words)
    module, _, name = known.program.partition(":")
    if not module or not name:
        parser.error(f"MODULE:FUNCTION comes before the options of hlolint, and {known.program!r} is none")
    try:
        sys.path.insert(0, os.getcwd())
        program = importlib.import_module(module)
        for part in name.split("."):
            program = getattr(program, part)
    except (ImportError, AttributeError) as error:
        parser.error(f"{known.program}: {error}")
    if not callable(program):
        parser.error(f"{known.program} is no function, but {type(program).__name__}")
    options = {flag: _value(value) for flag, _, value in (one.partition("=") for one in known.xla)}
    with tempfile.TemporaryDirectory(prefix="hlolint_") as temporary:
        result = compile_program(program, known.topology, options=options, target_config=known.target_config,
                                 folder=known.dumps or Path(temporary) / name)
        dumps = known.dumps or os.fspath(result)
        # `show` takes the name of what to show last.
        status, output = _run(["show", dumps, *rest[1:]] if rest[:1] == ["show"] else [*rest, dumps])
        if result.compiled is None and "BUD008" not in output:  # the finding that reports it
            print(f"hlolint: the program does not fit: {result.error.splitlines()[0]}", file=sys.stderr)
            return status if status or "--exit-zero" in rest else 1
        if status == 1 and not known.dumps:
            print("hlolint: the dumps are deleted now; --dumps FOLDER keeps them", file=sys.stderr)
        return status


def _run(words: list[str]) -> tuple[int, str]:
    status, output, errors = _hlolint.run_command(words, [])
    sys.stdout.write(output)
    sys.stdout.flush()
    sys.stderr.write(errors)
    return status, output


def main() -> int:
    try:
        if sys.argv[1:2] == ["compile"]:
            return _compile(sys.argv[2:])
        return _run(sys.argv[1:])[0]
    except Error as error:
        print(f"hlolint: {error}", file=sys.stderr)
        return 2
    except Exception:  # of the program: 1 would be a finding
        traceback.print_exc()
        return 2


if __name__ == "__main__":
    sys.exit(main())
