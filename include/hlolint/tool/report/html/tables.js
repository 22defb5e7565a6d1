/* The script for tables below the pictures: what takes the need by origin, allocations, and what transfers cost. */
/** A table; columns whose heading begins with # hold numbers. */
function table(id, headings, rows) {
  const cellOf = (tag, attributes) => (content, i) =>
    make(tag + (headings[i].startsWith("#") ? ".number" : ""), attributes, content);
  const heads = headings.map((h) => h.replace("#", ""));
  return make(
    "div.scroll",
    make(
      "table",
      { id },
      make("thead", make("tr", heads.map(cellOf("th", { scope: "col" })))),
      make(
        "tbody",
        rows.map((cells) => make("tr", cells.map(cellOf("td", {})))),
      ),
    ),
  );
}
/** The first rows of a table, and a button for the rest. */
function folded(id, headings, rows, most = 12) {
  const shown = table(id, headings, rows.slice(0, most));
  if (rows.length <= most) return [shown];
  const more = button(() => {
    shown.replaceWith(table(id, headings, rows));
    more.remove();
  }, "Show all " + rows.length);
  more.classList.add("more");
  return [shown, more];
}
const bar = (part, whole, text) =>
  make("div.bar", make("i", { style: `width:${(100 * part) / Math.max(1, whole)}%` }), make("span", text));

/** A table of sums by something to choose: `write` makes the table of one of `all`. */
function tableBy(id, all, note, write) {
  const place = make("div"),
    show = (number) => fill(place, write(all[number]));
  show(0);
  const choice = choiceOf(
    { id },
    all.map((one) => one.by),
    show,
  );
  return [make("div.controls", make("label", "By ", choice), make("span.soft", note)), place];
}

/** The table of what takes the need, by source line, scope, opcode or shape. */
function originTable({ memory }) {
  if (!memory) return [];
  const write = (o) => {
    const nameOf = (i) =>
      make(
        "span.code",
        { style: `padding-left:${o.depth[i] * 1.2}em`, title: texts[o.name[i]] },
        o.by === "source" ? shortSource(texts[o.name[i]]) : texts[o.name[i]],
      );
    const rows = o.bytes.map((bytes, i) => [
      bar(bytes, memory.need.total, bytesText(bytes)),
      percentText(bytes, memory.need.total),
      nameOf(i),
      bytesText(o.allocated[i]),
      whole(o.items[i]),
    ]);
    return [
      folded("origins", ["At the peak", "#Share", capital(o.by), "#Ever", "#Values"], rows),
      o.more > 0 && make("p.soft", `and ${whole(o.more)} more`),
    ];
  };
  return [
    make("h3", { id: "by-source" }, "The need by origin"),
    tableBy("by", memory.origins, "ever: bytes that its values use at any time", write),
  ];
}

/** The largest allocations. */
function allocationTable(module, shared) {
  const { number, size, kind, color, count, bound } = module.allocations;
  if (!number.length) return [];
  const order = [...size.keys()].sort((a, b) => size[b] - size[a] || a - b).slice(0, 12);
  const open = (a) => centre(shared.chooseAllocation(a).element);
  const rows = order.map((a) => [
    count[a] && shared.heap ? button(() => open(a), String(number[a])) : String(number[a]),
    texts[kind[a]],
    spaceName(module, color[a]),
    whole(count[a]),
    bound[a] !== null && bytesText(bound[a]),
    bar(size[a], size[order[0]], bytesText(size[a])),
  ]);
  return [
    make("h3", order.length < size.length ? "The largest of " + counted(size.length, "allocation") : "Allocations"),
    table("allocations", ["Number", "Kind", "Space", "#Values", "#In use at most", "Size"], rows),
  ];
}

/** The transfers that cost most. */
function transferTable({ transfers }, shared) {
  if (!transfers.length) return [];
  const rows = transfers.map((t) => [
    button(() => shared.chooseInstruction(texts[t.instruction]), code(texts[t.instruction])),
    bytesText(t.bytes),
    rounded(t.runs),
    timeText(t.us),
    timeText(t.exposed_us),
    msText(t.total_ms),
    t.overlap,
    code(shortSource(t.source || "")),
  ]);
  const headings = ["Transfer", "#Sent", "#Runs", "#Takes", "#Exposed", "#In a step", "Class", "Source"];
  return folded("exposed", headings, rows, 8);
}
