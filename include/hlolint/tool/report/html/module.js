/* The script that assembles the pictures of a module and starts the page, with its theme and keys. */
/** The state that the pictures of a module share: cursor, range of positions, and choice. */
class Shared {
  constructor(module) {
    Object.assign(this, { module, number: data.modules.indexOf(module), cursor: null });
    this.x = new Range(0, Math.max(1, module.last + 1), 1);
    this.panel = new Panel(this);
  }
  nameAt(p) {
    const name = this.module.sequence[p];
    return whole(p) + (name === undefined ? " (end)" : ": " + texts[name]);
  }
  /** Removes the marks from all pictures. */
  unmark() {
    for (const plot of plots) plot.unmark();
  }
  mark(name, reveal) {
    for (const plot of plots) plot.mark(name, reveal);
  }
  /** Puts what was chosen into the address; returns the plot that shows it. */
  chosen(plot, ...place) {
    writeAddress(this.number, ...place);
    redraw();
    return plot;
  }
  /** Chooses what a finding is about. */
  choose({ values, transfer, instruction, allocation, position }) {
    if (values) return this.chooseValue(values[0], true, values);
    if (transfer !== undefined) return this.chooseTransfer(transfer);
    if (instruction !== undefined) return this.chooseInstruction(instruction);
    return allocation !== undefined ? this.chooseAllocation(allocation) : this.choosePosition(position);
  }
  chooseNothing() {
    this.unmark();
    this.panel.peak();
    return this.chosen(null);
  }
  chooseValue(v, reveal, marked = []) {
    if (v === null) return this.chooseNothing();
    if (!this.heap) return null;
    this.unmark();
    const a = this.panel.index.of[v];
    if (this.heap.allocation !== a) this.chooseAllocation(a);
    Object.assign(this.heap, { selected: v, marked });
    if (reveal) this.heap.reveal(v);
    this.mark(texts[this.module.values.instruction[v]]);
    this.panel.value(v);
    return this.chosen(this.heap, "value", valueName(this.module, v));
  }
  choosePosition(p) {
    if (!(p >= 0 && p <= this.module.last)) return null;
    this.unmark();
    this.x.reveal(p, p + 1);
    this.cursor = p;
    this.panel.position(p);
    return this.chosen(this.memory, "position", String(p));
  }
  chooseTransfer(t) {
    if (t === null) return this.chooseNothing();
    if (!this.transfers) return this.timeline;
    const { start, end, instruction } = this.module.transfers;
    this.unmark();
    this.transfers.selected = t;
    this.transfers.x.reveal(start[t], end[t] + 1);
    this.mark(texts[instruction[t]], true);
    this.panel.transfer(t);
    return this.chosen(this.timeline || this.transfers, "transfer", texts[instruction[t]]);
  }
  /** Chooses an instruction by name: a transfer, else a part of the timeline and the schedule. `lines`: what the
   * picture in which it was chosen knows about it; without them, pictures move to it. */
  chooseInstruction(name, lines) {
    const { transfer } = this.panel.index;
    if (this.transfers && transfer.has(name)) return this.chooseTransfer(transfer.get(name));
    this.unmark();
    this.mark(name, !lines);
    this.panel.instruction(name, lines ?? this.timeline?.linesOf(name) ?? []);
    return this.chosen(this.timeline, "instruction", name);
  }
  /** Chooses a row of the table of work: marks its instructions in the timeline and lists the costliest of them. */
  chooseGroup({ by, name }, i) {
    const { rows } = this.module.timeline.work,
      unnamed = by === "weight" ? "(not traced)" : "(not known)";
    const numbers = by in rows ? [...rows.ms.keys()].filter((r) => (texts[rows[by][r]] || unnamed) === name[i]) : [];
    this.unmark();
    for (const plot of [this.measured, this.timeline])
      plot?.markAll(new Set(numbers.map((r) => texts[rows.instruction[r]])));
    this.panel.group(name[i], numbers);
    redraw();
  }
  chooseAllocation(a) {
    if (!this.heap) return null;
    this.heap.show(a);
    at("allocation").value = a;
    this.writeLegend();
    return this.heap;
  }
  writeLegend() {
    const { heap } = this,
      most = this.module.allocations.bound[heap.allocation];
    const stripes = "repeating-linear-gradient(135deg, #0009 0 2px, #0000 2px 6px), " + rgb(hues[0]);
    fill(
      at("axis"),
      most !== null && `At most ${bytesText(most)} in use at one position. `,
      !heap.timed && "Live ranges are not known: each value stands in a column of its own, in the order of the dump.",
    );
    fill(
      at("legend"),
      heap.legend.map((l) => legendBox(rgb(l.colour), endOf(l.name, 44), `${l.name}: ${counted(l.count, "value")}`)),
      heap.hasPadding && legendBox(stripes, "padding"),
      heap.overlaps.length > 0 && legendBox("var(--overlap)", counted(heap.overlaps.length, "overlap")),
    );
  }
}

/** The name of the module, and buttons to its neighbours. */
function moduleHeading(module) {
  const step = (by, text) => button(() => moduleTable.step(by), text),
    note = moduleNote(module);
  return [
    make(
      "h2",
      { id: "module-title" },
      isLog(module) ? "Log " : "Module ",
      code(isLog(module) ? module.files[0] : module.name || "without a name"),
      note && make("span.soft", " " + note),
      module.target !== "unknown" && make("span.soft", " for " + module.target.toUpperCase()),
      data.modules.length > 1 && make("span.turn", step(-1, "‹ previous"), step(1, "next ›")),
    ),
    module.missing && make("p." + (module.estimated ? "note-box" : "soft"), capital(module.missing) + "."),
    module.advice && make("p", { id: "advice" }, capital(module.advice.replaceAll("`", "")) + "."),
  ];
}

function memoryPart({ spaces }, shared) {
  if (!spaces.some((s) => s.positions.length)) return [];
  const plot = (shared.memory = new MemoryPlot(shared, "Bytes in use over schedule position")),
    words = make("span.soft");
  const show = (i) => {
    const { allocated, allocations } = spaces[i];
    plot.show(spaces[i]);
    fill(words, allocated !== undefined && `${bytesText(allocated)} in ${counted(allocations, "allocation")}`);
  };
  const name = (s) => (s.color === undefined ? "all memory spaces" : s.name || "memory space " + s.color);
  const names = spaces.map((s) => name(s) + (s.positions.length ? "" : " (never in use)"));
  show(0);
  return [
    make(
      "div.controls",
      make("h3", "Memory over the schedule"),
      make("label", spaces.length > 1 ? ["Of ", choiceOf({ id: "space" }, names, show)] : names[0]),
      words,
      plot.buttons("memory"),
    ),
    plot.element,
  ];
}

/** A field that finds values by name. */
function valueSearch(module, shared) {
  const { values, allocations } = module;
  const results = make("ol.found", { "aria-label": "Values found" });
  const open = (v) => {
    fill(results);
    shared.chooseValue(v, true);
  };
  const item = (v) => {
    const number = allocations.number[shared.panel.index.of[v]];
    const label = `${valueName(module, v)}  ${bytesText(values.size[v])}, allocation ${number}`;
    return make(
      "li",
      button(() => open(v), label),
    );
  };
  const write = () => {
    const word = search.value.trim().toLowerCase(),
      found = [];
    for (let v = 0; word && v < values.size.length && found.length < 12; ++v)
      if (valueName(module, v).toLowerCase().includes(word)) found.push(v);
    fill(results, found.map(item));
  };
  const search = searchField("value", "name of a value", write);
  search.addEventListener("keydown", (e) => {
    if (e.key === "Enter") results.querySelector("button")?.click();
  });
  return [search, results];
}

function heapPart(module, shared) {
  const { number, kind, size, count, color } = module.allocations;
  if (!module.values.size.length) return [];
  const heap = (shared.heap = new HeapMap(shared, module));
  const text = (a) =>
    joined([texts[kind[a]], bytesText(size[a]), counted(count[a], "value"), spaceName(module, color[a])]);
  const colourNames = Object.keys(colourings);
  const recolour = (i) => {
    heap.colouring = colourNames[i];
    heap.recolour();
    shared.writeLegend();
    redraw();
  };
  const picker = choiceOf(
    { id: "allocation", "aria-label": "Allocation" },
    number.map((n, a) => `${n}: ${text(a)}`),
    (a) => shared.chooseAllocation(a),
  );
  const colours = choiceOf({ id: "colours" }, colourNames, recolour);
  colours.selectedIndex = colourNames.indexOf(heap.colouring);
  const [search, results] = valueSearch(module, shared);
  return [
    make(
      "div.controls",
      make("h3", "Allocation"),
      picker,
      make("label", "Colours by ", colours),
      make("label", "Find ", search),
      heap.buttons("values"),
    ),
    results,
    heap.element,
    make("div.legend", { id: "legend" }),
    make("p.soft", { id: "axis" }),
  ];
}

function timePart({ timeline }, shared) {
  if (!timeline) return [];
  const label = "The schedule over time: work, and a lane for each queue of transfers";
  const { device, compute_ms, exposed_ms, assumptions, complete } = timeline,
    plot = (shared.timeline = new Timeline(shared, timeline, label));
  return [
    make("h3", { id: "timeline" }, "The schedule over time"),
    make(
      "p.soft",
      `Estimate for ${device}: a step takes ${stepText(timeline)} = `,
      `compute ${msText(compute_ms)} + exposed ${msText(exposed_ms)}. `,
      assumptions.length > 0 && `Assumed: ${assumptions.join("; ")}.`,
      !complete && " Not all of the schedule is drawn.",
    ),
    make(
      "div.controls",
      timeLegend(),
      isRepeated(timeline) && tickBox("true to scale", { id: "true-scale" }, (isTrue) => plot.setScale(isTrue)),
      plot.buttons("the schedule"),
    ),
    plot.element,
    transferTable(timeline, shared),
  ];
}

function transferPart(module, shared) {
  const { transfers, unplaced, exposed } = module;
  const heading = make("h3", { id: "transfers" }, "Collectives and other transfers");
  const note =
    unplaced > 0 &&
    make(
      "p.soft",
      `${counted(unplaced, "transfer")} not shown: the schedule of the buffer dump does not have their instructions.`,
    );
  if (!transfers.start.length) return unplaced ? [heading, note] : [];
  const plot = (shared.transfers = new TransferPlot(shared, module));
  return [
    heading,
    make(
      "div.controls",
      tickBox("collectives only", {}, (only) => plot.show(only)),
      !module.scheduled && make("span.soft", "The module is not scheduled: positions are the order of its text."),
      plot.buttons("transfers"),
    ),
    plot.element,
    make(
      "div.legend",
      legendOf(plot.classes),
      exposed > 0 && make("span", make("i", { style: "border: 2.5px solid var(--overlap)" }), exposed + " exposed"),
    ),
    note,
  ];
}

function openModule(number) {
  const module = data.modules[number];
  if (module.packed !== undefined) return withData(module, () => openModule(number));
  texts = textsOf(module);
  plots.length = 0;
  const shared = (open = new Shared(module));
  const parts = [outOfMemoryPart, memoryPart, heapPart, measuredPart, timePart, workPart, transferPart];
  const left = make("div");
  fill(
    left,
    parts.map((part) => part(module, shared)),
    originTable(module),
    allocationTable(module, shared),
  );
  const pictures = isLog(module) ? left : left.children.length > 0 && make("div.pictures", left, shared.panel.element);
  fill(at("module"), moduleHeading(module), moduleTiles(module, shared), pictures);
  at("module").dataset.module = number;
  at("to-time").classList.toggle("hidden", !module.timeline && !module.measured);
  at("to-time").href = module.measured ? "#measured" : "#timeline";
  if (shared.heap) shared.chooseAllocation(0);
  shared.panel.peak();
  if (moduleTable) moduleTable.markOpen();
  redraw();
}

const themes = { auto: "◐ auto", light: "☀ light", dark: "☾ dark" };
/** The theme of the system, or the one that was chosen, which the browser keeps. */
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  at("theme").textContent = themes[theme];
  at("theme").setAttribute("aria-label", "Theme: " + theme);
  redraw();
}
function startTheme() {
  const keep = (f) => {
    try {
      return f();
    } catch {
      return null; // storage may be switched off
    }
  };
  const names = Object.keys(themes);
  let theme = keep(() => localStorage.getItem("hlolint-theme"));
  if (!names.includes(theme)) theme = "auto";
  setTheme(theme);
  at("theme").addEventListener("click", () => {
    theme = names[(names.indexOf(theme) + 1) % names.length];
    setTheme(theme);
    keep(() => localStorage.setItem("hlolint-theme", theme));
  });
}

function startKeys() {
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, select, textarea")) return;
    if (e.key === "/" && at("value")) at("value").focus();
    else if (e.key === "]" && moduleTable) moduleTable.step(1);
    else if (e.key === "[" && moduleTable) moduleTable.step(-1);
    else if (e.key === "f") at("filter-text").focus();
    else if (e.key === "Escape" && open) open.chooseNothing();
    else return;
    e.preventDefault();
  });
}

/** The module to open first: a log of missing memory, else the one that needs most, else one with transfers. */
function firstModule() {
  const need = (m) =>
    m.out_of_memory.length ? Infinity : m.memory ? m.memory.need.total : m.transfers?.start.length ? 0 : -1;
  return data.modules.reduce((best, m, i) => (need(m) > need(data.modules[best]) ? i : best), 0);
}
function start() {
  startFindings();
  if (data.unchecked && !data.findings.length)
    // No rule ran, so "no findings" would be wrong.
    for (const part of document.querySelectorAll(
      '#findings, #rules, #counts, nav [href="#findings"], nav [href="#rules"]',
    ))
      part.classList.add("hidden");
  startTheme();
  startKeys();
  if (data.modules.length > 1) moduleTable = new ModuleTable();
  else at("modules").remove();
  if (!data.modules.length) at("module").remove();
  else if (!readAddress()) openModule(firstModule());
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
