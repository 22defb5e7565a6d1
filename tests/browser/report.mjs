// node report.mjs REPORT.html... [--screenshots FOLDER]: opens each report as a reader would, and checks what is seen.
// Exit status 77 (skipped) without a Chromium.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { gunzipSync } from "node:zlib";
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
const timelinePlot = `document.querySelector('canvas[aria-label^="The schedule over time"]')`;
const measuredPlot = `document.querySelector('canvas[aria-label^="The measured operations"]')`;
const rooflinePlot = `document.querySelector('canvas[aria-label^="Roofline"]')`;
const transferPlot = `document.querySelector('canvas[aria-label^="Collectives"]')`;
const tipText = `document.getElementById("tip").classList.contains("hidden") ? null : document.getElementById("tip").textContent`;
const boxOf = (
  element,
) => `(() => { const e = ${element}; e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect();
  return { x: b.x, y: b.y, width: b.width, height: b.height }; })()`;

/** As reports write bytes. */
function bytesText(bytes) {
  if (bytes < 1024) return bytes + "B";
  let unit = 0,
    n = bytes;
  for (; n >= 1024 * 1024; ++unit) n = Math.floor(n / 1024);
  const digits = unit === 0 ? 10 : 100,
    rest = (n * digits) % 1024;
  let scaled = Math.floor((n * digits) / 1024);
  if (rest > 512 || (rest === 512 && scaled % 2 === 1)) ++scaled; // to even, as the command does
  return (scaled / digits).toFixed(unit === 0 ? 1 : 2) + ["KiB", "MiB", "GiB", "TiB"][unit];
}
/** The number of the module that is shown. */
const openModule = (browser) => browser.evaluate(`Number(document.getElementById("module")?.dataset.module ?? -1)`);
const text = (browser, selector) =>
  browser.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);

let checks = 0;
function check(ok, text) {
  ++checks;
  assert(ok, text);
}

/**
 * The tooltips of a canvas with the place where each is seen first. The events are made in the page, all at once: each
 * one of the mouse itself waits for a frame.
 */
async function tipsOf(browser, canvas, columns, rows) {
  const seen = await browser.evaluate(`(() => {
    const canvas = ${canvas}, box = ${boxOf(canvas)}, seen = new Map();
    for (let r = 0; r < ${rows}; ++r)
      for (let c = 0; c < ${columns}; ++c) {
        const x = box.x + (box.width * (c + 0.5)) / ${columns}, y = box.y + (box.height * (r + 0.5)) / ${rows};
        canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, bubbles: true }));
        const text = ${tipText};
        if (text && !seen.has(text)) seen.set(text, { x, y });
      }
    return [...seen];
  })()`);
  return new Map(seen);
}

async function checkValues(browser, data) {
  const { texts } = data,
    { values, allocations } = data.modules[await openModule(browser)];
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
          tip.includes(
            "live " + values.start[v].toLocaleString("en") + " to " + values.end[v].toLocaleString("en"),
          )) &&
        tip.includes(texts[values.op_name[v]].slice(0, 200)) &&
        tip.includes(texts[values.file[v]]),
    );
    check(complete, "no value of the allocation is what a tooltip shows:\n" + tip);
  }
  const [tip, place] = [...tips][0];
  await browser.click(place.x, place.y);
  check(
    (await text(browser, "#chosen")) === tip.split("\n")[0],
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
  check((await text(browser, "#announced")).startsWith("Chosen: "), "N announces nothing");
}

/** The worst level first, and in it the largest; so are the findings of a group. */
async function checkGroups(browser, data) {
  const groups = await browser.evaluate(`[...document.querySelectorAll("#list .group")].map((g) => ({
    level: ["error", "warning", "note"].findIndex((l) => g.classList.contains(l)),
    findings: [...g.querySelectorAll(".finding")].map((f) => Number(f.id.slice("finding-".length))) }))`);
  const impact = (n) => data.findings[n].impact ?? data.findings[n].bytes ?? 0;
  const most = (g) => Math.max(...g.findings.map(impact));
  const sorted = (list, before) => list.every((item, i) => i === 0 || before(list[i - 1], item));
  check(
    new Set(data.findings.map((f) => f.rule + f.level)).size === groups.length,
    "findings are not grouped by rule",
  );
  check(
    sorted(groups, (a, b) => a.level < b.level || (a.level === b.level && most(a) >= most(b))),
    "groups are not in order",
  );
  for (const g of groups)
    check(
      sorted(g.findings, (a, b) => impact(a) >= impact(b)),
      "findings are not sorted by impact",
    );
}

/** What a reader sees first. */
async function checkFirstScreen(browser, data) {
  const module = data.modules[await openModule(browser)];
  if (!module) return check(data.modules.length === 0, "no module is shown");
  const { memory, timeline, values, allocations } = module,
    { texts } = data;
  const tile = (name) => text(browser, `[data-tile="${name}"]`);
  const top = await browser.evaluate(`document.querySelector(".tiles").getBoundingClientRect().bottom`);
  check(top < 1000, "the tiles are not on the first screen");
  const findings = data.findings.filter(
    (f) => !f.dismissed && (data.modules.length === 1 || data.modules[f.picture] === module),
  );
  check(
    /\d|none/.test(await tile("findings")) && findings.length > 0 !== (await tile("findings")).includes("none"),
    "findings in the tile",
  );
  if (timeline) check((await tile("exposed")).includes("% of a step"), "exposed time in the tile");
  if (!memory) return;
  check((await tile("need")).includes(bytesText(memory.need.total)), "the need in the tile");
  if (memory.capacity) check((await tile("need")).includes(bytesText(memory.capacity)), "the capacity in the tile");
  check(
    (await text(browser, ".terms")).includes("arguments " + bytesText(memory.need.arguments)),
    "the need in its parts",
  );
  if (memory.peak !== undefined)
    check((await tile("peak")).includes(bytesText(memory.in_use)), "the peak in the tile");
  const first = memory.resident.value.findIndex((v) => v !== null);
  if (first >= 0) {
    const v = memory.resident.value[first],
      line = values.line[v] > 0 ? ":" + values.line[v] : "";
    const largest = await tile("largest");
    check(largest.includes(bytesText(memory.resident.bytes[first])), "the largest value in the tile");
    check(
      largest.includes(texts[values.file[v]].split("/").slice(-1)[0] + line),
      "the source line of the largest value",
    );
  }
  // The panel lists the same before anything is chosen, and leads to each.
  const rows = await browser.evaluate(
    `[...document.querySelectorAll("aside .values button")].map((b) => b.textContent)`,
  );
  check(
    rows.length === Math.min(24, memory.resident.bytes.length),
    "the panel does not show what takes memory at the peak",
  );
  rows.forEach((row, i) => {
    const v = memory.resident.value[i];
    check(row.startsWith(bytesText(memory.resident.bytes[i])), "the panel has another size: " + row);
    check(v === null || row.includes(texts[values.instruction[v]]), "the panel has another value: " + row);
    check(
      v === null || !values.line[v] || row.includes(":" + values.line[v]),
      "the panel has no source line: " + row,
    );
  });
  check((await browser.evaluate(`document.querySelectorAll("#origins tbody tr").length`)) > 0, "nothing by source");
  // The largest block of the map has a colour of its own.
  if (values.size.length) {
    const legend = await browser.evaluate(
      `[...document.querySelectorAll("#legend span")].map((e) => [e.title, e.querySelector("i").style.background])`,
    );
    const colouring = await browser.evaluate(`document.getElementById("colours").selectedOptions[0].textContent`);
    let most = allocations.first[0];
    for (let v = most; v < allocations.first[0] + allocations.count[0]; ++v)
      if (values.size[v] > values.size[most]) most = v;
    const scope = colouring === "scope" ? texts[module.scopes.scope[module.scopes.op_name.indexOf(values.op_name[most])] ?? 0] || "(no scope)" : null;
    if (scope !== null && allocations.count[0] > 0)
      check(
        legend.some(([title, colour]) => title.startsWith(scope + ": ") && colour !== "rgb(164, 172, 182)"),
        "the largest block is grey",
      );
  }
}

/** A job's log is what a reader sees first: what is missing, and the largest values with their lines. */
async function checkOutOfMemory(browser, data) {
  const module = data.modules[await openModule(browser)],
    { out_of_memory: incidents } = module;
  check(incidents.length > 0, "the log is not what is shown first");
  const failed = incidents.filter((o) => o.outcome === "failed");
  const missing = Math.max(...(failed.length ? failed : incidents).map((o) => o.missing ?? 0));
  if (missing) check((await text(browser, '[data-tile="missing"]')).includes(bytesText(missing)), "what is missing");
  for (const [i, o] of incidents.entries()) {
    const shown = await text(browser, "#out-of-memory-" + i);
    check(shown.slice(1).includes(o.message.slice(1)), "a message is missing: " + o.message);
    check(!o.advice || shown.includes(o.advice), "the advice is missing");
    const rows = (name) =>
      browser.evaluate(
        `[...document.querySelectorAll("#out-of-memory-${i}-${name} tbody tr")].map((r) => r.textContent)`,
      );
    const [values, parts] = [await rows("values"), await rows("parts")];
    check(values.length === Math.min(12, o.values.length), "values are missing");
    values.forEach((row, v) => {
      const { size, padding, shape, file, line } = o.values[v];
      for (const part of [bytesText(size), shape, padding && bytesText(padding), line && file.split("/").at(-1) + ":" + line])
        check(!part || row.includes(part), "a value has no " + part + ": " + row);
    });
    check(parts.length === Math.min(12, o.parts.length), "parts of memory are missing");
    parts.forEach((row, p) => check(row.startsWith(o.parts[p].name), "another part of memory: " + row));
  }
}

/** An address leads to what it names, and what is chosen is in the address. */
async function checkAddresses(browser, data, url) {
  const number = data.modules.findIndex((m) => m.values.size.length);
  if (number < 0) return;
  const { values, name } = data.modules[number],
    { texts } = data;
  const v = values.size.reduce((best, size, i) => (size > values.size[best] ? i : best), 0);
  const value = texts[values.instruction[v]] + texts[values.index[v]];
  const key = data.modules.filter((m) => m.name === name).length === 1 ? name : String(number);
  await browser.open("about:blank");
  await browser.open(url + "#" + new URLSearchParams({ module: key, value }));
  check((await text(browser, "#chosen")) === value, "the address does not lead to " + value);
  check((await openModule(browser)) === number, "the address leads to another module");
  await browser.evaluate(`document.querySelector('[data-tile="peak"]').click()`);
  check((await browser.evaluate(`location.hash.includes("value=")`)) === false, "the address still names the value");
  check((await text(browser, "#at-peak")) !== null, "the tile of the peak does not lead back");
  await browser.evaluate(`document.querySelector('[data-tile="largest"]').click()`);
  const chosen = await text(browser, "#chosen"),
    address = await browser.evaluate(`new URLSearchParams(location.hash.slice(1)).get("value")`);
  check(chosen !== null && address === chosen, "what is chosen is not in the address: " + chosen + ", " + address);
  await browser.press("Escape");
  check((await text(browser, "#at-peak")) !== null, "Escape does not lead back to the peak");
  await browser.press("/");
  check((await browser.evaluate(`document.activeElement.id`)) === "value", "/ does not lead to the search");
}

/** Of several modules a table: the largest first, sorted by any column, searched by name. */
async function checkModules(browser, data) {
  const names = () =>
    browser.evaluate(`[...document.querySelectorAll("#module-table tbody tr")].map((r) => Number(r.dataset.module))`);
  const need = (i) => data.modules[i].memory?.need.total ?? -1;
  const order = await names();
  check(order.length === Math.min(100, data.modules.length), "modules are missing");
  check(
    order.every((m, i) => i === 0 || need(order[i - 1]) >= need(m)),
    "modules are not sorted by need",
  );
  if (!data.modules.some((m) => m.out_of_memory.length))
    check((await openModule(browser)) === order[0], "the largest module is not the one that is shown");
  await browser.evaluate(`document.querySelector("#module-table th button").click()`);
  const byName = await names();
  check(
    byName.every((m, i) => i === 0 || data.modules[byName[i - 1]].name <= data.modules[m].name),
    "modules are not sorted by name",
  );
  check(
    (await browser.evaluate(`document.querySelector("#module-table th").ariaSort`)) === "ascending",
    "the order is not announced",
  );
  const type = (word) =>
    browser.evaluate(
      `(() => { const i = document.getElementById("module-text"); i.value = ${JSON.stringify(word)}; i.dispatchEvent(new Event("input")); })()`,
    );
  const wanted = data.modules.length - 1,
    file = data.modules[wanted].files[0];
  await type(file);
  const matching = await names();
  check(
    matching.includes(wanted) && matching.every((m) => data.modules[m].files.join().includes(file)),
    "the search of modules",
  );
  await browser.evaluate(`document.querySelector('#module-table tr[data-module="${wanted}"] button').click()`);
  check((await openModule(browser)) === wanted, "a row does not open its module");
  check((await text(browser, "#module-title")).includes(data.modules[wanted].name), "the module has another title");
  await type("no module has this");
  check((await names()).length === 0, "the search of modules finds too much");
  await type("");
  await browser.press("]");
  check((await openModule(browser)) !== wanted, "] does not go to the next module");
}

/** Blocks over time: each has a tooltip and opens its instruction. */
async function checkBlocks(browser, data, plot, { blocks, loops }) {
  const { texts } = data;
  check((await browser.evaluate(`${plot} !== null`)) === true, "there is no timeline");
  const tips = await tipsOf(browser, plot, 60, 8);
  const names = new Set([...blocks.instruction, ...loops.map((l) => l.instruction)].map((n) => texts[n]));
  check(tips.size > 0 && [...tips.keys()].every((tip) => names.has(tip.split("\n")[0])), "tooltips of the timeline");
  const [tip, place] = [...tips][0];
  await browser.evaluate(boxOf(plot));
  await browser.click(place.x, place.y);
  check((await text(browser, "#chosen"))?.startsWith(tip.split("\n")[0]), "a block does not open its instruction");
  const drawn = () => browser.evaluate(`${plot}.toDataURL()`);
  const before = await drawn();
  await browser.mouse("mouseWheel", place.x, place.y, { deltaX: 0, deltaY: -240 });
  check((await drawn()) !== before, "the timeline does not zoom");
}
/** The same of the schedule; what is exposed is marked. */
async function checkTimeline(browser, data) {
  const { timeline } = data.modules[await openModule(browser)],
    { texts } = data;
  await checkBlocks(browser, data, timelinePlot, timeline);
  await browser.evaluate(`${timelinePlot}.focus()`);
  await browser.press("0");
  await browser.press("n");
  const exposed = timeline.blocks.instruction.filter((_, i) => timeline.blocks.exposed[i] > 0).map((n) => texts[n]);
  if (exposed.length) check(exposed.includes(await text(browser, "#chosen")), "N does not go to what is exposed");
  const rows = await browser.evaluate(`document.querySelectorAll("#exposed tbody tr").length`);
  check(rows === Math.min(8, timeline.transfers.length), "the table of transfers");
}

/** What was measured stands above the estimate, and its lanes are those of the devices. */
async function checkMeasured(browser, data) {
  const { measured } = data.modules[await openModule(browser)];
  check(measured.lanes.length > 0 && measured.blocks.lane.length > 0, "nothing measured is drawn");
  const top = (plot) => browser.evaluate(`${plot}.getBoundingClientRect().top`);
  check((await top(measuredPlot)) < (await top(timelinePlot)), "the estimate stands above what was measured");
  check((await browser.evaluate(`document.getElementById("to-time").hash`)) === "#measured", "the link to the time");
  await checkBlocks(browser, data, measuredPlot, measured);
}

const close = (a, b, part = 0.01) => Math.abs(a - b) <= part * Math.max(Math.abs(a), Math.abs(b), 1e-9);

/** The step in its tile, and the sums by category, source and weight, which are the step. */
async function checkWork(browser, data) {
  const { timeline } = data.modules[await openModule(browser)],
    { work, step_ms } = timeline;
  if (!work.sums.length) return;
  const step = await text(browser, '[data-tile="step"]');
  check(/\d [mu]s/.test(step) && step.includes("exposed"), "the tile of the step: " + step);
  check(work.utilisation === 0 || step.includes("MFU"), "no utilisation in the tile of the step");
  check(work.utilisation === 0 || step.includes("headroom"), "no headroom in the tile of the step");
  check((await text(browser, "#where-to")).includes("goes to"), "nothing on where memory and time go");
  for (const [number, sums] of work.sums.entries()) {
    const sum = sums.ms.reduce((a, b) => a + b, 0) + sums.more_ms;
    check(close(sum, step_ms, 0.001), `the sums by ${sums.by} are ${sum} ms, the step is ${step_ms}`);
    await browser.evaluate(
      `(() => { const s = document.getElementById("work-by"); s.value = "${number}"; s.dispatchEvent(new Event("change")); })()`,
    );
    const rows = await browser.evaluate(`document.querySelectorAll("#work tbody tr").length`);
    check(rows === Math.min(12, sums.ms.length + (sums.more ? 1 : 0)), "rows of the work by " + sums.by);
    check((await text(browser, "#work tbody tr button")).length > 0, "no name in the table of work");
    await browser.evaluate(`document.querySelector("#work tbody tr button").click()`);
    check((await text(browser, "#chosen")) === sums.name[0], "a row of the work does not open its instructions");
    check(
      (await browser.evaluate(`document.querySelectorAll("aside .values button").length`)) > 0,
      "no instruction of a row of the work",
    );
  }
}

/** How much of the lane of work is drawn in the colour of waiting. */
const waiting = `(() => { const c = ${timelinePlot}, g = c.getContext("2d"), ratio = c.width / c.clientWidth;
  const hex = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim().match(/[0-9a-f]{2}/g).map((h) => parseInt(h, 16));
  const wait = hex("wait"), left = 97 * ratio, width = Math.floor((c.clientWidth - 108) * ratio);
  const lanes = Math.round((c.clientHeight - 44) / 24), all = [];
  for (let lane = 0; lane < lanes; ++lane) {
    const y = Math.round((8 + lane * 24 + 6) * ratio), row = g.getImageData(left, y, width, 1).data;
    let n = 0;
    for (let x = 0; x < width; ++x) n += row[4 * x] > row[4 * x + 2] + 25 && Math.abs(row[4 * x] / row[4 * x + 1] - wait[0] / wait[1]) < 0.25;
    all.push(n / width);
  }
  return all; })()`;

/** With loops as long as they take, what is red is the exposed share of the step. */
async function checkScale(browser, data) {
  const { timeline } = data.modules[await openModule(browser)];
  const there = await browser.evaluate(`document.getElementById("true-scale") !== null`);
  check(there === timeline.loops.some((loop) => loop.trips > 1), "the choice of the scale");
  if (!there) return;
  const drawn = () => browser.evaluate(`${timelinePlot}.toDataURL()`);
  await browser.evaluate(boxOf(timelinePlot));
  await browser.settle();
  const before = await drawn();
  await browser.evaluate(`document.getElementById("true-scale").click()`);
  await browser.settle();
  const after = await drawn(),
    share = timeline.exposed_ms / timeline.step_ms;
  check(after !== before, "true to scale looks as before");
  const loops = Math.min(4, 1 + timeline.loops.reduce((most, loop) => Math.max(most, loop.depth), -1));
  const red = (await browser.evaluate(waiting))[loops];
  check(Math.abs(red - share) < 0.03, `${red} of the lane is red, ${share} of the step is exposed`);
  await browser.evaluate(`document.getElementById("true-scale").click()`);
  await browser.settle();
  check((await drawn()) === before, "the other scale does not come back");
}

/** A dot for each instruction: hover and click lead to it. */
async function checkRoofline(browser, data) {
  const module = data.modules[await openModule(browser)],
    { rows } = module.timeline.work;
  const dots = [...rows.ms.keys()].filter((i) => rows.flops[i] > 0 && rows.bytes[i] > 0 && rows.us[i] > 0);
  const there = await browser.evaluate(`${rooflinePlot} !== null`);
  check(there === dots.length > 0, "the roofline");
  if (!there) return;
  const names = new Set(dots.map((i) => data.texts[rows.instruction[i]]));
  const tips = await tipsOf(browser, rooflinePlot, 60, 40);
  check(tips.size > 0 && [...tips.keys()].every((tip) => names.has(tip.split("\n")[0])), "tooltips of the roofline");
  const [tip, place] = [...tips][0];
  await browser.evaluate(boxOf(rooflinePlot));
  await browser.click(place.x, place.y);
  check((await text(browser, "#chosen"))?.startsWith(tip.split("\n")[0]), "a dot does not open its instruction");
  await browser.evaluate(`${rooflinePlot}.focus()`);
  await browser.press("n");
  check(names.has(await text(browser, "#chosen")), "N does not go to the next dot");
}

/** The panel leads from an instruction to what it reads, and shows what a fusion is made of. */
async function checkNeighbours(browser, data, url) {
  const number = data.modules.findIndex((m) => m.program);
  if (number < 0) return;
  const { name, program } = data.modules[number],
    { texts } = data;
  const key = data.modules.filter((m) => m.name === name).length === 1 ? name : String(number);
  const named = program.instruction.map((n) => texts[n]);
  const i = program.calls.findIndex((c, row) => c !== null && program.reads[row] > 0);
  if (i < 0) return;
  await browser.open("about:blank");
  await browser.open(url + "#" + new URLSearchParams({ module: key, instruction: named[i] }));
  check((await text(browser, "#chosen"))?.startsWith(named[i]), "the address does not lead to " + named[i]);
  const first = program.reads.slice(0, i).reduce((a, b) => a + b, 0);
  const reads = new Set(program.operands.slice(first, first + program.reads[i]).map((r) => named[r]));
  const shown = await browser.evaluate(
    `[...document.querySelectorAll("aside ol.around")][0] && [...[...document.querySelectorAll("aside ol.around")][0].querySelectorAll(".code")].map((e) => e.textContent)`,
  );
  check(shown && shown.length === Math.min(12, reads.size), "what it reads is not listed");
  check(shown.every((one) => reads.has(one)), "what is listed is not what it reads: " + shown);
  const body = named.filter((_, r) => program.computation[r] === program.calls[i]);
  const pre = await text(browser, "aside .body");
  check(body.slice(0, 60).every((one) => pre.includes(one + " = ")), "the body of a fusion is not shown");
  await browser.evaluate(`document.querySelector("aside ol.around button").click()`);
  check((await text(browser, "#chosen"))?.includes(shown[0]), "an operand does not open");
}

/** Modules of one name are told apart. */
async function checkNamesakes(browser, data) {
  const counts = new Map();
  for (const m of data.modules) counts.set(m.name, (counts.get(m.name) || 0) + 1);
  const rows = await browser.evaluate(
    `[...document.querySelectorAll("#module-table tbody tr")].map((r) => [Number(r.dataset.module), r.querySelector("td small").textContent.trim()])`,
  );
  for (const [number, note] of rows) {
    const count = counts.get(data.modules[number].name);
    check(count === 1 ? note === "" : note.includes(" of " + count), "a module is not told apart: " + note);
  }
  check(new Set(rows.map(([n, note]) => data.modules[n].name + note)).size === rows.length, "two modules look alike");
}

/** Of many modules the data of each are unpacked when it is shown. */
async function checkPacked(browser, data, url) {
  await browser.open("about:blank");
  await browser.open(url);
  await browser.settle();
  const shown = async (number) => {
    for (let i = 0; i < 100 && (await openModule(browser)) !== number; ++i) await browser.settle();
    check((await openModule(browser)) === number, "module " + number + " does not open");
    const { name } = data.modules[number];
    check((await text(browser, "#module-title")).includes(name), "another module is shown");
    check((await browser.evaluate(`document.querySelectorAll(".tile").length`)) > 0, "there are no tiles");
  };
  const order = await browser.evaluate(
    `[...document.querySelectorAll("#module-table tbody tr")].map((r) => Number(r.dataset.module))`,
  );
  check(order.length === Math.min(100, data.modules.length), "modules are missing");
  await shown(order[0]);
  const last = order.at(-1);
  await browser.evaluate(`document.querySelector('#module-table tr[data-module="${last}"] button').click()`);
  await shown(last);
  const unpacked = JSON.parse(gunzipSync(Buffer.from(data.packed[data.modules[last].packed], "base64")));
  check(unpacked.texts.length > 0 && unpacked.values !== undefined, "nothing is packed");
  const found = data.findings.findIndex((f) => f.picture !== undefined && f.picture !== last);
  if (found < 0) return;
  await browser.evaluate(`document.querySelector('#finding-${found} button')?.click()`);
  const there = await browser.evaluate(`document.querySelector('#finding-${found} button') !== null`);
  if (there) await shown(data.findings[found].picture);
}

/** The button goes through the themes, whatever the system has. */
async function checkTheme(browser) {
  const back = () => browser.evaluate(`getComputedStyle(document.body).backgroundColor`);
  await browser.look({ scheme: "light" });
  const shades = [await back()];
  for (let i = 0; i < 3; ++i) {
    await browser.evaluate(`document.getElementById("theme").click()`);
    await browser.settle();
    shades.push(await back());
  }
  const [auto, light, dark, again] = shades;
  check(auto === light && light === again && dark !== light, "the themes: " + shades.join("; "));
}

async function checkFindings(browser, data) {
  const items = () =>
    browser.evaluate(
      `[...document.querySelectorAll("#list .finding")].map((e) => e.closest(".group").querySelector("h3").textContent + e.textContent)`,
    );
  if (data.findings.length === 0) return check((await items()).length === 0, "there are findings");
  await checkGroups(browser, data);
  if (data.findings.length <= 100) {
    await browser.evaluate(`document.querySelectorAll("#list .more:not(.hidden)").forEach((b) => b.click())`);
    const all = await items();
    check(all.length === data.findings.length, "findings are missing");
    for (const f of data.findings)
      check(
        all.some((text) => text.includes(f.message) && text.includes(f.level) && text.includes(f.rule)),
        "a finding is not listed: " + f.message,
      );
  }
  for (const f of data.findings)
    check(
      await browser.evaluate(`document.getElementById("rule-${f.rule}") !== null`),
      "no explanation of " + f.rule,
    );

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
  const heading = (await text(browser, "#chosen")) ?? "nothing";
  if (found.instruction) check(heading.includes(found.instruction), heading + " is chosen, not " + found.instruction);
  const back = await browser.evaluate(
    `(() => { const b = [...document.querySelectorAll("aside button")].find((e) => e.textContent.startsWith("${found.rule}")); b?.click(); return Boolean(b); })()`,
  );
  if (back)
    check(
      (await browser.evaluate(`document.activeElement.id`)) === number,
      "what is chosen does not lead back to its finding",
    );
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
    for (const module of data.modules) {
      module.name += bad;
      for (const o of module.out_of_memory) {
        ((o.message += bad), (o.advice += bad));
        for (const v of o.values) ((v.shape += bad), (v.op_name += bad), (v.file += bad));
        for (const p of o.parts) p.name += bad;
      }
      if (module.timeline) for (const t of module.timeline.transfers) ((t.source += bad), (t.blocker += bad));
    }
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
    check(
      (await browser.evaluate(`[...document.querySelectorAll(".tile strong")].every((e) => e.textContent.trim() !== "?")`)),
      "a tile has no number",
    );
    if (data.modules.length > 1) await checkNamesakes(browser, data);
    if (data.modules.some((m) => m.packed !== undefined)) {
      await checkPacked(browser, data, url);
      quiet("when modules are unpacked");
      await browser.look({ width: 390 });
      check(await browser.evaluate(`document.documentElement.scrollWidth <= innerWidth`), "it is too wide for 390 pixels");
      await browser.look({});
      const size = (page.length / 1e6).toFixed(2);
      console.log(`${basename(path)}: ${size} MB, ${data.modules.length} modules, opened in ${time} ms`);
      check(page.length < 15e6, `${size} MB: 15 MB is the limit`);
      continue;
    }
    await checkFindings(browser, data);
    await browser.open(url);
    if (await browser.evaluate(`${heapMap} !== null`)) await checkValues(browser, data);
    await browser.open(url);
    if (await browser.evaluate(`${transferPlot} !== null`)) await checkTransfers(browser, data);
    await browser.open(url);
    await checkFirstScreen(browser, data);
    if (data.modules.some((m) => m.out_of_memory.length)) await checkOutOfMemory(browser, data);
    if (data.modules[await openModule(browser)]?.timeline) {
      await checkTimeline(browser, data);
      await browser.open(url);
      await checkWork(browser, data);
      await checkScale(browser, data);
      await checkRoofline(browser, data);
    }
    if (data.modules[await openModule(browser)]?.measured) await checkMeasured(browser, data);
    await checkNeighbours(browser, data, url);
    await browser.open(url);
    if (data.modules.length > 1) await checkModules(browser, data);
    await checkAddresses(browser, data, url);
    await browser.open("about:blank");
    await browser.open(url);
    await checkTheme(browser);
    quiet("when it is used");

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
    for (const width of [800, 390]) {
      await browser.look({ width });
      check(
        await browser.evaluate(`document.documentElement.scrollWidth <= innerWidth`),
        "a narrow window has to be scrolled sideways: " + width,
      );
    }
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
