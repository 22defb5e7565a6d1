// node assemble.mjs BUILD OUTPUT: makes one file of the page, its scripts, and the command in WebAssembly, which is in
// BUILD/hlolint.js and BUILD/hlolint.wasm.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [build, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const own = (name) => readFileSync(join(here, name), "utf8");
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");

const worker = readFileSync(join(build, "hlolint.js"), "utf8") + "\n" + own("worker.mjs");
const script = own("unpack.mjs").replace(/^export /gm, "") + own("page.mjs").replace(/^import .*\n/m, "");
const parts = {
  style: own("page.css"),
  version: readFileSync(join(build, "version.txt"), "utf8").trim(),
  wasm: packed(readFileSync(join(build, "hlolint.wasm"))),
  worker: packed(Buffer.from(worker)),
  script,
};
if (/<\/script|<!--/i.test(script)) throw new Error("a script would end before its end");
writeFileSync(output, own("page.html").replace(/@(\w+)@/g, (_, name) => parts[name] ?? `@${name}@`));
