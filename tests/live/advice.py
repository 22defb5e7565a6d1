"""advice.py KIND FOLDER COMMAND [PROGRAM...]: compiles eleven programs for a kind of device (cpu, v5e, v6e), lets the hlolint
command say what would save memory, compiles again with that, and prints rows of a table: what the program needs, what was promised to
need less, and what it needs less, in MiB. 1 if a promise is off by more than 2 % and no bound that holds."""
import json
import os
import shutil
import subprocess
import sys

from compile import compile_into, folder, kind, one_device

command, wanted = sys.argv[3], sys.argv[4:]

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.experimental.layout import Format, Layout

bf16, f32 = jnp.bfloat16, jnp.float32
ADVISED = {}


def array(*shape, dtype=bf16):
    return jax.ShapeDtypeStruct(shape, dtype)


def advised(promise, on=("cpu", "v5e", "v6e")):
    """Registers a program: a function without arguments that returns another one and its abstract arguments. `promise`: which
    advice is meant, a function of the folder with the first compilation."""
    def add(make):
        if kind in on:
            ADVISED[make.__name__] = (make, promise)
        return make
    return add


def asked(*words):
    done = subprocess.run([command, *words], capture_output=True, text=True, errors="replace", timeout=600)
    return json.loads(done.stdout)


def need(out):
    truth = json.load(open(f"{out}/memory_analysis.json"))
    return truth.get("total_allocation_bytes") or (truth["argument_size_in_bytes"] + truth["output_size_in_bytes"] +
                                                   truth["temp_size_in_bytes"] - truth["alias_size_in_bytes"])


def largest(list_of_modules, key):
    return max(list_of_modules, key=lambda one: one.get(key, 0))


# ---------------------------------------------------------------- what was advised: bytes, certainty, options of the program
def donation(out):
    found = largest(asked("advise", "--format", "json", f"{out}/dumps")["advice"], "need_bytes").get("donation")
    if found is None:
        return None
    numbers = [one["parameter"] for one in found["arguments"]]
    certainty = found["certainty"]
    if "saves_at_most_bytes" in found:
        certainty += f", at most {size(found['saves_at_most_bytes'])}"
    return found["saves_bytes"], certainty, dict(donate=numbers), found.get("saves_at_most_bytes")


def recompiled(name, make, out, options):
    """Compiles a program with these options into a folder, unless that is there already."""
    wish, made = json.dumps(options), f"{out}/options.json"
    if os.path.exists(f"{out}/done") and os.path.exists(made) and open(made).read() == wish:
        return
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    open(made, "w").write(wish)
    donate = options.pop("donate", ())
    f, args, *given = make(**options)
    leaves, tree = jax.tree.flatten(args)
    donate = donate or tuple(given[0] if given else ())
    jit_options = given[1] if len(given) > 1 else {}
    flat = lambda *all_leaves: f(*jax.tree.unflatten(tree, all_leaves))
    flat.__name__ = name
    compile_into(out, jax.jit(flat, donate_argnums=donate, **jit_options), leaves)


# ---------------------------------------------------------------- donations
@advised(donation)
def replaced_weights():
    def step(params, x):
        loss = lambda p: jnp.sum((jnp.tanh(x @ p["up"]) @ p["down"]).astype(f32) ** 2)
        return jax.tree.map(lambda w, g: w - 0.1 * g, params, jax.grad(loss)(params))
    return step, ({"up": array(4096, 8192), "down": array(8192, 4096)}, array(8192, 4096))


@advised(donation)
def loop_state():
    def run(state, w):
        return lax.fori_loop(0, 24, lambda i, x: jnp.tanh(x @ w), state)
    return run, (array(32768, 2048), array(2048, 2048))


@advised(donation)
def adam():
    def step(params, mu, nu, x, y):
        def loss(p):
            z = x
            for w in p:
                z = jax.nn.relu(z @ w)
            return jnp.mean((z - y).astype(f32) ** 2)
        grads = jax.grad(loss)(params)
        mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g.astype(f32), mu, grads)
        nu = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g.astype(f32) ** 2, nu, grads)
        return jax.tree.map(lambda p, m, v: p - (1e-3 * m / (jnp.sqrt(v) + 1e-8)).astype(p.dtype), params, mu, nu), mu, nu
    weights = [array(2048, 2048) for _ in range(8)]
    wide = [array(2048, 2048, dtype=f32) for _ in range(8)]
    return step, (weights, wide, wide, array(2048, 2048), array(2048, 2048))


@advised(donation)
def cache_update():
    def decode(keys, values, position, q, k, v):
        keys = lax.dynamic_update_slice(keys, k[:, None], (0, position, 0))
        values = lax.dynamic_update_slice(values, v[:, None], (0, position, 0))
        scores = jax.nn.softmax(jnp.einsum("bd,bsd->bs", q, keys).astype(f32))
        return jnp.einsum("bs,bsd->bd", scores.astype(bf16), values), keys, values
    cache, new = array(32, 8192, 1024), array(32, 1024)
    return decode, (cache, cache, array(dtype=jnp.int32), new, new, new)


@advised(donation)
def crossed_results():
    def turn(a, b, c):
        return jnp.tanh(b) + 1, jnp.sin(a @ a), c * 2 + b
    return turn, (array(4096, 4096), array(4096, 4096), array(4096, 4096))


# ---------------------------------------------------------------- remats
def findings(out, rule):
    found = asked("--format", "json", "--select", rule, f"{out}/dumps")["diagnostics"]
    return [one for one in found if one["rule"] == rule]


def promised(found, options):
    """What findings promise together."""
    found = [one for one in found if "saves_bytes" in one]
    return (sum(one["saves_bytes"] for one in found), found[0]["certainty"], options) if found else None


def equal_temporaries(**options):
    """BUD005: temporaries of equal shapes, one of which could serve all."""
    return lambda out: promised(findings(out, "BUD005"), options)


def kept(out):
    """The curve of `advise`: what keeping the first result that is computed again takes."""
    module = largest(asked("advise", "--format", "json", "--device", f"tpu-{kind}", f"{out}/dumps")["advice"], "need_bytes")
    points = [p for p in module.get("curve", []) if p["by"] == "keep"]
    if not points:
        return None
    first = min(points, key=lambda p: p["need_bytes"])
    return module["need_bytes"] - first["need_bytes"], first["certainty"], dict(keep=["up"])


def layers(block, count, width, batch, checkpoint=False, keep=None, rolled=False):
    """A training step over layers of two weights."""
    if keep is not None:
        block = jax.checkpoint(block, policy=jax.checkpoint_policies.save_only_these_names(*keep))
    elif checkpoint:
        block = jax.checkpoint(block)

    def step(weights, x):
        def loss(weights, x):
            if rolled:
                x, _ = lax.scan(lambda c, w: (block(c, w), None), x, weights)
            else:
                for k in range(count):
                    x = block(x, jax.tree.map(lambda w: w[k], weights))
            return jnp.sum(x.astype(f32) ** 2)
        value, grads = jax.value_and_grad(loss)(weights, x)
        return jax.tree.map(lambda w, g: w - (0.1 * g).astype(w.dtype), weights, grads), value
    return step, ((array(count, width, 4 * width), array(count, 4 * width, width)), array(batch, width))


def feed_forward(x, w):
    return x + checkpoint_name(jnp.tanh(checkpoint_name(x @ w[0], "up")) @ w[1], "down")


@advised(equal_temporaries(checkpoint=True), on=("v5e", "v6e"))
def unrolled_layers(**options):
    return layers(feed_forward, 16, 512, 8192, **options)


@advised(kept, on=("v5e", "v6e"))
def kept_products(keep=()):
    return layers(feed_forward, 16, 1024, 4096, keep=keep, rolled=True)


def gated(x, w):
    y = checkpoint_name(x @ w[0], "up")
    return x + (jax.nn.silu(y) * y) @ w[1]


@advised(kept, on=("v5e", "v6e"))
def kept_gates(keep=()):
    return layers(gated, 12, 2048, 2048, keep=keep, rolled=True)


# ---------------------------------------------------------------- layouts and scans
@advised(equal_temporaries(rolled=True, checkpoint=True))
def unrolled_model(**options):
    return layers(lambda x, w: x + jax.nn.gelu(x @ w[0]) @ w[1], 16, 256, 16384, **options)


def attend(x, cache):
    return x + jnp.einsum("bs,bsd->bd", jax.nn.softmax(jnp.einsum("bd,bsd->bs", x, cache)), cache)


def relaid(out):
    """PRF002: the largest copy that only changes the order of dimensions, which the argument could have already."""
    found = sorted(findings(out, "PRF002"), key=lambda one: one.get("saves_bytes", 0))
    return promised(found[-1:], dict(relaid=True))


@advised(relaid, on=("v5e", "v6e"))
def caches_in_order(relaid=False):
    def decode(caches, x, position):
        def body(k, state):
            x, caches = state
            caches = lax.dynamic_update_slice(caches, x[None, :, None], (k, 0, position, 0))
            return attend(x, caches[k]), caches
        return lax.fori_loop(0, caches.shape[0], body, (x, caches))
    caches = array(16, 16, 2048, 512)
    if not relaid:
        return decode, (caches, array(16, 512), array(dtype=jnp.int32)), (0,)
    order = Format(Layout((0, 2, 1, 3)), one_device())
    caches = jax.ShapeDtypeStruct(caches.shape, caches.dtype, sharding=order)
    return decode, (caches, array(16, 512), array(dtype=jnp.int32)), (0,), dict(out_shardings=(one_device(), order))


def brought_home(out):
    """ALI006: copies that a loop's argument and result make of each other."""
    return promised(findings(out, "ALI006"), dict(carried=True))


@advised(brought_home)
def scanned_caches(carried=False):
    def decode(caches, x, position):
        def layer(x, cache):
            cache = lax.dynamic_update_slice(cache, x[:, None], (0, position, 0))
            return attend(x, cache), cache

        def body(k, state):
            x, cache = layer(state[0], state[1][k])
            return x, lax.dynamic_update_index_in_dim(state[1], cache, k, 0)
        return lax.fori_loop(0, caches.shape[0], body, (x, caches)) if carried else lax.scan(layer, x, caches)
    return decode, (array(16, 16, 2048, 512), array(16, 512), array(dtype=jnp.int32)), (0,)


def size(count):
    return f"{'-' if count < 0 else ''}{abs(count) / 2**20:,.1f}"


wrong = 0
for name, (make, promise) in ADVISED.items():
    if wanted and name not in wanted:
        continue
    out, again = f"{folder}/advice/{kind}/{name}", f"{folder}/advice/{kind}/{name}-advised"
    recompiled(name, make, out, {})
    said = None if os.path.exists(f"{out}/error.txt") else promise(out)
    if said is None:
        compiles = not os.path.exists(f"{out}/error.txt")
        wrong += not compiles
        print(f"| {kind} | {name} | {size(need(out)) if compiles else ''} | {'none' if compiles else 'does not compile'} | | | |")
        continue
    saves, certainty, options, *at_most = said
    recompiled(name, make, again, dict(options))
    if os.path.exists(f"{again}/error.txt"):
        wrong += 1
        print(f"| {kind} | {name} | {size(need(out))} | {size(saves)} | does not compile | | |")
        continue
    got = need(out) - need(again)
    # Of what is kept, at most so much more is needed; of what is saved, at most so much less.
    holds = abs(saves - got) <= 0.02 * abs(saves) or (certainty == "bound" and got < saves and (saves > 0) == (got >= 0))
    if certainty == "bound" and saves < 0:
        holds = got >= 1.02 * saves
    if at_most and at_most[0]:
        holds = got <= at_most[0]
    wrong += not holds
    print(f"| {kind} | {name} | {size(need(out))} | {size(saves)} | {size(got)} | {got / saves:.3f} | {certainty}"
          f"{'' if holds else ', does not hold'} |", flush=True)
sys.exit(1 if wrong else 0)
