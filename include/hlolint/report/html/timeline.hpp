// The script for the schedule over time: a lane for the work, one for each queue of transfers, loops folded.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_plots.
inline constexpr std::string_view html_timeline = R"js(
const rowHeight = 24;

/** A timeline with each loop as long as all its iterations, by stretching the recorded ones. */
function trueToScale(timeline) {
  const { loops, blocks } = timeline;
  const ends = loops.flatMap((l) => [l.begin, l.second, l.begin + l.length]);
  const points = [...new Set([0, timeline.length, ...ends])].sort((a, b) => a - b);
  const stretched = [0];
  for (let i = 0; i + 1 < points.length; ++i) {
    const middle = (points[i] + points[i + 1]) / 2;
    let slope = 1;
    for (const l of loops) {
      const end = l.begin + l.length;
      if (middle < l.begin || middle >= end) continue;
      slope *= l.second >= end ? l.trips : middle < l.second ? 1 : l.trips - 1;
    }
    stretched.push(stretched[i] + slope * (points[i + 1] - points[i]));
  }
  const scale = (t) => {
    const i = Math.max(0, Math.min(points.length - 2, firstIndex(points.length, (k) => points[k] > t) - 1));
    const part = points[i + 1] > points[i] ? (t - points[i]) / (points[i + 1] - points[i]) : 0;
    return stretched[i] + part * (stretched[i + 1] - stretched[i]);
  };
  const between = (a, b) => scale(b) - scale(a);
  return {
    ...timeline,
    length: scale(timeline.length),
    blocks: {
      ...blocks,
      begin: blocks.begin.map(scale),
      length: blocks.length.map((length, i) => between(blocks.begin[i], blocks.begin[i] + length)),
      exposed: blocks.exposed.map((exposed, i) => {
        const end = blocks.begin[i] + blocks.length[i];
        return exposed > 0 ? between(end - exposed, end) : 0;
      }),
    },
    loops: loops.map((l) => ({
      ...l,
      begin: scale(l.begin),
      length: between(l.begin, l.begin + l.length),
      second: scale(l.second),
      recorded: l,
    })),
  };
}

/** Blocks over nanoseconds. The recorded iterations of a loop stand for all of them. */
class Timeline extends Plot {
  constructor(shared, timeline, label) {
    const rows = 1 + timeline.loops.reduce((deepest, loop) => Math.max(deepest, loop.depth), -1);
    super(shared, {
      label,
      height: margin.top + margin.bottom + (Math.min(4, rows) + timeline.lanes.length) * rowHeight,
      y: null,
      across: timeline.loops.some((loop) => loop.trips > 1) ? "ms, each loop drawn once" : "ms",
    });
    Object.assign(this, { timeline, recorded: timeline, loopRows: Math.min(4, rows) });
    this.x = new Range(0, Math.max(1, timeline.length), 50);
  }
  get keys() {
    return ", N and P go to the next and previous exposed transfer";
  }
  /** Draws loops true to scale, or each once. */
  setScale(isTrue) {
    this.timeline = isTrue ? (this.scaled ??= trueToScale(this.recorded)) : this.recorded;
    this.across = isTrue ? "ms, true to scale" : "ms, each loop drawn once";
    this.x = new Range(0, Math.max(1, this.timeline.length), 50);
    redraw();
  }
  top(lane) {
    return margin.top + (this.loopRows + lane) * rowHeight;
  }
  box(i) {
    const { begin, length, lane } = this.timeline.blocks;
    const a = Math.max(margin.left - 2, this.xOf(begin[i])),
      b = Math.min(margin.left + this.wide + 2, this.xOf(begin[i] + length[i]));
    return [a, this.top(lane[i]) + 3, Math.max(1, b - a), rowHeight - 6];
  }
  seen(i) {
    const { begin, length } = this.timeline.blocks;
    return begin[i] + length[i] >= this.x.from && begin[i] <= this.x.to;
  }
  *marksAcross() {
    const step = Plot.step((this.x.to - this.x.from) / 1e6, this.wide, 90, 1e-6);
    for (let k = Math.ceil(this.x.from / 1e6 / step); k * step * 1e6 <= this.x.to; ++k)
      yield [this.xOf(k * step * 1e6), String(Number((k * step).toPrecision(12)))];
  }

  drawAcross(g) {
    super.drawAcross(g);
    g.textAlign = "right";
    g.textBaseline = "middle";
    this.timeline.lanes.forEach((name, lane) => g.fillText(name, margin.left - 8, this.top(lane) + rowHeight / 2));
    if (this.loopRows) g.fillText("loops", margin.left - 8, margin.top + rowHeight / 2);
  }
  draw(g) {
    g.fillStyle = css("empty");
    this.timeline.lanes.forEach((_, lane) => g.fillRect(margin.left, this.top(lane) + 2, this.wide, rowHeight - 4));
    g.textBaseline = "middle";
    this.drawLoops(g);
    const { blocks } = this.timeline;
    for (let i = 0; i < blocks.lane.length; ++i) if (this.seen(i)) this.drawBlock(g, i);
    for (const i of this.selected || []) {
      const [a, top, wide, high] = this.box(i);
      g.strokeStyle = css("mark");
      g.lineWidth = 2;
      g.strokeRect(a - 1, top - 1, wide + 2, high + 2);
    }
  }
  drawBlock(g, i) {
    const { blocks } = this.timeline,
      what = texts[blocks.what[i]];
    const [a, top, wide, high] = this.box(i);
    g.fillStyle = css(what === "wait" ? "wait" : what === "work" ? "work" : "transfer");
    g.fillRect(a, top, wide, high);
    if (what === "wait") this.hatch(g, a, top, wide, high);
    if (blocks.exposed[i] > 0) {
      const from = Math.max(a, this.xOf(blocks.begin[i] + blocks.length[i] - blocks.exposed[i]));
      g.fillStyle = css("wait");
      g.fillRect(from, top, a + wide - from, high);
      this.hatch(g, from, top, a + wide - from, high);
    }
    if (wide > 8) {
      g.fillStyle = css("back");
      g.fillRect(a + wide - 1, top, 1, high);
    }
    if (wide < 40) return;
    const name =
      what === "wait" ? "waits" : blocks.count[i] > 1 ? blocks.count[i] + " small" : texts[blocks.instruction[i]];
    g.textAlign = "left";
    g.fillStyle = "#10151b";
    const left = Math.max(a, margin.left) + 4,
      room = Math.min(a + wide, margin.left + this.wide) - left - 4;
    if (room > 30 || g.measureText(name).width <= room)
      g.fillText(Plot.fitted(g, name, room), left, top + high / 2 + 1);
  }
  /** Stripes, so that exposed time is visible without colours. */
  hatch(g, a, top, wide, high) {
    if (wide < 4) return;
    g.save();
    g.beginPath();
    g.rect(a, top, wide, high);
    g.clip();
    g.strokeStyle = "#00000050";
    g.lineWidth = 2;
    g.beginPath();
    const end = Math.min(a + wide, margin.left + this.wide);
    for (let x = Math.max(a, margin.left) - high; x < end; x += 8) (g.moveTo(x, top + high), g.lineTo(x + high, top));
    g.stroke();
    g.restore();
  }
  drawLoops(g) {
    g.textAlign = "left";
    for (const loop of this.timeline.loops) {
      if (loop.depth >= this.loopRows || loop.begin > this.x.to || loop.begin + loop.length < this.x.from) continue;
      const [a, top, wide, high] = this.loopBox(loop);
      g.fillStyle = css("panel");
      g.fillRect(a, top, wide, high);
      g.strokeStyle = css("soft");
      g.lineWidth = 1;
      g.strokeRect(a + 0.5, top + 0.5, Math.max(1, wide - 1), high - 1);
      const second = this.xOf(loop.second);
      g.fillStyle = css("soft");
      if (loop.second < loop.begin + loop.length) g.fillRect(Math.round(second), top, 1, high);
      g.fillStyle = css("text");
      const text = [
        texts[loop.instruction] + " × " + loop.trips.toLocaleString("en"),
        "× " + loop.trips.toLocaleString("en"),
      ].find((t) => g.measureText(t).width + 10 < wide);
      if (text) g.fillText(text, Math.max(a, margin.left) + 5, top + high / 2 + 1);
    }
  }
  loopBox(loop) {
    const a = Math.max(margin.left - 2, this.xOf(loop.begin)),
      b = Math.min(margin.left + this.wide + 2, this.xOf(loop.begin + loop.length));
    return [a, margin.top + loop.depth * rowHeight + 3, Math.max(2, b - a), rowHeight - 6];
  }
  blockAt(px, py) {
    const { blocks } = this.timeline;
    let best = null,
      width = Infinity;
    for (let i = 0; i < blocks.lane.length; ++i) {
      if (!this.seen(i)) continue;
      const [a, top, wide, high] = this.box(i);
      if (px >= a - 1 && px <= a + wide + 1 && py >= top - 2 && py <= top + high + 2 && wide < width)
        ((best = i), (width = wide));
    }
    return best;
  }
  loopAt(px, py) {
    return this.timeline.loops.find((loop) => {
      const [a, top, wide, high] = this.loopBox(loop);
      return loop.depth < this.loopRows && px >= a && px <= a + wide && py >= top && py <= top + high;
    });
  }
  /** A block in titles and texts. */
  lines(i) {
    const { blocks, lanes } = this.recorded,
      what = texts[blocks.what[i]];
    const us = (ns) => timeText(ns / 1000);
    return [
      [
        what === "wait" ? "Waits" : "Takes",
        us(blocks.length[i]) + (blocks.count[i] > 1 ? ", " + blocks.count[i] + " small ones together" : ""),
      ],
      blocks.exposed[i] > 0 ? ["Exposed", us(blocks.exposed[i]) + " of it"] : null,
      ["Opcode", texts[blocks.opcode[i]]],
      ["Lane", lanes[blocks.lane[i]] + ", from " + us(blocks.begin[i]) + " on"],
    ].filter(Boolean);
  }
  loopLines(drawn) {
    const loop = drawn.recorded || drawn;
    return [
      ["Iterations", loop.trips.toLocaleString("en")],
      ["Drawn", loop.second < loop.begin + loop.length ? "the first, and one for all others" : "one for all"],
      [
        "Takes",
        timeText(
          (loop.begin + loop.length - (loop.second < loop.begin + loop.length ? loop.second : loop.begin)) / 1000,
        ) + " each",
      ],
    ];
  }
  /** The block or loop with a name in titles and texts; empty if it takes no time. */
  linesOf(name) {
    const loop = this.timeline.loops.find((l) => texts[l.instruction] === name);
    return loop ? this.loopLines(loop) : this.selected.length ? this.lines(this.selected[0]) : [];
  }
  under(px, py) {
    const i = this.blockAt(px, py),
      loop = i === null ? this.loopAt(px, py) : null;
    if (loop) return { lines: [texts[loop.instruction], ...this.loopLines(loop).map((l) => l.join(": "))] };
    return i === null
      ? null
      : { lines: [texts[this.timeline.blocks.instruction[i]], ...this.lines(i).map((l) => l.join(": "))] };
  }
  choose(px, py) {
    const i = this.blockAt(px, py),
      loop = i === null ? this.loopAt(px, py) : null;
    if (loop) this.shared.chooseInstruction(texts[loop.instruction], this.loopLines(loop));
    else if (i !== null) this.shared.chooseInstruction(texts[this.timeline.blocks.instruction[i]], this.lines(i));
  }
  /** Marks the blocks of an instruction; moves the first of them into view if `reveal` is true. */
  mark(name, reveal) {
    const { blocks } = this.timeline;
    this.markAll(new Set([name]));
    const i = this.selected[0];
    if (reveal && i !== undefined) this.x.reveal(blocks.begin[i], blocks.begin[i] + blocks.length[i]);
  }
  /** Marks the blocks of several instructions. */
  markAll(names) {
    const { instruction } = this.timeline.blocks;
    this.selected = Array.from(instruction.keys()).filter((i) => names.has(texts[instruction[i]]));
  }
  key(key) {
    const { blocks } = this.timeline;
    const exposed = blocks.lane.map((_, i) => i).filter((i) => blocks.exposed[i] > 0);
    exposed.sort((a, b) => blocks.begin[a] - blocks.begin[b]);
    const next = this.neighbour(key, exposed, this.current);
    if (next === undefined) return super.key(key);
    this.current = next;
    this.x.reveal(blocks.begin[this.current], blocks.begin[this.current] + blocks.length[this.current]);
    this.shared.chooseInstruction(texts[blocks.instruction[this.current]], this.lines(this.current));
    return true;
  }
}

const timeLegend = () =>
  make(
    "span",
    { class: "legend" },
    legendBox("var(--work)", "work"),
    legendBox("var(--transfer)", "transfer"),
    legendBox("repeating-linear-gradient(135deg,#0005 0 2px,#0000 2px 6px),var(--wait)", "exposed: the device waits"),
  );

/** The measured run of median length. */
function measuredPart(module, shared) {
  const { measured, timeline } = module;
  if (!measured) return [];
  shared.measured = new Timeline(shared, measured, "The measured operations of each device over time");
  return [
    make("h3", { id: "measured" }, "Measured"),
    make(
      "p",
      { class: "soft" },
      measured.device + ", " + measured.assumptions.join("; ") + ": a run takes " + rounded(measured.step_ms),
      " ms (median), with " + rounded(measured.exposed_ms) + " ms of exposed communication. ",
      timeline ? "The estimate below is " + rounded(timeline.step_ms) + " ms. " : "",
      "The run of middle length is drawn.",
      measured.complete ? "" : " Not all of it is drawn.",
    ),
    make("div", { class: "controls" }, timeLegend(), shared.measured.buttons("what was measured")),
    shared.measured.element,
  ];
}
)js";

}  // namespace hlolint::report
