// node check.mjs COMMAND SOURCE FOLDER: the script and the style of the page that the command writes pass ESLint and
// Stylelint, and both notice mistakes. They are installed in FOLDER, once: the newest that run on Debian's Node 18. Exit
// status 77 (skipped) if they cannot be had.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../npm.mjs";

const packages = ["eslint@9.39.5", "@eslint/js@9.39.5", "stylelint@16.26.1", "stylelint-config-recommended@17.0.0"];
const [command, source, folder] = process.argv.slice(2).map((word) => resolve(word));
const modules = install(join(folder, packages.join("_").replace(/[^\w.]+/g, "_")), packages);
const load = (...path) => import(pathToFileURL(join(modules, ...path)));
const { ESLint } = (await load("eslint", "lib", "api.js")).default;
const { default: js } = await load("@eslint", "js", "src", "index.js");
const { default: stylelint } = await load("stylelint", "lib", "index.mjs");

const done = spawnSync(command, ["--isolated", "--format", "html", "tests/data/sample"], { cwd: source, encoding: "utf8", maxBuffer: 2 ** 28 });
assert(done.stdout, `the command wrote no page: ${done.stderr}`);

/** The contents of all elements of a name that hold code. */
function contents(name) {
  const all = [...done.stdout.matchAll(new RegExp(`<${name}(?![^>]*type=)[^>]*>([^]*?)</${name}>`, "g"))].map((match) => match[1]);
  assert(all.length > 0, `the page has no <${name}>`);
  return all;
}

const browser = ["document", "window", "navigator", "location", "history", "console", "matchMedia", "addEventListener", "setTimeout",
  "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame", "getComputedStyle", "devicePixelRatio", "innerWidth", "innerHeight",
  "ResizeObserver", "IntersectionObserver", "MutationObserver", "Node", "Element", "HTMLElement", "SVGElement", "DOMParser", "Event",
  "CustomEvent", "Blob", "Response", "DecompressionStream", "TextDecoder", "Uint8Array", "atob", "URL", "URLSearchParams", "CSS",
  "scrollTo", "scrollY", "queueMicrotask", "performance", "localStorage", "Path2D", "getSelection", "structuredClone"];
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    js.configs.recommended,
    {
      languageOptions: { ecmaVersion: 2022, sourceType: "script", globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) },
      rules: { eqeqeq: ["error", "always", { null: "ignore" }], "no-var": "error", "prefer-const": "error", "no-implicit-globals": "error" },
    },
  ],
});

/** Complaints about scripts, each with its line in them. */
async function about_scripts(texts) {
  const results = await Promise.all(texts.map((text) => eslint.lintText(text)));
  return results.flat().flatMap((result, k) => result.messages.map((m) => `script ${k}:${m.line}: ${m.message} [${m.ruleId}]\n  ${texts[k].split("\n")[m.line - 1]}`));
}

/** Complaints about styles. */
async function about_styles(texts) {
  const config = { extends: [join(modules, "stylelint-config-recommended")], rules: { "no-descending-specificity": null } };
  const results = await Promise.all(texts.map((code) => stylelint.lint({ code, config })));
  return results.flatMap(({ results: [result] }, k) => result.warnings.map((w) => `style ${k}:${w.line}: ${w.text}`));
}

const scripts = contents("script"),
  styles = contents("style");
const found = [...(await about_scripts(scripts)), ...(await about_styles(styles))];
assert(found.length === 0, `${found.length} complaints about the page:\n` + found.join("\n"));

for (const mistake of ["(() => { const a = 1; })();", "(() => { not_there(); })();", "(() => { let a = 1; console.log(a); })();"])
  assert.equal((await about_scripts([mistake])).length, 1, `passes: ${mistake}`);
for (const mistake of ["p { colour: red }", "p { color: red; color: red }", "p {}"])
  assert.equal((await about_styles([mistake])).length, 1, `passes: ${mistake}`);
console.log(`${scripts.length} scripts of ${scripts.join("").split("\n").length} lines and ${styles.length} styles without complaints; mistakes are noticed`);
