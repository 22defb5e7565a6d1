/* The script for the tiles, the first numbers of a module. */
/** One number with its meaning. `click` leads to its origin. */
const tile = (name, title, big, small, click, mood = "") =>
  make(
    (click ? "button.tile." : "div.tile.") + mood,
    { "data-tile": name, type: click && "button", click },
    make("span.title", title),
    make("strong", big),
    make("span.small", small),
  );
/** A gauge that is filled by `part` of `whole`. */
const gauge = (part, whole) =>
  make(
    "span.gauge." + (part > whole ? "over" : ""),
    make("i", { style: `width:${Math.min(100, (100 * part) / whole)}%` }),
  );

function needTile(module) {
  const { need, capacity, left, device, main_space } = module.memory,
    full = capacity && left < 0;
  const room = () => [
    gauge(capacity - left, capacity),
    full ? `${bytesText(-left)} more than the ` : `${bytesText(left)} left of `,
    `${bytesText(capacity)} ${main_space} (${device})`,
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
function peakTile({ memory }, shared) {
  if (memory.peak === undefined) return tile("peak", "Peak in use", "not known", "there are no live ranges");
  return tile("peak", "Peak in use", bytesText(memory.in_use), "at position " + shared.nameAt(memory.peak), () => {
    shared.chooseNothing();
    shared.memory?.element.scrollIntoView({ block: "nearest" });
  });
}
function largestTile({ memory: { resident }, values }, shared) {
  const i = resident.value.findIndex((v) => v !== null);
  if (i < 0) return null;
  const v = resident.value[i],
    from = shared.panel.origin(v, 60);
  return tile(
    "largest",
    "Largest at the peak",
    bytesText(resident.bytes[i]),
    [from && from + ", ", code(texts[values.instruction[v]])],
    () => shared.chooseValue(v, true),
  );
}
/** Padding as a tile, which warns from a fifth of all on. */
const paddingTile = (name, title, padding, whole, what) =>
  tile(
    name,
    title,
    bytesText(padding),
    `${percentText(padding, whole)} of the ${what}`,
    null,
    padding > 0 && padding >= 0.2 * whole ? "bad" : "",
  );
function exposedTile({ timeline, transfers, exposed, exposed_bytes }, shared) {
  if (!timeline && !transfers.start.length) return null;
  let big = whole(exposed),
    small = `${exposed ? bytesText(exposed_bytes) + ", " : ""}of ${counted(transfers.start.length, "transfer")}`,
    isBad = exposed > 0;
  if (timeline) {
    const { exposed_ms, step_ms, device } = timeline;
    big = msText(exposed_ms);
    small = `${percentText(exposed_ms, step_ms)} of a step of ${stepText(timeline)} (${device})`;
    isBad = exposed_ms > 0.05 * step_ms;
  }
  const show = () => centre((shared.timeline || shared.transfers).element);
  return tile("exposed", "Exposed transfers", big, small, show, isBad ? "bad" : "");
}
function findingsTile(module) {
  if (data.unchecked && !data.findings.length) return null; // no rule ran
  const about = data.findings.filter(
    (f) => !f.dismissed && (data.modules.length === 1 || data.modules[f.picture] === module),
  );
  const counts = levels.map((level) => about.filter((f) => f.level === level).length),
    worst = counts.findIndex(Boolean);
  const others = counts.map((n, i) => n > 0 && i > worst && counted(n, levels[i]));
  return tile(
    "findings",
    data.modules.length > 1 ? "Findings of this module" : "Findings",
    about.length ? counted(counts[worst], levels[worst]) : "none",
    joined(others) ||
      (about.length ? "of " + counted(new Set(about.map((f) => f.rule)).size, "rule") : "nothing to report"),
    () => at("findings").scrollIntoView(),
    levels[worst],
  );
}
/** The need in the terms of JAX's memory_analysis(). */
function needText({ memory: { need } }) {
  const part = (sign, name, bytes) => (bytes > 0 ? ` ${sign} ${name} ${bytesText(bytes)}` : "");
  return [
    `${bytesText(need.total)} = arguments ${bytesText(need.arguments)} + outputs ${bytesText(need.outputs)}`,
    part("−", "aliased", need.aliased),
    ` + temporaries ${bytesText(need.temporaries)}`,
    part("+", "constants", need.constants),
    part("+", "thread-local", need.thread_local),
    part("+", "tuple tables", need.tuple_tables),
    ", as long as the program is loaded; without code",
  ];
}
function moduleTiles(module, shared) {
  const { memory } = module,
    tiles = [oomTiles(module)];
  if (memory) tiles.push(needTile(module), peakTile(module, shared), largestTile(module, shared));
  if (memory?.peak !== undefined && module.target === "tpu")
    tiles.push(paddingTile("padding", "Padding at the peak", memory.padding, memory.in_use, "memory in use"));
  tiles.push(stepTile(module), exposedTile(module, shared), findingsTile(module));
  return [
    make("div.tiles", { role: "group", "aria-label": "The module in short" }, tiles),
    whereTo(module),
    memory && make("p.soft.terms", needText(module)),
  ];
}
