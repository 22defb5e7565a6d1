// The script for the tiles, the first numbers of a module.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_panel.
inline constexpr std::string_view html_tiles = R"js(
/** One number with its meaning. `click` leads to its origin. */
function tile(name, title, big, small, click, mood) {
  return make(
    click ? "button" : "div",
    { class: "tile " + (mood || ""), "data-tile": name, type: click ? "button" : null, click },
    make("span", { class: "title" }, title),
    make("strong", {}, big),
    make("span", { class: "small" }, small),
  );
}
/** A gauge that is filled by `part` of `whole`. */
const gauge = (part, whole) =>
  make(
    "span",
    { class: "gauge" + (part > whole ? " over" : "") },
    make("i", { style: "width:" + Math.min(100, (100 * part) / whole) + "%" }),
  );

function needTile(module) {
  const { need, capacity, left, device, main_space } = module.memory,
    full = capacity && left < 0;
  const room = () => [
    gauge(capacity - left, capacity),
    (full ? bytesText(-left) + " more than the " : bytesText(left) + " left of ") + bytesText(capacity),
    " " + main_space + " (" + device + ")",
  ];
  return tile(
    "need",
    module.estimated ? "Need, estimated" : "Need",
    bytesText(need.total),
    capacity ? room() : "temporaries " + bytesText(need.temporaries),
    null,
    full ? "bad" : "",
  );
}
function peakTile(module, shared) {
  const { memory } = module;
  if (memory.peak === undefined) return tile("peak", "Peak in use", "not known", "there are no live ranges");
  return tile("peak", "Peak in use", bytesText(memory.in_use), "at position " + shared.nameAt(memory.peak), () => {
    shared.chooseNothing();
    if (shared.memory) shared.memory.element.scrollIntoView({ block: "nearest" });
  });
}
function largestTile(module, shared) {
  const { resident } = module.memory,
    { values } = module;
  const i = resident.value.findIndex((v) => v !== null);
  if (i < 0) return null;
  const v = resident.value[i];
  const from = shortSource(sourceText(values, v)) || shortText(texts[values.op_name[v]], 60);
  return tile(
    "largest",
    "Largest at the peak",
    bytesText(resident.bytes[i]),
    [from ? from + ", " : "", code(texts[values.instruction[v]])],
    () => shared.chooseValue(v, true),
  );
}
function paddingTile(module) {
  const { memory } = module;
  if (memory.peak === undefined || module.target !== "tpu") return null;
  const share = memory.in_use > 0 ? memory.padding / memory.in_use : 0;
  return tile(
    "padding",
    "Padding at the peak",
    bytesText(memory.padding),
    percentText(memory.padding, memory.in_use) + " of the memory in use",
    null,
    share >= 0.2 ? "bad" : "",
  );
}
function exposedTile(module, shared) {
  const { timeline } = module;
  if (!timeline && !module.transfers.start.length) return null;
  const show = () => {
    const plot = shared.timeline || shared.transfers;
    if (plot) plot.element.scrollIntoView({ block: "center" });
  };
  if (timeline) {
    const { exposed_ms, step_ms, device } = timeline,
      share = percentText(exposed_ms, step_ms) + " of a step of " + rounded(step_ms) + " ms (" + device + ")",
      bad = exposed_ms > 0.05 * step_ms;
    return tile("exposed", "Exposed transfers", rounded(exposed_ms) + " ms", share, show, bad ? "bad" : "");
  }
  const { exposed, exposed_bytes, transfers } = module,
    share = (exposed ? bytesText(exposed_bytes) + ", " : "") + "of " + counted(transfers.start.length, "transfer");
  return tile("exposed", "Exposed transfers", exposed.toLocaleString("en"), share, show, exposed ? "bad" : "");
}
function findingsTile(module) {
  const about = data.findings.filter(
    (f) => !f.dismissed && (data.modules.length === 1 || data.modules[f.picture] === module),
  );
  const of = (level) => about.filter((f) => f.level === level).length;
  const [errors, warnings, notes] = levels.map(of);
  const worst = errors ? "error" : warnings ? "warning" : notes ? "note" : "";
  return tile(
    "findings",
    data.modules.length > 1 ? "Findings of this module" : "Findings",
    about.length ? counted(worst === "error" ? errors : worst === "warning" ? warnings : notes, worst) : "none",
    [
      errors && warnings ? counted(warnings, "warning") : null,
      (errors || warnings) && notes ? counted(notes, "note") : null,
    ]
      .filter(Boolean)
      .join(", ") ||
      (about.length ? "of " + counted(new Set(about.map((f) => f.rule)).size, "rule") : "nothing to report"),
    () => at("findings").scrollIntoView(),
    worst,
  );
}
/** The need in the terms of JAX's memory_analysis(). */
function needText(module) {
  const { need } = module.memory;
  const part = (sign, name, bytes) => (bytes > 0 ? " " + sign + " " + name + " " + bytesText(bytes) : "");
  return (
    bytesText(need.total) +
    " = arguments " +
    bytesText(need.arguments) +
    " + outputs " +
    bytesText(need.outputs) +
    part("−", "aliased", need.aliased) +
    " + temporaries " +
    bytesText(need.temporaries) +
    part("+", "constants", need.constants) +
    part("+", "thread-local", need.thread_local) +
    part("+", "tuple tables", need.tuple_tables) +
    ", as long as the program is loaded; without code"
  );
}
function moduleTiles(module, shared) {
  const tiles = oomTiles(module);
  if (module.memory)
    tiles.push(needTile(module), peakTile(module, shared), largestTile(module, shared), paddingTile(module));
  tiles.push(stepTile(module), exposedTile(module, shared), findingsTile(module));
  return [
    make("div", { class: "tiles", role: "group", "aria-label": "The module in short" }, tiles),
    whereTo(module),
    module.memory ? make("p", { class: "soft terms" }, needText(module)) : null,
  ];
}
)js";

}  // namespace hlolint::report
