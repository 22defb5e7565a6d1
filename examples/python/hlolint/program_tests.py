"""Programs as tests, and on the command line: functions that return a function of JAX and its arguments."""
from __future__ import annotations

import functools
import inspect
import shutil
import tempfile
from typing import Any, Callable, Sequence, Union

from .assertions import assert_clean
from .compilation import Compilation, compile, devices
from .errors import UsageError
from .findings import lint
from .inputs import is_uncompiled


def compile_program(program: Callable[..., Any], topology: Union[str, None], *, target_config: Any = None,
                    **settings: Any) -> Compilation:
    """Compiles what `program` returns: a function of JAX, jitted or not, and its arguments. A program with a parameter that
    is called `devices` or has no default gets the devices of the topology, to make its mesh of."""
    first = next(iter(inspect.signature(program).parameters.values()), None)
    takes_devices = first is not None and (first.default is first.empty or first.name == "devices")
    made = program(devices(topology, target_config=target_config)) if takes_devices else program()
    f, *shapes = made if isinstance(made, (tuple, list)) and made else (made,)
    if not callable(f) and not hasattr(f, "compile"):
        raise UsageError(f"{getattr(program, '__name__', program)} returns {type(f).__name__}, not a function of JAX and its "
                         "arguments")
    if is_uncompiled(f) and not hasattr(f, "lower"):  # lowered: for the devices that it got
        settings = {name: value for name, value in settings.items() if name != "mesh" or value is not None}
        return compile(f, *shapes, **settings)
    return compile(f, *shapes, topology=topology, target_config=target_config, **settings)


def compiled(*, topology: Union[str, Sequence[str]], mesh: Any = None, compiler_options: Any = None,
             target_config: Any = None, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Makes a test of a function that returns a function of JAX and its arguments: it fails with the command's report if the
    program has findings when it is compiled for `topology`, or does not fit; the dumps, whose files the report names, stay
    then. A contract in .hlolint.toml holds for it. A list of topologies makes a test of each (with pytest).

        @hlolint.compiled(topology=["v6e:4x4", "7x:2x2x4"])
        def test_step(devices):
            return jax.jit(step), *shapes_on(devices)

    compiler_options: flags of the compiler, which `compile` calls options. The settings are those of `lint`.
    """
    def made(program: Callable[..., Any]) -> Callable[..., None]:
        def check(topology: str, *of_class: Any) -> None:
            __tracebackhide__ = True
            folder = tempfile.mkdtemp(prefix="hlolint_")
            try:
                result = compile_program(functools.partial(program, *of_class) if of_class else program, topology,
                                         mesh=mesh, options=compiler_options, target_config=target_config, folder=folder)
                if result.compiled is None:  # whatever rules are selected
                    raise AssertionError(f"the program does not fit:\n{lint(result, select='BUD', config=False)}")
                assert_clean(result, **settings)
            except AssertionError:
                raise
            except BaseException:
                shutil.rmtree(folder)
                raise
            shutil.rmtree(folder)

        # pytest looks at the parameters: it gives a method its object and what is parametrized.
        def test_of_one(*of_class: Any) -> None:
            __tracebackhide__ = True
            check(str(topology), *of_class)

        def test_of_each(topology: str) -> None:
            __tracebackhide__ = True
            check(topology)

        def method_of_each(self: Any, topology: str) -> None:
            __tracebackhide__ = True
            check(topology, self)

        is_method = next(iter(inspect.signature(program).parameters), "") == "self"
        test = functools.wraps(program)(
            test_of_one if isinstance(topology, str) else method_of_each if is_method else test_of_each)
        del test.__wrapped__  # pytest takes the parameters of that for fixtures
        if isinstance(topology, str):
            return test
        import pytest

        return pytest.mark.parametrize("topology", list(topology))(test)

    return made
