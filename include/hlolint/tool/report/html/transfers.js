/* The script for collectives and other transfers over schedule positions. */
const laneHeight = 18;

/** One bar per transfer, from its start to its done; transfers that run together are in different lanes. */
class TransferPlot extends Plot {
  constructor(shared, module) {
    super(shared, {
      label: "Collectives and other transfers over schedule position",
      keys: ", N and P go to the next and previous transfer",
      height: 80,
    });
    this.module = module;
    this.classes = colourClasses(Array.from(module.transfers.kind, (k) => texts[k]));
    this.show(false);
  }
  show(collectivesOnly) {
    const { transfers } = this.module;
    this.shown = [];
    this.lane = new Map();
    const ends = [],
      most = 24; // further transfers share lanes
    for (let t = 0; t < transfers.start.length; ++t) {
      if (collectivesOnly && !transfers.collective[t]) continue;
      let lane = ends.findIndex((end) => end < transfers.start[t]);
      if (lane < 0) lane = ends.length < most ? ends.length : t % most;
      ends[lane] = Math.max(ends[lane] ?? -1, transfers.end[t]);
      this.lane.set(t, lane);
      this.shown.push(t);
    }
    this.setHeight(margin.top + margin.bottom + Math.max(1, ends.length) * laneHeight);
    redraw();
  }
  box(t) {
    const { transfers } = this.module;
    const [a, b] = this.extent(transfers.start[t], transfers.end[t] + 1, 3);
    return [a, margin.top + this.lane.get(t) * laneHeight + 2, Math.max(4, b - a), laneHeight - 4];
  }
  get visible() {
    const { start, end } = this.module.transfers;
    return this.shown.filter((t) => end[t] + 1 >= this.x.from && start[t] <= this.x.to);
  }
  draw(g) {
    const { transfers } = this.module;
    Object.assign(g, { textBaseline: "middle", textAlign: "left" });
    for (const t of this.visible) {
      const [a, top, wide, high] = this.box(t),
        kind = texts[transfers.kind[t]],
        colour = hues[this.classes.of(kind)];
      Plot.fillBox(g, rgb(colour), a, top, wide, high);
      const width = transfers.exposed[t] ? 2.5 : 1,
        edge = transfers.exposed[t] ? css("overlap") : rgb(shaded(colour, 0.62));
      Plot.frame(g, edge, width, a + width / 2, top + width / 2, Math.max(1, wide - width), high - width);
      const sent = kind + (transfers.bytes[t] !== null ? " " + bytesText(transfers.bytes[t]) : "");
      const text = [sent + ", " + counted(transfers.real[t], "real instruction"), sent, kind].find(
        (line) => g.measureText(line).width + 10 < wide,
      );
      if (text) {
        g.fillStyle = "#10151b";
        g.fillText(text, a + 5, top + high / 2 + 1);
      }
      if (t === this.selected) Plot.frame(g, css("mark"), 2, a - 1.5, top - 1.5, wide + 3, high + 3);
    }
  }
  itemAt(px, py) {
    return Plot.narrowest(this.visible, (t) => this.box(t), px, py, 2);
  }
  lines(t) {
    return transferLines(this.module, t);
  }
  choose(t) {
    this.shared.chooseTransfer(t);
  }
  items() {
    return this.shown;
  }
}

/** The text about the transfer under the pointer. */
function transferLines(module, t) {
  const { start, end, kind, bytes, instruction, done, op_name } = module.transfers;
  return [
    texts[kind[t]] + (bytes[t] !== null ? " of " + bytesText(bytes[t]) : ""),
    joined([texts[instruction[t]], texts[done[t]]], " … "),
    start[t] === end[t] ? "position " + start[t] : `positions ${start[t]} to ${end[t]}`,
    windowText(module, t),
    shortText(texts[op_name[t]], 200),
    sourceText(module.transfers, t),
  ];
}
function windowText({ transfers }, t) {
  const exposed = transfers.exposed[t] ? "Exposed: " : "";
  if (!transfers.done[t]) return transfers.asynchronous[t] ? "no done in its computation" : exposed + "synchronous";
  const marked = transfers.asynchronous[t] ? "" : "marked synchronous; ",
    between = counted(transfers.between[t], "instruction");
  const real = `${whole(transfers.real[t])} of them work that can hide it`;
  return `${exposed}${marked}${between} between start and done, ${real}`;
}
