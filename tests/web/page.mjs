// node page.mjs PAGE COMMAND SAMPLE [--corpus FOLDER] [--screenshots FOLDER]: the page in a Chromium without network, from
// a file, against the command: same JSON, same errors. Exit status 77 (skipped) without a Chromium.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Browser, findChromium } from "../browser/chromium.mjs";

const words = process.argv.slice(2);
const taken = (name) => {
  const at = words.indexOf(name);
  return at < 0 ? null : resolve(words.splice(at, 2)[1]);
};
const pictures = taken("--screenshots"),
  corpus = taken("--corpus");
const [page, command, sample] = words.map((word) => resolve(word));
const chromium = findChromium();
if (!chromium) {
  console.log("skipped: no Chromium (Debian: apt-get install chromium), and CHROMIUM names none");
  process.exit(77);
}

const size = statSync(page).size,
  packed = gzipSync(readFileSync(page), { level: 9 }).length;
console.log(`the page has ${size} bytes, ${packed} compressed`);
assert(size <= 8 << 20 && packed <= 4 << 20, "the page is too large");

const work = mkdtempSync(join(tmpdir(), "hlolint-web-"));
const browser = await Browser.start(chromium);
let compared = 0;
try {
  await browser.send("Network.emulateNetworkConditions", {
    offline: true,
    latency: 0,
    downloadThroughput: 0,
    uploadThroughput: 0,
  });
  const { root } = (await browser.open(pathToFileURL(page).href), await browser.send("DOM.getDocument"));
  const { nodeId } = await browser.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#files" });

  /** The value of an expression in the report, which is a page of its own: the browser lets no other page look into it. */
  async function inFrame(expression) {
    const own = browser.session;
    try {
      for (;;) {
        const { targetInfos } = await browser.send("Target.getTargets");
        const frame = targetInfos.find((target) => target.type === "iframe");
        if (frame) {
          const attached = await browser.send("Target.attachToTarget", { targetId: frame.targetId, flatten: true });
          browser.session = attached.sessionId;
          return await browser.evaluate(expression);
        }
        await new Promise((done) => setTimeout(done, 20));
      }
    } finally {
      browser.session = own;
    }
  }

  /** Chooses files, waits for the end, and returns {status, text} or {errors}. */
  async function lint(files, options = "") {
    await browser.evaluate(`document.getElementById("options").value = ${JSON.stringify(options)}`);
    await browser.evaluate(`document.getElementById("done").hidden = document.getElementById("failed").hidden = true`);
    const begin = performance.now();
    await browser.send("DOM.setFileInputFiles", { nodeId, files });
    for (;;) {
      const part = await browser.evaluate(
        `["done", "failed"].find((id) => !document.getElementById(id).hidden) ?? document.getElementById("what").textContent`,
      );
      const took = Math.round(performance.now() - begin);
      if (part === "failed")
        return { took, errors: await browser.evaluate(`document.getElementById("errors").textContent`) };
      if (part === "done") {
        return {
          took,
          status: Number(await browser.evaluate(`document.getElementById("done").dataset.status`)),
          text: options.includes("--format")
            ? await browser.evaluate(`window.shownReport.text()`)
            : await inFrame(`new Promise((done) => { const look = () =>
                document.getElementById("counts")?.textContent ? done(document.body.innerText) : setTimeout(look, 20);
                look(); })`),
        };
      }
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  /** The page and the command on the same files, all options the same. */
  async function compare(folder, names, options) {
    const told = spawnSync(command, ["--isolated", ...options.split(" "), "--format", "json", ...names], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 30,
    });
    const seen = await lint(
      names.map((name) => join(folder, name)),
      `${options} --format json`,
    );
    ++compared;
    if (told.stdout === "") assert.equal(seen.errors, told.stderr.trimEnd(), names.join(" "));
    else {
      assert.equal(seen.errors, undefined, names.join(" "));
      assert(seen.text === told.stdout, `${names.join(" ")}: the page's JSON is not the command's`);
      assert.equal(seen.status, told.status);
    }
    return seen;
  }
  const picture = async (name) => {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    for (const width of [1440, 390]) {
      await browser.look({ width, height: width === 390 ? 844 : 900 });
      writeFileSync(join(pictures, `${name}-${width}.png`), await browser.screenshot());
    }
    await browser.look({ width: 1440, height: 900 });
  };

  await picture("start");
  const names = readdirSync(sample).filter((name) => name.endsWith(".txt"));
  await compare(sample, names, "--select ALL");
  await compare(sample, names, "--select ALL --device tpu-v5e");

  // The report itself, drawn in the page.
  const files = names.map((name) => join(sample, name));
  const report = await lint(files);
  assert(report.text.includes("MEM001") && report.text.includes("Findings"), "the report is not drawn");
  await picture("report");

  /** What is listed for a query on the files of the report. */
  async function ask(query) {
    await browser.evaluate(`document.getElementById("count").textContent = "";
      document.getElementById("query").value = ${JSON.stringify(query)};
      document.getElementById("ask").requestSubmit()`);
    for (;;) {
      const count = await browser.evaluate(`document.getElementById("count").textContent`);
      if (/match|No answer/.test(count))
        return { count, text: await browser.evaluate(`document.getElementById("matches").textContent`) };
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  const told_by = (query) =>
    spawnSync(command, ["query", "--isolated", "--", query, ...names], { cwd: sample, encoding: "utf8" });
  for (const query of ["_($x, ...) where bytes($x) > 0", "any", "fusion where holds (dot)", "all-redu", "copy where"]) {
    const { count, text } = await ask(query),
      command_told = told_by(query);
    assert.equal(text, (command_told.stdout + command_told.stderr).trimEnd(), query);
    assert.equal(count.startsWith("No answer"), command_told.status === 2, query);
    assert.equal(count === "No match", command_told.status === 1, query);
  }
  await ask("_($x, ...) where bytes($x) > 0");
  await picture("query");

  // A folder that is dropped is walked, and paths in it are kept.
  async function drop(paths) {
    const point = { x: 400, y: 300, data: { items: [], files: paths, dragOperationsMask: 1 } };
    await browser.evaluate(`document.getElementById("back").click(); document.getElementById("options").value = "--format json"`);
    for (const type of ["dragEnter", "dragOver", "drop"]) await browser.send("Input.dispatchDragEvent", { type, ...point });
    while (await browser.evaluate(`document.getElementById("done").hidden && document.getElementById("failed").hidden`))
      await new Promise((done) => setTimeout(done, 20));
    assert.equal(await browser.evaluate(`document.getElementById("errors").textContent`), "");
    return JSON.parse(await browser.evaluate(`window.shownReport.text()`));
  }
  const told_of = (folder, path) =>
    JSON.parse(spawnSync(command, ["--isolated", "--format", "json", ...path], { cwd: folder, encoding: "utf8" }).stdout);
  assert.deepEqual(await drop([sample]), told_of(join(sample, ".."), [basename(sample)]));
  assert.deepEqual(await drop(files), told_of(sample, names));

  // A .gz and a .zip are read as what is in them.
  const unpacked = await lint(files, "--format json");
  const zipped = files.map((file) => {
    const to = join(work, basename(file) + ".gz");
    writeFileSync(to, gzipSync(readFileSync(file)));
    return to;
  });
  assert((await lint(zipped, "--format json")).text === unpacked.text, "what is in .gz files is not read as the files");
  cpSync(sample, join(work, "dumps"), { recursive: true });
  execFileSync("python3", ["-m", "zipfile", "-c", "dumps.zip", "dumps"], { cwd: work });
  const inZip = await lint([join(work, "dumps.zip")], "--format json");
  assert.equal(JSON.parse(inZip.text).diagnostics.length, JSON.parse(unpacked.text).diagnostics.length);

  // Errors are those of the command.
  writeFileSync(join(work, "no_dump.txt"), "hello\n");
  writeFileSync(join(work, "cut.txt"), readFileSync(files[0]).subarray(0, 2000));
  await compare(work, ["no_dump.txt"], "--select ALL");
  await compare(work, ["cut.txt"], "--select ALL");
  const wrong = await lint(files, "--select NONE999");
  const told = spawnSync(command, ["--isolated", "--select", "NONE999", names[0]], { cwd: sample, encoding: "utf8" });
  assert.equal(wrong.errors, told.stderr.trimEnd());
  await picture("error");
  writeFileSync(join(work, "damaged.txt.gz"), gzipSync(readFileSync(files[0])).subarray(0, 500));
  assert.match((await lint([join(work, "damaged.txt.gz")])).errors, /damaged/);
  for (const ending of [".xz", ".zst"]) {
    const path = join(work, `module.txt${ending}`);
    writeFileSync(path, Buffer.from(ending === ".xz" ? "fd377a585a0000" : "28b52ffd0000", "hex"));
    assert.match((await lint([path], "--format json")).text, /without the library for \.(xz|zst) files/);
  }

  // Nothing leaves: requests are refused by the policy, not by the lack of a network.
  const refused = await browser.evaluate(`fetch("https://example.com/").then(() => "sent", () => "refused")`);
  assert.equal(refused, "refused");
  const violation = await browser.evaluate(`new Promise((done) => {
    addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
    new Image().src = "https://example.com/a.png"; setTimeout(() => done("none"), 2000); })`);
  assert.equal(violation, "img-src");

  if (corpus) {
    for (const name of readdirSync(corpus).filter((n) => statSync(join(corpus, n)).isFile())) {
      const seen = await compare(corpus, [name], "--select ALL");
      console.log(`${name}: ${seen.took} ms`);
    }
  }
  const own = browser.requests.filter((url) => !/^(file|blob|data):/.test(url) && !url.startsWith("https://example.com/"));
  assert.deepEqual(own, []);
  console.log(`${compared} runs with the command's JSON, ${browser.requests.length - own.length} requests, none beyond the page`);
} finally {
  await browser.stop();
  rmSync(work, { recursive: true, force: true });
}
