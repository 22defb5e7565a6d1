#!/usr/bin/env python3
"""check.py NAME ARGUMENT... : one of the checks below, of the sources or of what is written about them. Each prints its
faults, one a line, and what it looked at; the exit status is 1 if there are faults. A path is that of the project or
of a fixture in tests/data; test_check.py tries good and bad inputs of each check."""
import json
import os
import pathlib
import re
import subprocess
import sys


class Faults:
    """Faults that a check found, printed as they are found."""

    def __init__(self):
        self.count = 0

    def add(self, text):
        print(text)
        self.count += 1

    def end(self, what, good):
        """The exit status; prints `what` with the number of faults, or `good` if there are none."""
        print(f"{self.count} {what}" if self.count else good)
        return 1 if self.count else 0


def read(path):
    return path.read_text(encoding="utf-8")


def headers_below(folder, *more):
    """The headers below folders, in order; an error if there are none."""
    found = sorted(path for one in (folder, *more) if one.is_dir() for path in one.rglob("*.hpp"))
    if not found:
        sys.exit(f"no headers below '{folder}'")
    return found


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


# --- The order of the floors ----------------------------------------------------------------------------------------

MOST_IN_FOLDER = 25
BESIDE_HEADERS = (".md", ".js", ".css", ".html")

FLOORS = {
    "text": 0, "ir": 1, "grammar": 2,
    "parse.hpp": 3, "parse_hlo.hpp": 3, "parse_buffers.hpp": 3, "parse": 3,
    "verify": 3, "print": 3, "print.hpp": 3,
    "analysis": 4, "analyses.hpp": 4,
    "match": 5, "match.hpp": 5, "lint": 6, "checks": 8, "report": 9,
    "check.hpp": 10, "hlolint.hpp": 10, "implementation": 10, "implementation.hpp": 10,
    "tool": 11,
}

# Within a room: from a path below it, or the first part of one, to its floor there. `headers` are those that stand in the
# room itself and are not named.
FLOORS_IN = {
    "grammar": {
        "x3": 0, "hlo/bracket_scan.hpp": 1, "hlo/shape.hpp": 1, "proto": 1, "attributes": 2, "build": 3, "hlo": 4,
        "buffers": 4, "printed": 5, "input_kind.hpp": 6,
    },
    "analysis": {
        "analysis_cache.hpp": 0, "device": 0, "sizes": 0, "program": 1, "values": 2, "schedule": 3, "transfers": 4,
        "assignment": 4, "buffers": 5, "time": 5,
    },
    "lint": {
        "module_number.hpp": 0, "memory_summary.hpp": 0, "accept": 1, "headers": 2, "inputs": 3, "lint.hpp": 4,
    },
    "report": {
        **dict.fromkeys(
            ["json_writer.hpp", "markup.hpp", "places.hpp", "rank_summary_json.hpp", "rank_summary_text.hpp",
             "run_result.hpp", "source_line.hpp", "utf8.hpp", "wrapped_text.hpp"],
            0),
        "rule_list.hpp": 1, "findings": 2, "json.hpp": 3, "headers": 4,
    },
    "ir": {"headers": 0, "text": 1},
    "tool": {
        **dict.fromkeys(
            ["device", "logs", "option_setting.hpp", "parse_log.hpp", "parse_parts.hpp", "protobuf", "profile", "query"], 0),
        "job_log": 1, "headers": 1, "memory": 1, "costs": 2, "measured": 3, "compare": 4, "advise": 4, "checks": 5,
        "report": 6,
    },
    "tool/advise": {"changes/program_change.hpp": 0, "headers": 1, "changes": 2, "donation.hpp": 3, "schedule_advice.hpp": 3},
    "tool/report": {
        **dict.fromkeys(
            ["code_hosts", "html/deflate.hpp", "program_picture.hpp", "reading_rules.hpp", "rule_tables.hpp",
             "small_modules.hpp", "text_table.hpp", "writing.hpp"], 0),
        "time/time_curve.hpp": 0, "time/cost_picture.hpp": 1, "advise": 2, "compare": 2, "memory/memory_options.hpp": 2,
        "memory/oom_facts.hpp": 2, "time/time_facts.hpp": 2, "time/time_options.hpp": 2,
        "time/timeline_picture.hpp": 2, "module_picture.hpp": 3, "memory": 4, "time": 4, "show": 5, "html": 6,
        "headers": 7,
    },
}


def floor_of(path):
    """Of hlolint/PART/... or hlolint/PART; None if it is on none."""
    return FLOORS.get(path.split("/")[1])


def floor_in(room, path):
    """Of a path below hlolint/ROOM/ within that room."""
    floors, inner = FLOORS_IN[room], path[len(f"hlolint/{room}/"):]
    if inner in floors:
        return floors[inner]
    first = inner.split("/")[0]
    return floors.get("headers" if first.endswith(".hpp") and first not in floors else first)


def floors(include):
    """floors INCLUDE : a public header includes only its own floor and lower ones, and names what it includes by
    <hlolint/...>. A folder holds at most 25 files: headers, specs (.md) and parts of pages (.js, .css, .html)."""
    faults, include = Faults(), pathlib.Path(include)
    headers_below(include)
    files = sorted(path.relative_to(include).as_posix() for path in (include / "hlolint").rglob("*") if path.is_file())
    in_folder = {}
    for header in files:
        folder = os.path.dirname(header)
        in_folder[folder] = in_folder.get(folder, 0) + 1
        if in_folder[folder] == MOST_IN_FOLDER + 1:
            faults.add(f"{folder} holds more than {MOST_IN_FOLDER} files")
        if header.endswith(BESIDE_HEADERS):
            continue
        if not header.endswith(".hpp"):
            faults.add(f"{header} is neither a .hpp file nor a spec (.md) nor a part of a page (.js, .css, .html)")
            continue
        floor = floor_of(header)
        if floor is None:
            faults.add(f"{header} is on no floor")
            continue
        for line in re.findall(r"^[ \t]*#[ \t]*include.*", read(include / header), re.M):
            if re.search(r'include[ \t]*"', line):
                faults.add(f"{header}: {line}: own headers are included as <hlolint/...>")
                continue
            named = re.search(r"include[ \t]*<(hlolint/[^>]*)>", line)
            if not named:
                continue
            included = named[1]
            other = floor_of(included)
            if other is None:
                faults.add(f"{header} includes {included}, which is on no floor")
            elif other > floor:
                faults.add(f"{header} includes {included}, which is on a higher floor")
            for room in FLOORS_IN:
                if not all(path.startswith(f"hlolint/{room}/") for path in (header, included)):
                    continue
                inner, other = floor_in(room, header), floor_in(room, included)
                if inner is None or other is None:
                    faults.add(f"{header} or {included} is on no floor of {room}")
                elif other > inner:
                    faults.add(f"{header} includes {included}, which is on a higher floor of {room}")
    return faults.end(f"faults in {len(files)} headers", f"{len(files)} headers are in order")


# --- Standard headers -----------------------------------------------------------------------------------------------

NAMES_OF_STANDARD_HEADERS = {
    "algorithm": "adjacent_find all_of any_of binary_search clamp copy copy_if count count_if equal equal_range fill find "
                 "find_if includes inplace_merge is_sorted lower_bound max max_element merge min min_element mismatch "
                 "none_of nth_element partition partition_point remove remove_if reverse rotate set_difference "
                 "set_symmetric_difference sort stable_sort transform unique upper_bound",
    "array": "array",
    "atomic": "atomic memory_order_acquire memory_order_acq_rel memory_order_relaxed",
    "bit": "bit_ceil countr_zero popcount bit_width",
    "charconv": "chars_format from_chars from_chars_result to_chars to_chars_result",
    "cmath": "ceil floor isfinite isnan llround log10 log2 lround pow round sqrt",
    "compare": "strong_ordering",
    "concepts": "constructible_from copy_constructible integral same_as",
    "cstddef": "ptrdiff_t size_t",
    "cstdint": "int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t",
    "cstdio": "snprintf",
    "cstdlib": "atoi free getenv qsort realloc strtod",
    "cstring": "memchr memcmp memcpy strerror",
    "deque": "deque",
    "functional": "function hash",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter inserter make_move_iterator",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "make_shared make_unique shared_ptr static_pointer_cast unique_ptr",
    "new": "bad_alloc",
    "numeric": "accumulate gcd iota",
    "optional": "in_place nullopt optional",
    "ostream": "ostream",
    "queue": "priority_queue queue",
    "set": "multiset set",
    "span": "span",
    "sstream": "ostringstream stringstream",
    "string": "getline string to_string",
    "string_view": "string_view",
    "tuple": "apply make_tuple tie tuple tuple_cat",
    "type_traits": "invoke_result_t is_arithmetic_v is_base_of_v is_constant_evaluated is_enum_v is_integral_v "
                   "is_invocable_v is_same_v remove_const_t remove_cvref_t remove_reference_t",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "exchange forward in_range index_sequence move pair swap",
    "vector": "vector",
}
STANDARD_HEADER_OF = {name: header for header, names in NAMES_OF_STANDARD_HEADERS.items() for name in names.split()}


def std_includes(include):
    """std_includes INCLUDE : a header includes, itself or by headers of ours, the standard header of every name of std
    that it uses. With this, headers.compile_alone may read the standard headers and those of Boost once, precompiled."""
    faults, include = Faults(), pathlib.Path(include)
    known = {}

    def foreign_headers_of(header):
        if header not in known:
            known[header] = set()  # two headers may include each other
            if not (include / header).exists():
                return known[header]  # made by the build
            for included in re.findall(r"^#include <([^>]*)>", read(include / header), re.M):
                known[header] |= foreign_headers_of(included) if included.startswith("hlolint/") else {included}
        return known[header]

    for path in headers_below(include):
        header = path.relative_to(include).as_posix()
        included = foreign_headers_of(header)
        for name in dict.fromkeys(re.findall(r"std::([a-z_0-9]+)", without_comments(read(path)))):
            needed = STANDARD_HEADER_OF.get(name)
            if needed and needed not in included:
                faults.add(f"{header} uses std::{name} and does not include <{needed}>")
    return faults.end("standard headers are missing", f"{len(known)} headers include what they use of std")


# --- Length of lines, and tests where their header stands -----------------------------------------------------------

MOST_COLUMNS = 120


def line_length(folder):
    """line_length FOLDER : no line of a header is longer than 120 columns."""
    faults = Faults()
    for path in headers_below(pathlib.Path(folder)):
        for number, line in enumerate(read(path).split("\n"), 1):
            if len(line) > MOST_COLUMNS:
                faults.add(f"{path}:{number} has {len(line)} columns, and {MOST_COLUMNS} are the most")
    return faults.end("lines are too long", f"no line is longer than {MOST_COLUMNS} columns")


def mirror(include, tests, room):
    """mirror INCLUDE TESTS ROOM : tests stand where their header stands. A rule checks/ROOM/RULE.hpp has
    tests/checks/ROOM/RULE.cpp, which names the rule's type; every other header ROOM/NAME.hpp has tests/ROOM/NAME.cpp,
    which includes it. Both have test cases."""
    faults, count = Faults(), 0
    top = pathlib.Path(include) / "hlolint"
    for path in headers_below(top / room):
        header = path.relative_to(top)
        mention = rf"^#include <hlolint/{re.escape(header.as_posix())}>"
        if room.endswith("checks"):
            if not re.search(r"static constexpr rule about", read(path)):
                continue
            mention = re.escape(header.stem)
        count += 1
        test = header.with_suffix(".cpp")
        beside = pathlib.Path(tests) / test
        text = read(beside) if beside.exists() else ""
        if not re.search(r"^TEST_CASE", text, re.M) or not re.search(mention, text, re.M):
            faults.add(f"{header.as_posix()} has no tests in {test.as_posix()}")
    return faults.end(f"of {count} headers have no tests of their name", f"{count} headers have tests of their name")


# --- Citations of the specs -----------------------------------------------------------------------------------------

CITATION = re.compile(r'([a-z_]+)\.md(?: ((?:[0-9.]*[0-9](?:, |-))*[0-9.]*[0-9])(?:, "([^"\n]+)")?)?')


def citations(source, least, elsewhere):
    """citations SOURCE LEAST ELSEWHERE : the specs lie beside what implements them, and comments cite them as
    `hlo_text.md 7` or `buffer_dumps.md 4, "Peak"`: the file, the section and the words in quotes are there. At least
    LEAST are found. ELSEWHERE: names of documents of others, with `|` between them."""
    faults, source, count = Faults(), pathlib.Path(source), 0
    texts, sections = {}, {}
    for spec in (source / "include/hlolint").rglob("*.md"):
        text = read(spec)
        texts[spec.stem] = text.lower()
        sections[spec.stem] = {number.rstrip(".") for number in re.findall(r"^##+ ([0-9.]+)", text, re.M)}
    kinds = {"include": (".hpp", ".md"), "examples": (".hpp", ".cpp", ".md"), "tests": (".cpp", ".hpp")}
    files = [path for folder, suffixes in kinds.items() for path in sorted((source / folder).rglob("*"))
             if path.is_file() and path.suffix in suffixes]
    for path in files:
        file = path.relative_to(source).as_posix()
        if "/data/" in file:
            continue
        text = re.sub(r"\n *///?<? *", " ", read(path).replace('\\"', '"'))  # a citation may go on in the next line
        for name, numbers, words in CITATION.findall(text):
            if name not in texts:
                if name not in elsewhere.split("|"):
                    faults.add(f"{file} cites {name}.md, which lies in no room of the library")
                continue
            count += 1
            for number in re.findall(r"[0-9.]*[0-9]", numbers):
                if number not in sections[name]:
                    faults.add(f"{file} cites {name}.md {number}, and there is no such section")
            if words.lower() not in texts[name]:
                faults.add(f'{file} cites {name}.md, "{words.lower()}", and these words are not in it')
    total = count
    if count < int(least):
        faults.add(f"{count} citations were found, and there are at least {least}")
    return faults.end(f"of {total} citations are wrong", f"{total} citations name a section that is there")


# --- The grammar can be read ----------------------------------------------------------------------------------------

def grammar_folders(include):
    return include / "hlolint/grammar", include / "hlolint/tool/query/grammar", include / "hlolint/tool/logs/grammar"


SPECS = {
    "hlolint/grammar/hlo/hlo_text.md": "",
    "hlolint/grammar/buffers/buffer_dumps.md": "",
    "hlolint/tool/query/grammar/query.md": "query.",
}


def rules_of(text):
    """From each rule that a grammar defines to the words of its definitions: the text from its `inline constexpr` to the
    next one. A rule that is used in its own definition has a second name for that, which ends in `_def`."""
    rules = {}
    word = r"[a-zA-Z_][a-zA-Z_0-9]*"
    for definition in text.split("inline constexpr "):
        named = re.match(r"[^={\n]*[ >]([a-zA-Z_0-9]+)(?:<[^=\n]*>)? *(?:=|{)", definition)
        if named:
            rules.setdefault(re.sub("_def$", "", named[1]), set()).update(re.findall(word, definition))
    table = re.search(r"constexpr auto attribute_table(.*?)^}", text, re.S | re.M)
    if table:  # it is a function, and made of the rows of attributes that have types
        uses = rules["attribute_table"] = set(re.findall(word, table[1]))
        for row in re.findall(r" reads<[a-zA-Z_0-9, ]+>", text):
            uses.update(re.findall(word, row))
    return rules


def productions(include, table, *files):
    """productions INCLUDE TABLE RULE... : each production of the formats has a rule, and each rule can be reached from
    the rules for a whole text, RULE... . The table has a line per production: its name, and the rule that reads it. It
    has every production of hlo_text.md and buffer_dumps.md, and as `query.NAME` those of query.md."""
    faults, include = Faults(), pathlib.Path(include)
    rules = rules_of("".join(without_comments(read(path)) + "\n" for path in headers_below(*grammar_folders(include))))
    reached, open_rules = set(), list(files)
    while open_rules:
        rule = open_rules.pop()
        if rule not in reached:
            reached.add(rule)
            open_rules += [word for word in rules.get(rule, ()) if word in rules]
    listed = {}
    for line in read(pathlib.Path(table)).splitlines():
        row = re.fullmatch(r"([^ ]+) +([^ ]+)", line)
        if not row:
            faults.add(f"no production and rule: {line}")
            continue
        production, rule = row[1], row[2]
        listed[production] = rule
        if rule not in rules:
            faults.add(f"production {production}: there is no rule {rule}")
        elif rule not in reached:
            faults.add(f"production {production}: the rule {rule} cannot be reached from the rule for a file")
    # `name = ...` in the fenced blocks of a spec; several may stand on a line, after a semicolon.
    for spec, prefix in SPECS.items():
        for block in re.findall(r"^```[a-z]*\n(.*?)^```", read(include / spec), re.M | re.S):
            for production in re.findall(r"^ *([a-z_]+) *= ", block.replace(";", "\n"), re.M):
                if prefix + production not in listed:
                    faults.add(f"{spec}: the production {prefix + production} is not in the table")
    return faults.end(f"of {len(listed)} productions have no rule",
                      f"{len(listed)} productions have a rule that can be reached")


MOST_PLACES = 4


def attribute_places(include):
    """attribute_places INCLUDE : grammar/attributes/adding_an_attribute.md numbers the places that a new attribute
    changes, at most four: that of its key, its type, its text and its rule. It lists the rooms that may know one besides
    (`- NAME/`). Each type in a list `..._attribute_types` is in all of those places, and no other header of ir/, grammar/,
    print/ and verify/ names it."""
    faults, top = Faults(), pathlib.Path(include) / "hlolint"
    page = read(top / "grammar/attributes/adding_an_attribute.md")
    places = [tuple(re.findall("`([^`]*)`", place)) for place in re.findall(r"^\d+\. ([^:\n]*):", page, re.M)]
    besides = tuple(re.findall("^- `([^`]*)`", page, re.M))
    if len(places) != MOST_PLACES:
        faults.add(f"the page numbers {len(places)} places, and there are {MOST_PLACES}")
        return faults.end("faults", "")
    texts = {path.relative_to(top).as_posix(): without_comments(read(path))
             for room in ("ir", "grammar", "print", "verify") for path in sorted((top / room).rglob("*.hpp"))}
    keys, structs, to_strings, rules = ("\n".join(text for header, text in texts.items() if header.startswith(place))
                                        for place in places)
    types = {name for names in re.findall(r"_attribute_types =\s+attribute_types<([^>]*)>", structs)
             for name in re.findall(r"\w+", names)}
    if not types:
        faults.add("there is no list of types of attributes")
    for name in sorted(types):
        struct = re.search(rf"struct {name} {{[^}}]*? key = attribute_key::(\w+)", structs)
        key = struct[1] if struct else "no_key"
        spelt = key.replace("_", "[-_]")
        for place, text, wanted in ((places[0], keys, rf"\b{key}\b(?s:.*)\"{spelt}\""),
                                    (places[1], structs, rf"struct {name} {{"),
                                    (places[2], to_strings, rf"to_string\(const {name}&"),
                                    (places[3], rules, rf"attribute_rule<(?:hlolint::)?{name}>")):
            if not re.search(wanted, text):
                faults.add(f"{name} is not in {' or '.join(place)}")
        mention = re.compile(rf"<(?:hlolint::)?{name}[>,]|const (?:hlolint::)?{name}&|attribute_key::{key}\b")
        for header, text in texts.items():
            if mention.search(text) and not header.startswith(sum(places, besides)):
                faults.add(f"{header} has to know {name}, and the page does not say so")
    return faults.end("faults", f"{len(types)} attributes are in {MOST_PLACES} places each")


def model_version(include):
    """model_version INCLUDE : analysis/time/ holds time_model_version, the newest version that its time_model.md describes."""
    faults, time = Faults(), pathlib.Path(include) / "hlolint/analysis/time"
    held = re.findall(r"\btime_model_version = (\d+);", "".join(read(header) for header in sorted(time.glob("*.hpp"))))
    described = [int(version) for version in re.findall(r"^Version (\d+):", read(time / "time_model.md"), re.M)]
    if held != [str(max(described, default=0))]:
        faults.add(f"time_model_version is {' and '.join(held) or 'not there'}, and the document describes {described}")
    return faults.end("faults", f"time_model.md describes version {' and '.join(held)}")


MOST_READERS = 10
# A function that begins on a line; a scan that is called, a character behind a pointer, a pointer that goes on.
FUNCTION = re.compile(r"^ *[a-z(:].*[ *&]([a-z_]+)\([^()]*(?:\([^()]*\))?[^()]*\)[a-z ]*{")
STATEMENT = re.compile(r"^ *(?:if|for|while|switch|return|else)")
READS = re.compile(
    r"[^&]scan::[a-z_:]+(?:<[^>]*>)?\("
    r"|[(!&|=?:,] *\*(?:p|q|first|last|token|line|begin|end)[^a-z_>*&]"
    r"|(?:\+\+|--)(?:p|q|first|token|line)[^a-z_]"
    r"|[^a-z_](?:p|q|first|last|token|line|begin|end|next)\((?:-?[0-9])\)")


def reads(include, table):
    """reads INCLUDE TABLE : outside grammar/x3/, grammar/printed/ and the tokens of a room (*tokens.hpp, *_scan.hpp) the
    grammar is rules: no function looks at characters through a pointer or calls a scan, except those of the table: file,
    function, reason. It has at most ten."""
    faults, include = Faults(), pathlib.Path(include)
    grammar = include / "hlolint/grammar"
    listed = []
    for line in read(pathlib.Path(table)).splitlines():
        row = re.fullmatch(r"([^ ]+ [^ ]+) +.+", line)
        if row:
            listed.append(row[1])
        else:
            faults.add(f"no file, function and reason: {line}")
    if len(listed) > MOST_READERS:
        faults.add(f"{len(listed)} functions are listed, and {MOST_READERS} are the most")
    found = {}
    for path in headers_below(*grammar_folders(include)):
        header = pathlib.PurePath(os.path.relpath(path, grammar)).as_posix()
        if re.match(r"(x3|printed)/", header) or re.search(r"(_scan|tokens)\.hpp$", header):
            continue
        function = ""
        text = without_comments(read(path)).replace("[", "(").replace("]", ")")
        for line in text.split("\n"):
            begun = not STATEMENT.match(line) and FUNCTION.match(line)
            if begun:
                function = begun[1]
            if READS.search(line):
                found[f"{header} {function}"] = True
    for one in found:
        if one not in listed:
            faults.add(f"{one} reads characters, which is for the tokens in grammar/x3/")
    for one in listed:
        if one not in found:
            faults.add(f"{one} is listed and reads no characters")
    return faults.end("faults", f"{len(listed)} functions outside of grammar/x3/ read characters")


# --- What the command writes about the sample, and what the READMEs show --------------------------------------------

EXPECTED = {"sample": (1, ["ALI001", "COL001", "MEM001", "PAD001"]), "ok": (0, [])}


def sample(command, pair):
    """sample COMMAND sample|ok : tests/data/sample has one fault or waste of each family, and a finding for each and no
    other; tests/data/ok is the same program with all four repaired. In the top folder of the project."""
    faults = Faults()
    done = subprocess.run([command, "--format", "json", f"tests/data/{pair}"], capture_output=True)
    output, errors = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    try:
        rules = sorted(diagnostic["rule"] for diagnostic in json.loads(output)["diagnostics"])
    except (ValueError, LookupError, TypeError) as error:
        rules = [f"no JSON: {error!r}"]
    status, expected = EXPECTED[pair]
    if (done.returncode, rules) != (status, expected):
        faults.add(f"expected exit {status} and the rules {expected}, got exit {done.returncode} and {rules}\n{errors}\n{output}")
    return faults.end("faults", f"the findings in tests/data/{pair} are {expected}")


SAMPLE = "tests/data/sample"
SHOWN = {
    "advice": "advise --device h100-sxm --recompute off tests/data/late",
    "changes": "advise --device h100-sxm tests/data/merged",
    "out_of_memory": "memory tests/data/job/train.log",
    "by_source": f"memory --by source --top 5 {SAMPLE}",
    "not_found": ["query", "copy-start where bytes > 1MiB", SAMPLE, "--explain", "copy-start.1"],
    "findings": f"--select MEM001,PAD001 {SAMPLE}",
    "time": f"time --device tpu-v5e {SAMPLE}/module_0042.jit_train_step.cl_1.after_codegen.txt",
    "measured": f"time --device tpu-v5e --top 4 --profile tests/data/profile/jit_train_step.trace.json {SAMPLE}",
    "difference": f"diff --select COL001 tests/data/ok {SAMPLE}",
    "ranks": f"ranks tests/data/ok {SAMPLE}",
}
LEAST_ASKED = 40


def readme(command):
    """readme COMMAND, in the top folder of the project : what the READMEs show is what comes out, the manual's table has
    every rule, and each line of code in the tables of what can be asked is compiled and checked by a test."""
    def output(words):
        words = words if isinstance(words, list) else words.split()
        return subprocess.run([command, *words], stdout=subprocess.PIPE).stdout.decode()

    faults = Faults()
    pages = "".join(read(pathlib.Path(page)) for page in ("README.md", "examples/hlolint/README.md", "examples/README.md"))
    shown = {name: output(words) for name, words in SHOWN.items()}
    shown["quickstart"] = read(pathlib.Path("examples/quickstart.cpp"))
    # The rule alone: a first page does not repeat its main.
    own_rule = re.fullmatch(r".*\n(struct .*)\nint main.*", read(pathlib.Path("examples/custom_check.cpp")), re.S)
    shown["own_rule"] = own_rule[1] if own_rule else ""
    for name, text in shown.items():
        if not text.strip() or text.strip() not in pages:
            faults.add(f"no README shows this ({name}):\n{text.strip()}")
    rules = json.loads(output("rules --format json"))["rules"]
    for rule in rules:
        row = "| {id} | {name} | {level} | {what} |".format(**rule)
        if row not in pages:
            faults.add(f"the manual's table has no row like: {row}")
    reference = read(pathlib.Path("tests/lint/reference.cpp"))
    asked = re.search(r"## What can be asked.*## Build with it", pages, re.S)
    lines = re.findall(r"\n\| `([^`]+)` \|", asked[0]) if asked else []
    if len(lines) < LEAST_ASKED:
        faults.add(f"the tables of what can be asked have {len(lines)} lines only")
    for code in lines:
        if code not in reference:
            faults.add(f"examples/README.md shows a line of code that tests/lint/reference.cpp does not have: {code}")
    return faults.end("faults", f"The READMEs show what comes out, the quickstart and {len(rules)} rules as they are")


CHECKS = {check.__name__: check
          for check in (floors, std_includes, line_length, mirror, citations, productions, attribute_places,
                        model_version, reads, sample, readme)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in CHECKS:
        sys.exit("\n\n".join([__doc__, *(check.__doc__ for check in CHECKS.values())]))
    sys.exit(CHECKS[sys.argv[1]](*sys.argv[2:]))
