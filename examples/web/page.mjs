// Unpacks dropped files, has a worker read and lint them, and shows the command's report.
import { NotUnpacked, unpacked } from "./unpack.mjs";

const find = (id) => document.getElementById(id);
const show = (part) => {
  for (const name of ["start", "busy", "failed", "done"]) find(name).hidden = name !== part;
};
let worker = null,
  turn = 0,
  shownAddress = null,
  foundAddress = null,
  held = null; // the files of the report, and its options

/** Text in base64 that was compressed, as text or as bytes. */
async function inlined(id) {
  const bytes = Uint8Array.from(atob(find(id).textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}
// Compiled once, in the background.
const command = (async () => ({
  module: await WebAssembly.compile(await (await inlined("wasm")).arrayBuffer()),
  worker: URL.createObjectURL(new Blob([await (await inlined("worker")).text()], { type: "text/javascript" })),
}))();
command.catch((error) => fail(`This browser cannot run the page: ${error.message}`));

const inMiB = (bytes) => `${(bytes / 1048576).toFixed(bytes < 10485760 ? 1 : 0)} MiB`;

function progress(text, share) {
  find("what").textContent = text;
  if (share === undefined) find("share").removeAttribute("value");
  else find("share").value = share;
}
function fail(text) {
  find("errors").textContent = text;
  show("failed");
}
function cancel() {
  ++turn;
  worker?.terminate();
  worker = null;
}

/** All files of an entry of a drop, with paths. */
async function filesOf(entry) {
  if (entry.isFile)
    return [{ path: entry.fullPath.slice(1), blob: await new Promise((good, bad) => entry.file(good, bad)) }];
  const reader = entry.createReader(),
    out = [];
  for (;;) {
    const some = await new Promise((good, bad) => reader.readEntries(good, bad)); // a hundred at a time
    if (some.length === 0) return out;
    for (const inner of some) out.push(...(await filesOf(inner)));
  }
}

/** The same for a handle of a folder. */
async function filesIn(folder, path) {
  const out = [];
  for await (const inner of folder.values()) {
    const own = `${path}/${inner.name}`;
    if (inner.kind === "file") out.push({ path: own, blob: await inner.getFile() });
    else out.push(...(await filesIn(inner, own)));
  }
  return out;
}
/** What one item of a drop is. Chromium lets a page from a disk read entries of a folder by handles alone. */
async function filesOfItem({ entry, file, handle }) {
  if (!entry?.isDirectory) return file ? [{ path: file.name, blob: file }] : [];
  try {
    return await filesOf(entry);
  } catch {
    const folder = await handle?.catch(() => null);
    if (!folder) throw new NotUnpacked(`${entry.name}: this browser lets no page from a disk read a folder that is dropped: choose it`);
    return filesIn(folder, folder.name);
  }
}

/** The options that are typed, as a shell would cut them. */
function words(text) {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]);
}

/** Of the options those that set how dumps are read: queries take them too. */
function ofReading(given) {
  const name = /^--(target|xla-date|device|per-node|nic|max-size)$/;
  return given.filter((word, at) => name.test(word.split("=")[0]) || name.test(given[at - 1] ?? ""));
}

/** Runs the command in a worker of its own, which `cancel` ends; `report` gets what it tells meanwhile. */
async function run(files, line, report) {
  const mine = turn,
    { module, worker: address } = await command;
  if (mine !== turn) return null;
  return new Promise((good, bad) => {
    worker = new Worker(address);
    worker.onerror = (event) => mine === turn && bad(new Error(`the worker ended: ${event.message}`));
    worker.onmessage = ({ data }) => {
      if (mine !== turn) return;
      if (data.read === undefined && !data.step) return good(data);
      if (data.step !== "reading") report(data); // the progress of reading is shown in bytes
    };
    const tops = [...new Set(files.map((file) => file.path.split("/")[0]))];
    worker.postMessage({ module, files, words: [...line, ...tops.map((name) => (name.startsWith("-") ? "./" : "") + name)] });
  });
}
const reading = ({ name, read, total }) => `Reading ${name}: ${inMiB(read)} of ${inMiB(total)}`;

async function lint(collect) {
  cancel();
  held = null;
  const mine = turn;
  show("busy");
  progress("Looking at the files");
  try {
    const dropped = await collect();
    const files = [];
    for (const file of dropped)
      files.push(...(await unpacked(file.path, file.blob, (text) => mine === turn && progress(text))));
    if (mine !== turn) return;
    if (files.length === 0) return fail("There are no files in what was dropped.");
    const given = words(find("options").value);
    const isText = given.some((word) => /^--format(=|$)/.test(word));
    const line = ["--isolated", "-j", "1", ...given, "--output", "/report"];
    if (!isText) line.push("--format", "html");
    progress(`Reading ${inMiB(files.reduce((sum, file) => sum + file.blob.size, 0))}`, 0);
    const data = await run(files, line, (now) => {
      if (now.step) progress(`Looking for what is wrong or wasteful: ${now.done} of ${now.of} modules`, now.done / now.of);
      else progress(reading(now), now.read / now.total);
    });
    if (mine !== turn) return;
    cancel();
    held = { files, given };
    finish(data, isText);
  } catch (error) {
    if (mine === turn) fail(error instanceof NotUnpacked ? error.message : `The files could not be read: ${error.message}`);
  }
}

function finish({ status, output, errors, report }, isText) {
  if (!report) return fail(errors || output || `The command ended with status ${status}.`);
  if (shownAddress) URL.revokeObjectURL(shownAddress);
  const shown = new Blob([report], { type: isText ? "text/plain;charset=utf-8" : "text/html" });
  window.shownReport = shown; // for scripts that drive the page
  shownAddress = URL.createObjectURL(shown);
  const frame = document.createElement("iframe");
  frame.title = "The report";
  frame.src = shownAddress;
  find("report").replaceChildren(frame);
  find("save").href = shownAddress;
  find("save").download = isText ? "hlolint-report.txt" : "hlolint-report.html";
  find("notes").textContent = errors;
  find("notes").hidden = !errors;
  find("done").dataset.status = status;
  find("found").hidden = true;
  show("done");
}

/** The matches of a query, as `hlolint query` prints them. */
async function ask(query) {
  cancel();
  const mine = turn,
    most = 2000; // lines
  const answer = (count, text) => {
    find("count").textContent = count;
    find("matches").textContent = text;
  };
  find("found").hidden = false;
  find("all").hidden = true;
  answer("Looking", "");
  try {
    const line = ["query", "--isolated", ...ofReading(held.given), "--output", "/report", "--", query];
    const data = await run(held.files, line, (now) => now.step || answer(reading(now), ""));
    if (mine !== turn || !data) return;
    cancel();
    find("found").dataset.status = data.status;
    const text = (data.report ? await data.report.text() : "").trimEnd(),
      lines = text ? text.split("\n") : [],
      count = lines.filter((one) => !/^\s/.test(one)).length;
    if (data.status > 1) return answer("No answer", [data.errors, text].filter(Boolean).join("\n"));
    answer(count === 0 ? "No match" : count === 1 ? "1 match" : `${count} matches`, lines.slice(0, most).join("\n"));
    if (lines.length <= most) return;
    if (foundAddress) URL.revokeObjectURL(foundAddress);
    foundAddress = URL.createObjectURL(data.report);
    find("count").textContent += `, the first ${most} lines:`;
    find("all").href = foundAddress;
    find("all").download = "hlolint-matches.txt";
    find("all").hidden = false;
  } catch (error) {
    if (mine === turn) answer("No answer", String(error.message));
  }
}
find("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const query = find("query").value.trim();
  if (query && held) ask(query);
});
find("close").addEventListener("click", () => {
  cancel();
  find("found").hidden = true;
});

for (const name of ["files", "folder"])
  find(name).addEventListener("change", (event) => {
    const chosen = [...event.target.files].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));
    event.target.value = ""; // so that the same files can be chosen again
    if (chosen.length) lint(async () => chosen);
  });
for (const name of ["cancel", "again", "back"])
  find(name).addEventListener("click", () => {
    cancel();
    held = null;
    find("found").hidden = true;
    find("report").replaceChildren();
    show("start");
  });
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  const items = [...event.dataTransfer.items].filter((item) => item.kind === "file");
  const parts = items.map((item) => ({
    entry: item.webkitGetAsEntry?.(),
    file: item.getAsFile(),
    handle: item.getAsFileSystemHandle?.(),
  })); // the entries are valid in this turn of the event loop only
  lint(async () => (await Promise.all(parts.map(filesOfItem))).flat());
});
show("start");
