"""The checks of check.py, each with inputs that are good and inputs that are bad. Those of tests/data are tried by ctest."""
import contextlib
import io
import json
import os
import pathlib
import stat
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import check  # noqa: E402


class Checks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        before = os.getcwd()
        os.chdir(self.top)
        self.addCleanup(os.chdir, before)

    def write(self, files):
        for name, text in files.items():
            path = self.top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def run_check(self, name, *arguments):
        """Status and lines of a check."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = check.CHECKS[name](*map(str, arguments))
        return status, out.getvalue().splitlines()

    def good(self, name, *arguments):
        status, lines = self.run_check(name, *arguments)
        self.assertEqual((status, len(lines)), (0, 1), lines)

    def bad(self, faults, name, *arguments):
        """All lines but the last, which counts, are these."""
        status, lines = self.run_check(name, *arguments)
        self.assertEqual((status, lines[:-1]), (1, faults))

    def test_no_headers(self):
        for name in ("floors", "std_includes", "line_length"):
            with self.assertRaises(SystemExit):
                self.run_check(name, self.top / "nothing")

    # floors

    def test_floors(self):
        self.write({
            "include/hlolint/text/low.hpp": "#include <vector>\n",
            "include/hlolint/tool/report/html/page.html": "<p>",
            "include/hlolint/text/notes.md": "#include <hlolint/tool/any.hpp>\n",
            "include/hlolint/ir/high.hpp": "#include <hlolint/text/low.hpp>\n  #  include <hlolint/ir/text/part.hpp>\n",
            "include/hlolint/ir/text/part.hpp": "",
        })
        self.bad(["hlolint/ir/high.hpp includes hlolint/ir/text/part.hpp, which is on a higher floor of ir"],
                 "floors", "include")
        self.write({"include/hlolint/ir/high.hpp": "#include <hlolint/text/low.hpp>\n",
                    "include/hlolint/ir/text/part.hpp": "#include <hlolint/ir/high.hpp>\n"})
        self.good("floors", "include")

    def test_floors_of_toolkit_and_tool(self):
        self.write({"include/hlolint/report/json.hpp": "#include <hlolint/tool/show.hpp>\n",
                    "include/hlolint/tool/show.hpp": "#include <hlolint/report/json.hpp>\n"})
        self.bad(["hlolint/report/json.hpp includes hlolint/tool/show.hpp, which is on a higher floor"], "floors", "include")

    def test_floors_unknown(self):
        self.write({
            "include/hlolint/attic/old.hpp": "",
            "include/hlolint/ir/near.hpp": '#include "far.hpp"\n#include <hlolint/attic/old.hpp>\n',
            "include/hlolint/ir/far.h": "",
            "include/hlolint/grammar/loose/one.hpp": "#include <hlolint/grammar/x3/two.hpp>\n",
        })
        self.bad([
            "hlolint/attic/old.hpp is on no floor",
            "hlolint/grammar/loose/one.hpp or hlolint/grammar/x3/two.hpp is on no floor of grammar",
            "hlolint/ir/far.h is neither a .hpp file nor a spec (.md) nor a part of a page (.js, .css, .html)",
            'hlolint/ir/near.hpp: #include "far.hpp": own headers are included as <hlolint/...>',
            "hlolint/ir/near.hpp includes hlolint/attic/old.hpp, which is on no floor",
        ], "floors", "include")

    def test_floors_full_folder(self):
        self.write({f"include/hlolint/text/{i}.hpp": "" for i in range(25)})
        self.good("floors", "include")
        self.write({"include/hlolint/text/one_more.md": ""})
        self.bad(["hlolint/text holds more than 25 files"], "floors", "include")

    # std_includes

    def test_std_includes(self):
        self.write({
            "include/hlolint/low.hpp": "#include <hlolint/high.hpp>\n#include <string>\n",
            "include/hlolint/high.hpp": "#include <hlolint/low.hpp>\n// std::map\nstd::string s; std::unheard_of u;\n",
        })
        self.good("std_includes", "include")
        self.write({"include/hlolint/high.hpp": "#include <hlolint/made.hpp>\nstd::string s; std::string t;\n"})
        self.bad(["hlolint/high.hpp uses std::string and does not include <string>"], "std_includes", "include")

    # line_length

    def test_line_length(self):
        self.write({"a/long.hpp": "x" * 120 + "\n" + "é" * 120 + "\n"})
        self.good("line_length", "a")
        self.write({"a/b/longer.hpp": "x[;" * 40 + "y"})
        self.bad([f"{pathlib.Path('a/b/longer.hpp')}:1 has 121 columns, and 120 are the most"], "line_length", "a")

    # mirror

    def test_mirror(self):
        self.write({
            "include/hlolint/checks/room/a_rule.hpp": "static constexpr rule about{};\n",
            "include/hlolint/checks/room/helper.hpp": "",
            "tests/checks/room/a_rule.cpp": 'TEST_CASE("catches") { a_rule{}; }\n',
        })
        self.good("mirror", "include", "tests", "checks")
        for text in ('TEST_CASE("another") { b_rule{}; }\n', "// a_rule, TEST_CASE\n"):
            self.write({"tests/checks/room/a_rule.cpp": text})
            self.bad(["checks/room/a_rule.hpp has no tests in checks/room/a_rule.cpp"], "mirror", "include", "tests", "checks")
        self.write({"include/hlolint/analysis/size.hpp": ""})
        self.bad(["analysis/size.hpp has no tests in analysis/size.cpp"], "mirror", "include", "tests", "analysis")
        self.write({"tests/analysis/size.cpp": '#include <hlolint/analysis/size.hpp>\nTEST_CASE("size") {}\n'})
        self.good("mirror", "include", "tests", "analysis")

    # citations

    def test_citations(self):
        self.write({
            "include/hlolint/format.md": "# Format\n\n## 1. Names\n\nNames are words.\n\n### 1.2 Long Names\n",
            "include/hlolint/low.hpp": "/// Names (format.md 1, 1.2) and format.md 1-1.2, \\\"names\n/// are Words\\\"; other.md 7.\n",
            "tests/low.cpp": "// format.md\n",
            "tests/data/bad.cpp": "// format.md 9\n",
        })
        self.good("citations", ".", 3, "some|other")
        self.bad(["3 citations were found, and there are at least 4"], "citations", ".", 4, "other")
        self.bad(["include/hlolint/low.hpp cites other.md, which lies in no room of the library"], "citations", ".", 3, "some")
        self.write({"examples/page.md": '`format.md 2` and format.md 1, "no such words"'})
        self.bad(["examples/page.md cites format.md 2, and there is no such section",
                  'examples/page.md cites format.md, "no such words", and these words are not in it'],
                 "citations", ".", 3, "other")

    # productions

    GRAMMAR = {
        "include/hlolint/grammar/hlo/rules.hpp":
            "inline constexpr auto word = token;\n"
            "inline constexpr rule<int> number_def = digits >> -number;\n"
            "inline constexpr auto file = word % ',' >> number;  // lonely\n",
        "include/hlolint/tool/query/grammar/rules.hpp": "inline constexpr auto whole_query = word;\n",
        "include/hlolint/grammar/hlo/hlo_text.md": "```\nword = letters; number = digits\n```\nabc = not a production\n",
        "include/hlolint/grammar/buffers/buffer_dumps.md": "",
        "include/hlolint/tool/query/grammar/query.md": "```ebnf\n  query = word\n```\n",
        "table.tsv": "word word\nnumber   number\nquery.query whole_query\n",
    }

    def productions(self):
        return "productions", "include", "table.tsv", "file", "whole_query"

    def test_productions(self):
        self.write(self.GRAMMAR)
        self.good(*self.productions())

    def test_productions_without_rule(self):
        self.write({**self.GRAMMAR, "table.tsv": "word wort\nquery.query whole_query\n\n"})
        self.bad(["production word: there is no rule wort", "no production and rule: ",
                  "hlolint/grammar/hlo/hlo_text.md: the production number is not in the table"], *self.productions())

    def test_productions_not_reached(self):
        rules = self.GRAMMAR["include/hlolint/grammar/hlo/rules.hpp"] + "inline constexpr auto lonely = word;\n"
        self.write({**self.GRAMMAR, "include/hlolint/grammar/hlo/rules.hpp": rules,
                    "table.tsv": self.GRAMMAR["table.tsv"] + "lonely lonely\n"})
        self.bad(["production lonely: the rule lonely cannot be reached from the rule for a file"], *self.productions())

    def test_productions_of_attributes(self):
        table = ("constexpr auto attribute_table(const T& t) {\n  return on(key)[tuples];\n}\n"
                 "// the end\nconstexpr auto f() { return unused; }\n"
                 "inline constexpr auto tuples = word;\ninline constexpr auto unused = word;\n"
                 "struct s : reads<s, typed> {};\ninline constexpr auto typed = word;\n")
        rules = self.GRAMMAR["include/hlolint/grammar/hlo/rules.hpp"].replace("auto file =", "auto file = attribute_table(1) >>")
        self.write({**self.GRAMMAR, "include/hlolint/grammar/attributes/table.hpp": table,
                    "include/hlolint/grammar/hlo/rules.hpp": rules,
                    "table.tsv": self.GRAMMAR["table.tsv"] + "tuples tuples\ntyped typed\nunused unused\n"})
        self.bad(["production unused: the rule unused cannot be reached from the rule for a file"], *self.productions())

    # model_version

    def test_model_version(self):
        header, page = (f"include/hlolint/analysis/time/{name}" for name in ("rate.hpp", "time_model.md"))
        described = "# Time\n\nVersion 3: new. Version 9 is not there.\n\nVersion 2: old.\n"
        self.write({header: "inline constexpr int time_model_version = 3;\n", page: described})
        self.good("model_version", "include")
        self.write({header: "inline constexpr int time_model_version = 2;\n"})
        self.bad(["time_model_version is 2, and the document describes [3, 2]"], "model_version", "include")
        self.write({header: ""})
        self.bad(["time_model_version is not there, and the document describes [3, 2]"], "model_version", "include")

    # attribute_places

    ATTRIBUTE = {
        "include/hlolint/grammar/attributes/adding_an_attribute.md":
            "1. `ir/key.hpp`: keys\n2. `ir/a.hpp` or `ir/b.hpp`: types\n3. `ir/text.hpp`: text\n"
            "4. A header in `grammar/attributes/`: rules\n\n- `verify/`: numbers\n",
        "include/hlolint/ir/key.hpp": 'enum { my_key };\nnames{"my-key"};\n',
        "include/hlolint/ir/a.hpp": "struct one {\n  static constexpr attribute_key key = attribute_key::my_key;\n};\n",
        "include/hlolint/ir/b.hpp": "using some_attribute_types =\n    attribute_types<one>;\n",
        "include/hlolint/ir/text.hpp": "std::string to_string(const one& o);\n",
        "include/hlolint/grammar/attributes/rule.hpp": "auto attribute_rule<hlolint::one> = reads<one_>();\n",
        "include/hlolint/verify/numbers.hpp": "get<one>(i);\n",
        "include/hlolint/print/print.hpp": "// get<one>(i)\nint one = 1;\n",
    }

    def test_attribute_places(self):
        self.write(self.ATTRIBUTE)
        self.good("attribute_places", "include")
        for header, without, where in (
            ("ir/key.hpp", "enum { my_key };\n", "ir/key.hpp"),
            ("ir/text.hpp", "std::string to_string(const another& o);\n", "ir/text.hpp"),
            ("grammar/attributes/rule.hpp", "auto one_ = one;\n", "grammar/attributes/"),
        ):
            self.write({**self.ATTRIBUTE, f"include/hlolint/{header}": without})
            self.bad([f"one is not in {where}"], "attribute_places", "include")
        self.write({**self.ATTRIBUTE, "include/hlolint/ir/b.hpp": ""})
        self.bad(["there is no list of types of attributes"], "attribute_places", "include")

    def test_attribute_places_are_few(self):
        self.write(self.ATTRIBUTE)
        for fifth in ("get<one>(i);\n", "void print(const one& o);\n", "case attribute_key::my_key:\n"):
            self.write({"include/hlolint/print/print.hpp": fifth})
            self.bad(["print/print.hpp has to know one, and the page does not say so"], "attribute_places", "include")
        page = "include/hlolint/grammar/attributes/adding_an_attribute.md"
        self.write({page: self.ATTRIBUTE[page].replace("\n\n", "\n5. `print/`: printing\n\n")})
        self.bad(["the page numbers 5 places, and there are 4"], "attribute_places", "include")

    # reads

    def test_reads(self):
        self.write({
            "include/hlolint/grammar/x3/token.hpp": "inline bool at(char const* p) { return *p == 'x'; }\n",
            "include/hlolint/grammar/hlo/line_tokens.hpp": "inline bool at(char const* p) { return p[0] == 'x'; }\n",
            "include/hlolint/grammar/hlo/rules.hpp":
                "inline constexpr auto word = &scan::word;  // *p == 'x'\ninline char first(char const* p) {\n  return (*p );\n}\n",
            "include/hlolint/tool/query/grammar/q.hpp": "inline bool q() {\n  if (scan::name(x)) {}\n}\n",
            "table.tsv": "hlo/rules.hpp first a reason\n../tool/query/grammar/q.hpp q  another\n",
        })
        self.good("reads", "include", "table.tsv")
        self.write({"table.tsv": "hlo/rules.hpp first\nhlo/rules.hpp last a reason\n../tool/query/grammar/q.hpp q  another\n"})
        self.bad(["no file, function and reason: hlo/rules.hpp first",
                  "hlo/rules.hpp first reads characters, which is for the tokens in grammar/x3/",
                  "hlo/rules.hpp last is listed and reads no characters"], "reads", "include", "table.tsv")

    def test_reads_each_way(self):
        for read in ("x = scan::word(p);", "x = scan::word<int>(p);", "x = *first;", "f(*p);", "a[*q ];", "++p;", "--token;",
                     "x = p[0];", "x = line[-1];"):
            self.write({"include/hlolint/grammar/hlo/a.hpp": f"inline void f(char const* p) {{\n  {read}\n}}\n", "table.tsv": ""})
            self.bad(["hlo/a.hpp f reads characters, which is for the tokens in grammar/x3/"], "reads", "include", "table.tsv")
        for rest in ("x = &scan::word;", "x = *found;", "++pages;", "x = list[0];", "x = p[n];"):
            self.write({"include/hlolint/grammar/hlo/a.hpp": f"inline void f() {{\n  {rest}\n}}\n"})
            self.good("reads", "include", "table.tsv")

    def test_reads_few(self):
        functions = "abcdefghijk"
        self.write({"include/hlolint/grammar/a.hpp": "".join(f"inline void {f}() {{ ++p; }}\n" for f in functions),
                    "table.tsv": "".join(f"a.hpp {f} a reason\n" for f in functions)})
        self.bad(["11 functions are listed, and 10 are the most"], "reads", "include", "table.tsv")

    # sample, readme

    def command(self, outputs, status=0):
        """A command that prints what `outputs` has for its arguments, joined."""
        path = self.top / "command"
        path.write_text(f"#!{sys.executable} -IS\nimport sys\nprint({outputs!r}.get(' '.join(sys.argv[1:]), ''))\nsys.exit({status})\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def findings(self, *rules):
        return {f"--format json tests/data/{pair}": json.dumps({"diagnostics": [{"rule": rule} for rule in rules]})
                for pair in ("sample", "ok")}

    @unittest.skipIf(os.name == "nt", "needs scripts that can be run")
    def test_sample(self):
        four = self.findings("PAD001", "ALI001", "MEM001", "COL001")
        self.good("sample", self.command(four, 1), "sample")
        self.good("sample", self.command(self.findings()), "ok")
        for outputs, status, pair in ((four, 0, "sample"), (four, 1, "ok"), (self.findings("MEM001"), 1, "sample"),
                                      (self.findings(), 1, "ok"), ({}, 1, "sample"), ({}, 0, "ok")):
            self.assertEqual(self.run_check("sample", self.command(outputs, status), pair)[0], 1, (outputs, status, pair))

    @unittest.skipIf(os.name == "nt", "needs scripts that can be run")
    def test_readme(self):
        outputs = {" ".join(words) if isinstance(words, list) else words: f"the {name}\nof it"
                   for name, words in check.SHOWN.items()}
        outputs["rules --format json"] = json.dumps({"rules": [{"id": "X1", "name": "x", "level": "note", "what": "a [x]; y"}]})
        rows = "".join(f"| `f({i})` |\n" for i in range(check.LEAST_ASKED))
        pages = {
            "README.md": "\n".join(f"the {name}\nof it" for name in check.SHOWN),
            "examples/hlolint/README.md": "| X1 | x | note | a [x]; y |\nint main() {}\n",
            "examples/README.md": f"struct mine {{}};\n\n## What can be asked\n{rows}## Build with it\n",
            "examples/quickstart.cpp": "int main() {}\n",
            "examples/custom_check.cpp": "#include <x>\nstruct mine {};\n\nint main() {}\n",
            "tests/lint/reference.cpp": rows,
        }
        self.write(pages)
        self.good("readme", self.command(outputs))
        for page, before, after in (
            ("README.md", "the ranks", "the rank"),
            ("examples/hlolint/README.md", "| note |", "| warning |"),
            ("examples/quickstart.cpp", "main", "start"),
            ("examples/custom_check.cpp", "mine", "yours"),
            ("examples/custom_check.cpp", "struct", "class"),
            ("examples/README.md", "| `f(7)` |\n", ""),
            ("examples/README.md", "## What can be asked", "## What"),
            ("tests/lint/reference.cpp", "f(7)", "g(7)"),
        ):
            self.write({**pages, page: pages[page].replace(before, after)})
            self.assertEqual(self.run_check("readme", self.command(outputs))[0], 1, (page, after))
        self.write(pages)
        self.assertEqual(self.run_check("readme", self.command({**outputs, check.SHOWN["time"]: ""}))[0], 1)


if __name__ == "__main__":
    unittest.main()
