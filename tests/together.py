#!/usr/bin/env python3
"""together.py OUTPUT SOURCE... : writes one translation unit that holds these sources, each in a namespace of its own, so
that equal names in two of them do not clash; NAME.cpp beside a NAME.hpp in none, since it defines what the header declares.
The headers come first, outside of all namespaces; each has #pragma once, so the includes in the sources add nothing more."""
import pathlib
import re
import sys

output, sources = pathlib.Path(sys.argv[1]), [pathlib.Path(source) for source in sys.argv[2:]]
includes, bodies = [], []
for number, source in enumerate(sources, 1):
    for line in re.findall(r"^#include .*", source.read_text(encoding="utf-8"), re.M):
        named = re.match(r'#include "(.*)"', line)
        beside = source.parent / named[1] if named else None
        includes.append(f'#include "{beside.as_posix()}"' if beside and beside.exists() else line)
    body = f'#include "{source.as_posix()}"'
    bodies.append(body if source.with_suffix(".hpp").exists() else f"namespace file_{number} {{\n{body}\n}}")
output.parent.mkdir(parents=True, exist_ok=True)
output.write_text("\n".join(includes + bodies) + "\n", encoding="utf-8")
