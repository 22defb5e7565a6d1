"""verdicts.py COMMAND [COUNT] [SEED]: changes small modules in the forms that compilers print since 2025, and asks both XLA's own
parser (jaxlib) and the hlolint command whether each text is HLO. Prints how often they agree; 1 if they differ in a way that is
not listed below as one on purpose. Each text is parsed in a process of its own, since some crash XLA's parser."""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from jaxlib import _hlo

# What hlolint reads although XLA refuses it, by XLA's reason.
READ_ON_PURPOSE = {
    r"Unknown opcode": "an opcode of a newer XLA",
    r"unexpected attribute": "an attribute of a newer XLA",
    r"expected primitive type, saw kIdent": "an element type of a newer XLA",
    r"was parsing 1:\d+: error: expects|was parsing 3:1: error: expects '='": "other text before a module, or a broken header",
    r"error: expects name\n\}|LINE OUT OF RANGE": "other text behind a module",
    r"expects opcode\n|saw kw_": "a reserved word as opcode or element type",
}
# What XLA reads although hlolint refuses it, by hlolint's message.
REFUSED_ON_PURPOSE = {
    r" cannot be |element \d+ (of this tuple )?is |but parameter \d+ of|does not lie in dimension|(is|gives) \(*\w+\[.*, (but|not) |only a tuple has elements": "shapes, which only XLA's verifier checks",
    r"in a scheduled module they have": "layouts, which only XLA's verifier checks",
    r"minor_to_major must hold|the layout orders \d+ dimensions": "the order of a layout, which only XLA's verifier checks",
    r"expected an integer, found ','": "a number left out, for which XLA takes what stood in memory",
    r"expected (a tile extent, '\*' or )?'\)'": "a layout without its last parenthesis",
}

ADD = "%add {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n\n"
SEEDS = [
    # Short get-tuple-elements.
    "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = (f32[2]{0}, (f32[3]{0}, f32[4]{0})) parameter(0)\n"
    "  %n = f32[3]{0} negate(%p#1#0)\n  %q = f32[2]{0} negate(f32[2]{0} %p#0)\n"
    "  ROOT %r = (f32[3]{0}, f32[4]{0}, (f32[3]{0}, f32[4]{0}), f32[2]{0}) tuple(%n, %p#1#1, %p#1, %q)\n}\n",
    "HloModule m\n\nENTRY %e {\n  %p = (f32[2]{0}, (f32[3]{0}, s32[])) parameter(0)\n  %p_0 = f32[2]{0} constant({1, 2})\n"
    "  %a = f32[2]{0} add(%p#0, %p_0), control-predecessors={%p_0}\n"
    "  %b = f32[2]{0} add(%a, %p#0)\n  ROOT %r = f32[3]{0} get-tuple-element(%p#1), index=0\n}\n",
    # While loops and conditionals with short forms.
    "HloModule m, is_scheduled=true\n\n%cond {\n  %s = (s32[], f32[4]{0}) parameter(0)\n  %k = s32[] constant(5)\n"
    "  ROOT %c = pred[] compare(%s#0, %k), direction=LT, order=TOTAL\n}\n\n%body {\n  %s.1 = (s32[], f32[4]{0}) parameter(0)\n"
    "  %one = s32[] constant(1)\n  %i = s32[] add(%s.1#0, %one)\n  ROOT %t = (s32[], f32[4]{0}) tuple(%i, %s.1#1)\n}\n\n"
    "ENTRY %e {\n  %z = s32[] constant(0)\n  %p = f32[4]{0} parameter(0)\n  %t.1 = (s32[], f32[4]{0}) tuple(%z, %p)\n"
    "  %w = (s32[], f32[4]{0}) while(%t.1), condition=%cond, body=%body, "
    "backend_config={\"known_trip_count\":{\"n\":\"5\"}}\n  ROOT %o = f32[4]{0} negate(%w#1)\n}\n",
    "HloModule m\n\n%one {\n  %a = (f32[2]{0}, f32[2]{0}) parameter(0)\n  ROOT %r = f32[2]{0} add(%a#0, %a#1)\n}\n\n"
    "%two {\n  %b = f32[2]{0} parameter(0)\n  ROOT %r.1 = f32[2]{0} negate(%b)\n}\n\nENTRY %e {\n  %k = pred[] parameter(0)\n"
    "  %p = (f32[2]{0}, f32[2]{0}) parameter(1)\n"
    "  ROOT %c = f32[2]{0} conditional(%k, %p, %p#1), true_computation=%one, false_computation=%two\n}\n",
    # Shardings of today.
    "HloModule m, num_partitions=2\n\nENTRY %e {\n"
    "  %p = f32[8,8]{1,0} parameter(0), sharding={devices=[2,1]<=[2] metadata={op_name=\"x\"}}\n"
    "  %q = f32[8,8]{1,0} parameter(1), sharding={mesh['a'=2], [{'a'}, {}]}\n"
    "  %c = f32[8,8]{1,0} custom-call(%p), custom_call_target=\"x\", sharding={single_device[device_id=0]}\n"
    "  %d = f32[8,8]{1,0} custom-call(%q), custom_call_target=\"y\", sharding={maximal device=1}\n"
    "  %u = f32[8,8]{1,0} custom-call(%c, %d), custom_call_target=\"z\", sharding={replicated}\n"
    "  ROOT %t = (f32[8,8]{1,0}, f32[8,8]{1,0}) tuple(%u, %d), "
    "sharding={{single_device[device_id=1], metadata={op_name=\"x\"}}, {manual}}\n}\n",
    # Collectives, synchronous and not.
    "HloModule m, num_partitions=4\n\n" + ADD + "ENTRY %e {\n  %p = f32[8]{0} parameter(0)\n"
    "  %a = f32[8]{0} all-reduce(%p), channel_id=1, replica_groups=mesh['d'=4] {'d'}, use_global_device_ids=true, to_apply=%add\n"
    "  %s = f32[8]{0} all-reduce-start(%a), channel_id=2, replica_groups=[1,4]<=[4], use_global_device_ids=true, to_apply=%add\n"
    "  %d = f32[8]{0} all-reduce-done(%s)\n  %g = (f32[8]{0}, f32[32]{0}) all-gather-start(%d), channel_id=3, "
    "replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true\n  %h = f32[32]{0} all-gather-done(%g)\n"
    "  %b = f32[8]{0} collective-permute(%d), channel_id=4, source_target_pairs={{0,1},{1,2}}\n"
    "  ROOT %t = (f32[32]{0}, f32[8]{0}) tuple(%h, %b)\n}\n",
    # Asynchronous operations, with sugar and without.
    "HloModule m, is_scheduled=true\n\n%async_computation {\n  %q = f32[16]{0} parameter(0)\n"
    "  ROOT %sl = f32[4]{0:S(1)} slice(%q), slice={[0:4]}\n}\n\nENTRY %e {\n  %p = f32[16]{0} parameter(0)\n"
    "  %s = ((f32[16]{0}), f32[4]{0:S(1)}, s32[]{:S(2)}) async-start(%p), calls=%async_computation\n"
    "  %s.1 = ((f32[16]{0}), f32[4]{0:S(1)}, s32[]{:S(2)}) async-update(%s)\n"
    "  %d = f32[4]{0:S(1)} async-done(%s.1)\n  ROOT %n = f32[4]{0} negate(%d)\n}\n",
    "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = f32[16]{0:T(128)} parameter(0)\n"
    "  %s = ((f32[16]{0:T(128)}), f32[4]{0:T(128)S(1)}, s32[]{:S(2)}) slice-start(%p), slice={[0:4]}\n"
    "  %c = (f32[16]{0:T(128)S(1)}, f32[16]{0:T(128)}, u32[]{:S(2)}) copy-start(%p)\n"
    "  %d = f32[4]{0:T(128)S(1)} slice-done(%s)\n  %f = f32[16]{0:T(128)S(1)} copy-done(%c)\n"
    "  ROOT %t = (f32[4]{0:T(128)S(1)}, f32[16]{0:T(128)S(1)}) tuple(%d, %f)\n}\n",
    # Aliasing of calls, donation.
    "HloModule m, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, must-alias) }, "
    "buffer_donor={ (2, {}) }, entry_computation_layout={(f32[8]{0}, f32[8]{0}, f32[8]{0})->(f32[8]{0}, f32[8]{0})}\n\n"
    "ENTRY %e {\n  %p = f32[8]{0} parameter(0)\n  %q = f32[8]{0} parameter(1)\n  %r = f32[8]{0} parameter(2)\n"
    "  %k = (f32[8]{0}, f32[8]{0}) custom-call(%p, %q), custom_call_target=\"tpu_custom_call\", "
    "output_to_operand_aliasing={{0}: (0, {}), {1}: (1, {})}, api_version=API_VERSION_TYPED_FFI, "
    "custom_call_has_side_effect=true, backend_config=\"{}\"\n"
    "  %a = f32[8]{0} add(%k#0, %r)\n  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%a, %k#1)\n}\n",
    # Fusions, tables of stack frames, metadata, small types.
    "HloModule m, is_scheduled=true\n\nFileNames\n1 \"f.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
    "1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=4 end_column=9}\n\nStackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n\n"
    "%fused {\n  %p0 = s4[16]{0:E(4)} parameter(0)\n  %p1 = f8e4m3fn[16]{0} parameter(1)\n  %c = f32[16]{0} convert(%p0)\n"
    "  %c.1 = f32[16]{0} convert(%p1)\n  ROOT %m = f32[16]{0} multiply(%c, %c.1)\n}\n\nENTRY %e {\n"
    "  %a = s4[16]{0:E(4)} parameter(0)\n  %b = f8e4m3fn[16]{0} parameter(1)\n"
    "  ROOT %f = f32[16]{0} fusion(%a, %b), kind=kLoop, calls=%fused, metadata={op_name=\"jit(f)/mul\" stack_frame_id=1}, "
    "frontend_attributes={_xla_x=\"1\"}\n}\n",
    # Ragged all-to-all, sort, and operands with shapes.
    "HloModule m, num_partitions=2\n\n%less {\n  %l = f32[] parameter(0)\n  %r = f32[] parameter(1)\n"
    "  ROOT %c = pred[] compare(f32[] %l, f32[] %r), direction=LT, type=TOTALORDER\n}\n\nENTRY %e {\n"
    "  %a = f32[8,4]{1,0} parameter(0)\n  %o = f32[16,4]{1,0} parameter(1)\n  %i = s32[2]{0} parameter(2)\n"
    "  %g = f32[16,4]{1,0} ragged-all-to-all(%a, %o, %i, %i, %i, /*index=5*/%i), channel_id=1, replica_groups={{0,1}}\n"
    "  ROOT %s = f32[16,4]{1,0} sort(f32[16,4]{1,0} %g), dimensions={0}, is_stable=true, to_apply=%less\n}\n",
]
PIECES = [
    "#0", "#1", "#0#1", "#9", "#-1", "#", "%p#0", "{single_device[device_id=0]}", "{single_device[device_id=-1]}", "{single_device}",
    "{maximal_mesh[device_id=3]}", "{unreduced}", "{mesh[], []}", "{mesh['a'=2], [{'a', ?}, {}], replicated={}}", "{replicated}",
    "{devices=[2,1]<=[2]}", "shard_as 1", ", output_to_operand_aliasing={{}: (0, {})}", ", output_to_operand_aliasing={{1}: (0, {})}",
    ", control-predecessors={%p}", ", control-predecessors={%p#0}", ", order=TOTAL", ", order=PARTIAL", ", type=SIGNED",
    ", sharding={manual}", ", backend_config={\"a\":[1,{\"b\":null}]}", ", metadata={op_name=\"a\"}", ", frontend_attributes={a=\"b\"}",
    "/*index=5*/", "((f32[8]{0}), f32[8]{0})", "(f32[8]{0}, f32[8]{0})", "f32[8]{0:T(8,128)(2,1)S(1)}", "f32[<=8]{0}", "f32[]",
    "{0:T(256)}", "{:S(2)}", "E(4)", "S(1)", "L(1024)", "mesh['d'=4] {'d'}", "[2,2]<=[4]", "[2,2]<=[2,2]T(1,0)", "{{0,1},{2,3}}", "{}",
    "ROOT ", "%", "\"", "\\\"", "\n", "  ", ",", "(", ")", "{", "}", "=", "0", "1", "-1", "1e3", "0x1", "inf", "true", "x", "f4e2m1fn[4]{0}",
]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.\-]+|\s+|.', re.S)


def change(text, some):
    """One to three changes of tokens: left out, doubled, exchanged, replaced by one of another place, or a piece put in."""
    tokens = TOKEN.findall(text)
    for _ in range(some.choice((1, 1, 1, 2, 3))):
        k = some.randrange(len(tokens))
        what = some.randrange(6)
        if what == 0:
            del tokens[k]
        elif what == 1:
            tokens.insert(k, tokens[k])
        elif what == 2 and k + 1 < len(tokens):
            tokens[k], tokens[k + 1] = tokens[k + 1], tokens[k]
        elif what == 3:
            tokens[k] = some.choice(tokens)
        elif what == 4:
            tokens[k] = some.choice(PIECES)
        else:
            tokens.insert(k, some.choice(PIECES))
    return "".join(tokens)


def ask_xla(text):
    """None if XLA reads it, else its reason; "crash" where it crashes."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            _hlo.hlo_module_from_text(text)
            os.write(write, b"read")
        except Exception as error:
            os.write(write, str(error).encode(errors="replace")[:4000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read().decode(errors="replace")
    os.waitpid(child, 0)
    return None if answer == "read" else answer or "crash"


def ask_hlolint(command, texts):
    """For each text None if hlolint reads it, else its first message."""
    with tempfile.TemporaryDirectory() as folder:
        for k, text in enumerate(texts):
            with open(f"{folder}/m{k:05}.hlo", "w") as file:
                file.write(text)
        done = subprocess.run([command, "parse", "--isolated", "--format", "json", folder], capture_output=True, text=True, errors="replace")
        found = {}
        for d in json.loads(done.stdout)["diagnostics"]:
            if d["rule"] in ("SYN000", "SYN001", "SYN002") and d["level"] == "error":
                found.setdefault(os.path.basename(d["path"]), d["message"])
        return [found.get(f"m{k:05}.hlo") for k in range(len(texts))]


if __name__ == "__main__":
    command, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    some = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    texts = SEEDS + [change(some.choice(SEEDS), some) for _ in range(count)]
    ours = ask_hlolint(command, texts)
    table, faults = collections.Counter(), []
    for k, (text, mine) in enumerate(zip(texts, ours)):
        xla = ask_xla(text)
        if k < len(SEEDS) and (xla or mine):
            faults.append((xla, mine, text))
        elif (xla is None) == (mine is None):
            table["read by both" if mine is None else "refused by both"] += 1
        elif xla == "crash":
            table["crashes XLA's parser"] += 1
        elif why := next((w for r, w in READ_ON_PURPOSE.items() if mine is None and re.search(r, xla)), None):
            table[f"read although XLA refuses it: {why}"] += 1
        elif why := next((w for r, w in REFUSED_ON_PURPOSE.items() if xla is None and re.search(r, mine)), None):
            table[f"refused although XLA reads it: {why}"] += 1
        else:
            faults.append((xla, mine, text))
    for what, number in table.most_common():
        print(f"{number:6}  {what}")
    for xla, mine, text in faults:
        print(f"--- XLA: {xla or 'read'}\n    hlolint: {mine or 'read'}\n{text}")
    print(f"{len(faults)} of {len(texts)} differ")
    sys.exit(1 if faults else 0)
