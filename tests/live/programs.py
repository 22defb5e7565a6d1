"""The programs that are compiled: each function gets a mesh of four or eight devices and returns a function and its abstract
arguments, and with them the options of jax.jit. They differ in what they ask of a compiler, and are small otherwise."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

PROGRAMS = {}
EVERYWHERE = ("cpu", "v3", "v4", "v5e", "v5p", "v6e", "7x", "h100")
TPU = ("v3", "v4", "v5e", "v5p", "v6e", "7x")


def program(*on, fails=False):
    """Registers a program for these kinds of devices. `fails`: it does not fit."""
    def add(make):
        PROGRAMS[make.__name__] = (make, on or EVERYWHERE, fails)
        return make
    return add


def array(shape, dtype=jnp.float32, mesh=None, *axes):
    sharding = NamedSharding(mesh, P(*axes)) if mesh is not None else None
    return jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)


def tree(abstract, mesh, *axes):
    return jax.tree.map(lambda a: array(a.shape, a.dtype, mesh, *(axes if len(a.shape) >= len(axes) else ())), abstract)


# ---------------------------------------------------------------- training
def mlp(params, x):
    for w in params[:-1]:
        x = jax.nn.relu(x @ w)
    return x @ params[-1]


def mlp_step(batch, donate):
    optimizer = optax.adam(1e-3)
    params = [array((256, 1024)), array((1024, 1024)), array((1024, 256))]

    def step(params, state, x, y):
        loss, grads = jax.value_and_grad(lambda p: jnp.mean((mlp(p, x) - y) ** 2))(params)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    state = jax.eval_shape(optimizer.init, params)
    return step, (params, state, array((batch, 256)), array((batch, 256))), dict(donate_argnums=(0, 1) if donate else ())


@program()
def mlp_donate(mesh):
    return mlp_step(512, True)


@program()
def mlp_nodonate(mesh):
    return mlp_step(512, False)


@program()
def mlp_large_batch(mesh):
    return mlp_step(2048, True)


def many_arguments(donate):
    """An optimizer's step over 40 parameters of 4 MiB and their moments, each of them too small for a finding of its own."""
    def step(params, moments, grads):
        moments = [0.9 * m + g for m, g in zip(moments, grads)]
        return [p - 0.1 * m for p, m in zip(params, moments)], moments

    some = [array((1024, 1024)) for _ in range(40)]
    return step, (some, some, some), dict(donate_argnums=(0, 1) if donate else ())


@program()
def many_kept(mesh):
    return many_arguments(False)


@program()
def many_donated(mesh):
    return many_arguments(True)


def small_kernels(batch):
    """A loop whose kernels run shorter than they take to start."""
    def step(weights, x):
        return lax.scan(lambda c, w: (jax.nn.softmax(jnp.sort(c @ w, axis=-1)), None), x, weights)[0]
    return step, (array((16, 256, 256), jnp.bfloat16), array((batch, 256), jnp.bfloat16)), {}


@program("h100")
def small_batch(mesh):
    return small_kernels(64)


@program("h100")
def sixteen_batches(mesh):
    return small_kernels(1024)


def layers(body, remat, unroll=1, count=8):
    block = jax.checkpoint(body) if remat else body

    def loss(weights, x):
        x, _ = lax.scan(lambda c, w: (block(c, w), None), x, weights, unroll=unroll)
        return jnp.sum(x.astype(jnp.float32) ** 2)

    def step(weights, x):
        value, grads = jax.value_and_grad(loss)(weights, x)
        return jax.tree.map(lambda w, g: w - 0.1 * g.astype(w.dtype), weights, grads), value
    return step, ((array((count, 512, 512), jnp.bfloat16), array((count, 512, 512), jnp.bfloat16)),
                  array((1024, 512), jnp.bfloat16)), dict(donate_argnums=0)


def two_products(x, w):
    return x + jnp.tanh(x @ w[0]) @ w[1]


@program()
def scan_remat(mesh):
    return layers(two_products, True)


@program()
def scan_noremat(mesh):
    return layers(two_products, False)


@program("cpu", "v5e")
def unrolled(mesh):
    return layers(two_products, False, unroll=8)


def training(mesh, *parameters_on):
    def loss(params, x):
        for w in params:
            x = jnp.tanh(x @ w)
        return jnp.sum(x)
    step = lambda p, x: jax.tree.map(lambda w, g: w - g, p, jax.grad(loss)(p, x))
    parameters = [array((1024, 1024), jnp.float32, mesh, *parameters_on) for _ in range(4)]
    return step, (parameters, array((2048, 1024), jnp.float32, mesh, "d")), dict(donate_argnums=0)


@program()
def fsdp(mesh):
    return training(mesh, "d")


@program("v5e", "v6e")
def fsdp_residual(mesh):
    """Layers whose weights are gathered beside other work, and again in the backward pass."""
    def loss(params, x):
        for up, down in params:
            x = x + jax.nn.gelu(x @ up) @ down
        return jnp.mean(x.astype(jnp.float32) ** 2)
    step = lambda p, x: jax.tree.map(lambda w, g: w - (0.01 * g).astype(w.dtype), p, jax.grad(loss)(p, x))
    weights = (array((1024, 4096), jnp.bfloat16, mesh, "d"), array((4096, 1024), jnp.bfloat16, mesh, "d"))
    return step, ([weights, weights], array((4096, 1024), jnp.bfloat16, mesh, "d")), dict(donate_argnums=0)


@program()
def data_parallel(mesh):
    return training(mesh)


@program()
def tensor_parallel(mesh):
    f = lambda x, a, b: jax.nn.gelu(x @ a) @ b
    return f, (array((512, 1024), jnp.bfloat16, mesh), array((1024, 4096), jnp.bfloat16, mesh, None, "d"),
               array((4096, 1024), jnp.bfloat16, mesh, "d", None)), {}


def checkpointed(mesh, *kept):
    """A training step over 16 layers, sharded over two axes, that computes each layer again but for the values with these names."""
    two = Mesh(mesh.devices.reshape(2, -1), ("fsdp", "tensor"))
    policy = jax.checkpoint_policies.save_only_these_names(*kept)

    def block(x, w):
        y = checkpoint_name(x @ w[0], "up")
        return x + checkpoint_name(jnp.tanh(y) @ w[1], "down")

    def step(weights, x):
        scanned = jax.checkpoint(block, policy=policy)
        loss = lambda weights, x: jnp.sum(lax.scan(lambda c, w: (scanned(c, w), None), x, weights)[0].astype(jnp.float32) ** 2)
        value, grads = jax.value_and_grad(loss)(weights, x)
        return jax.tree.map(lambda w, g: w - (0.1 * g).astype(w.dtype), weights, grads), value

    weights = (array((16, 1024, 4096), jnp.bfloat16, two, None, "fsdp", "tensor"),
               array((16, 4096, 1024), jnp.bfloat16, two, None, "tensor", "fsdp"))
    return step, (weights, array((4096, 1024), jnp.bfloat16, two, "fsdp")), dict(donate_argnums=0)


@program("v5e", "v6e")
def checkpointed_all(mesh):
    return checkpointed(mesh)


@program("v5e", "v6e")
def checkpointed_but_up(mesh):
    return checkpointed(mesh, "up")


def over_devices(mesh, f, *specs, out=P("d")):
    return jax.shard_map(f, mesh=mesh, in_specs=specs, out_specs=out)


@program()
def pipeline(mesh):
    n = mesh.size

    def stage(w, x):
        def tick(_, y):
            y = jnp.tanh(y @ w[0])
            return lax.ppermute(y, "d", [(i, (i + 1) % n) for i in range(n)])
        return lax.fori_loop(0, n, tick, x[0])[None]
    return over_devices(mesh, stage, P("d"), P("d")), (array((n, 512, 512), jnp.float32, mesh, "d"),
                                                       array((n, 256, 512), jnp.float32, mesh, "d")), {}


@program()
def experts(mesh):
    n = mesh.size

    def moe(w, x):
        sent = lax.all_to_all(x.reshape(n, -1, 256), "d", 0, 0)
        return lax.all_to_all(jnp.tanh(sent @ w[0]), "d", 0, 0).reshape(-1, 256)
    return over_devices(mesh, moe, P("d"), P("d")), (array((n, 256, 256), jnp.float32, mesh, "d"),
                                                     array((n * n * 64, 256), jnp.float32, mesh, "d")), {}


@program()
def ring(mesh):
    n = mesh.size

    def attend(q, k, v):
        def body(i, c):
            acc, k, v = c
            acc += jax.nn.softmax(q @ k.T) @ v
            turn = [(j, (j + 1) % n) for j in range(n)]
            return acc, lax.ppermute(k, "d", turn), lax.ppermute(v, "d", turn)
        return lax.fori_loop(0, n, body, (jnp.zeros_like(q), k, v))[0]
    a = array((n * 512, 128), jnp.float32, mesh, "d")
    return over_devices(mesh, attend, P("d"), P("d"), P("d")), (a, a, a), {}


@program()
def collectives(mesh):
    def f(x):
        total = lax.psum(x, "d")
        gathered = lax.all_gather(x, "d", tiled=True)
        return lax.psum_scatter(gathered * 2, "d", tiled=True) + total
    return over_devices(mesh, f, P("d")), (array((mesh.size * 256, 512), jnp.float32, mesh, "d"),), {}


# ---------------------------------------------------------------- inference
@program()
def decode(mesh):
    def step(cache, x, w, at):
        k, v = cache
        k = lax.dynamic_update_slice(k, (x @ w)[:, None], (0, at, 0))
        v = lax.dynamic_update_slice(v, (x * 2)[:, None], (0, at, 0))
        scores = jax.nn.softmax(jnp.einsum("bd,btd->bt", x, k))
        return (k, v), jnp.einsum("bt,btd->bd", scores, v)
    cache = (array((8, 512, 256), jnp.bfloat16), array((8, 512, 256), jnp.bfloat16))
    return step, (cache, array((8, 256), jnp.bfloat16), array((256, 256), jnp.bfloat16), array((), jnp.int32)), dict(donate_argnums=0)


@program()
def generate(mesh):
    def run(cache, x, w):
        def body(state):
            i, x, cache = state
            x = jnp.tanh(x @ w)
            return i + 1, x, lax.dynamic_update_slice(cache, x[:, None], (0, i, 0))
        return lax.while_loop(lambda s: s[0] < 64, body, (jnp.int32(0), x, cache))
    return run, (array((8, 64, 256)), array((8, 256)), array((256, 256))), dict(donate_argnums=0)


@program()
def attention(mesh):
    def f(q, k, v):
        scores = jnp.einsum("bhtd,bhsd->bhts", q, k) / 8
        return jnp.einsum("bhts,bhsd->bhtd", jax.nn.softmax(jnp.where(jnp.tri(512, dtype=bool), scores, -1e9)), v)
    a = array((4, 8, 512, 64), jnp.bfloat16)
    return f, (a, a, a), {}


@program()
def beam(mesh):
    def f(logits, scores):
        best, at = lax.top_k((jax.nn.log_softmax(logits) + scores[:, None]).reshape(-1), 8)
        return best, at // logits.shape[1], at % logits.shape[1]
    return f, (array((8, 4096)), array((8,))), {}


# ---------------------------------------------------------------- operations
@program()
def sorts(mesh):
    return lambda x, y: (jnp.sort(x, axis=0), jnp.argsort(y), lax.sort((x, x * 2), num_keys=1)), (array((1024, 64)), array((4096,))), {}


@program("cpu", "v5e", "h100")
def fft(mesh):
    return lambda x: jnp.fft.ifft2(jnp.fft.fft2(x) * 2).real, (array((64, 64, 64)),), {}


@program()
def convolutions(mesh):
    def f(x, a, b):
        conv = functools.partial(lax.conv_general_dilated, padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(conv(x, a, (1, 1)))
        return lax.reduce_window(conv(x, b, (2, 2)), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return f, (array((8, 32, 32, 16)), array((3, 3, 16, 32)), array((3, 3, 32, 64))), {}


@program("cpu", "v5e")
def linear_algebra(mesh):
    return lambda a, b: (jnp.linalg.cholesky(a @ a.T + jnp.eye(128)), jnp.linalg.solve(a + 8 * jnp.eye(128), b)), \
        (array((128, 128)), array((128, 4))), {}


@program("cpu", "v5e", "v6e", "7x")
def int8(mesh):
    f = lambda x, w, s: lax.dot(x, w, preferred_element_type=jnp.int32).astype(jnp.float32) * s
    return f, (array((512, 1024), jnp.int8), array((1024, 1024), jnp.int8), array((1024,))), {}


@program("cpu", "7x")
def float8(mesh):
    f = lambda x, w: lax.dot(x, w, preferred_element_type=jnp.float32)
    return f, (array((512, 512), jnp.float8_e4m3fn), array((512, 512), jnp.float8_e4m3fn)), {}


@program()
def embedding(mesh):
    def f(table, ids):
        return jax.value_and_grad(lambda t: jnp.sum(t[ids] ** 2))(table)
    return f, (array((8192, 256)), array((512,), jnp.int32)), {}


@program()
def scatters(mesh):
    return lambda x, i, u: (x.at[i].add(u), x.at[i].set(u), jax.ops.segment_sum(u, i, 64)), \
        (array((1024, 64)), array((128,), jnp.int32), array((128, 64))), {}


@program()
def scans(mesh):
    return lambda x: (jnp.cumsum(x, 0), lax.associative_scan(jnp.maximum, x, axis=1), jnp.cumprod(x[:, 0])), (array((256, 512)),), {}


@program()
def branches(mesh):
    def f(i, x, y):
        a = lax.switch(i, [lambda x, y: x @ y, lambda x, y: x + y, lambda x, y: jnp.sin(x)], x, y)
        return lax.cond(jnp.sum(a) > 0, lambda a: a * 2, lambda a: jnp.tanh(a @ a), a)
    return f, (array((), jnp.int32), array((256, 256)), array((256, 256))), {}


@program()
def nested_loops(mesh):
    def outer(i, x):
        return lax.fori_loop(0, 4, lambda j, y: jnp.tanh(y @ y) + j, x) * i
    return lambda x: lax.fori_loop(0, 3, outer, x), (array((256, 256)),), {}


@program()
def lstm(mesh):
    def f(w, xs):
        def cell(c, x):
            h, m = c
            i, g, o, u = jnp.split(jnp.concatenate([x, h], -1) @ w, 4, -1)
            m = jax.nn.sigmoid(g) * m + jax.nn.sigmoid(i) * jnp.tanh(u)
            h = jax.nn.sigmoid(o) * jnp.tanh(m)
            return (h, m), h
        zero = jnp.zeros((xs.shape[1], 128))
        return lax.scan(cell, (zero, zero), xs)[1]
    return jax.value_and_grad(lambda w, xs: jnp.sum(f(w, xs))), (array((256, 512)), array((32, 16, 128))), {}


@program()
def derivatives(mesh):
    f = lambda x: jnp.sum(jnp.sin(x @ x))
    return lambda x, v: (jax.jvp(jax.grad(f), (x,), (v,)), jax.vmap(jax.grad(lambda r: jnp.sum(jnp.exp(r))))(x)), \
        (array((128, 128)), array((128, 128))), {}


@program()
def random_bits(mesh):
    return lambda k: (jax.random.normal(k, (256, 256)), jax.random.permutation(k, 1024)), (array((2,), jnp.uint32),), {}


@program()
def two_aliases(mesh):
    return lambda a, b, c: (a * 2, b + c, a[0]), (array((512, 512)), array((512, 512)), array((512, 512))), dict(donate_argnums=(0, 1))


@program()
def barriers(mesh):
    def f(x, w):
        y = lax.optimization_barrier((x @ w, x))
        return y[0] + y[1]
    return f, (array((256, 256)), array((256, 256))), {}


@program()
def shapes_of_all_kinds(mesh):
    return lambda a, b, c: (a.T, b[::-1], jnp.zeros((0, 4)), c.astype(jnp.int8), jnp.stack([a[:4, :3], a[4:8, :3]], 1)), \
        (array((100, 3)), array((7,)), array((33, 129), jnp.bfloat16)), {}


@program()
def loops_in_branches(mesh):
    def several(x, y):
        def body(s):
            k, x = s
            return k + 1, lax.cond(jnp.sum(x) > k, lambda x: jnp.tanh(x @ x),
                                   lambda x: lax.fori_loop(0, 5, lambda j, z: jnp.sin(z) + j, x), x)
        return lax.while_loop(lambda s: (s[0] < 10) & (s[1][0, 0] < 3), body, (0, x))[1]

    def one(x, y):
        return lax.switch(jnp.int32(jnp.sum(y)) % 2, [lambda x, y: x @ y, lambda x, y: x - y], x, y)
    return lambda i, x, y: lax.cond(i > 5, one, several, lax.cond(i > 0, several, one, x, y), y), \
        (array((), jnp.int32), array((256, 256)), array((256, 256))), {}


@program()
def sizes_of_data(mesh):
    def f(x, m):
        at = jnp.nonzero(m, size=64, fill_value=0)[0]
        return x[at], jnp.unique(x.astype(jnp.int32), return_counts=True, size=32), jnp.compress(m, x, size=100)
    return f, (array((1000,)), array((1000,), jnp.bool_)), {}


@program()
def two_axes(mesh):
    grid = jax.sharding.Mesh(mesh.devices.reshape(2, -1), ("x", "y"))
    on = lambda *axes: NamedSharding(grid, P(*axes))
    a = lambda shape, *axes: jax.ShapeDtypeStruct(shape, jnp.bfloat16, sharding=on(*axes))

    def loss(w, x):
        h = lax.with_sharding_constraint(x @ w[0], on("x", "y"))
        return jnp.sum(lax.with_sharding_constraint(jax.nn.silu(h) @ w[1], on("x", None)).astype(jnp.float32))

    def step(w, x):
        value, grads = jax.value_and_grad(loss)(w, x)
        return jax.tree.map(lambda p, g: p - g.astype(p.dtype), w, grads), value
    return step, ((a((512, 2048), None, "y"), a((2048, 512), "y", None)), a((1024, 512), "x", "y")), dict(donate_argnums=0)


@program("cpu")
def uneven(mesh):
    return lambda x, w: jnp.tanh(x @ w), (array((mesh.size * 3, 100), jnp.float32, mesh, "d"), array((100, 7), jnp.float32, mesh)), {}


@program("cpu")
def callbacks(mesh):
    def f(x):
        jax.debug.print("{x}", x=x[0])
        y = jax.pure_callback(lambda a: np.asarray(a) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
        return y + 1
    return f, (array((64,)),), {}


@program("cpu")
def doubles(mesh):
    return lambda x: jnp.linalg.norm(jnp.exp(1j * x.astype(jnp.complex64))), (array((256, 256)),), {}


@program(*TPU)
def host_offload(mesh):
    def f(x, w):
        kept = jax.device_put(x @ w, jax.memory.Space.Host)
        y = jnp.tanh(x @ w) @ w
        return y + jax.device_put(kept, jax.memory.Space.Device)
    return f, (array((1024, 1024), jnp.float32, mesh), array((1024, 1024), jnp.float32, mesh)), {}


@program("v5e", "v6e")
def pallas(mesh):
    from jax.experimental import pallas as pl

    def kernel(x, w, o):
        o[...] = jnp.dot(x[...], w[...], preferred_element_type=jnp.float32)
    f = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((512, 512), jnp.float32), grid=(4, 4),
                       in_specs=[pl.BlockSpec((128, 512), lambda i, j: (i, 0)), pl.BlockSpec((512, 128), lambda i, j: (0, j))],
                       out_specs=pl.BlockSpec((128, 128), lambda i, j: (i, j)))
    return f, (array((512, 512), jnp.bfloat16), array((512, 512), jnp.bfloat16)), {}


@program("v5e", "v6e", "7x")
def pallas_outputs(mesh):
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def kernel(x, w, o, p, s, acc):
        @pl.when(pl.program_id(1) == 0)
        def _():
            acc[...] = jnp.zeros_like(acc)
        acc[...] += jnp.dot(x[...], w[...], preferred_element_type=jnp.float32)
        o[...] = acc[...]
        p[...] = acc[...].astype(jnp.bfloat16)
        s[...] = jnp.sum(acc[...], axis=1, keepdims=True)
    shapes = [((512, 512), jnp.float32), ((512, 512), jnp.bfloat16), ((512, 1), jnp.float32)]
    rows = lambda width: pl.BlockSpec((128, width), lambda i, j: (i, 0))
    f = pl.pallas_call(kernel, out_shape=[jax.ShapeDtypeStruct(*s) for s in shapes], grid=(4, 4),
                       in_specs=[pl.BlockSpec((128, 128), lambda i, j: (i, j)), pl.BlockSpec((128, 512), lambda i, j: (j, 0))],
                       out_specs=[rows(512), rows(512), rows(1)], scratch_shapes=[pltpu.VMEM((128, 512), jnp.float32)])

    def g(x, w):
        a, b, s = f(x, w)
        return a, b * s.astype(jnp.bfloat16), lax.fori_loop(0, 3, lambda i, z: f(z, w)[1], b)
    return g, (array((512, 512), jnp.bfloat16), array((512, 512), jnp.bfloat16)), {}


@program("v5e", "v5p")
def pallas_in_place(mesh):
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def kernel(i, cache, row, out, done):
        copy = pltpu.make_async_copy(row, out.at[pl.ds(i[0] * 8, 8)], done)
        copy.start()
        copy.wait()
    anywhere = pl.BlockSpec(memory_space=pl.ANY)
    f = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((4096, 256), jnp.float32),
                       in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), anywhere, anywhere], out_specs=anywhere,
                       scratch_shapes=[pltpu.SemaphoreType.DMA], input_output_aliases={1: 0})

    def g(cache, row, i):
        cache = f(i, cache, row)
        return lax.fori_loop(0, 4, lambda k, c: f(i + k, c, row * 2), cache), cache[5]
    return g, (array((4096, 256)), array((8, 256)), array((1,), jnp.int32)), dict(donate_argnums=0)


@program(*TPU)
def sparse_core(mesh):
    def f(table, ids, dy):
        y, back = jax.vjp(lambda t: jnp.take(t, ids, axis=0), table)
        return y, table - 0.1 * back(dy)[0]
    return f, (array((65536, 128)), array((8192,), jnp.int32), array((8192, 128))), dict(donate_argnums=0)


@program("v5e", "v6e")
def ragged(mesh):
    n = mesh.size

    def f(x, out, sizes):
        sent = sizes[0]
        begin = jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.cumsum(sent)[:-1].astype(jnp.int32)])
        exchange = lambda a: lax.all_to_all(a, "d", 0, 0, tiled=True)
        return lax.ragged_all_to_all(x[0], out[0], begin, sent, exchange(begin), exchange(sent), axis_name="d")[None]
    a = lambda *shape: array((n, *shape), jnp.float32, mesh, "d")
    return over_devices(mesh, f, P("d"), P("d"), P("d")), (a(512, 128), a(1024, 128), array((n, n), jnp.int32, mesh, "d")), {}


@program("cpu", "v5e", "v6e")
def scan_offload(mesh):
    from jax.ad_checkpoint import checkpoint_name
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=["h"], offload_src="device", offload_dst="pinned_host")

    def f(weights, x):
        def layer(x, w):
            return jnp.sin(checkpoint_name(jnp.tanh(x @ w), "h") @ w), None
        return jax.value_and_grad(lambda ws: jnp.sum(lax.scan(jax.checkpoint(layer, policy=policy), x, ws)[0]))(weights)
    return f, (array((8, 512, 512), jnp.float32, mesh), array((1024, 512), jnp.float32, mesh, "d")), {}


@program("v5e", "v6e", fails=True)
def out_of_memory(mesh):
    def f(x):
        y = jnp.sin(x) @ x
        return jnp.cos(y) @ x + y @ y
    return f, (array((65536, 65536), jnp.bfloat16),), {}


# Pairs of which `diff` has to give the compiler's own difference.
PAIRS = [("mlp_donate", "mlp_nodonate"), ("scan_remat", "scan_noremat"), ("mlp_donate", "mlp_large_batch"), ("fsdp", "data_parallel")]
# Pairs of which the first computes a product again that the second keeps: `time` has to say what that saves and takes.
KEPT = [("checkpointed_all", "checkpointed_but_up")]
# Pairs of which the second donates what ALI007 names in the first: its bytes are what the compiler needs less.
DONATED = [("many_kept", "many_donated")]
# Pairs of which the first is mostly the start of kernels, and the second has so many times its batch: `time` has to say the former,
# and a step of the latter takes less for each of the batch.
LAUNCHED = [("small_batch", "sixteen_batches", 16)]
