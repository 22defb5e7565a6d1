/* The script about the time of a step: a table by category, source or weight, and the roofline. */
/** The work of an instruction, as titles and texts. */
function workLines({ rows, peak_flops }, i) {
  const { ms, us, runs, flops, bytes, exposed_ms, bound, category, weight } = rows,
    rate = flops[i] / (us[i] * 1e-6);
  const speed = `${rounded(rate / 1e12)} TFLOP/s, ${percentText(rate, peak_flops)} of the peak`;
  return [
    ["Takes", `${msText(ms[i])} in a step = ${counted(runs[i], "run")} of ${timeText(us[i])}`],
    exposed_ms[i] > 0 && ["Waits", msText(exposed_ms[i]) + " of it"],
    ["Bound by", texts[bound[i]]],
    ["Category", texts[category[i]]],
    flops[i] > 0 && ["Computes", `${rounded(flops[i] / 1e9)} GFLOP in a run, ${speed}`],
    bytes[i] > 0 && ["Moves", bytesText(bytes[i]) + " of memory in a run"],
    texts[weight[i]] && ["Weight", texts[weight[i]]],
  ].filter(Boolean);
}

/** Operations per byte and per second of each instruction, log-log. The area of a dot is its time. */
class Roofline extends Plot {
  constructor(shared, module) {
    const { work } = module.timeline;
    super(shared, {
      label: "Roofline: a dot for each instruction",
      keys: ", N and P go to the next and previous instruction",
      height: 300,
      up: "TFLOP/s",
      across: "FLOP for each byte of memory",
    });
    const { ms, us, flops, bytes, category, instruction } = work.rows,
      log = Math.log10;
    this.dots = [...ms.keys()].filter((i) => flops[i] > 0 && bytes[i] > 0 && us[i] > 0);
    this.at = new Map(this.dots.map((i) => [i, [log(flops[i] / bytes[i]), log(flops[i] / (us[i] * 1e-6))]]));
    const across = [...this.at.values()].map((p) => p[0]),
      up = [...this.at.values()].map((p) => p[1]);
    const ridge = log(work.peak_flops / work.memory_rate),
      peak = log(work.peak_flops);
    this.x = new Range(Math.min(ridge - 1.5, ...across) - 0.2, Math.max(ridge + 1.5, ...across) + 0.2, 0.05);
    this.y = new Range(Math.min(peak - 2, ...up) - 0.2, peak + 0.3, 0.05);
    const categories = this.dots.map((i) => texts[category[i]]);
    this.classes = colourClasses(categories, (k) => ms[this.dots[k]]);
    Object.assign(this, { work, ms, category, instruction, ridge, peak, zoomsUp: true });
  }
  radius(i) {
    return Math.max(2.5, 20 * Math.sqrt(this.ms[i] / (this.ms[this.dots[0]] || 1)));
  }
  place(i) {
    const [x, y] = this.at.get(i);
    return [this.xOf(x), this.yOf(y)];
  }
  draw(g) {
    const left = this.x.low - 9,
      top = this.yOf(this.peak);
    Object.assign(g, { strokeStyle: css("soft"), lineWidth: 1.5 });
    g.beginPath();
    g.moveTo(this.xOf(left), this.yOf(this.peak - this.ridge + left));
    g.lineTo(this.xOf(this.ridge), top);
    g.lineTo(this.xOf(this.x.high + 9), top);
    g.stroke();
    for (const i of this.dots) {
      const colour = hues[this.classes.of(texts[this.category[i]])];
      g.beginPath();
      g.arc(...this.place(i), this.radius(i), 0, 2 * Math.PI);
      Object.assign(g, { globalAlpha: 0.75, fillStyle: rgb(colour) });
      g.fill();
      const isSelected = i === this.selected;
      Object.assign(g, { globalAlpha: 1, lineWidth: isSelected ? 3 : 1 });
      g.strokeStyle = isSelected ? css("mark") : rgb(shaded(colour, 0.6));
      g.stroke();
    }
  }
  /** Marks at powers of ten of an axis, in units of 10^`unit`. */
  *powers(axis, pixelOf, unit) {
    for (let k = Math.ceil(axis.from); k <= axis.to; ++k)
      yield [pixelOf(k), String(Number((10 ** (k - unit)).toPrecision(1)))];
  }
  marksAcross() {
    return this.powers(this.x, (k) => this.xOf(k), 0);
  }
  marksUp() {
    return this.powers(this.y, (k) => this.yOf(k), 12);
  }
  /** The smallest dot at a place. */
  itemAt(px, py) {
    const isAt = (i) => Math.hypot(px - this.place(i)[0], py - this.place(i)[1]) <= this.radius(i) + 2;
    const smaller = (best, i) => (best === null || this.radius(i) < this.radius(best) ? i : best);
    return this.dots.filter(isAt).reduce(smaller, null);
  }
  lines(i) {
    return [texts[this.instruction[i]], ...workLines(this.work, i).map((l) => l.join(": "))];
  }
  choose(i) {
    if (i !== null) this.shared.chooseInstruction(texts[this.instruction[i]]);
  }
  mark(name) {
    const i = this.instruction.findIndex((n) => texts[n] === name);
    this.selected = i < 0 ? null : i;
  }
  items() {
    return this.dots;
  }
}

function rooflinePart(module, shared) {
  const { work } = module.timeline;
  if (!(work.peak_flops > 0 && work.memory_rate > 0)) return [];
  const plot = new Roofline(shared, module);
  if (!plot.dots.length) {
    plots.splice(plots.indexOf(plot), 1);
    return [];
  }
  const drawn = new Set(plot.dots),
    others = sumOf(work.rows.ms.filter((_, i) => !drawn.has(i)));
  const note = others > 0 ? "; not drawn, as the matrix units have no part in it: " + msText(others) : "";
  return [
    make("div.controls", make("h3", { id: "roofline" }, "Roofline"), plot.buttons("the roofline")),
    plot.element,
    make("div.legend", legendOf(plot.classes), make("span", "The line is the device's peak", note)),
  ];
}

/** The table of what takes the time of the step. */
function workPart(module, shared) {
  const { work, step_ms } = module.timeline ?? {};
  if (!work?.sums.length) return [];
  const write = (s) => {
    const most = s.ms[0] || 1;
    const nameOf = (i) => (s.by === "source" ? shortSource(s.name[i]) : s.name[i]);
    const rows = s.ms.map((ms, i) => [
      bar(ms, most, msText(ms)),
      percentText(ms, step_ms),
      make(
        "span",
        { title: s.name[i] },
        button(() => shared.chooseGroup(s, i), code(nameOf(i))),
      ),
      s.exposed_ms[i] > 0 && percentText(s.exposed_ms[i], ms),
      percentText(s.matrix_ms[i], ms),
      percentText(s.memory_ms[i], ms),
      rounded(s.runs[i]),
    ]);
    const more = [bar(s.more_ms, most, msText(s.more_ms)), percentText(s.more_ms, step_ms), counted(s.more, "other")];
    if (s.more) rows.push([...more, "", "", "", ""]);
    return folded("work", ["In a step", "#Share", capital(s.by), "#Waits", "#Matrix", "#Memory", "#Runs"], rows);
  };
  return [
    make("h3", { id: "work-title" }, "Where the time goes"),
    tableBy(
      "work-by",
      work.sums,
      "matrix, memory: the share of its time that the matrix units or the memory would need at their peak",
      write,
    ),
    curvePart(module.timeline),
    rooflinePart(module, shared),
  ];
}

/** Bytes against time: what the program needs and takes if it keeps more of what it computes again. */
function curvePart({ work: { curve, recomputed_ms }, step_ms, at_least }) {
  if (!curve.length) return [];
  const most = greatest(curve.map((p) => p.need_bytes)),
    longest = greatest(curve.map((p) => p.step_ms));
  const rows = curve.map((p) => [
    bar(p.need_bytes, most, bytesText(p.need_bytes)),
    bar(p.step_ms, longest, stepText({ ...p, at_least })),
    p.by === "present" ? make("strong", p.what) : make("span", p.what, !p.fits && " (more than the device has)"),
  ]);
  const share = percentText(recomputed_ms, step_ms);
  return [
    make("h3", { id: "curve-title" }, "Bytes against time"),
    make("p.soft", `${msText(recomputed_ms)} of a step (${share}) compute values again. What is kept adds up.`),
    folded("curve", ["Need", "In a step", "By"], rows),
  ];
}

/** The step in short: its length, utilisation and headroom. */
function stepTile({ timeline }) {
  if (!timeline?.work) return null;
  const { work, step_ms, exposed_ms, device } = timeline,
    { utilisation, bound_ms, unknown_calls } = work;
  const headroom = msText(Math.max(0, step_ms - bound_ms));
  return tile(
    "step",
    "Step, estimated",
    stepText(timeline),
    [
      utilisation > 0 && `MFU ${percentText(utilisation, 1)}; `,
      `exposed ${msText(exposed_ms)}; `,
      work.recomputed_ms > 0 && `computed again ${msText(work.recomputed_ms)}; `,
      utilisation > 0 ? "headroom " + headroom : "no work for the matrix units",
      unknown_calls > 0 && `; ${counted(unknown_calls, "call")} of unknown cost`,
      ` (${device})`,
    ],
    () => centre(at("work-title")),
  );
}

/** One line on what takes most memory and time. */
function whereTo(module) {
  const { memory, timeline } = module,
    parts = [];
  // The first rows of the tables below.
  const origins = memory?.origins.find((o) => o.by === "source" && o.bytes.length);
  if (origins) {
    const named = [...origins.bytes.slice(0, 2)].map(
      (bytes, i) => `${shortSource(texts[origins.name[i]])} ${percentText(bytes, memory.need.total)}`,
    );
    parts.push("Memory goes to " + joined(named));
  }
  if (timeline?.work) {
    const named = ["category", "source", "weight"]
      .map((by) => timeline.work.sums.find((s) => s.by === by))
      .filter((s) => s?.ms.length && !s.name[0].startsWith("("))
      .map((s) => `${shortSource(s.name[0])} ${percentText(s.ms[0], timeline.step_ms)}`);
    if (named.length) parts.push("time goes to " + joined(named));
  }
  return parts.length > 0 && make("p.where", { id: "where-to" }, capital(parts.join("; ")) + ".");
}
