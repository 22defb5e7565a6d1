/* The script for the pictures of memory: bytes over schedule position, and the map of an allocation, its values,
   offset over schedule position. The map is made pixel by pixel and records the value of each pixel, so that
   drawing and lookup do not depend on the number of small values. */
/** Bytes in use over schedule positions. */
class MemoryPlot extends Plot {
  constructor(shared, label) {
    super(shared, { label, height: 164, y: new Range(0, 1, 1), up: "bytes in use" });
  }
  show(space) {
    this.space = space;
    this.peak = space.bytes.indexOf(greatest(space.bytes));
    this.y = new Range(0, Math.max(1, space.bytes[this.peak]) * 1.18, 1);
    redraw();
  }
  /** The step that holds at a position; -1 before the first. */
  stepAt(position) {
    return firstIndex(this.space.positions.length, (i) => this.space.positions[i] > position) - 1;
  }
  bytesAt(position) {
    return this.space.bytes[this.stepAt(position)] ?? 0;
  }
  draw(g) {
    const { positions, bytes } = this.space;
    const end = Math.ceil(this.right),
      edge = new Path2D();
    let i = this.stepAt(this.x.from);
    for (let px = margin.left; px < end; ++px) {
      const until = this.positionAt(px + 1);
      let most = bytes[i] ?? 0;
      while (i + 1 < positions.length && positions[i + 1] < until) most = Math.max(most, bytes[++i]);
      const top = this.yOf(most);
      if (px === margin.left) edge.moveTo(px, top);
      edge.lineTo(px, top);
      edge.lineTo(px + 1, top);
    }
    // In one piece: columns would have seams where a pixel of the page is not a whole number of the screen's.
    const area = new Path2D(edge);
    area.lineTo(end, this.bottom);
    area.lineTo(margin.left, this.bottom);
    g.fillStyle = css("area");
    g.fill(area);
    g.strokeStyle = css("area-edge");
    g.lineWidth = i - this.stepAt(this.x.from) > this.wide / 4 ? 0.5 : 1.5;
    g.stroke(edge);
    this.drawPeak(g);
  }
  drawPeak(g) {
    const { positions, bytes } = this.space;
    if (!(bytes[this.peak] > 0)) return;
    const px = this.xOf(positions[this.peak] + 0.5),
      py = this.yOf(bytes[this.peak]);
    if (px < margin.left || px > this.right) return;
    g.fillStyle = css("peak");
    for (let y = py; y < this.bottom; y += 6) g.fillRect(Math.round(px), y, 1, 3);
    g.beginPath();
    g.moveTo(px, py);
    g.lineTo(px - 5, py - 8);
    g.lineTo(px + 5, py - 8);
    g.fill();
    const text = `peak ${bytesText(bytes[this.peak])} at ${whole(positions[this.peak])}`;
    const left = px + 10 + g.measureText(text).width > this.right;
    Object.assign(g, { textAlign: left ? "right" : "left", textBaseline: "bottom" });
    g.fillText(text, left ? px - 9 : px + 9, py - 1);
  }
  itemAt(px) {
    return Math.floor(this.positionAt(px));
  }
  lines(position) {
    return ["Position " + this.shared.nameAt(position), exactBytes(this.bytesAt(position)) + " in use"];
  }
  choose(position) {
    this.shared.choosePosition(position);
  }
}

/** The scope of each op_name, by their numbers. */
const scopesOf = (module) =>
  (module.scopeOf ??= new Map(module.scopes.op_name.map((n, i) => [n, module.scopes.scope[i]])));
/** Colourings: functions from a value to the name of its colour class. */
const colourings = {
  scope: (module) => (v) => texts[scopesOf(module).get(module.values.op_name[v]) || 0] || "(no scope)",
  "source line": (module) => (v) => shortSource(sourceText(module.values, v)) || "(no source line)",
  operation: (module) => (v) => stemOf(texts[module.values.instruction[v]]),
  size: (module, whole) => (v) => {
    let part = 4;
    while (part < 1024 && module.values.size[v] * part < whole) part *= 4;
    return module.values.size[v] * part < whole ? "smaller" : bytesText(whole / part) + " or more";
  },
};
/** The first that divides the bytes of the first allocation well, else the one that divides them best. Some
 * values are enough. */
function bestColouring(module) {
  const { values, allocations } = module;
  const first = allocations.first[0] || 0,
    end = first + (allocations.count[0] || 0),
    step = Math.ceil((end - first) / 5000) || 1;
  let best = null;
  for (const name of ["scope", "source line", "operation"]) {
    const nameOf = colourings[name](module),
      sums = new Map();
    let all = 0;
    for (let v = first; v < end; v += step) {
      sums.set(nameOf(v), (sums.get(nameOf(v)) || 0) + values.size[v]);
      all += values.size[v];
    }
    const share = greatest([...sums.values()]) / Math.max(1, all);
    if (best === null || share < best.share) best = { name, share };
    if (best.share < 0.75) break;
  }
  return best.name;
}

class HeapMap extends Plot {
  constructor(shared, module) {
    super(shared, {
      label: "Values in an allocation, offset over schedule position",
      keys: ", N and P go to the next and previous value, Escape to none",
      height: 400,
      y: new Range(0, 1, 1),
      up: "offset",
    });
    this.colouring = bestColouring(module);
    this.module = module;
    this.zoomsUp = true;
    this.raster = document.createElement("canvas");
  }

  /** Shows an allocation by its position in the columns. */
  show(allocation) {
    const { allocations, values, overlaps } = this.module;
    this.allocation = allocation;
    const first = allocations.first[allocation],
      all = Array.from({ length: allocations.count[allocation] }, (_, i) => first + i),
      alive = all.filter((v) => values.start[v] !== null);
    this.timed = alive.length > 0;
    this.order = this.timed ? alive : all;
    if (this.timed)
      this.order.sort(
        (a, b) =>
          values.start[a] - values.start[b] ||
          values.end[b] - values.end[a] ||
          values.size[b] - values.size[a] ||
          a - b,
      );
    this.rank = new Map(this.order.map((v, i) => [v, i]));
    // Without live ranges each value takes a column of its own.
    this.x = this.timed ? this.shared.x : new Range(0, Math.max(1, this.order.length), 1);
    this.y = new Range(0, Math.max(1, allocations.size[allocation]), Math.min(16, allocations.size[allocation]));
    const isHere = (v) => v >= first && v < first + all.length;
    this.overlaps = Array.from(overlaps.first.keys()).filter((o) => isHere(overlaps.first[o]));
    this.recolour();
    this.hasPadding = this.order.some((v) => values.padding[v] > 0);
    redraw();
  }
  /** Gives the values their colours by `colouring`; the classes with the largest values get colours of their own. */
  recolour() {
    const { values } = this.module;
    const nameOf = colourings[this.colouring](this.module, this.module.allocations.size[this.allocation]);
    const names = this.order.map(nameOf);
    const classes = colourClasses(names, (i) => values.size[this.order[i]]);
    this.legend = classes.legend;
    this.shade = Uint8Array.from(names, (name, i) => classes.of(name) * 3 + ((i * 7) % 3));
    this.painted = "";
  }
  from(v) {
    return this.timed ? this.module.values.start[v] : this.rank.get(v);
  }
  until(v) {
    return this.timed ? this.module.values.end[v] + 1 : this.rank.get(v) + 1;
  }

  /** Finds the value of each pixel, as its place in `order` plus 1. */
  rasterize(ratio) {
    const w = Math.max(1, Math.round(this.wide * ratio)),
      h = Math.max(1, Math.round(this.high * ratio));
    const key = [w, h, this.x.from, this.x.to, this.y.from, this.y.to].join();
    if (this.painted === key) return;
    this.painted = key;
    const { values } = this.module,
      { order } = this;
    if (!this.owner || this.owner.length !== w * h) this.owner = new Int32Array(w * h);
    else this.owner.fill(0);
    const owner = this.owner;
    const sx = w / this.x.width,
      sy = h / this.y.width;
    const hatchedTo = new Int32Array(order.length).fill(-1); // rows above are padding
    for (let i = 0; i < order.length; ++i) {
      const v = order[i],
        start = this.timed ? values.start[v] : i,
        end = this.timed ? values.end[v] + 1 : i + 1;
      const offset = values.offset[v],
        size = values.size[v];
      if (end <= this.x.from || start >= this.x.to || offset + size <= this.y.from || offset >= this.y.to) continue;
      const left = clamped(Math.round((start - this.x.from) * sx), 0, w - 1);
      const right = Math.min(w, Math.max(left + 1, Math.round((end - this.x.from) * sx)));
      const low = Math.round(h - (offset - this.y.from) * sy),
        high = Math.round(h - (offset + size - this.y.from) * sy);
      const top = clamped(high, 0, h - 1),
        bottom = Math.min(h, Math.max(top + 1, low));
      for (let row = top; row < bottom; ++row) owner.fill(i + 1, row * w + left, row * w + right);
      if (values.padding[v] > 0) hatchedTo[i] = Math.round(high + ((low - high) * values.padding[v]) / size);
    }
    this.colour(w, h, hatchedTo);
  }
  colour(w, h, hatchedTo) {
    const pack = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    const shades = hues.flatMap((hue) => [1, 0.9, 1.1].map((factor) => shaded(hue, factor)));
    const [plain, edge, hatch] = [1, 0.62, 0.5].map((f) => Uint32Array.from(shades, (c) => pack(shaded(c, f))));
    [this.raster.width, this.raster.height] = [w, h];
    const g = this.raster.getContext("2d"),
      image = g.createImageData(w, h);
    const pixels = new Uint32Array(image.data.buffer),
      { owner, shade } = this;
    for (let y = 0, at = 0; y < h; ++y)
      for (let x = 0; x < w; ++x, ++at) {
        const o = owner[at];
        if (o === 0) continue;
        const k = shade[o - 1];
        // An edge where another value begins, if there is room for one.
        const side = x > 0 && owner[at - 1] !== o && x + 3 < w && owner[at + 1] === o && owner[at + 3] === o;
        const above = y > 0 && owner[at - w] !== o && y + 3 < h && owner[at + w] === o && owner[at + 3 * w] === o;
        pixels[at] = side || above ? edge[k] : y < hatchedTo[o - 1] && (x + y) % 8 < 3 ? hatch[k] : plain[k];
      }
    g.putImageData(image, 0, 0);
  }

  draw(g, ratio) {
    this.ratio = ratio;
    this.rasterize(ratio);
    Plot.fillBox(g, css("empty"), margin.left, margin.top, this.wide, this.high);
    g.imageSmoothingEnabled = false;
    g.drawImage(this.raster, margin.left, margin.top, this.wide, this.high);
    this.drawPeak(g);
    this.drawNames(g);
    for (const v of this.marked) this.outline(g, v, 1.5);
    if (this.selected !== null) this.outline(g, this.selected, 3);
    const { overlaps } = this.module;
    for (const o of this.overlaps) {
      const box = this.box(overlaps.start[o], overlaps.end[o] + 1, overlaps.offset[o], overlaps.size[o]);
      if (!box) continue;
      g.globalAlpha = 0.7;
      Plot.fillBox(g, css("overlap"), ...box);
      g.globalAlpha = 1;
      Plot.frame(g, css("overlap"), 1.5, ...box);
    }
  }
  drawPeak(g) {
    const { memory } = this.module;
    if (!this.timed || !memory || memory.peak === undefined) return;
    const px = Math.round(this.xOf(memory.peak + 0.5));
    g.fillStyle = css("peak");
    for (let y = margin.top; y < this.bottom; y += 8) g.fillRect(px, y, 1, 3);
  }
  /** The pixels of a rectangle, at least three by three; null if it is out of view. */
  box(start, end, offset, size) {
    const [a, b] = this.extent(start, end, 4);
    const c = Math.max(this.yOf(offset + size), margin.top - 4),
      d = Math.min(this.yOf(offset), this.bottom + 4);
    return b < a || d < c ? null : [a, c, Math.max(3, b - a), Math.max(3, d - c)];
  }
  outline(g, v, width) {
    const { values } = this.module;
    const box = this.rank.has(v) && this.box(this.from(v), this.until(v), values.offset[v], values.size[v]);
    if (!box) return;
    Plot.frame(g, css("back"), width + 2, ...box);
    Plot.frame(g, css("mark"), width, ...box);
  }
  /** The index in `owner` of a pixel of the canvas; -1 outside. */
  pixelAt(px, py, dx = 0, dy = 0) {
    const w = Math.round(this.wide * this.ratio),
      h = Math.round(this.high * this.ratio);
    const x = Math.floor((px - margin.left) * this.ratio) + dx,
      y = Math.floor((py - margin.top) * this.ratio) + dy;
    return x >= 0 && x < w && y >= 0 && y < h ? y * w + x : -1;
  }
  /** Draws names into rectangles with room, where no later value covers them. */
  drawNames(g) {
    const { values } = this.module;
    const sx = this.wide / this.x.width,
      sy = this.high / this.y.width;
    Object.assign(g, { textAlign: "left", textBaseline: "middle" });
    for (let i = 0; i < this.order.length; ++i) {
      const v = this.order[i];
      if ((this.until(v) - this.from(v)) * sx < 46 || values.size[v] * sy < 15) continue;
      const [left, right] = this.extent(this.from(v), this.until(v), 0);
      const top = Math.max(margin.top, this.yOf(values.offset[v] + values.size[v])),
        bottom = Math.min(this.bottom, this.yOf(values.offset[v]));
      const y = (top + bottom) / 2;
      let free = left + 3;
      while (free < right - 3 && this.owner[this.pixelAt(free, y)] === i + 1) free += 4;
      const room = free - left - 7;
      if (room < 36 || bottom - top < 13) continue;
      const name = Plot.fitted(g, valueName(this.module, v), room);
      if (values.padding[v] > 0)
        Plot.fillBox(g, "#ffffffc0", left + 2, y - 7, Math.min(g.measureText(name).width, room) + 4, 14);
      g.fillStyle = "#10151b";
      g.fillText(name, left + 4, y);
    }
  }

  /** The value whose rectangle is at or next to a place. */
  itemAt(px, py) {
    if (!this.owner) return null;
    const near = [0, -1, 1, -2, 2].flatMap((n) => [
      [n, 0],
      [0, n],
    ]);
    const owner = near.map(([dx, dy]) => this.owner[this.pixelAt(px, py, dx, dy)]).find(Boolean);
    return owner ? this.order[owner - 1] : null;
  }
  lines(v) {
    const { first, second } = this.module.overlaps;
    const over = this.overlaps.filter((o) => first[o] === v || second[o] === v).length;
    return [
      ...valueLines(this.module, v),
      over ? "Overlaps " + counted(over, "other value") + " that lives at the same time" : "",
    ];
  }
  choose(v, byKey) {
    this.shared.chooseValue(v, byKey);
  }
  items() {
    return this.order;
  }
  reveal(v) {
    const { values } = this.module;
    this.x.reveal(this.from(v), this.until(v));
    this.y.reveal(values.offset[v], values.offset[v] + values.size[v]);
  }
}

/** The text about the value under the pointer. */
function valueLines(module, v) {
  const { shape, size, offset, padding, start, end, op_name } = module.values;
  return [
    valueName(module, v),
    shortText(texts[shape[v]], 160),
    exactBytes(size[v]) + " at offset " + whole(offset[v]),
    padding[v] > 0 && `${bytesText(padding[v])} of it padding (${Math.round((100 * padding[v]) / size[v])} %)`,
    start[v] === null ? "no live range" : `live ${whole(start[v])} to ${whole(end[v])}`,
    shortText(texts[op_name[v]], 200),
    sourceText(module.values, v),
  ];
}
