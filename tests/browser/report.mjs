// node report.mjs REPORT.html... [--screenshots FOLDER]: opens each report as a reader would, and checks what is seen.
// Exit status 77 (skipped) without a Chromium.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, findChromium } from "./chromium.mjs";

const words = process.argv.slice(2);
const option = words.indexOf("--screenshots");
const pictures = option < 0 ? null : resolve(words.splice(option, 2)[1]);
const chromium = findChromium();
if (!chromium) {
  console.log("skipped: no Chromium (Debian: apt-get install chromium), and CHROMIUM names none");
  process.exit(77);
}
assert(words.length > 0, "which report?");

const dataBlock = /(<script type="application\/json" id="data">)([^<]*)(<\/script>)/;
const heapMap = `document.querySelector('canvas[aria-label^="Values in an allocation"]')`;
const transferPlot = `document.querySelector('canvas[aria-label^="Collectives"]')`;
const tipText = `document.getElementById("tip").classList.contains("hidden") ? null : document.getElementById("tip").textContent`;
const boxOf = (
  element,
) => `(() => { const e = ${element}; e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect();
  return { x: b.x, y: b.y, width: b.width, height: b.height }; })()`;

let checks = 0;
function check(ok, text) {
  ++checks;
  assert(ok, text);
}

/** Moves the pointer over a canvas and returns the tooltips with the place where each was seen first. */
async function tipsOf(browser, canvas, columns, rows) {
  const box = await browser.evaluate(boxOf(canvas)),
    seen = new Map();
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < columns; ++c) {
      const x = box.x + (box.width * (c + 0.5)) / columns,
        y = box.y + (box.height * (r + 0.5)) / rows;
      await browser.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
      const text = await browser.evaluate(tipText);
      if (text && !seen.has(text)) seen.set(text, { x, y });
    }
  return seen;
}

async function checkValues(browser, data) {
  const { texts } = data,
    { values, allocations } = data.modules[await browser.evaluate(`Number(document.getElementById("modules")?.value ?? 0)`)];
  const tips = await tipsOf(browser, heapMap, 24, 16);
  check(tips.size > 0, "no value has a tooltip");
  const [first, count] = [allocations.first[0], allocations.count[0]];
  const shown = new Map();
  for (let v = first; v < first + count; ++v) {
    const name = texts[values.instruction[v]] + texts[values.index[v]];
    shown.set(name, [...(shown.get(name) || []), v]);
  }
  for (const tip of tips.keys()) {
    const lines = tip.split("\n"),
      found = shown.get(lines[0]) || [];
    const complete = found.some(
      (v) =>
        tip.includes(texts[values.shape[v]].slice(0, 160)) &&
        tip.includes(" at offset " + values.offset[v].toLocaleString("en")) &&
        (values.start[v] === null ||
          tip.includes("live " + values.start[v].toLocaleString("en") + " to " + values.end[v].toLocaleString("en"))) &&
        tip.includes(texts[values.op_name[v]].slice(0, 200)) &&
        tip.includes(texts[values.file[v]]),
    );
    check(complete, "no value of the allocation is what a tooltip says:\n" + tip);
  }
  const [tip, place] = [...tips][0];
  await browser.click(place.x, place.y);
  check(
    (await browser.evaluate(`document.querySelector("aside h3")?.textContent`)) === tip.split("\n")[0],
    "a click does not choose the value that the tooltip names",
  );

  const drawn = () => browser.evaluate(`${heapMap}.toDataURL()`);
  const before = await drawn();
  await browser.mouse("mouseWheel", place.x, place.y, { deltaX: 0, deltaY: -240 });
  const zoomed = await drawn();
  check(zoomed !== before, "the wheel does not zoom");
  await browser.evaluate(`${heapMap}.focus()`);
  await browser.press("0");
  check((await drawn()) === before, "0 does not show all again");
  await browser.press("n");
  check((await browser.evaluate(`document.getElementById("said").textContent`)).startsWith("Chosen: "), "N says nothing");
}

async function checkFindings(browser, data) {
  const items = () => browser.evaluate(`[...document.querySelectorAll("#list > li")].map((e) => e.textContent)`);
  const all = await items();
  check(all.length === Math.min(100, data.findings.length), "findings are missing");
  if (all.length === 0) return;
  for (const f of data.findings.slice(0, 100))
    if (data.findings.length <= 100)
      check(
        all.some((text) => text.includes(f.message) && text.includes(f.level) && text.includes(f.rule)),
        "a finding is not listed: " + f.message,
      );
  for (const f of data.findings)
    check(await browser.evaluate(`document.getElementById("rule-${f.rule}") !== null`), "no explanation of " + f.rule);

  const type = (text) =>
    browser.evaluate(
      `(() => { const i = document.getElementById("filter-text"); i.value = ${JSON.stringify(text)}; i.dispatchEvent(new Event("input")); })()`,
    );
  await type("no finding has this");
  check((await items()).length === 0, "the text does not filter");
  await type(data.findings[0].rule);
  const filtered = await items();
  check(
    filtered.length > 0 && filtered.every((text) => text.includes(data.findings[0].rule)),
    "the text filters too much or too little",
  );
  await type("");

  const show = `document.querySelector('#list button[aria-label^="Show"]')`;
  if (!(await browser.evaluate(`${show} !== null`))) return;
  const [number, box] = [await browser.evaluate(`${show}.closest("li").id`), await browser.evaluate(boxOf(show))];
  await browser.click(box.x + box.width / 2, box.y + box.height / 2);
  check(
    await browser.evaluate(`document.getElementById("${number}").classList.contains("chosen")`),
    "the finding is not marked",
  );
  const found = data.findings[Number(number.slice("finding-".length))];
  const heading = await browser.evaluate(`document.querySelector("aside h3")?.textContent ?? "nothing"`);
  if (found.instruction) check(heading.includes(found.instruction), heading + " is chosen, not " + found.instruction);
  const back = await browser.evaluate(
    `(() => { const b = [...document.querySelectorAll("aside button")].find((e) => e.textContent.startsWith("${found.rule}")); b?.click(); return Boolean(b); })()`,
  );
  if (back)
    check((await browser.evaluate(`document.activeElement.id`)) === number, "what is chosen does not lead back to its finding");
}

async function checkTransfers(browser, data) {
  const tips = [...(await tipsOf(browser, transferPlot, 80, 5)).keys()];
  const names = new Set(data.modules.flatMap((m) => m.transfers.instruction.map((n) => data.texts[n])));
  check(
    tips.length > 0 && tips.every((tip) => names.has(tip.split("\n")[1].split(" … ")[0])),
    "tooltips of transfers: " + tips.join("\n\n"),
  );
}

/** Every text that came from a dump replaced by one that would do harm as HTML. */
function hostile(page) {
  const bad = `</script><img src="x" onerror="window.harm = 1"><!--\u2028<svg onload="window.harm = 1">"'`;
  return page.replace(dataBlock, (whole, begin, json, end) => {
    const data = JSON.parse(json);
    data.texts = data.texts.map((text) => text + bad);
    for (const f of data.findings)
      for (const key of ["message", "path", "module", "instruction", "file", "op_name", "advice"])
        f[key] = (f[key] || "") + bad;
    for (const input of data.inputs) ((input.path += bad), (input.module += bad));
    for (const module of data.modules) module.name += bad;
    return begin + JSON.stringify(data).replaceAll("<", "\\u003c") + end;
  });
}

const browser = await Browser.start(chromium);
const scratch = mkdtempSync(join(tmpdir(), "hlolint-report-"));
try {
  for (const word of words) {
    const path = resolve(word),
      page = readFileSync(path, "utf8"),
      url = pathToFileURL(path).href;
    const data = JSON.parse(page.match(dataBlock)[2]);
    const quiet = (when) => {
      assert.deepEqual(browser.errors, [], "errors in the console " + when);
      assert.deepEqual(
        browser.requests.splice(0).filter((r) => !r.startsWith("data:") && !r.startsWith("file:")),
        [],
        "requests " + when,
      );
    };
    await browser.look({});
    const time = await browser.open(url);
    quiet("when it is opened");
    await checkFindings(browser, data);
    await browser.open(url);
    if (await browser.evaluate(`${heapMap} !== null`)) await checkValues(browser, data);
    await browser.open(url);
    if (await browser.evaluate(`${transferPlot} !== null`)) await checkTransfers(browser, data);

    const corner = `(() => { const c = document.querySelector("canvas"); return c && [...c.getContext("2d").getImageData(1, 1, 1, 1).data].join(); })()`;
    const shades = [];
    for (const scheme of ["light", "dark"]) {
      await browser.look({ scheme });
      shades.push(await browser.evaluate(`getComputedStyle(document.body).backgroundColor + "; " + ${corner}`));
      if (!pictures) continue;
      mkdirSync(pictures, { recursive: true });
      writeFileSync(join(pictures, basename(path, ".html") + "-" + scheme + ".png"), await browser.screenshot(true));
    }
    check(shades[0] !== shades[1], "dark looks like light");
    // A pixel of the page may be one and a half of the screen: what is filled has no seams all the same.
    await browser.look({ ratio: 1.5 });
    const filled = `(() => { const c = document.querySelector("canvas"), g = c?.getContext("2d"); if (!c) return null;
      const color = getComputedStyle(document.documentElement).getPropertyValue("--area").match(/[0-9a-f]{2}/g).map((h) => parseInt(h, 16));
      const rows = g.getImageData(0, 0, c.width, c.height).data, is = (i) => color.every((value, k) => rows[i * 4 + k] === value);
      let most = 0;
      for (let y = 0; y < c.height; ++y) {
        let n = 0;
        for (let x = 0; x < c.width; ++x) n += is(y * c.width + x);
        most = Math.max(most, n);
      }
      return most / c.width; })()`;
    const share = await browser.evaluate(filled);
    check(share === null || share > 0.75, "the memory over the schedule has seams: " + share);
    await browser.look({ width: 420 });
    check(
      await browser.evaluate(`document.documentElement.scrollWidth <= innerWidth`),
      "a narrow window has to be scrolled sideways",
    );
    const { data: pdf } = await browser.send("Page.printToPDF", {});
    check(pdf.length > 10000, "it cannot be printed");
    quiet("when it is used");

    const harmful = join(scratch, basename(path));
    writeFileSync(harmful, hostile(page));
    await browser.look({});
    await browser.open(pathToFileURL(harmful).href);
    await browser.evaluate(
      `(() => { for (const b of document.querySelectorAll('#list button[aria-label^="Show"]')) b.click(); })()`,
    );
    check(
      await browser.evaluate(
        `window.harm === undefined && document.querySelector("img, svg") === null && document.querySelectorAll("script").length === 2`,
      ),
      "a text of the dump became HTML",
    );
    quiet("with hostile texts");
    const values = data.modules.reduce((n, m) => n + m.values.size.length, 0);
    console.log(
      `${basename(path)}: ${(page.length / 1e6).toFixed(2)} MB, ${values} values, ${data.findings.length} findings, opened in ${time} ms`,
    );
  }
  console.log(`${checks} of ${checks} checks`);
} finally {
  await browser.stop();
  rmSync(scratch, { recursive: true, force: true });
}
