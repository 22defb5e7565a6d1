"""compile.py KIND FOLDER [PROGRAM...]: compiles the programs for a kind of device, each into FOLDER/KIND/PROGRAM: the dump that XLA
writes (dumps/), as_text.txt, and memory_analysis.json, or error.txt. What is there already is not compiled again."""
import functools
import json
import os
import sys
import sysconfig

kind, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
flags = ["--xla_force_host_platform_device_count=8"]
if kind == "h100":
    root = os.path.join(sysconfig.get_path("purelib"), "nvidia/cu13")
    flags.append(f"--xla_gpu_cuda_data_dir={root}")
    os.environ["PATH"] = os.path.join(root, "bin") + ":" + os.environ["PATH"]
os.environ.update(XLA_FLAGS=" ".join(flags), JAX_PLATFORMS="cpu", TPU_SKIP_MDS_QUERY="1", ALLOW_MULTIPLE_LIBTPU_LOAD="1")
import jax
import numpy as np
from jax.experimental import topologies
from jax.sharding import Mesh

TOPOLOGIES = {"v3": "v3:2x2", "v4": "v4:2x2x1", "v5e": "v5e:2x2", "v5p": "v5p:2x2x1", "v6e": "v6e:2x2", "7x": "tpu7x:2x2x1"}


@functools.cache
def devices():
    if kind == "cpu":
        return jax.devices("cpu")
    if kind == "h100":
        config = open(os.path.join(os.path.dirname(__file__), "h100.txtpb")).read()
        return topologies.get_topology_desc(platform="cuda", topology_name="", topology="1x1x8", target_config=config).devices
    found = topologies.get_topology_desc(platform="tpu", topology_name=TOPOLOGIES[kind]).devices
    return list({tuple(d.coords): d for d in reversed(found)}.values())[::-1]


def one_device():
    return jax.sharding.NamedSharding(Mesh(np.array(devices()[:1]), ("one",)), jax.sharding.PartitionSpec())


def on_one_device(args):
    """Programs without a mesh run on one device."""
    if any(getattr(a.sharding, "spec", None) for a in jax.tree.leaves(args) if a.sharding):
        return args
    place = one_device()
    return jax.tree.map(lambda a: a if a.sharding else jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=place), args)


def compile_into(out, jitted, args):
    """Compiles a jitted function into a folder."""
    os.makedirs(f"{out}/dumps", exist_ok=True)
    try:
        compiled = jitted.lower(*on_one_device(args)).compile(
            compiler_options={"xla_dump_to": f"{out}/dumps", "xla_dump_hlo_as_text": True})
        open(f"{out}/as_text.txt", "w").write(compiled.as_text() or "")
        stats = compiled.memory_analysis()
        numbers = {k: getattr(stats, k) for k in dir(stats) if k.endswith("_bytes") and isinstance(getattr(stats, k), int)}
        json.dump(numbers, open(f"{out}/memory_analysis.json", "w"))
    except Exception as error:  # what the compiler refuses is a result, too
        open(f"{out}/error.txt", "w").write(f"{type(error).__name__}: {error}")
    open(f"{out}/done", "w").close()


if __name__ == "__main__":
    import programs
    mesh = Mesh(np.array(devices()), ("d",))
    for name, (make, on, fails) in programs.PROGRAMS.items():
        out = os.path.join(folder, kind, name)
        if kind not in on or (names and name not in names) or os.path.exists(f"{out}/done"):
            continue
        f, args, options = make(mesh)
        compile_into(out, jax.jit(f, **options), args)
