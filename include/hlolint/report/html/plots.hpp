// The script for plots over schedule positions or time: zoom, pan, axes.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_script.
inline constexpr std::string_view html_plots = R"js(
/** The visible part of an axis: at least `least`, and as much as numbers can distinguish; never beyond its ends. */
class Range {
  constructor(low, high, least) {
    Object.assign(this, {
      low,
      high,
      least: Math.min(Math.max(least, high * 1e-12), high - low),
      from: low,
      to: high,
    });
  }
  set(from, to) {
    const width = Math.min(this.high - this.low, Math.max(this.least, to - from));
    this.from = Math.max(this.low, Math.min(this.high - width, from));
    this.to = this.from + width;
  }
  zoom(around, factor) {
    this.set(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }
  pan(by) {
    this.set(this.from + by, this.to + by);
  }
  reset() {
    this.set(this.low, this.high);
  }
  get whole() {
    return this.to - this.from >= this.high - this.low;
  }
  /** Makes [a, b] visible, with at least a twentieth of the view. */
  reveal(a, b) {
    const width = this.to - this.from;
    if (a >= this.from && b <= this.to && (b - a) * 200 > width) return;
    const wide = Math.max(this.least, Math.min(width, (b - a) * 20), (b - a) * 1.5);
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
 * A canvas over schedule positions: position p takes [p, p + 1). A subclass defines how to `draw`, what is `under` the
 * pointer, and what happens when that is chosen (`choose`). `across` and `up` name the axes.
 */
class Plot {
  constructor(shared, { label, height, y, up, across = "schedule position" }) {
    Object.assign(this, { shared, height, y, up, across, x: shared.x });
    this.canvas = make("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "picture",
      "aria-label": label + ". Keys: arrows move, plus and minus zoom, 0 shows all" + (this.keys || "") + ".",
    });
    this.canvas.style.height = height + "px";
    this.element = make("div", { class: "plot" }, this.canvas);
    this.listen();
    plots.push(this);
  }
  get wide() {
    return Math.max(50, this.canvas.clientWidth - margin.left - margin.right);
  }
  get high() {
    return this.height - margin.top - margin.bottom;
  }
  xOf(position) {
    return margin.left + ((position - this.x.from) / (this.x.to - this.x.from)) * this.wide;
  }
  yOf(amount) {
    return margin.top + this.high - ((amount - this.y.from) / (this.y.to - this.y.from)) * this.high;
  }
  positionAt(px) {
    return this.x.from + ((px - margin.left) / this.wide) * (this.x.to - this.x.from);
  }
  amountAt(py) {
    return this.y.from + ((margin.top + this.high - py) / this.high) * (this.y.to - this.y.from);
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
      if (clicked) this.choose(...place(e));
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
    this.x.pan((-dx / this.wide) * (this.x.to - this.x.from));
    if (this.zoomsUp) this.y.pan((dy / this.high) * (this.y.to - this.y.from));
    redraw();
  }
  /** Shows what is under the pointer. */
  point(e, px, py) {
    const inside =
      px >= margin.left && px <= margin.left + this.wide && py >= margin.top && py <= margin.top + this.high;
    const found = inside ? this.under(px, py) : null;
    if (this.x === this.shared.x) this.shared.cursor = inside ? Math.floor(this.positionAt(px)) : null;
    if (found) showTip(e, found.lines);
    else hideTip();
    redraw();
  }
  /** Zooms around the pointer; scrolls the page if all is visible already. */
  turn(e, px, py) {
    if (e.deltaY > 0 && this.x.whole && (!this.zoomsUp || this.y.whole)) return;
    e.preventDefault();
    const factor = Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300)));
    if (!e.shiftKey) this.x.zoom(this.positionAt(px), factor);
    if (this.zoomsUp && !e.altKey) this.y.zoom(this.amountAt(py), factor);
    hideTip();
    redraw();
  }
  zoom(factor) {
    this.x.zoom((this.x.from + this.x.to) / 2, factor);
    if (this.zoomsUp) this.y.zoom((this.y.from + this.y.to) / 2, factor);
    redraw();
  }
  reset() {
    this.x.reset();
    if (this.zoomsUp) this.y.reset();
    redraw();
  }
  /** Handles a key; returns whether it has a meaning. */
  key(key) {
    const step = (this.x.to - this.x.from) / 10,
      rise = this.zoomsUp ? (this.y.to - this.y.from) / 10 : 0;
    if (key === "ArrowLeft") this.x.pan(-step);
    else if (key === "ArrowRight") this.x.pan(step);
    else if (key === "ArrowUp" && rise) this.y.pan(rise);
    else if (key === "ArrowDown" && rise) this.y.pan(-rise);
    else if (key === "+" || key === "=") this.zoom(0.7);
    else if (key === "-") this.zoom(1 / 0.7);
    else if (key === "0") this.reset();
    else return false;
    return true;
  }
  /** The item after (N) or before (P) `now` in a list, wrapping around; undefined for other keys. */
  neighbour(key, list, now) {
    const step = { n: 1, N: 1, p: -1, P: -1 }[key],
      place = list.indexOf(now);
    if (!step || !list.length) return undefined;
    return list[place < 0 ? (step > 0 ? 0 : list.length - 1) : (place + step + list.length) % list.length];
  }
  buttons(name) {
    const button = (sign, label, click) =>
      make("button", { type: "button", "aria-label": label + " " + name, title: label, click }, sign);
    return make(
      "span",
      { role: "group", "aria-label": "Zoom of " + name },
      button("+", "Zoom into", () => this.zoom(0.6)),
      " ",
      button("−", "Zoom out of", () => this.zoom(1 / 0.6)),
      " ",
      button("All", "Show all of", () => this.reset()),
    );
  }
  under() {
    return null;
  }
  choose() {}

  paint() {
    const ratio = Math.min(3, devicePixelRatio || 1),
      width = this.canvas.clientWidth;
    if (width === 0) return;
    const device = [Math.round(width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== device[0] || this.canvas.height !== device[1])
      [this.canvas.width, this.canvas.height] = device;
    const g = this.canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = css("back");
    g.fillRect(0, 0, width, this.height);
    g.font = "12px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
    g.save();
    g.beginPath();
    g.rect(margin.left, 0, this.wide, margin.top + this.high);
    g.clip();
    this.draw(g, ratio);
    this.drawCursor(g);
    g.restore();
    this.drawAcross(g);
    if (this.y) this.drawAmounts(g);
    this.drawAxisNames(g);
  }
  /** What the axes count. */
  drawAxisNames(g) {
    g.fillStyle = css("soft");
    g.textAlign = "center";
    g.textBaseline = "alphabetic";
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
    g.fillStyle = css("mark");
    g.globalAlpha = 0.5;
    g.fillRect(Math.round(this.xOf(p + 0.5)), margin.top, 1, this.high);
    g.globalAlpha = 1;
  }
  /** The marks of the lower axis: pixels and texts. */
  *marksAcross() {
    const step = Plot.step(this.x.to - this.x.from, this.wide, 110, 1);
    for (let p = Math.ceil(this.x.from / step) * step; p < this.x.to; p += step) {
      const px = this.xOf(p + 0.5);
      if (px <= margin.left + this.wide - 8) yield [px, p.toLocaleString("en")];
    }
  }

  drawAcross(g) {
    const bottom = margin.top + this.high;
    g.fillStyle = css("soft");
    g.textAlign = "center";
    g.textBaseline = "top";
    for (const [px, text] of this.marksAcross()) {
      g.fillRect(Math.round(px), bottom, 1, 4);
      g.fillText(text, px, bottom + 6);
    }
    g.fillRect(margin.left, bottom, this.wide, 1);
  }
  /** The marks of the left axis: pixels and texts. Of equal texts in a row only the first is written. */
  *marksUp() {
    const step = 2 ** Math.max(0, Math.floor(Math.log2((this.y.to - this.y.from) / 3)));
    let before = "";
    for (let n = Math.ceil(this.y.from / step) * step; n <= this.y.to; n += step) {
      const text = bytesText(n);
      yield [this.yOf(n), text === before ? "" : text];
      before = text;
    }
  }

  drawAmounts(g) {
    g.fillStyle = css("soft");
    g.textAlign = "right";
    g.textBaseline = "middle";
    for (const [py, text] of this.marksUp()) {
      g.fillRect(margin.left - 4, Math.round(py), 4, 1);
      g.fillText(text, margin.left - 7, Math.max(margin.top + 5, py));
    }
    g.fillRect(margin.left - 1, margin.top, 1, this.high);
  }
}
)js";

}  // namespace hlolint::report
