"""Compiling with JAX for a device that need not be there, and what can be asked of the result."""
from __future__ import annotations

import contextlib
import functools
import importlib.util
import numbers
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

from .errors import CompileError, UsageError
from .inputs import is_uncompiled

if TYPE_CHECKING:
    from .changes import Diff
    from .findings import Report
    from .memory import Memory
    from .time import Time

#: What XLA's compiler reports when a program does not fit; the command makes findings of it.
_DOES_NOT_FIT = "RESOURCE_EXHAUSTED"


def _jax() -> Any:
    try:
        import jax
    except ImportError:
        raise UsageError("hlolint.compile needs JAX: pip install jax") from None
    return jax


def devices(topology: Optional[str], *, target_config: Union[str, os.PathLike, None] = None) -> list[Any]:
    """The devices of a topology, one for each chip or core that JAX sees, to make a mesh of.

    "v5e:16x16", "v5p:4x4x4", "v6e:2x2", "7x:2x2x1": TPUs, by libtpu alone. "cpu" or "cpu:8": this machine. "cuda:1x1x8"
    (hosts, processes, GPUs of each): GPUs as `target_config` describes them, a file with XLA's GpuTargetConfigProto. None:
    JAX's own devices.
    """
    if topology is None:
        return list(_jax().devices())
    if not isinstance(topology, str):
        raise UsageError(f'a topology is a name such as "v5e:2x2", not {type(topology).__name__}')
    kind, _, size = topology.partition(":")
    if kind == "cpu":
        if size and not (size.isdecimal() and int(size) > 0):
            raise UsageError(f"there is no topology {topology!r}: cpu:8 are eight devices")
        return _cpu_devices(int(size) if size else None)
    jax = _jax()
    from jax.experimental import topologies

    try:
        if kind == "cuda":
            if target_config is None:
                raise UsageError("a GPU needs target_config=, a file with XLA's GpuTargetConfigProto")
            try:
                found = topologies.get_topology_desc(platform="cuda", topology_name="", topology=size,
                                                     target_config=Path(target_config).read_text())
            except NotImplementedError:  # no plugin for GPUs, or one that looks for a GPU
                raise UsageError('compiling for a GPU that is not here needs pip install "jax[cuda13]" and '
                                 "JAX_PLATFORMS=cpu (see README.md of the module)") from None
            return list(found.devices)
        if importlib.util.find_spec("libtpu") is None:
            raise UsageError("compiling for a TPU needs libtpu: pip install jax[tpu]")
        kind = kind.removeprefix("tpu-")
        kind = "tpu7x" if kind in ("7x", "v7x") else kind
        _prepare_libtpu()
        found = topologies.get_topology_desc(platform="tpu", topology_name=f"{kind}:{size}")
    except jax.errors.JaxRuntimeError as error:
        raise UsageError(f"there is no topology {topology!r}, a name such as v5e:2x2, v5p:2x2x1 or 7x:2x2x1: "
                         f"{error}") from None
    if kind == "v4":  # both cores of a chip are one device
        return [device for device in found.devices if getattr(device, "core_on_chip") == 0]
    return list(found.devices)


def _cpu_devices(count: Optional[int]) -> list[Any]:
    jax = _jax()
    _prepare_libtpu()  # JAX starts all that it has
    if count is not None:
        with contextlib.suppress(RuntimeError, AttributeError):  # too late if JAX has been used
            jax.config.update("jax_num_cpu_devices", count)
    found = jax.devices("cpu")
    if count is not None and len(found) < count:
        raise UsageError(f"JAX has {len(found)} CPU devices here, not {count}: it was used before, so start Python with "
                         f"JAX_NUM_CPU_DEVICES={count}")
    return found[:count]


def _prepare_libtpu() -> None:
    """Where there is no TPU, keeps libtpu, when it starts, from looking for one: from waiting for the metadata of a virtual
    machine, from writing warnings, and from letting only one process at a time compile."""
    if any(Path(place).exists() for place in ("/dev/accel0", "/dev/vfio/0")):
        return
    for name, value in (("TPU_SKIP_MDS_QUERY", "1"), ("TPU_WORKER_HOSTNAMES", "localhost"),
                        ("TPU_ACCELERATOR_TYPE", "v5litepod-1"), ("ALLOW_MULTIPLE_LIBTPU_LOAD", "1")):
        os.environ.setdefault(name, value)  # the type does not limit the topologies


class Compilation:
    """What the compiler made of a program, in `folder`; any function of hlolint takes it like the folder.

    `compiled` is JAX's object, None if the program did not fit; `error` is the message of the compiler then, and a finding
    of `lint`.
    """

    def __init__(self, folder: Path, compiled: Any, error: str = "", recompile: Any = None):
        self.folder = folder
        self.compiled = compiled
        self.error = error
        #: Compiles again with the arguments of these names given away, within the context that a second argument makes
        #: of the lowered program; None if it cannot.
        self.recompile = recompile
        self.linted = False  #: whether `lint`, or hlolint.lint of this, was called

    def __fspath__(self) -> str:
        return str(self.folder)

    def lint(self, **settings: Any) -> Report:
        """As hlolint.lint."""
        from .findings import lint
        return lint(self, **settings)  # the report reads the folder again, so it keeps what the folder lasts as long as

    def memory(self, **settings: Any) -> Memory:
        """As hlolint.memory."""
        from .memory import memory
        return memory(self, **settings)

    def time(self, **settings: Any) -> Time:
        """As hlolint.time."""
        from .time import time
        return time(self, **settings)

    def diff(self, other: Any, **settings: Any) -> Diff:
        """What is worse or better in `other`, another compilation, as hlolint.diff."""
        from .changes import diff
        return diff(self.folder, other, **settings)

    def __repr__(self) -> str:
        return f"<Compilation in {self.folder}{': ' + self.error.splitlines()[0] if self.error else ''}>"


def _place(folder: Union[str, os.PathLike, None]) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="hlolint_"))
    place = Path(folder).resolve()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"no dumps can be written to {place}: {error.strerror}") from None
    if not os.access(place, os.W_OK):
        raise UsageError(f"no dumps can be written to {place}")
    if any(place.iterdir()):
        raise UsageError(f"{place} is not empty; dumps of two compilations in one folder would be compared")
    return place


def compile_lowered(lowered: Any, *, options: Optional[Mapping[str, Any]] = None,
                    folder: Union[str, os.PathLike, None] = None, recompile: Any = None) -> Compilation:
    """Compiles what has `compile(compiler_options=...)`, such as a lowered object of JAX."""
    if not isinstance(options or {}, Mapping):
        raise UsageError(f"options are names of flags with their values, not {type(options).__name__}")
    place = _place(folder)
    dump = {"xla_dump_to": str(place), "xla_dump_hlo_as_text": True}
    try:
        with _without_cache():
            compiled = lowered.compile(compiler_options={**dump, **(options or {})})
    except RuntimeError as error:  # JaxRuntimeError
        if _DOES_NOT_FIT not in str(error):
            if folder is None:
                shutil.rmtree(place, ignore_errors=True)
            raise CompileError(str(error)) from None
        (place / "error.txt").write_text(str(error) + "\n")
        made = Compilation(place, None, str(error), recompile)
    else:
        made = Compilation(place, compiled, "", recompile)
    if folder is None:
        weakref.finalize(made, shutil.rmtree, place, ignore_errors=True)
    return made


@contextlib.contextmanager
def _without_cache() -> Iterator[None]:
    """Without JAX's persistent cache of compilations, since what comes from there is not dumped."""
    jax = _jax()
    was = jax.config.jax_compilation_cache_dir
    if not was:
        yield
        return
    from jax.experimental.compilation_cache import compilation_cache

    jax.config.update("jax_compilation_cache_dir", None)
    compilation_cache.reset_cache()
    try:
        yield
    finally:
        jax.config.update("jax_compilation_cache_dir", was)
        compilation_cache.reset_cache()


def _mesh_of(mesh: Any, topology: Optional[str], target_config: Any) -> Any:
    """The mesh to compile for: as given if it is of devices of the topology, or its axes on those devices."""
    from jax.sharding import Mesh
    import numpy

    if isinstance(mesh, Mesh) and topology is None:
        return mesh
    all_devices = devices(topology, target_config=target_config)
    if isinstance(mesh, Mesh):
        kinds = {(device.platform, device.device_kind) for device in mesh.devices.flat}
        if kinds == {(all_devices[0].platform, all_devices[0].device_kind)}:
            return mesh
    if mesh is not None and not isinstance(mesh, Mapping) and not isinstance(getattr(mesh, "shape", None), Mapping):
        raise UsageError(f"a mesh is a Mesh, or its axes such as {{\"data\": 16}}, not {type(mesh).__name__}")
    axes = dict(mesh) if isinstance(mesh, Mapping) else dict(mesh.shape) if mesh is not None else {}
    if not all(isinstance(size, numbers.Integral) and size > 0 for size in axes.values()):
        raise UsageError(f"the axes of a mesh have sizes of 1 or more, unlike {axes}")
    if not axes:  # one device: the program of one chip
        return Mesh(numpy.array(all_devices[:1]), ("device",))
    count = int(numpy.prod(list(axes.values())))
    if count > len(all_devices):
        raise UsageError(f"the mesh {axes} has {count} devices, and {topology or 'this machine'} has {len(all_devices)}")
    types = {} if isinstance(mesh, Mapping) else {"axis_types": mesh.axis_types}
    return Mesh(numpy.array(all_devices[:count]).reshape(list(axes.values())), tuple(axes), **types)


def _placed(arguments: Any, mesh: Any, all_of_them: bool) -> Any:
    """The arguments as shapes on the devices of the mesh; `all_of_them`: what has no sharding is on each device. Numbers of
    Python and what is no array, such as static arguments, stay as they are."""
    import jax
    from jax.experimental.layout import Format
    from jax.sharding import NamedSharding, PartitionSpec

    ours = set(mesh.devices.flat)

    def place(leaf: Any) -> Any:
        if not hasattr(leaf, "shape") or not hasattr(leaf, "dtype"):
            return leaf
        sharding = getattr(leaf, "sharding", None)
        if isinstance(sharding, NamedSharding):
            if not isinstance(sharding.mesh, jax.sharding.Mesh):
                sharding = NamedSharding(mesh, sharding.spec, memory_kind=sharding.memory_kind)
            elif not set(sharding.mesh.devices.flat) <= ours:
                usual = next(iter(sharding.mesh.devices.flat)).default_memory().kind
                kind = sharding.memory_kind if sharding.memory_kind != usual else None
                sharding = NamedSharding(mesh, sharding.spec, memory_kind=kind)
        elif all_of_them:
            sharding = NamedSharding(mesh, PartitionSpec())
        else:
            sharding = None
        layout = getattr(getattr(leaf, "format", None), "layout", None)
        at = Format(layout, sharding) if layout is not None and not isinstance(leaf, jax.Array) and sharding else sharding
        return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=at, weak_type=getattr(leaf, "weak_type", False))

    return jax.tree.map(place, arguments)


def _lowered_on(jitted: Any, shapes: Any, mesh: Any, explicit: bool) -> tuple[Any, Any, Any]:
    """What is lowered for a mesh, the arguments on it, and the mesh if it is the context. Tried in turn, the next if JAX
    refuses one: the mesh with its own types of axes, and with automatic ones; arguments without sharding on all devices, and
    where `jit(in_shardings=...)` has them."""
    import jax
    from jax.sharding import Mesh

    meshes = [mesh]
    if any(one != jax.sharding.AxisType.Auto for one in mesh.axis_types):
        meshes.append(Mesh(mesh.devices, mesh.axis_names))
    refused: list[Exception] = []
    for on in meshes:
        tried = None
        for all_of_them in (True, False):
            placed = _placed(shapes, on, all_of_them)
            leaves = jax.tree.leaves(placed)
            if leaves == tried:
                continue
            tried = leaves
            arrays = any(isinstance(leaf, jax.ShapeDtypeStruct) for leaf in leaves)
            within = explicit or not arrays or not jax.sharding.get_abstract_mesh().empty
            try:
                with jax.set_mesh(on) if within else contextlib.nullcontext():
                    return jitted.lower(*placed), placed, on if within else None
            except Exception as error:
                refused.append(error)
    raise refused[0]


def compile(f: Any, *shapes: Any, topology: Optional[str] = None, mesh: Any = None,
            options: Optional[Mapping[str, Any]] = None, folder: Union[str, os.PathLike, None] = None,
            target_config: Union[str, os.PathLike, None] = None) -> Compilation:
    """Compiles a function of JAX for `topology`, which need not be there, and keeps the dumps of this one compilation.

    f: a function, jitted or not, with arrays or `jax.ShapeDtypeStruct`s as arguments; or what is traced or lowered
    already, without arguments. topology: see `devices`; None is JAX's own devices. mesh: a Mesh, or its axes such as
    {"data": 16}; shardings of the arguments on any other mesh (such as an AbstractMesh) are moved to it, and what has no
    sharding is on all devices. A mesh of other devices than those of the topology is made again on these. options: flags of
    the compiler, such as {"xla_tpu_scoped_vmem_limit_kib": 32768}. folder: where the dumps go; None: a temporary folder that
    goes with the returned object.

    A program that does not fit is no exception: `lint` has the finding. Other errors of the compiler are CompileError.
    """
    jax = _jax()
    if is_uncompiled(f) and hasattr(f, "lower"):
        f = f.lower()  # traced
    if is_uncompiled(f):
        if shapes or topology or mesh is not None:
            raise UsageError("what is lowered has its arguments and devices already")
        return compile_lowered(f, options=options, folder=folder)
    if not callable(f) or hasattr(f, "runtime_executable"):
        raise UsageError(f"compile takes a function of JAX, or what was traced or lowered, not {type(f).__name__}")
    jitted = f if hasattr(f, "lower") else jax.jit(f)
    if topology is None and mesh is None:
        return compile_lowered(jitted.lower(*shapes), options=options, folder=folder,
                               recompile=functools.partial(_again, jitted, shapes, None, options))
    if mesh is None:
        mesh = _mesh_in(shapes)
    explicit = mesh is not None
    lowered, shapes, mesh = _lowered_on(jitted, shapes, _mesh_of(mesh, topology, target_config), explicit)
    again = functools.partial(_again, jitted, shapes, mesh, options)
    return compile_lowered(lowered, options=options, folder=folder, recompile=again)


def _mesh_in(shapes: Any) -> Any:
    """The mesh of the first argument that has one."""
    import jax

    for leaf in jax.tree.leaves(shapes):
        sharding = getattr(leaf, "sharding", None)
        if isinstance(sharding, jax.sharding.NamedSharding):
            return sharding.mesh
    return None


def _again(jitted: Any, shapes: Any, mesh: Any, options: Any, donate: list[str], within: Any = None) -> Compilation:
    """Compiles with the arguments of these names (`params['w']`) given away, and those that the program gives away itself,
    within the context that `within` makes of the lowered program. If none are named, that is the same as at first, with
    the same names."""
    import inspect

    import jax

    with jax.set_mesh(mesh) if mesh is not None else contextlib.nullcontext():
        if donate:
            parameters = list(inspect.signature(jitted).parameters.values())
            paths, tree = jax.tree_util.tree_flatten_with_path(shapes)
            given = [one.donated for one in jax.tree.leaves(jitted.lower(*shapes).args_info)]
            if len(given) != len(paths):
                raise CompileError("a program with static arguments is not compiled with others given away")

            def called(path: Any) -> str:
                last = min(path[0].idx, len(parameters) - 1)
                number = f"[{path[0].idx - last}]" if parameters[last].kind is inspect.Parameter.VAR_POSITIONAL else ""
                return parameters[last].name + number + jax.tree_util.keystr(path[1:])

            named = [called(path) for path, _ in paths]
            if unknown := set(donate) - set(named):
                raise CompileError(f"the program has no argument {', '.join(sorted(unknown))}")
            numbers = [i for i, name in enumerate(named) if given[i] or name in donate]
            flat = jax.jit(lambda *leaves: jitted(*jax.tree.unflatten(tree, leaves)), donate_argnums=numbers)
            lowered = flat.lower(*(leaf for _, leaf in paths))
        else:
            lowered = jitted.lower(*shapes)
    with within(lowered) if within else contextlib.nullcontext():
        return compile_lowered(lowered, options=options)
