/* The script for plots over schedule positions or time: zoom, pan, axes. */
/** The visible part of an axis: at least `least`, and as much as numbers can distinguish; never beyond its ends. */
class Range {
  constructor(low, high, least) {
    Object.assign(this, { low, high, from: low, to: high });
    this.least = Math.min(Math.max(least, high * 1e-12), high - low);
  }
  get width() {
    return this.to - this.from;
  }
  set(from, to) {
    const width = Math.min(this.high - this.low, Math.max(this.least, to - from));
    this.from = clamped(from, this.low, this.high - width);
    this.to = this.from + width;
  }
  zoom(factor, around = (this.from + this.to) / 2) {
    this.set(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  /** Moves the view by a part of its width. */
  pan(part) {
    const by = part * this.width;
    this.set(this.from + by, this.to + by);
  }
  reset() {
    this.set(this.low, this.high);
  }
  get whole() {
    return this.width >= this.high - this.low;
  }
  /** Makes [a, b] visible, with at least a twentieth of the view. */
  reveal(a, b) {
    if (a >= this.from && b <= this.to && (b - a) * 200 > this.width) return;
    const wide = Math.max(this.least, Math.min(this.width, (b - a) * 20), (b - a) * 1.5);
    this.set((a + b - wide) / 2, (a + b + wide) / 2);
  }
}

const margin = { left: 96, right: 10, top: 8, bottom: 36 };
const plots = [];
let waiting = false;
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    for (const plot of plots) plot.paint();
  });
}

/**
 * A canvas over schedule positions: position p takes [p, p + 1). A subclass defines how to `draw`, which item is at a
 * place (`itemAt`; null if none), its `lines` in the tooltip, and what happens when it is chosen (`choose`; `byKey` if
 * it may be out of view). The keys N and P go through `items`, from `selected` on. `across` and `up` name the axes.
 */
class Plot {
  constructor(shared, { label, keys = "", height, y = null, up, across = "schedule position" }) {
    Object.assign(this, { shared, y, up, across, x: shared.x });
    this.unmark();
    this.canvas = make("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "picture",
      "aria-label": `${label}. Keys: arrows move, plus and minus zoom, 0 shows all${keys}.`,
    });
    this.setHeight(height);
    this.element = make("div.plot", this.canvas);
    this.listen();
    plots.push(this);
  }
  setHeight(height) {
    this.height = height;
    this.canvas.style.height = height + "px";
  }
  get wide() {
    return Math.max(50, this.canvas.clientWidth - margin.left - margin.right);
  }
  get high() {
    return this.height - margin.top - margin.bottom;
  }
  get right() {
    return margin.left + this.wide;
  }
  get bottom() {
    return margin.top + this.high;
  }
  xOf(position) {
    return margin.left + ((position - this.x.from) / this.x.width) * this.wide;
  }
  yOf(amount) {
    return this.bottom - ((amount - this.y.from) / this.y.width) * this.high;
  }
  /** The pixels between two positions; what is out of view is cut `beyond` pixels from it. */
  extent(begin, end, beyond) {
    return [Math.max(margin.left - beyond, this.xOf(begin)), Math.min(this.right + beyond, this.xOf(end))];
  }
  positionAt(px) {
    return this.x.from + ((px - margin.left) / this.wide) * this.x.width;
  }
  /** The axes that keys and the wheel zoom. */
  get zoomed() {
    return this.zoomsUp ? [this.x, this.y] : [this.x];
  }

  listen() {
    const c = this.canvas;
    const place = (e) => {
      const box = c.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    };
    this.listenToDrags(c, place);
    c.addEventListener("dblclick", () => this.reset());
    c.addEventListener("wheel", (e) => this.turn(e, ...place(e)), { passive: false });
    c.addEventListener("keydown", (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.altKey && this.key(e.key)) {
        e.preventDefault();
        e.stopPropagation();
        redraw();
      }
    });
  }
  /** A drag moves the picture, a click chooses, and a pointer that only moves shows what is under it. */
  listenToDrags(c, place) {
    let down = null,
      dragged = false;
    const end = () => {
      down = null;
      c.classList.remove("dragged");
    };
    c.addEventListener("pointerdown", (e) => {
      down = place(e);
      dragged = false;
      c.setPointerCapture(e.pointerId);
    });
    c.addEventListener("pointermove", (e) => {
      const [px, py] = place(e);
      dragged = down !== null && (dragged || Math.hypot(px - down[0], py - down[1]) > 4);
      if (!dragged) return this.point(e, px, py);
      c.classList.add("dragged");
      this.drag(px - down[0], py - down[1]);
      down = [px, py];
    });
    c.addEventListener("pointerup", (e) => {
      const clicked = down && !dragged;
      end();
      if (clicked) this.choose(this.itemAt(...place(e)));
    });
    c.addEventListener("pointercancel", end);
    c.addEventListener("pointerleave", () => {
      hideTip();
      this.shared.cursor = null;
      redraw();
    });
  }
  drag(dx, dy) {
    hideTip();
    this.x.pan(-dx / this.wide);
    if (this.zoomsUp) this.y.pan(dy / this.high);
    redraw();
  }
  /** Shows what is under the pointer. */
  point(e, px, py) {
    const inside = px >= margin.left && px <= this.right && py >= margin.top && py <= this.bottom;
    const item = inside ? this.itemAt(px, py) : null;
    if (this.x === this.shared.x) this.shared.cursor = inside ? Math.floor(this.positionAt(px)) : null;
    if (item !== null) showTip(e, this.lines(item));
    else hideTip();
    redraw();
  }
  /** Zooms around the pointer; scrolls the page if all is visible already. */
  turn(e, px, py) {
    if (e.deltaY > 0 && this.zoomed.every((axis) => axis.whole)) return;
    e.preventDefault();
    const factor = Math.exp(clamped(e.deltaY / 300, -1, 1));
    if (!e.shiftKey) this.x.zoom(factor, this.positionAt(px));
    if (this.zoomsUp && !e.altKey) this.y.zoom(factor, this.y.from + ((this.bottom - py) / this.high) * this.y.width);
    hideTip();
    redraw();
  }
  zoom(factor) {
    for (const axis of this.zoomed) axis.zoom(factor);
    redraw();
  }
  reset() {
    for (const axis of this.zoomed) axis.reset();
    redraw();
  }
  /** Handles a key; returns whether it has a meaning. */
  key(key) {
    const next = this.neighbour(key, this.items());
    if (next !== undefined) this.choose(next, true);
    else if (key === "ArrowLeft") this.x.pan(-0.1);
    else if (key === "ArrowRight") this.x.pan(0.1);
    else if (key === "ArrowUp" && this.zoomsUp) this.y.pan(0.1);
    else if (key === "ArrowDown" && this.zoomsUp) this.y.pan(-0.1);
    else if (key === "+" || key === "=") this.zoom(0.7);
    else if (key === "-") this.zoom(1 / 0.7);
    else if (key === "0") this.reset();
    else return false;
    return true;
  }
  /** The item after (N) or before (P) the selected one in a list, wrapping around; undefined for other keys. */
  neighbour(key, list) {
    const step = { n: 1, N: 1, p: -1, P: -1 }[key],
      place = list.indexOf(this.selected);
    if (!step || !list.length) return undefined;
    return list[place < 0 ? (step > 0 ? 0 : list.length - 1) : (place + step + list.length) % list.length];
  }
  items() {
    return [];
  }
  /** Marks the parts of an instruction; moves the first into view if `reveal` is true. */
  mark() {}
  unmark() {
    Object.assign(this, { selected: null, marked: [] });
  }
  /** Of items with boxes [left, top, width, height] the narrowest at or next to a place; null if there is none. */
  static narrowest(items, boxOf, px, py, beside) {
    const holds = ([left, top, wide, high]) =>
      px >= left - beside && px <= left + wide + beside && py >= top - 2 && py <= top + high + 2;
    let best = null;
    for (const item of items) if (holds(boxOf(item)) && (best === null || boxOf(item)[2] < boxOf(best)[2])) best = item;
    return best;
  }
  buttons(name) {
    const zoomButton = (sign, label, click) =>
      make("button", { type: "button", "aria-label": label + " " + name, title: label, click }, sign);
    return make(
      "span",
      { role: "group", "aria-label": "Zoom of " + name },
      zoomButton("+", "Zoom into", () => this.zoom(0.6)),
      " ",
      zoomButton("−", "Zoom out of", () => this.zoom(1 / 0.6)),
      " ",
      zoomButton("All", "Show all of", () => this.reset()),
    );
  }

  paint() {
    const ratio = Math.min(3, devicePixelRatio || 1),
      width = this.canvas.clientWidth;
    if (width === 0) return;
    const device = [Math.round(width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== device[0] || this.canvas.height !== device[1])
      [this.canvas.width, this.canvas.height] = device;
    const g = this.canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    Plot.fillBox(g, css("back"), 0, 0, width, this.height);
    g.font = "12px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
    g.save();
    g.beginPath();
    g.rect(margin.left, 0, this.wide, this.bottom);
    g.clip();
    this.draw(g, ratio);
    this.drawCursor(g);
    g.restore();
    this.drawAcross(g);
    if (this.y) this.drawAmounts(g);
    this.drawAxisNames(g);
  }
  static fillBox(g, colour, ...box) {
    g.fillStyle = colour;
    g.fillRect(...box);
  }
  static frame(g, colour, width, ...box) {
    Object.assign(g, { strokeStyle: colour, lineWidth: width });
    g.strokeRect(...box);
  }
  /** What the axes count. */
  drawAxisNames(g) {
    Object.assign(g, { fillStyle: css("soft"), textAlign: "center", textBaseline: "alphabetic" });
    g.fillText(this.across, margin.left + this.wide / 2, this.height - 4);
    if (!this.up) return;
    g.save();
    g.translate(12, margin.top + this.high / 2);
    g.rotate(-Math.PI / 2);
    g.fillText(this.up, 0, 0);
    g.restore();
  }
  /** A name, cut at its end if it takes more than `room` pixels. */
  static fitted(g, name, room) {
    const full = g.measureText(name).width;
    return full <= room ? name : name.slice(0, Math.max(3, Math.floor((name.length * room) / full) - 1)) + "…";
  }
  /** The step of an axis over `span` that puts one number on each `room` of its pixels. */
  static step(span, pixels, room, least) {
    const rough = Math.max(least, span / Math.max(2, pixels / room)),
      power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough * 0.9999);
  }
  drawCursor(g) {
    const p = this.shared.cursor;
    if (p === null || this.x !== this.shared.x) return;
    g.globalAlpha = 0.5;
    Plot.fillBox(g, css("mark"), Math.round(this.xOf(p + 0.5)), margin.top, 1, this.high);
    g.globalAlpha = 1;
  }
  /** The marks of the lower axis: pixels and texts. */
  *marksAcross() {
    const step = Plot.step(this.x.width, this.wide, 110, 1);
    for (let p = Math.ceil(this.x.from / step) * step; p < this.x.to; p += step) {
      const px = this.xOf(p + 0.5);
      if (px <= this.right - 8) yield [px, whole(p)];
    }
  }

  drawAcross(g) {
    Object.assign(g, { fillStyle: css("soft"), textAlign: "center", textBaseline: "top" });
    for (const [px, text] of this.marksAcross()) {
      g.fillRect(Math.round(px), this.bottom, 1, 4);
      g.fillText(text, px, this.bottom + 6);
    }
    g.fillRect(margin.left, this.bottom, this.wide, 1);
  }
  /** The marks of the left axis: pixels and texts. Of equal texts in a row only the first is written. */
  *marksUp() {
    const step = 2 ** Math.max(0, Math.floor(Math.log2(this.y.width / 3)));
    let before = "";
    for (let n = Math.ceil(this.y.from / step) * step; n <= this.y.to; n += step) {
      const text = bytesText(n);
      yield [this.yOf(n), text === before ? "" : text];
      before = text;
    }
  }

  drawAmounts(g) {
    Object.assign(g, { fillStyle: css("soft"), textAlign: "right", textBaseline: "middle" });
    for (const [py, text] of this.marksUp()) {
      g.fillRect(margin.left - 4, Math.round(py), 4, 1);
      g.fillText(text, margin.left - 7, Math.max(margin.top + 5, py));
    }
    g.fillRect(margin.left - 1, margin.top, 1, this.high);
  }
}
