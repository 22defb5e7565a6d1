// node compare.mjs BUILD COMMAND FILE...: each file linted by the
// command and by the command in WebAssembly (BUILD/hlolint.js), all rules, as JSON; any difference is a fault.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

const [build, command, ...files] = process.argv.slice(2).map((word) => resolve(word));
const hlolint = createRequire(import.meta.url)(join(build, "hlolint.js"));
const module = new WebAssembly.Module(readFileSync(join(build, "hlolint.wasm")));

async function run(folder, words) {
  const out = [],
    err = [];
  let status = 2;
  const m = await hlolint({
    print: (line) => out.push(line),
    printErr: (line) => err.push(line),
    stdin: () => null,
    quit: (_, thrown) => {
      throw thrown;
    },
    instantiateWasm: (imports, receive) => receive(new WebAssembly.Instance(module, imports), module),
  });
  m.FS.mkdir("/dumps");
  m.FS.mount(m.NODEFS, { root: folder }, "/dumps");
  m.FS.chdir("/dumps");
  try {
    status = m.callMain(words) ?? 0;
  } catch (error) {
    if (error?.name !== "ExitStatus") throw error;
    status = error.status;
  }
  return { status, out: out.join("\n"), err: err.join("\n") };
}

let different = 0,
  here = 0,
  there = 0;
for (const file of files) {
  const words = ["--isolated", "--no-companions", "--select", "ALL", "-j", "1", "--format", "json", basename(file)];
  let begin = performance.now();
  const told = spawnSync(command, words, { cwd: dirname(file), encoding: "utf8", maxBuffer: 1 << 30 });
  there += performance.now() - begin;
  begin = performance.now();
  const seen = await run(dirname(file), words);
  here += performance.now() - begin;
  if (seen.status === told.status && seen.out === told.stdout.trimEnd() && seen.err === told.stderr.trimEnd()) continue;
  ++different;
  const a = told.stdout.split("\n"),
    b = seen.out.split("\n"),
    at = a.findIndex((line, i) => line !== b[i]);
  console.log(`${file}: ${told.status} ${seen.status}; line ${at + 1}: ${a[at]?.slice(0, 200)} | ${b[at]?.slice(0, 200)} ${seen.err.slice(0, 200)}`);
}
console.log(`${files.length} files, ${different} different; command ${Math.round(there)} ms, WebAssembly ${Math.round(here)} ms`);
process.exit(different ? 1 : 0);
