// The script that assembles the pictures of a module and starts the page.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after all others.
inline constexpr std::string_view html_module = R"js(
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The state that the pictures of a module share: cursor, range of positions, and choice. */
class Shared {
  constructor(module) {
    Object.assign(this, { module, number: data.modules.indexOf(module), cursor: null });
    this.x = new Range(0, Math.max(1, module.last + 1), 1);
    this.panel = new Panel(this);
  }
  /** The measured and the estimated timeline, those that there are. */
  get timelines() {
    return [this.measured, this.timeline].filter(Boolean);
  }
  nameAt(p) {
    const { sequence } = this.module;
    return p.toLocaleString("en") + (sequence[p] === undefined ? " (end)" : ": " + texts[sequence[p]]);
  }
  /** Removes the marks from all pictures. */
  unmark() {
    if (this.heap) [this.heap.selected, this.heap.marked] = [undefined, new Set()];
    if (this.transfers) this.transfers.selected = null;
    for (const plot of this.timelines) plot.selected = [];
    if (this.roofline) this.roofline.selected = null;
  }
  chooseNothing() {
    this.unmark();
    this.panel.peak();
    writeAddress(this.number);
    redraw();
  }
  chooseValue(v, reveal, marked) {
    if (v === null) return this.chooseNothing();
    if (!this.heap) return;
    this.unmark();
    const a = this.panel.index.of[v];
    if (this.heap.allocation !== a) this.chooseAllocation(a);
    this.heap.selected = v;
    this.heap.marked = new Set(marked || []);
    if (reveal) this.heap.reveal(v);
    for (const plot of this.timelines) plot.mark(texts[this.module.values.instruction[v]]);
    this.panel.value(v);
    writeAddress(this.number, "value", this.panel.name(v));
    redraw();
  }
  choosePosition(p) {
    if (!(p >= 0 && p <= this.module.last)) return;
    this.unmark();
    this.x.reveal(p, p + 1);
    this.cursor = p;
    this.panel.position(p);
    writeAddress(this.number, "position", String(p));
    redraw();
  }
  chooseTransfer(t) {
    if (t === null) return this.chooseNothing();
    if (!this.transfers) return;
    const { transfers } = this.module;
    this.unmark();
    this.transfers.selected = t;
    this.transfers.x.reveal(transfers.start[t], transfers.end[t] + 1);
    for (const plot of this.timelines) plot.mark(texts[transfers.instruction[t]], true);
    this.panel.transfer(t);
    writeAddress(this.number, "transfer", texts[transfers.instruction[t]]);
    redraw();
  }
  /** Chooses an instruction by name: a transfer, else a part of the timeline and the schedule. */
  chooseInstruction(name, lines, reveal) {
    const { transfer } = this.panel.index;
    if (this.transfers && transfer.has(name)) this.chooseTransfer(transfer.get(name));
    else {
      this.unmark();
      const { timeline } = this;
      for (const plot of this.timelines) plot.mark(name, reveal);
      if (this.roofline) this.roofline.mark(name);
      this.panel.instruction(name, lines.length || !timeline ? lines : timeline.linesOf(name));
      writeAddress(this.number, "instruction", name);
    }
    redraw();
  }
  /** Chooses a row of the table of work: marks its instructions in the timeline and lists the costliest of them. */
  chooseGroup(sums, i) {
    const { rows } = this.module.timeline.work;
    const numbers = Array.from(rows.ms.keys()).filter((r) =>
      sums.by === "category" || sums.by === "source" || sums.by === "weight"
        ? (texts[rows[sums.by][r]] || (sums.by === "weight" ? "(not traced)" : "(not known)")) === sums.name[i]
        : false,
    );
    this.unmark();
    for (const plot of this.timelines) plot.markAll(new Set(numbers.map((r) => texts[rows.instruction[r]])));
    this.panel.group(sums.name[i], numbers);
    redraw();
  }
  chooseAllocation(a) {
    this.heap.show(a);
    at("allocation").value = a;
    this.writeLegend();
  }
  writeLegend() {
    const { allocations } = this.module,
      { heap } = this;
    const most = allocations.bound[heap.allocation];
    at("axis").textContent =
      (most === null ? "" : "At most " + bytesText(most) + " in use at one position. ") +
      (heap.timed
        ? ""
        : "Live ranges are not known: each value stands in a column of its own, in the order of the dump.");
    at("legend").replaceChildren(
      ...heap.legend.map((l) => legendBox(rgb(l.colour), endOf(l.name, 44), l.name + ": " + counted(l.count, "value"))),
      ...(heap.hasPadding
        ? [legendBox("repeating-linear-gradient(135deg, #0009 0 2px, #0000 2px 6px), " + rgb(hues[0]), "padding")]
        : []),
      ...(heap.overlaps.length ? [legendBox("var(--overlap)", counted(heap.overlaps.length, "overlap"))] : []),
    );
  }
}

/** The name of the module, and buttons to its neighbours. */
function moduleHeading(module) {
  const others = data.modules.length > 1;
  return [
    make(
      "h2",
      { id: "module-title" },
      isLog(module) ? "Log " : "Module ",
      code(isLog(module) ? module.files[0] : module.name || "without a name"),
      moduleNote(module) ? make("span", { class: "soft" }, " " + moduleNote(module)) : null,
      module.target === "unknown" ? "" : make("span", { class: "soft" }, " for " + module.target.toUpperCase()),
      others
        ? make(
            "span",
            { class: "turn" },
            button(() => goTo({ module: moduleTable.neighbour(-1) }), "‹ previous"),
            button(() => goTo({ module: moduleTable.neighbour(1) }), "next ›"),
          )
        : null,
    ),
    module.missing
      ? make("p", { class: module.estimated ? "note-box" : "soft" }, capital(module.missing) + ".")
      : null,
    module.advice ? make("p", { id: "advice" }, capital(module.advice.replaceAll("`", "")) + ".") : null,
  ];
}

function memoryPart(module, shared) {
  const { spaces } = module;
  if (!spaces.some((s) => s.positions.length)) return [];
  shared.memory = new MemoryPlot(shared, "Bytes in use over schedule position");
  const words = make("span", { class: "soft" });
  const show = (i) => {
    const s = spaces[i];
    shared.memory.show(s);
    words.textContent =
      s.allocated === undefined ? "" : bytesText(s.allocated) + " in " + counted(s.allocations, "allocation");
  };
  const name = (s) => (s.color === undefined ? "all memory spaces" : s.name || "memory space " + s.color);
  const names = spaces.map((s) => name(s) + (s.positions.length ? "" : " (never in use)"));
  show(0);
  return [
    make(
      "div",
      { class: "controls" },
      make("h3", {}, "Memory over the schedule"),
      make("label", {}, spaces.length > 1 ? ["Of ", choiceOf("space", names, show)] : name(spaces[0])),
      words,
      shared.memory.buttons("memory"),
    ),
    shared.memory.element,
  ];
}

/** A field that finds values by name. */
function valueSearch(module, shared) {
  const { values, allocations } = module;
  const results = make("ol", { class: "found", "aria-label": "Values found" });
  const name = (v) => shared.panel.name(v);
  const open = (v) => {
    results.replaceChildren();
    shared.chooseValue(v, true);
  };
  const write = () => {
    const word = search.value.trim().toLowerCase(),
      found = [];
    for (let v = 0; word && v < values.size.length && found.length < 12; ++v)
      if (name(v).toLowerCase().includes(word)) found.push(v);
    const label = (v) =>
      name(v) + "  " + bytesText(values.size[v]) + ", allocation " + allocations.number[shared.panel.index.of[v]];
    results.replaceChildren(
      ...found.map((v) =>
        make(
          "li",
          {},
          button(() => open(v), label(v)),
        ),
      ),
    );
  };
  const search = make("input", { type: "search", id: "value", placeholder: "name of a value", input: write });
  search.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && results.querySelector("button")) results.querySelector("button").click();
  });
  return [search, results];
}

function heapPart(module, shared) {
  const { values, allocations } = module;
  if (!values.size.length) return [];
  shared.heap = new HeapMap(shared, module);
  const text = (a) =>
    allocations.number[a] +
    ": " +
    texts[allocations.kind[a]] +
    ", " +
    bytesText(allocations.size[a]) +
    ", " +
    counted(allocations.count[a], "value") +
    ", " +
    spaceName(module, allocations.color[a]);
  const picker = make(
    "select",
    { id: "allocation", "aria-label": "Allocation", change: () => shared.chooseAllocation(Number(picker.value)) },
    allocations.number.map((n, a) => make("option", { value: a }, text(a))),
  );
  const recolour = (e) => {
    shared.heap.colouring = e.target.value;
    shared.heap.recolour();
    shared.writeLegend();
    redraw();
  };
  const colours = make(
    "select",
    { id: "colours", change: recolour },
    Object.keys(colourings).map((c) => make("option", { value: c, selected: c === shared.heap.colouring }, c)),
  );
  const [search, results] = valueSearch(module, shared);
  return [
    make(
      "div",
      { class: "controls" },
      make("h3", {}, "Allocation"),
      picker,
      make("label", {}, "Colours by ", colours),
      make("label", {}, "Find ", search),
      shared.heap.buttons("values"),
    ),
    results,
    shared.heap.element,
    make("div", { class: "legend", id: "legend" }),
    make("p", { id: "axis", class: "soft" }),
  ];
}

function timePart(module, shared) {
  const { timeline } = module;
  if (!timeline) return [];
  const label = "The schedule over time: work, and a lane for each queue of transfers";
  shared.timeline = new Timeline(shared, timeline, label);
  return [
    make("h3", { id: "timeline" }, "The schedule over time"),
    make(
      "p",
      { class: "soft" },
      "Estimate for " +
        timeline.device +
        ": a step takes " +
        rounded(timeline.step_ms) +
        " ms = compute " +
        rounded(timeline.compute_ms),
      " ms + exposed " + rounded(timeline.exposed_ms) + " ms. ",
      timeline.assumptions.length ? "Assumed: " + timeline.assumptions.join("; ") + "." : "",
      timeline.complete ? "" : " Not all of the schedule is drawn.",
    ),
    make(
      "div",
      { class: "controls" },
      timeLegend(),
      timeline.loops.some((loop) => loop.trips > 1)
        ? make(
            "label",
            {},
            make("input", {
              type: "checkbox",
              id: "true-scale",
              change: (e) => shared.timeline.setScale(e.target.checked),
            }),
            "true to scale",
          )
        : null,
      shared.timeline.buttons("the schedule"),
    ),
    shared.timeline.element,
    transferTable(module, shared),
  ].flat();
}

function transferPart(module, shared) {
  const { transfers } = module;
  const heading = make("h3", { id: "transfers" }, "Collectives and other transfers");
  const unplaced = module.unplaced
    ? [
        make(
          "p",
          { class: "soft" },
          counted(module.unplaced, "transfer") +
            " not shown: the schedule of the buffer dump does not have their instructions.",
        ),
      ]
    : [];
  if (!transfers.start.length) return module.unplaced ? [heading, ...unplaced] : [];
  const plot = (shared.transfers = new TransferPlot(shared, module));
  return [
    heading,
    make(
      "div",
      { class: "controls" },
      make(
        "label",
        {},
        make("input", { type: "checkbox", change: (e) => plot.show(e.target.checked) }),
        "collectives only",
      ),
      module.scheduled
        ? null
        : make("span", { class: "soft" }, "The module is not scheduled: positions are the order of its text."),
      plot.buttons("transfers"),
    ),
    plot.element,
    make(
      "div",
      { class: "legend" },
      legendOf(plot.classes),
      module.exposed
        ? make("span", {}, make("i", { style: "border: 2.5px solid var(--overlap)" }), module.exposed + " exposed")
        : null,
    ),
    ...unplaced,
  ];
}

function openModule(number) {
  const module = data.modules[number];
  if (module.packed !== undefined) return withData(module, () => openModule(number));
  texts = textsOf(module);
  plots.length = 0;
  const shared = (open = new Shared(module));
  const left = make("div", {});
  const parts = [outOfMemoryPart, memoryPart, heapPart, measuredPart, timePart, workPart, transferPart];
  for (const part of parts) left.append(...part(module, shared));
  left.append(...originTable(module), ...allocationTable(module, shared));
  at("module").replaceChildren(
    ...[moduleHeading(module), moduleTiles(module, shared)].flat().filter(Boolean),
    isLog(module)
      ? left
      : left.children.length
        ? make("div", { class: "pictures" }, left, shared.panel.element)
        : "",
  );
  at("module").dataset.module = number;
  at("to-time").classList.toggle("hidden", !module.timeline && !module.measured);
  at("to-time").href = module.measured ? "#measured" : "#timeline";
  if (shared.heap) shared.chooseAllocation(0);
  shared.panel.peak();
  if (moduleTable) moduleTable.markOpen();
  redraw();
}

/** The module to open first: a log of missing memory, else the one that needs most, else one with transfers. */
function firstModule() {
  const need = (m) =>
    m.out_of_memory.length ? Infinity : m.memory ? m.memory.need.total : m.transfers?.start.length ? 0 : -1;
  return data.modules.reduce((best, m, i) => (need(m) > need(data.modules[best]) ? i : best), 0);
}
function start() {
  startFindings();
  if (data.unchecked && !data.findings.length) {
    // No rule ran, so "no findings" would be wrong.
    for (const id of ["findings", "rules", "counts"]) at(id).classList.add("hidden");
    for (const link of document.querySelectorAll('nav [href="#findings"], nav [href="#rules"]'))
      link.classList.add("hidden");
  }
  startTheme();
  startKeys();
  if (data.modules.length > 1) moduleTable = new ModuleTable();
  else at("modules").remove();
  if (data.modules.length && !readAddress()) openModule(firstModule());
  else if (!data.modules.length) at("module").remove();
  addEventListener("hashchange", readAddress);
  new ResizeObserver(redraw).observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", () => {
    document.documentElement.classList.add("paper");
    showAllFindings();
    for (const plot of plots) plot.paint();
  });
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("paper");
    redraw();
  });
}
start();
)js";

}  // namespace hlolint::report
