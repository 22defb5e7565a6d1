// The script for memory over time.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_plots.
inline constexpr std::string_view html_memory_plot = R"js(
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
)js";

}  // namespace hlolint::report
