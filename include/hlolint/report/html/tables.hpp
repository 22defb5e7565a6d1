// The script for tables below the pictures: what takes the need by origin, allocations, and what transfers cost.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_panel.
inline constexpr std::string_view html_tables = R"js(
/** A table; columns whose heading begins with # hold numbers. */
function table(name, headings, rows) {
  const isNumber = headings.map((h) => h.startsWith("#"));
  return make(
    "div",
    { class: "scroll" },
    make(
      "table",
      { id: name },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          headings.map((h, i) =>
            make("th", { scope: "col", class: isNumber[i] ? "number" : null }, h.replace("#", "")),
          ),
        ),
      ),
      make(
        "tbody",
        {},
        rows.map((cells) =>
          make(
            "tr",
            {},
            cells.map((c, i) => make("td", { class: isNumber[i] ? "number" : null }, c)),
          ),
        ),
      ),
    ),
  );
}
const bar = (part, whole, text) =>
  make(
    "div",
    { class: "bar" },
    make("i", { style: "width:" + (100 * part) / Math.max(1, whole) + "%" }),
    make("span", {}, text),
  );

/** The table of what takes the need, by source line, scope, opcode or shape. */
function originTable(module) {
  const { memory } = module;
  if (!memory) return [];
  const place = make("div", {});
  const show = (number) => {
    const o = memory.origins[number];
    const rows = Array.from(o.name, (n, i) => [
      bar(o.bytes[i], memory.need.total, bytesText(o.bytes[i])),
      percentText(o.bytes[i], memory.need.total),
      make(
        "span",
        { class: "code", style: "padding-left:" + o.depth[i] * 1.2 + "em", title: texts[n] },
        o.by === "source" ? shortSource(texts[n]) : texts[n],
      ),
      bytesText(o.allocated[i]),
      o.items[i].toLocaleString("en"),
    ]);
    const headings = ["At the peak", "#Share", o.by[0].toUpperCase() + o.by.slice(1), "#Ever", "#Values"];
    place.replaceChildren(
      ...folded(rows, 12, (some) => table("origins", headings, some)),
      o.more ? make("p", { class: "soft" }, "and " + o.more.toLocaleString("en") + " more") : "",
    );
  };
  const kinds = memory.origins.map((o) => o.by);
  show(0);
  return [
    make("h3", { id: "by-source" }, "The need by origin"),
    make(
      "div",
      { class: "controls" },
      make("label", {}, "By ", choiceOf("by", kinds, show)),
      make("span", { class: "soft" }, "ever: bytes that its values use at any time"),
    ),
    place,
  ];
}

/** The largest allocations. */
function allocationTable(module, shared) {
  const { allocations } = module;
  if (!allocations.number.length) return [];
  const order = Array.from(allocations.size.keys())
    .sort((a, b) => allocations.size[b] - allocations.size[a] || a - b)
    .slice(0, 12);
  const open = (a) =>
    button(() => {
      shared.chooseAllocation(a);
      shared.heap.element.scrollIntoView({ block: "center" });
    }, String(allocations.number[a]));
  const rows = order.map((a) => [
    allocations.count[a] && shared.heap ? open(a) : String(allocations.number[a]),
    texts[allocations.kind[a]],
    spaceName(module, allocations.color[a]),
    allocations.count[a].toLocaleString("en"),
    allocations.bound[a] === null ? "" : bytesText(allocations.bound[a]),
    bar(allocations.size[a], allocations.size[order[0]], bytesText(allocations.size[a])),
  ]);
  const all = allocations.size.length;
  return [
    make("h3", {}, order.length < all ? "The largest of " + counted(all, "allocation") : "Allocations"),
    table("allocations", ["Number", "Kind", "Space", "#Values", "#In use at most", "Size"], rows),
  ];
}

/** The transfers that cost most. */
function transferTable(module, shared) {
  const { timeline } = module;
  if (!timeline || !timeline.transfers.length) return [];
  const rows = timeline.transfers.map((t) => [
    button(() => shared.chooseInstruction(texts[t.instruction], [], true), code(texts[t.instruction])),
    bytesText(t.bytes),
    rounded(t.runs),
    timeText(t.us),
    timeText(t.exposed_us),
    rounded(t.total_ms) + " ms",
    t.overlap,
    code(shortSource(t.source || "")),
  ]);
  return folded(rows, 8, (some) =>
    table("exposed", ["Transfer", "#Sent", "#Runs", "#Takes", "#Exposed", "#In a step", "Class", "Source"], some),
  );
}
/** The first rows of a table, and a button for the rest. */
function folded(rows, most, write) {
  const shown = write(rows.slice(0, most));
  if (rows.length <= most) return [shown];
  const more = button(() => {
    shown.replaceWith(write(rows));
    more.remove();
  }, "Show all " + rows.length);
  more.classList.add("more");
  return [shown, more];
}
)js";

}  // namespace hlolint::report
