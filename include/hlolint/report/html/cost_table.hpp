// The script about the time of a step: a table by category, source or weight, and the roofline.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_tables and html_timeline.
inline constexpr std::string_view html_work = R"js(
/** The work of an instruction, as titles and texts. */
function workLines(work, i) {
  const { rows } = work,
    rate = rows.flops[i] / (rows.us[i] * 1e-6);
  return [
    ["Takes", rounded(rows.ms[i]) + " ms in a step = " + counted(rows.runs[i], "run") + " of " + timeText(rows.us[i])],
    rows.exposed_ms[i] > 0 ? ["Waits", rounded(rows.exposed_ms[i]) + " ms of it"] : null,
    ["Bound by", texts[rows.bound[i]]],
    ["Category", texts[rows.category[i]]],
    rows.flops[i] > 0
      ? [
          "Computes",
          rounded(rows.flops[i] / 1e9) +
            " GFLOP in a run, " +
            rounded(rate / 1e12) +
            " TFLOP/s, " +
            percentText(rate, work.peak_flops) +
            " of the peak",
        ]
      : null,
    rows.bytes[i] > 0 ? ["Moves", bytesText(rows.bytes[i]) + " of memory in a run"] : null,
    texts[rows.weight[i]] ? ["Weight", texts[rows.weight[i]]] : null,
  ].filter(Boolean);
}

/** Operations per byte and per second of each instruction, log-log. The area of a dot is its time. */
class Roofline extends Plot {
  constructor(shared, module) {
    const { work } = module.timeline;
    super(shared, {
      label: "Roofline: a dot for each instruction",
      height: 300,
      y: null,
      up: "TFLOP/s",
      across: "FLOP for each byte of memory",
    });
    const { rows } = work,
      log = Math.log10;
    Object.assign(this, { module, work, selected: null });
    this.dots = Array.from(rows.ms.keys()).filter((i) => rows.flops[i] > 0 && rows.bytes[i] > 0 && rows.us[i] > 0);
    this.at = new Map(
      this.dots.map((i) => [i, [log(rows.flops[i] / rows.bytes[i]), log(rows.flops[i] / (rows.us[i] * 1e-6))]]),
    );
    const across = [...this.at.values()].map((p) => p[0]),
      up = [...this.at.values()].map((p) => p[1]);
    const ridge = log(work.peak_flops / work.memory_rate),
      peak = log(work.peak_flops);
    this.x = new Range(Math.min(ridge - 1.5, ...across) - 0.2, Math.max(ridge + 1.5, ...across) + 0.2, 0.05);
    this.y = new Range(Math.min(peak - 2, ...up) - 0.2, peak + 0.3, 0.05);
    this.classes = colourClasses(
      this.dots.map((i) => texts[rows.category[i]]),
      (k) => rows.ms[this.dots[k]],
    );
  }
  get zoomsUp() {
    return true;
  }
  get keys() {
    return ", N and P go to the next and previous instruction";
  }
  radius(i) {
    const most = this.work.rows.ms[this.dots[0]] || 1;
    return Math.max(2.5, 20 * Math.sqrt(this.work.rows.ms[i] / most));
  }
  place(i) {
    const [x, y] = this.at.get(i);
    return [this.xOf(x), this.yOf(y)];
  }
  draw(g) {
    const roof = (x) => Math.min(Math.log10(this.work.peak_flops), Math.log10(this.work.memory_rate) + x);
    const ridge = Math.log10(this.work.peak_flops / this.work.memory_rate);
    g.strokeStyle = css("soft");
    g.lineWidth = 1.5;
    g.beginPath();
    g.moveTo(this.xOf(this.x.low - 9), this.yOf(roof(this.x.low - 9)));
    g.lineTo(this.xOf(ridge), this.yOf(roof(ridge)));
    g.lineTo(this.xOf(this.x.high + 9), this.yOf(roof(ridge)));
    g.stroke();
    for (const i of this.dots) {
      const [x, y] = this.place(i),
        colour = hues[this.classes.of(texts[this.work.rows.category[i]])];
      g.beginPath();
      g.arc(x, y, this.radius(i), 0, 2 * Math.PI);
      g.globalAlpha = 0.75;
      g.fillStyle = rgb(colour);
      g.fill();
      g.globalAlpha = 1;
      g.lineWidth = i === this.selected ? 3 : 1;
      g.strokeStyle = i === this.selected ? css("mark") : rgb(shaded(colour, 0.6));
      g.stroke();
    }
  }
  *marksAcross() {
    for (let k = Math.ceil(this.x.from); k <= this.x.to; ++k)
      yield [this.xOf(k), String(Number((10 ** k).toPrecision(1)))];
  }
  *marksUp() {
    for (let k = Math.ceil(this.y.from); k <= this.y.to; ++k)
      yield [this.yOf(k), String(Number((10 ** (k - 12)).toPrecision(1)))];
  }
  /** The smallest dot at a place. */
  dotAt(px, py) {
    let best = null;
    for (const i of this.dots) {
      const [x, y] = this.place(i);
      if (Math.hypot(px - x, py - y) <= this.radius(i) + 2 && (best === null || this.radius(i) < this.radius(best)))
        best = i;
    }
    return best;
  }
  under(px, py) {
    const i = this.dotAt(px, py);
    return i === null
      ? null
      : { lines: [texts[this.work.rows.instruction[i]], ...workLines(this.work, i).map((l) => l.join(": "))] };
  }
  choose(px, py) {
    const i = this.dotAt(px, py);
    if (i !== null) this.shared.chooseInstruction(texts[this.work.rows.instruction[i]], [], true);
  }
  mark(name) {
    const i = this.work.rows.instruction.findIndex((n) => texts[n] === name);
    this.selected = i < 0 ? null : i;
  }
  key(key) {
    const next = this.neighbour(key, this.dots, this.selected);
    if (next === undefined) return super.key(key);
    this.shared.chooseInstruction(texts[this.work.rows.instruction[next]], [], true);
    return true;
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
  shared.roofline = plot;
  const drawn = new Set(plot.dots);
  const others = work.rows.ms.filter((_, i) => !drawn.has(i)).reduce((sum, ms) => sum + ms, 0);
  return [
    make("div", { class: "controls" }, make("h3", { id: "roofline" }, "Roofline"), plot.buttons("the roofline")),
    plot.element,
    make(
      "div",
      { class: "legend" },
      legendOf(plot.classes),
      make(
        "span",
        {},
        "The line is the device's peak" +
          (others > 0 ? "; not drawn, as the matrix units have no part in it: " + rounded(others) + " ms" : ""),
      ),
    ),
  ];
}

/** The table of what takes the time of the step. */
function workPart(module, shared) {
  const { timeline } = module;
  if (!timeline || !timeline.work.sums.length) return [];
  const { work, step_ms } = timeline,
    sumNames = work.sums.map((s) => s.by),
    place = make("div", {});
  const show = (number) => {
    const s = work.sums[number],
      most = s.ms[0] || 1;
    const name = (i) => (s.by === "source" ? shortSource(s.name[i]) : s.name[i]);
    const rows = Array.from(s.ms, (ms, i) => [
      bar(ms, most, rounded(ms) + " ms"),
      percentText(ms, step_ms),
      make("span", { title: s.name[i] }, button(() => shared.chooseGroup(s, i), code(name(i)))),
      s.exposed_ms[i] > 0 ? percentText(s.exposed_ms[i], ms) : "",
      percentText(s.matrix_ms[i], ms),
      percentText(s.memory_ms[i], ms),
      rounded(s.runs[i]),
    ]);
    if (s.more)
      rows.push([
        bar(s.more_ms, most, rounded(s.more_ms) + " ms"),
        percentText(s.more_ms, step_ms),
        counted(s.more, "other"),
        ...["", "", "", ""],
      ]);
    place.replaceChildren(
      ...folded(rows, 12, (some) =>
        table("work", ["In a step", "#Share", capital(s.by), "#Waits", "#Matrix", "#Memory", "#Runs"], some),
      ),
    );
  };
  show(0);
  return [
    make("h3", { id: "work-title" }, "Where the time goes"),
    make(
      "div",
      { class: "controls" },
      make("label", {}, "By ", choiceOf("work-by", sumNames, show)),
      make(
        "span",
        { class: "soft" },
        "matrix, memory: the share of its time that the matrix units or the memory would need at their peak",
      ),
    ),
    place,
    ...rooflinePart(module, shared),
  ];
}

/** The step in short: its length, utilisation and headroom. */
function stepTile(module) {
  const { timeline } = module;
  if (!timeline || !timeline.work) return null;
  const { work, step_ms, exposed_ms } = timeline,
    headroom = Math.max(0, step_ms - work.matrix_bound_ms);
  return tile(
    "step",
    "Step, estimated",
    (work.unknown_calls ? "≥ " : "") + rounded(step_ms) + " ms",
    [
      work.utilisation > 0 ? "MFU " + percentText(work.utilisation, 1) + "; " : "",
      "exposed " + rounded(exposed_ms) + " ms; ",
      work.matrix_bound_ms > 0 ? "headroom " + rounded(headroom) + " ms" : "no work for the matrix units",
      work.unknown_calls ? "; " + counted(work.unknown_calls, "call") + " of unknown cost" : "",
      " (" + timeline.device + ")",
    ],
    () => at("work-title").scrollIntoView({ block: "center" }),
  );
}

/** One line on what takes most memory and time. */
function whereTo(module) {
  const { memory, timeline } = module,
    parts = [];
  if (memory && memory.resident.value.length) {
    const { resident } = memory,
      { values, allocations } = module;
    const named = resident.bytes.slice(0, 2).map((bytes, i) => {
      const v = resident.value[i];
      const from = v === null ? "" : shortSource(sourceText(values, v)) || texts[values.instruction[v]];
      return (from || texts[allocations.kind[resident.allocation[i]]]) + " " + percentText(bytes, memory.need.total);
    });
    parts.push("Memory goes to " + named.join(", "));
  }
  if (timeline && timeline.work) {
    const of = (by) => timeline.work.sums.find((s) => s.by === by);
    const named = ["category", "source", "weight"]
      .map(of)
      .filter((s) => s && s.ms.length && !s.name[0].startsWith("("))
      .map((s) => shortSource(s.name[0]) + " " + percentText(s.ms[0], timeline.step_ms));
    if (named.length) parts.push("time goes to " + named.join(", "));
  }
  return parts.length ? make("p", { class: "where", id: "where-to" }, capital(parts.join("; ")) + ".") : null;
}
)js";

}  // namespace hlolint::report
