// node grammar.mjs COMMAND SOURCE FOLDER: the TextMate grammar of the extension with the library that VS Code uses: what
// the words of dumps are, and HLO in raw strings of C++. Exit status 77 (skipped) if the library cannot be had.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { install } from "../npm.mjs";

const [, source, folder] = process.argv.slice(2).map((word) => resolve(word));
const modules = install(folder, ["vscode-textmate@9.2.0", "vscode-oniguruma@2.0.1"]);
const load = createRequire(join(modules, "none.js"));
const { Registry, parseRawGrammar } = load("vscode-textmate");
const oniguruma = load("vscode-oniguruma");
await oniguruma.loadWASM(readFileSync(join(modules, "vscode-oniguruma/release/onig.wasm")).buffer);

const syntaxes = join(source, "examples/editor/syntaxes");
const read = (name) => parseRawGrammar(readFileSync(join(syntaxes, name), "utf8"), name);
const cpp = { scopeName: "source.cpp", patterns: [{ name: "string.quoted.double.cpp", begin: '"', end: '"' }, { name: "keyword.cpp", match: "\\bauto\\b" }] };
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => ({ "source.hlo": read("hlo.tmLanguage.json"), "source.hlo.in-cpp": read("hlo-in-cpp.tmLanguage.json"), "source.cpp": cpp })[scope],
  getInjections: (scope) => (scope === "source.cpp" ? ["source.hlo.in-cpp"] : undefined),
});

/** The scopes of a word where it stands first in a text. */
function scopes_in(grammar, text) {
  const tokens = [];
  let state = null;
  for (const line of text.split("\n")) {
    const done = grammar.tokenizeLine(line, state);
    for (const token of done.tokens) tokens.push([line.slice(token.startIndex, token.endIndex), token.scopes]);
    state = done.ruleStack;
  }
  return (word) => {
    const found = tokens.find(([written]) => written === word);
    assert.ok(found, `no token ${word}: ${tokens.map(([written]) => JSON.stringify(written)).join(" ")}`);
    return found[1].at(-1);
  };
}

const hlo = await registry.loadGrammar("source.hlo");
const text = `HloModule jit_f, is_scheduled=true

%add.1 (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %s.2 = f32[] add(%x, /*index=1*/%y)
}

ENTRY %main.4 (p: bf16[8,128]) -> bf16[8,128] {
  %fusion.1 = bf16[8,128]{1,0:T(8,128)} fusion(%p), kind=kLoop, calls=%fused, metadata={op_name="jit(f)/a\\"b" source_line=3}
}`;
let of = scopes_in(hlo, text);
const expected = {
  HloModule: "keyword.declaration.module.hlo", jit_f: "entity.name.namespace.hlo", true: "constant.language.hlo",
  "%add.1": "entity.name.function.hlo", parameter: "keyword.control.opcode.hlo", "ROOT ": "keyword.other.root.hlo",
  "%s.2": "variable.other.declaration.hlo", add: "keyword.control.opcode.hlo", "/*": "comment.block.hlo",
  "%main.4": "entity.name.function.hlo", bf16: "storage.type.element.hlo", "{1,0:T(8,128)}": "storage.modifier.layout.hlo",
  calls: "entity.other.attribute-name.hlo", "%fused": "variable.other.hlo", '\\"': "constant.character.escape.hlo",
};
for (const [word, scope] of Object.entries(expected)) assert.equal(of(word), scope, word);

of = scopes_in(hlo, `BufferAssignment:
allocation 3: size 1024, parameter 0
 value: <82 fusion.5{0} @0> (size=134217728,offset=679477248): bf16[65536,1024]{1,0}`);
assert.equal(of("allocation"), "keyword.other.allocation.hlo");
assert.equal(of("fusion.5{0}"), "variable.other.hlo");

const inside = scopes_in(await registry.loadGrammar("source.cpp"), `auto text = R"(
HloModule m
ENTRY %e {
  %p = f32[] parameter(0)
})";
auto other = R"hlo(HloModule n)hlo"; auto plain = "HloModule k";`);
assert.equal(inside("parameter"), "keyword.control.opcode.hlo");
assert.equal(inside("n"), "entity.name.namespace.hlo");
assert.equal(inside("auto"), "keyword.cpp");
assert.equal(inside("HloModule k"), "string.quoted.double.cpp");

// Every dump of the tests is read to its end.
for (const name of ["sample/module_0042.jit_train_step.cl_1.after_codegen.txt", "sample/module_0042.jit_train_step.cl_1.after_optimizations-buffer-assignment.txt"])
  scopes_in(hlo, readFileSync(join(source, "tests/data", name), "utf8"));
console.log("the grammar names the words of HLO, of buffer dumps, and of HLO in C++");
