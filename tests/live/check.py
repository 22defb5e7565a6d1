"""check.py COMMAND FOLDER: holds the hlolint command against what the compilers wrote and reported. Prints a table; 1 if anything
differs."""
import glob
import json
import os
import subprocess
import sys

from programs import PAIRS

command, folder = sys.argv[1:3]
QUESTIONS = ("read", "healthy", "verify", "need", "peak", "device", "diff")
DEVICES = {"v5e": "tpu-v5e", "v5p": "tpu-v5p", "v6e": "tpu-v6e", "7x": "tpu-7x"}
table, faults = {}, []


def run(*arguments):
    done = subprocess.run([command, "--isolated", *arguments] if arguments[0].startswith("-") else [command, *arguments],
                          capture_output=True, text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout


def answer(kind, question, program, right, why, counts=True):
    """`counts`: whether a wrong answer is a fault. The peak that libtpu reports does not always follow from what it writes."""
    right_ones, all_ones = table.setdefault(kind, {}).get(question, (0, 0))
    table[kind][question] = right_ones + bool(right), all_ones + 1
    if not right and counts:
        faults.append(f"{kind}/{program}: {question}: {why}"[:200])


def memory(path):
    try:
        return json.loads(run("memory", "--format", "json", path)[1])["memory"]
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
        # Two contexts of a SparseCore have one place, which an estimate does not know: 64 KiB in the smallest program.
        close = 0.02 * total + 65536 if kind in DEVICES else 0.001 * total + 4096
        answer(kind, "need", program, abs(need - total) <= close, f"{need} from the text, {total} reported")
    modules = memory(f"{out}/dumps")
    if truth.get("peak_memory_in_bytes"):
        peaks = [m.get("peak_memory_in_bytes") for m in modules]
        answer(kind, "peak", program, truth["peak_memory_in_bytes"] in peaks, f'{peaks}, {truth["peak_memory_in_bytes"]} reported',
               counts=kind not in DEVICES)
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

print("device  " + "".join(f"{q:>12}" for q in QUESTIONS))
for kind, row in table.items():
    cells = (f"{row[q][0]} of {row[q][1]}" if q in row else "-" for q in QUESTIONS)
    print(f"{kind:8}" + "".join(f"{c:>12}" for c in cells))
print("\n".join(faults))
sys.exit(1 if faults or not table else 0)
