// What is dropped is unpacked here, read and linted in a worker, and shown as the report of the command.
import { NotUnpacked, unpacked } from "./unpack.mjs";

const find = (id) => document.getElementById(id);
const show = (part) => {
  for (const name of ["start", "busy", "failed", "done"]) find(name).hidden = name !== part;
};
let worker = null,
  turn = 0,
  shownAddress = null;

/** Text in base64 that was compressed, as text or as bytes. */
async function inlined(id) {
  const bytes = Uint8Array.from(atob(find(id).textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}
// Compiled once, beside what the reader does.
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

/** The options that are typed, as a shell would cut them. */
function words(text) {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]);
}

async function lint(collect) {
  cancel();
  const mine = turn;
  show("busy");
  progress("Looking at the files");
  try {
    const dropped = await collect();
    const files = [];
    for (const file of dropped)
      files.push(...(await unpacked(file.path, file.blob, (text) => mine === turn && progress(text))));
    const { module, worker: address } = await command;
    if (mine !== turn) return;
    if (files.length === 0) return fail("There are no files in what was dropped.");
    const given = words(find("options").value);
    const isText = given.some((word) => /^--format(=|$)/.test(word));
    const tops = [...new Set(files.map((file) => file.path.split("/")[0]))];
    const line = ["--isolated", "-j", "1", ...given, "--output", "/report"];
    if (!isText) line.push("--format", "html");
    worker = new Worker(address);
    worker.onerror = (event) => mine === turn && fail(`The worker ended: ${event.message}`);
    worker.onmessage = ({ data }) => {
      if (mine !== turn) return;
      if (data.read !== undefined)
        return progress(`Reading ${data.name}: ${inMiB(data.read)} of ${inMiB(data.total)}`, data.read / data.total);
      if (data.step === "reading") return; // shown by bytes
      if (data.step) return progress(`Looking for what is wrong or wasteful: ${data.done} of ${data.of} modules`, data.done / data.of);
      cancel();
      finish(data, isText);
    };
    worker.postMessage({ module, files, words: [...line, ...tops.map((name) => (name.startsWith("-") ? "./" : "") + name)] });
    progress(`Reading ${inMiB(files.reduce((sum, file) => sum + file.blob.size, 0))}`, 0);
  } catch (error) {
    if (mine === turn) fail(error instanceof NotUnpacked ? error.message : `The files could not be read: ${error.message}`);
  }
}

function finish({ status, output, errors, report }, isText) {
  if (!report) return fail(errors || output || `The command ended with status ${status}.`);
  if (shownAddress) URL.revokeObjectURL(shownAddress);
  const shown = new Blob([report], { type: isText ? "text/plain;charset=utf-8" : "text/html" });
  window.shownReport = shown; // for whoever scripts the page
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
  show("done");
}

for (const name of ["files", "folder"])
  find(name).addEventListener("change", (event) => {
    const chosen = [...event.target.files].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));
    event.target.value = ""; // so that the same files can be chosen again
    if (chosen.length) lint(async () => chosen);
  });
for (const name of ["cancel", "again", "back"])
  find(name).addEventListener("click", () => {
    cancel();
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
  const entries = items.map((item) => item.webkitGetAsEntry?.()); // they are gone after this turn
  const plain = [...event.dataTransfer.files];
  lint(async () => {
    if (entries.some((entry) => !entry)) return plain.map((file) => ({ path: file.name, blob: file }));
    return (await Promise.all(entries.map(filesOf))).flat();
  });
});
show("start");
