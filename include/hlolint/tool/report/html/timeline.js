/* The script for the schedule over time: a lane for the work, one for each queue of transfers, loops folded. */
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
    const i = clamped(firstIndex(points.length, (k) => points[k] > t) - 1, 0, points.length - 2);
    const part = points[i + 1] > points[i] ? (t - points[i]) / (points[i + 1] - points[i]) : 0;
    return stretched[i] + part * (stretched[i + 1] - stretched[i]);
  };
  const between = (a, b) => scale(b) - scale(a);
  const endOfBlock = (i) => blocks.begin[i] + blocks.length[i];
  return {
    ...timeline,
    length: scale(timeline.length),
    blocks: {
      ...blocks,
      begin: blocks.begin.map(scale),
      length: blocks.begin.map((begin, i) => between(begin, endOfBlock(i))),
      exposed: blocks.exposed.map((ns, i) => (ns > 0 ? between(endOfBlock(i) - ns, endOfBlock(i)) : 0)),
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
const isRepeated = (timeline) => timeline.loops.some((loop) => loop.trips > 1);

/** Blocks over nanoseconds. The recorded iterations of a loop stand for all of them. An item is a block's number or a
 * loop. */
class Timeline extends Plot {
  constructor(shared, timeline, label) {
    const rows = Math.min(4, 1 + timeline.loops.reduce((deepest, loop) => Math.max(deepest, loop.depth), -1));
    super(shared, {
      label,
      keys: ", N and P go to the next and previous exposed transfer",
      height: margin.top + margin.bottom + (rows + timeline.lanes.length) * rowHeight,
    });
    Object.assign(this, { recorded: timeline, loopRows: rows });
    this.setScale(false);
  }
  /** Draws loops true to scale, or each once. */
  setScale(isTrue) {
    this.timeline = isTrue ? (this.scaled ??= trueToScale(this.recorded)) : this.recorded;
    this.across = isTrue ? "ms, true to scale" : isRepeated(this.recorded) ? "ms, each loop drawn once" : "ms";
    this.x = new Range(0, Math.max(1, this.timeline.length), 50);
    redraw();
  }
  top(lane) {
    return margin.top + (this.loopRows + lane) * rowHeight;
  }
  /** The box of a block or loop. */
  box(item) {
    const isLoop = typeof item === "object",
      { blocks } = this.timeline;
    const begin = isLoop ? item.begin : blocks.begin[item],
      length = isLoop ? item.length : blocks.length[item];
    const [a, b] = this.extent(begin, begin + length, 2);
    const top = isLoop ? margin.top + item.depth * rowHeight : this.top(blocks.lane[item]);
    return [a, top + 3, Math.max(isLoop ? 2 : 1, b - a), rowHeight - 6];
  }
  isSeen(begin, length) {
    return begin + length >= this.x.from && begin <= this.x.to;
  }
  get visibleBlocks() {
    const { begin, length } = this.timeline.blocks;
    return Array.from(begin.keys()).filter((i) => this.isSeen(begin[i], length[i]));
  }
  get visibleLoops() {
    return this.timeline.loops.filter((loop) => loop.depth < this.loopRows && this.isSeen(loop.begin, loop.length));
  }
  *marksAcross() {
    const step = Plot.step(this.x.width / 1e6, this.wide, 90, 1e-6);
    for (let k = Math.ceil(this.x.from / 1e6 / step); k * step * 1e6 <= this.x.to; ++k)
      yield [this.xOf(k * step * 1e6), String(Number((k * step).toPrecision(12)))];
  }

  drawAcross(g) {
    super.drawAcross(g);
    Object.assign(g, { textAlign: "right", textBaseline: "middle" });
    this.timeline.lanes.forEach((name, lane) => g.fillText(name, margin.left - 8, this.top(lane) + rowHeight / 2));
    if (this.loopRows) g.fillText("loops", margin.left - 8, margin.top + rowHeight / 2);
  }
  draw(g) {
    g.fillStyle = css("empty");
    this.timeline.lanes.forEach((_, lane) => g.fillRect(margin.left, this.top(lane) + 2, this.wide, rowHeight - 4));
    Object.assign(g, { textAlign: "left", textBaseline: "middle" });
    for (const loop of this.visibleLoops) this.drawLoop(g, loop);
    for (const i of this.visibleBlocks) this.drawBlock(g, i);
    for (const i of this.marked) {
      const [a, top, wide, high] = this.box(i);
      Plot.frame(g, css("mark"), 2, a - 1, top - 1, wide + 2, high + 2);
    }
  }
  drawBlock(g, i) {
    const { blocks } = this.timeline,
      what = texts[blocks.what[i]];
    const [a, top, wide, high] = this.box(i);
    Plot.fillBox(g, css(what === "wait" || what === "work" ? what : "transfer"), a, top, wide, high);
    if (what === "wait") this.hatch(g, a, top, wide, high);
    if (blocks.exposed[i] > 0) {
      const from = Math.max(a, this.xOf(blocks.begin[i] + blocks.length[i] - blocks.exposed[i]));
      Plot.fillBox(g, css("wait"), from, top, a + wide - from, high);
      this.hatch(g, from, top, a + wide - from, high);
    }
    if (wide > 8) Plot.fillBox(g, css("back"), a + wide - 1, top, 1, high);
    if (wide < 40) return;
    const name =
      what === "wait" ? "waits" : blocks.count[i] > 1 ? blocks.count[i] + " small" : texts[blocks.instruction[i]];
    g.fillStyle = "#10151b";
    const left = Math.max(a, margin.left) + 4,
      room = Math.min(a + wide, this.right) - left - 4;
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
    Object.assign(g, { strokeStyle: "#00000050", lineWidth: 2 });
    g.beginPath();
    const end = Math.min(a + wide, this.right);
    for (let x = Math.max(a, margin.left) - high; x < end; x += 8) {
      g.moveTo(x, top + high);
      g.lineTo(x + high, top);
    }
    g.stroke();
    g.restore();
  }
  drawLoop(g, loop) {
    const [a, top, wide, high] = this.box(loop);
    Plot.fillBox(g, css("panel"), a, top, wide, high);
    Plot.frame(g, css("soft"), 1, a + 0.5, top + 0.5, Math.max(1, wide - 1), high - 1);
    if (loop.second < loop.begin + loop.length)
      Plot.fillBox(g, css("soft"), Math.round(this.xOf(loop.second)), top, 1, high);
    g.fillStyle = css("text");
    const trips = "× " + whole(loop.trips);
    const text = [texts[loop.instruction] + " " + trips, trips].find((t) => g.measureText(t).width + 10 < wide);
    if (text) g.fillText(text, Math.max(a, margin.left) + 5, top + high / 2 + 1);
  }
  itemAt(px, py) {
    const at = (items) => Plot.narrowest(items, (item) => this.box(item), px, py, 1);
    return at(this.visibleBlocks) ?? at(this.visibleLoops);
  }
  nameOf(item) {
    return texts[item.instruction ?? this.timeline.blocks.instruction[item]];
  }
  /** A block or loop in titles and texts. */
  about(item) {
    if (typeof item === "object") return this.aboutLoop(item.recorded || item);
    const { blocks, lanes } = this.recorded,
      us = (ns) => timeText(ns / 1000);
    const together = blocks.count[item] > 1 ? `, ${blocks.count[item]} small ones together` : "";
    return [
      [texts[blocks.what[item]] === "wait" ? "Waits" : "Takes", us(blocks.length[item]) + together],
      blocks.exposed[item] > 0 && ["Exposed", us(blocks.exposed[item]) + " of it"],
      ["Opcode", texts[blocks.opcode[item]]],
      ["Lane", `${lanes[blocks.lane[item]]}, from ${us(blocks.begin[item])} on`],
    ].filter(Boolean);
  }
  aboutLoop(loop) {
    const end = loop.begin + loop.length,
      isFirstDrawn = loop.second < end;
    return [
      ["Iterations", whole(loop.trips)],
      ["Drawn", isFirstDrawn ? "the first, and one for all others" : "one for all"],
      ["Takes", timeText((end - (isFirstDrawn ? loop.second : loop.begin)) / 1000) + " each"],
    ];
  }
  /** The block or loop with a name in titles and texts; empty if it takes no time. */
  linesOf(name) {
    const item = this.timeline.loops.find((l) => texts[l.instruction] === name) ?? this.marked[0];
    return item === undefined ? [] : this.about(item);
  }
  lines(item) {
    return [this.nameOf(item), ...this.about(item).map((l) => l.join(": "))];
  }
  choose(item, byKey) {
    if (item === null) return;
    if (byKey) {
      this.selected = item;
      this.revealBlock(item);
    }
    this.shared.chooseInstruction(this.nameOf(item), this.about(item));
  }
  revealBlock(i) {
    const { begin, length } = this.timeline.blocks;
    this.x.reveal(begin[i], begin[i] + length[i]);
  }
  /** Leaves `selected`, so that N and P go on from there. */
  unmark() {
    this.marked = [];
  }
  mark(name, reveal) {
    this.markAll(new Set([name]));
    if (reveal && this.marked.length) this.revealBlock(this.marked[0]);
  }
  /** Marks the blocks of several instructions. */
  markAll(names) {
    const { instruction } = this.timeline.blocks;
    this.marked = Array.from(instruction.keys()).filter((i) => names.has(texts[instruction[i]]));
  }
  items() {
    const { begin, exposed } = this.timeline.blocks;
    return Array.from(begin.keys())
      .filter((i) => exposed[i] > 0)
      .sort((a, b) => begin[a] - begin[b]);
  }
}

const timeLegend = () =>
  make(
    "span.legend",
    legendBox("var(--work)", "work"),
    legendBox("var(--transfer)", "transfer"),
    legendBox("repeating-linear-gradient(135deg,#0005 0 2px,#0000 2px 6px),var(--wait)", "exposed: the device waits"),
  );

/** The measured run of median length. */
function measuredPart({ measured, timeline }, shared) {
  if (!measured) return [];
  shared.measured = new Timeline(shared, measured, "The measured operations of each device over time");
  return [
    make("h3", { id: "measured" }, "Measured"),
    make(
      "p.soft",
      `${measured.device}, ${measured.assumptions.join("; ")}: a run takes ${msText(measured.step_ms)} (median), `,
      `with ${msText(measured.exposed_ms)} of exposed communication. `,
      timeline && `The estimate below is ${msText(timeline.step_ms)}. `,
      "The run of middle length is drawn.",
      !measured.complete && " Not all of it is drawn.",
    ),
    make("div.controls", timeLegend(), shared.measured.buttons("what was measured")),
    shared.measured.element,
  ];
}
