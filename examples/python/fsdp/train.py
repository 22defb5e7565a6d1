"""A small model, sharded over all devices as FSDP does it, to copy: python -m hlolint compile train:step --topology v5e:4x4"""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

LAYERS, MODEL, HIDDEN, TOKENS = 8, 2048, 8192, 4096   # TOKENS on each device


def step(devices):
    """The jitted step, and its arguments as shapes with shardings: nothing is allocated."""
    mesh = Mesh(np.array(devices), ("data",))

    def array(shape, *spec):
        return jax.ShapeDtypeStruct(shape, jnp.bfloat16, sharding=NamedSharding(mesh, P(*spec)))

    params = {"up": array((LAYERS, MODEL, HIDDEN), None, None, "data"),
              "down": array((LAYERS, HIDDEN, MODEL), None, "data")}
    batch = array((TOKENS * len(devices), MODEL), "data")

    def loss(params, batch):
        def layer(x, weights):
            return x + jax.nn.gelu(x @ weights["up"]) @ weights["down"], None

        out, _ = jax.lax.scan(jax.checkpoint(layer), batch, params)
        return jnp.mean(jnp.square(out.astype(jnp.float32)))

    def update(params, batch):
        value, gradients = jax.value_and_grad(loss)(params, batch)
        return jax.tree.map(lambda p, g: p - 1e-3 * g, params, gradients), value

    return jax.jit(update), params, batch
