"""check.py COMMAND FOLDER: holds the hlolint command against what the compilers wrote and reported. Prints a table; 1 if anything
differs."""
import glob
import json
import os
import subprocess
import sys

from programs import DONATED, KEPT, LAUNCHED, PAIRS

command, folder = sys.argv[1:3]
QUESTIONS = ("read", "healthy", "verify", "need", "exact need", "peak", "exact peak", "device", "diff", "kept", "donated", "launches")
DEVICES = {"v3": "tpu-v3", "v4": "tpu-v4", "v5e": "tpu-v5e", "v5p": "tpu-v5p", "v6e": "tpu-v6e", "7x": "tpu-7x"}
table, faults = {}, []


def run(*arguments):
    done = subprocess.run([command, "--isolated", *arguments] if arguments[0].startswith("-") else [command, *arguments],
                          capture_output=True, text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout


def answer(kind, question, program, right, why=None):
    """Counts an answer; a wrong one without `why` is only counted."""
    right_ones, all_ones = table.setdefault(kind, {}).get(question, (0, 0))
    table[kind][question] = right_ones + bool(right), all_ones + 1
    if not right and why is not None:
        faults.append(f"{kind}/{program}: {question}: {why}"[:200])


def memory(path, *options):
    try:
        return json.loads(run("memory", "--format", "json", *options, path)[1])["memory"]
    except (json.JSONDecodeError, KeyError):
        return []


def largest(modules):
    return max(modules, key=lambda m: m.get("need", {}).get("bytes", 0), default={})


def check(kind, program, out):
    failed = os.path.exists(f"{out}/error.txt")
    try:
        found = json.loads(run("--format", "json", f"{out}/dumps")[1])["diagnostics"]
    except (json.JSONDecodeError, KeyError):
        return answer(kind, "read", program, False, "no report")
    unread = [d["message"] for d in found if d["rule"].startswith("SYN")]
    answer(kind, "read", program, not unread, unread[:1])
    if failed:
        return answer(kind, "healthy", program, any(d["rule"] == "BUD001" for d in found), "no BUD001 though it does not fit")
    wrong = [f'{d["rule"]} {d["message"]}' for d in found
             if d["level"] == "error" or (d["level"] == "warning" and d["rule"][:3] in ("MEM", "DMP"))
             or (d["level"] == "warning" and d["rule"] in ("ALI004", "ALI008", "COL004"))]
    answer(kind, "healthy", program, not wrong, wrong[:1])
    status, text = run("memory", "--verify", f"{out}/dumps")
    answer(kind, "verify", program, status == 0, text.strip().split("\n")[-1:])
    truth = json.load(open(f"{out}/memory_analysis.json"))
    total = truth.get("total_allocation_bytes") or (truth["argument_size_in_bytes"] + truth["output_size_in_bytes"] +
                                                     truth["temp_size_in_bytes"] - truth["alias_size_in_bytes"])
    if os.path.getsize(f"{out}/as_text.txt") > 0 and total:
        need = largest(memory(f"{out}/as_text.txt")).get("need", {}).get("bytes", 0)
        # The text does not name the device, on which the size of tables of tuples depends.
        close = 0.01 * total + 65536 if kind in DEVICES else 0.001 * total + 4096
        answer(kind, "need", program, abs(need - total) <= close, f"{need} from the text, {total} reported")
        if kind in DEVICES:
            exact = largest(memory(f"{out}/as_text.txt", "--device", DEVICES[kind])).get("need", {}).get("bytes")
            answer(kind, "exact need", program, exact and exact == largest(memory(f"{out}/dumps")).get("need", {}).get("bytes"))
    modules = memory(f"{out}/dumps")
    if truth.get("peak_memory_in_bytes"):
        peaks = [m.get("peak_memory_in_bytes") for m in modules]
        peak = truth["peak_memory_in_bytes"]
        # Where the highest point lies in memory of the core it depends on how libtpu packed that, which the dump does not show in all cases.
        close = peak // 100 + 16384 if kind in DEVICES else 0
        answer(kind, "peak", program, any(abs(p - peak) <= close for p in peaks if p), f"{peaks}, {peak} reported")
        answer(kind, "exact peak", program, peak in peaks)
    if kind in DEVICES:
        text = run("time", f"{out}/dumps")[1]
        answer(kind, "device", program, DEVICES[kind] in text and "guess" not in text, "another device, or a guess")
    return None


for out in sorted(glob.glob(f"{folder}/*/*/")):
    if os.path.exists(f"{out}/done"):
        check(*out.rstrip("/").split("/")[-2:], out)
for kind in list(table):
    for before, after in PAIRS:
        a, b = (f"{folder}/{kind}/{name}" for name in (before, after))
        if not all(os.path.exists(f"{p}/memory_analysis.json") for p in (a, b)):
            continue
        truth = [json.load(open(f"{p}/memory_analysis.json")) for p in (a, b)]
        need = [largest(memory(f"{p}/dumps")).get("need", {}).get("bytes", 0) for p in (a, b)]
        wanted = truth[1]["total_allocation_bytes"] - truth[0]["total_allocation_bytes"]
        close = 16384 if kind in DEVICES else 4096
        answer(kind, "diff", f"{before} -> {after}", abs(need[1] - need[0] - wanted) <= close, f"{need[1] - need[0]}, {wanted} reported")

    for before, after in KEPT:
        a, b = (f"{folder}/{kind}/{name}" for name in (before, after))
        if not all(os.path.exists(f"{p}/memory_analysis.json") for p in (a, b)):
            continue
        steps = [json.loads(run("time", "--format", "json", f"{p}/dumps")[1])["time"][0] for p in (a, b)]
        truth = [json.load(open(f"{p}/memory_analysis.json"))["total_allocation_bytes"] for p in (a, b)]
        keeps = [k for k in steps[0].get("recomputed", {}).get("keeps", []) if k["fits"]]
        bytes_more, won = truth[1] - truth[0], steps[0]["compute_ms"] - steps[1]["compute_ms"]
        # What is worth nothing is not proposed.
        said = next((k["saves_ms"] for k in keeps if abs(k["bytes"] - bytes_more) <= 0.15 * bytes_more), 0)
        # The schedule of another program differs by up to 1 % of the step for reasons of its own.
        close = max(0.35 * won, 0.01 * steps[0]["step_ms"])
        answer(kind, "kept", before, abs(said - won) <= close,
               f'{[(k["bytes"], round(k["saves_ms"], 3)) for k in keeps]}; {bytes_more} and {won:.3f} ms after compiling')

    for before, after in DONATED:
        a, b = (f"{folder}/{kind}/{name}" for name in (before, after))
        if not all(os.path.exists(f"{p}/memory_analysis.json") for p in (a, b)):
            continue
        found = json.loads(run("--format", "json", "--select", "ALI007", f"{a}/dumps")[1])["diagnostics"]
        said = sum(d.get("bytes", 0) for d in found if d["rule"] == "ALI007")
        truth = [json.load(open(f"{p}/memory_analysis.json")) for p in (a, b)]
        less = truth[0]["total_allocation_bytes"] - truth[1]["total_allocation_bytes"]
        answer(kind, "donated", before, less > 0 and abs(said - less) <= 0.02 * less, f"{said} could be donated, {less} less after compiling")

    for before, after, times in LAUNCHED:
        a, b = (f"{folder}/{kind}/{name}" for name in (before, after))
        if not all(os.path.exists(f"{p}/done") for p in (a, b)):
            continue
        said = "kernels take at least" in run("time", "--device", "h100-sxm", f"{a}/dumps")[1]
        steps = [json.loads(run("time", "--device", "h100-sxm", "--format", "json", f"{p}/dumps")[1])["time"][0]["step_ms"] for p in (a, b)]
        answer(kind, "launches", before, said and steps[1] < 0.5 * times * steps[0], f"said: {said}; {steps} ms for 1 and {times} batches")

print("device  " + "".join(f"{q:>12}" for q in QUESTIONS))
for kind, row in table.items():
    cells = (f"{row[q][0]} of {row[q][1]}" if q in row else "-" for q in QUESTIONS)
    print(f"{kind:8}" + "".join(f"{c:>12}" for c in cells))
print("\n".join(faults))
sys.exit(1 if faults or not table else 0)
