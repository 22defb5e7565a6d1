"""Puts the layouts that advice names into a program that JAX has lowered, for as long as it is compiled again."""
from __future__ import annotations

import contextlib
import re
from typing import Any, Iterator

from ._hlolint import Instruction, Module
from .errors import UsageError


class NotPlaced(UsageError):
    """Explains why a layout cannot be put into a program."""


def _made_by(module: Module, computation: str, name: str) -> Iterator[Instruction]:
    """The instructions that may be the operation of the program whose value is stored: the innermost one, and what it
    only copies or converts."""
    inside = module.computation(computation)
    one = next((i for i in inside.instructions if i.name == name), None) if inside else None
    while one is not None:
        if one.opcode == "fusion":
            one = one.called_computations[0].root
        elif one.opcode == "get-tuple-element" and one.operands[0] and one.operands[0].opcode == "fusion":
            root = one.operands[0].called_computations[0].root
            one = root.operands[one.attributes["index"]] if root else None
        else:
            yield one
            one = one.operands[0] if one.opcode in ("copy", "convert", "bitcast") else None


def _operations(block: Any, functions: dict[str, Any], scope: str = "") -> Iterator[tuple[Any, Any, str, str]]:
    """Each operation of StableHLO in a block, the one behind it, its place, and its name in HLO, which in a function
    begins with that of the call."""
    all_of_it = list(block.operations)
    for one, following in zip(all_of_it, [*all_of_it[1:], None]):
        place = str(one.location)
        name = re.match(r'loc\("((?:[^"\\]|\\.)*)"', place)
        full = "/".join(part for part in (scope, name[1] if name else "") if part)
        yield one.operation, following, place, full
        if one.operation.name in ("func.call", "call"):
            called = functions[one.operation.attributes["callee"].value]
            yield from _operations(called.regions[0].blocks[0], functions, full)
        for region in one.operation.regions:
            for inner in region.blocks:
                yield from _operations(inner, functions, scope)


def _array(type_: Any) -> tuple[str, tuple[int, ...]]:
    """The element type as in HLO, and the sizes, of an array of StableHLO; nothing of another value."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", str(type_))
    if not match:
        return "", ()
    element = {"i1": "pred"}.get(match[2], re.sub(r"^ui(?=\d)", "u", re.sub(r"^i(?=\d)", "s", match[2]))).lower()
    return element, tuple(int(size) for size in match[1].split("x")[:-1])


def _is_part(whole: tuple[int, ...], part: tuple[int, ...], devices: int) -> bool:
    """Whether an array of size `part` can be what one of the devices has of `whole`."""
    count = 1
    for a, b in zip(whole, part):
        if b == 0 or a % b:
            return a == b and len(whole) == len(part)
        count *= a // b
    return len(whole) == len(part) and devices % count == 0


def _find(lowered: Any, module: Module, change: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The values of the lowered program that the change means, each with the operation behind it."""
    functions = {one.operation.attributes["sym_name"].value: one.operation
                 for one in lowered.compiler_ir("stablehlo").body.operations if "sym_name" in one.operation.attributes}
    operations = list(_operations(functions["main"].regions[0].blocks[0], functions))
    element, _, rest = change["becomes"].partition("[")
    sizes = tuple(int(size) for size in rest.partition("]")[0].split(","))
    file, _, line = change.get("source", "").rpartition(":")
    seen = ""
    for one in _made_by(module, change["computation"], change["instruction"]):
        name = one.metadata.get("op_name")
        if not name or not one.shape or one.shape.dimensions != sizes:
            continue
        named = [(operation, following, place) for operation, following, place, full in operations if full == name]
        # The source of a fusion may be another line than that of the value, which then is known by its name alone.
        named = [one for one in named if f'"{file}":{line}:' in one[2]] or named
        found = {value: following for operation, following, _ in named for value in operation.results
                 if _array(value.type)[0] == element and _is_part(_array(value.type)[1], sizes, module.num_partitions)}
        if found and len({str(value.type) for value in found}) == 1:
            return list(found.items())
        seen = f"{name} has several shapes that may be meant" if found else f"{name} has no value of this shape"
    raise NotPlaced(seen or "the value is the compiler's: no operation of the program has its name and shape")


def _place(found: list[tuple[Any, Any]], becomes: str, undo: dict[Any, tuple[Any, Any]]) -> None:
    """Has all users of these values read them in the layout of the shape `becomes`."""
    from jaxlib.mlir import ir

    order = re.findall(r"\{([\d,]*)", becomes)[0]
    for value, following in found:
        if value in undo:
            continue
        uses = [(use.owner, use.operand_number) for use in value.uses]
        with value.context, value.owner.location, ir.InsertionPoint(following):
            layout = ir.Attribute.parse(f"[dense<[{order}]> : tensor<{order.count(',') + 1}xindex>]")
            made = ir.Operation.create(
                "stablehlo.custom_call", results=[value.type], operands=[value],
                attributes={"call_target_name": ir.StringAttr.get("LayoutConstraint"),
                            "operand_layouts": layout, "result_layouts": layout})
        undo[value] = made, uses
        for user, number in uses:
            user.operands[number] = made.results[0]


@contextlib.contextmanager
def placed(lowered: Any, module: Module, changes: list[dict[str, Any]]) -> Iterator[None]:
    """Gives values the layouts that the changes name, as jax.experimental.layout.with_layout_constraint does, and takes
    them back, since JAX keeps what it has lowered for the next time.

    A whole line of the program is meant: all its values of the name and shape, as of the layers of an unrolled loop.
    """
    undo: dict[Any, tuple[Any, Any]] = {}
    try:
        try:
            found = [(_find(lowered, module, change), change["becomes"]) for change in changes]
            for values, becomes in found:
                _place(values, becomes, undo)
        except NotPlaced:
            raise
        except Exception as error:  # JAX promises nothing about changing what is lowered
            raise NotPlaced(f"this JAX does not let its programs be changed: {error!r}") from None
        yield
    finally:
        for value, (made, uses) in undo.items():
            for user, number in uses:
                user.operands[number] = value
            made.erase()
