// The script for collectives and other transfers over schedule positions.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_plots.
inline constexpr std::string_view html_transfers = R"js(
const laneHeight = 18;

/** One bar per transfer, from its start to its done; transfers that run together are in different lanes. */
class TransferPlot extends Plot {
  constructor(shared, module) {
    super(shared, { label: "Collectives and other transfers over schedule position", height: 80, y: null });
    this.module = module;
    this.classes = colourClasses(Array.from(module.transfers.kind, (k) => texts[k]));
    this.show(false);
  }
  get keys() {
    return ", N and P go to the next and previous transfer";
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
    this.height = margin.top + margin.bottom + Math.max(1, ends.length) * laneHeight;
    this.canvas.style.height = this.height + "px";
    redraw();
  }
  box(t) {
    const { transfers } = this.module;
    const a = Math.max(margin.left - 3, this.xOf(transfers.start[t])),
      b = Math.min(margin.left + this.wide + 3, this.xOf(transfers.end[t] + 1));
    return [a, margin.top + this.lane.get(t) * laneHeight + 2, Math.max(4, b - a), laneHeight - 4];
  }
  seen(t) {
    return this.module.transfers.end[t] + 1 >= this.x.from && this.module.transfers.start[t] <= this.x.to;
  }
  draw(g) {
    const { transfers } = this.module;
    g.textBaseline = "middle";
    g.textAlign = "left";
    for (const t of this.shown) {
      if (!this.seen(t)) continue;
      const [a, top, wide, high] = this.box(t),
        colour = hues[this.classes.of(texts[transfers.kind[t]])];
      g.fillStyle = rgb(colour);
      g.fillRect(a, top, wide, high);
      g.strokeStyle = transfers.exposed[t] ? css("overlap") : rgb(shaded(colour, 0.62));
      g.lineWidth = transfers.exposed[t] ? 2.5 : 1;
      const inner = g.lineWidth / 2;
      g.strokeRect(a + inner, top + inner, Math.max(1, wide - 2 * inner), high - 2 * inner);
      const kind = texts[transfers.kind[t]],
        bytes = transfers.bytes[t] !== null ? " " + bytesText(transfers.bytes[t]) : "";
      const text = [kind + bytes + ", " + counted(transfers.real[t], "real instruction"), kind + bytes, kind].find(
        (line) => g.measureText(line).width + 10 < wide,
      );
      if (text) {
        g.fillStyle = "#10151b";
        g.fillText(text, a + 5, top + high / 2 + 1);
      }
      if (t === this.selected) {
        g.strokeStyle = css("mark");
        g.lineWidth = 2;
        g.strokeRect(a - 1.5, top - 1.5, wide + 3, high + 3);
      }
    }
  }
  transferAt(px, py) {
    let best = null;
    for (const t of this.shown) {
      if (!this.seen(t)) continue;
      const [a, top, wide, high] = this.box(t);
      if (
        px >= a - 2 &&
        px <= a + wide + 2 &&
        py >= top - 2 &&
        py <= top + high + 2 &&
        (best === null || wide < this.box(best)[2])
      )
        best = t;
    }
    return best;
  }
  under(px, py) {
    const t = this.transferAt(px, py);
    return t === null ? null : { lines: transferLines(this.module, t) };
  }
  choose(px, py) {
    this.shared.chooseTransfer(this.transferAt(px, py));
  }
  key(key) {
    const next = this.neighbour(key, this.shown, this.selected);
    if (next === undefined) return super.key(key);
    this.shared.chooseTransfer(next);
    return true;
  }
}

/** The text about the transfer under the pointer. */
function transferLines(module, t) {
  const { transfers } = module;
  const span =
    transfers.start[t] === transfers.end[t]
      ? "position " + transfers.start[t]
      : "positions " + transfers.start[t] + " to " + transfers.end[t];
  return [
    texts[transfers.kind[t]] + (transfers.bytes[t] !== null ? " of " + bytesText(transfers.bytes[t]) : ""),
    texts[transfers.instruction[t]] + (texts[transfers.done[t]] ? " … " + texts[transfers.done[t]] : ""),
    span,
    windowText(module, t),
    shortText(texts[transfers.op_name[t]], 200),
    sourceText(transfers, t),
  ];
}
function windowText(module, t) {
  const { transfers } = module;
  const exposed = transfers.exposed[t] ? "Exposed: " : "";
  if (!transfers.done[t] && !transfers.asynchronous[t]) return exposed + "synchronous";
  if (!transfers.done[t]) return "no done in its computation";
  const inside =
    counted(transfers.between[t], "instruction") +
    " between start and done, " +
    transfers.real[t].toLocaleString("en") +
    " of them work that can hide it";
  return exposed + (transfers.asynchronous[t] ? "" : "marked synchronous; ") + inside;
}
)js";

}  // namespace hlolint::report
