// The script for the table of modules.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_tables.
inline constexpr std::string_view html_modules = R"js(
/** The modules of each name. */
const namesakes = new Map();
for (const m of data.modules) namesakes.set(m.name, [...(namesakes.get(m.name) || []), m]);
/** What tells a module from others of its name: `2 of 3, 2 equal: f32[8,128]`; empty if there is only one. */
function moduleNote(module) {
  const all = namesakes.get(module.name) || [];
  if (all.length < 2) return "";
  const key = (m) => [m.entry, m.memory?.need.total, m.timeline?.step_ms].join();
  const equal = all.filter((m) => key(m) === key(module)).length;
  return (
    all.indexOf(module) +
    1 +
    " of " +
    all.length +
    (equal > 1 ? ", " + equal + " equal" : "") +
    (module.entry ? ": " + module.entry : "")
  );
}

/** The columns of the table. Numbers sort with the largest first, names from A to Z. */
const moduleColumns = [
  {
    title: "Module",
    value: (m) => m.name || m.files[0] || "",
    text: (m) => code(m.name || m.files[0] || "without a name"),
  },
  {
    title: "#Too much",
    value: (m) => worstIncident(m)?.missing ?? -1,
    text: (m) => sizeOrBlank(worstIncident(m)?.missing),
  },
  { title: "Target", value: (m) => m.target, text: (m) => (m.target === "unknown" ? "" : m.target) },
  {
    title: "#Need",
    value: (m) => m.memory?.need.total ?? -1,
    text: (m) => (m.memory ? bytesText(m.memory.need.total) + (m.estimated ? " ~" : "") : ""),
  },
  {
    title: "#In use",
    value: (m) => m.memory?.in_use ?? -1,
    text: (m) => (m.memory?.peak === undefined ? "" : bytesText(m.memory.in_use)),
  },
  {
    title: "#Temporaries",
    value: (m) => m.memory?.need.temporaries ?? -1,
    text: (m) => (m.memory ? bytesText(m.memory.need.temporaries) : ""),
  },
  {
    title: "#Padding",
    value: (m) => m.memory?.padding ?? -1,
    text: (m) => (m.memory?.padding ? bytesText(m.memory.padding) : ""),
  },
  {
    title: "#Step",
    value: (m) => m.timeline?.step_ms ?? -1,
    text: (m) => (m.timeline ? rounded(m.timeline.step_ms) + " ms" : ""),
  },
  {
    title: "#Exposed",
    value: (m) => m.timeline?.exposed_ms ?? m.exposed * 1e-9,
    text: (m) =>
      m.timeline
        ? m.timeline.exposed_ms
          ? rounded(m.timeline.exposed_ms) + " ms"
          : ""
        : m.exposed
          ? String(m.exposed)
          : "",
  },
  { title: "#Findings", value: (m) => m.findings, text: (m) => (m.findings ? m.findings.toLocaleString("en") : "") },
];

/** The table: modules whose names contain all words of the search, in the order of a column. */
class ModuleTable {
  constructor() {
    for (const m of data.modules) m.findings = 0;
    for (const f of data.findings) if (!f.dismissed && data.modules[f.picture]) ++data.modules[f.picture].findings;
    Object.assign(this, { down: true, most: 100 });
    this.columns = moduleColumns.filter((c, i) => i === 0 || data.modules.some((m) => c.text(m) !== ""));
    this.column = Math.max(
      0,
      this.columns.findIndex((c) => c.title === "#Need"),
    );
    this.heads = this.columns.map((c, i) =>
      make(
        "th",
        { scope: "col", class: c.title.startsWith("#") ? "number" : null },
        button(() => this.sortBy(i), c.title.replace("#", "")),
      ),
    );
    this.body = make("tbody", {});
    this.search = make("input", {
      type: "search",
      id: "module-text",
      placeholder: "name or file",
      input: () => this.write(),
    });
    this.count = make("span", { class: "soft", role: "status" });
    this.more = button(() => ((this.most *= 10), this.write()), "Show more");
    at("modules").replaceChildren(
      make("h2", { id: "modules-title" }, counted(data.modules.length, "module")),
      make("div", { class: "controls" }, make("label", {}, "Find ", this.search), this.count),
      make(
        "div",
        { class: "scroll modules" },
        make("table", { id: "module-table" }, make("thead", {}, make("tr", {}, this.heads)), this.body),
        this.more,
      ),
    );
    this.write();
  }
  /** Numbers of the modules, in order. */
  order() {
    const { value, title } = this.columns[this.column],
      sign = this.down === title.startsWith("#") ? 1 : -1;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = data.modules
      .map((_, i) => i)
      .filter((i) =>
        words.every((w) => [data.modules[i].name, ...data.modules[i].files].join("\n").toLowerCase().includes(w)),
      );
    const compare = (a, b) => (typeof a === "string" ? (a < b ? -1 : a > b ? 1 : 0) : b - a);
    return found.sort((a, b) => sign * compare(value(data.modules[a]), value(data.modules[b])) || a - b);
  }
  sortBy(column) {
    this.down = this.column === column ? !this.down : this.columns[column].title.startsWith("#");
    this.column = column;
    this.write();
  }
  write() {
    const order = this.order();
    this.heads.forEach((th, i) => {
      if (i === this.column) th.setAttribute("aria-sort", this.down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...order.slice(0, this.most).map((i) => this.row(i)));
    this.count.textContent =
      order.length === data.modules.length
        ? ""
        : order.length.toLocaleString("en") + " of " + data.modules.length.toLocaleString("en");
    this.more.classList.toggle("hidden", order.length <= this.most);
    this.markOpen();
  }
  row(i) {
    const m = data.modules[i];
    const open = () => goTo({ module: i });
    return make(
      "tr",
      { "data-module": i, title: m.files[0], click: (e) => (e.target.closest("button") ? null : open()) },
      this.columns.map((c, k) =>
        make(
          "td",
          { class: c.title.startsWith("#") ? "number" : null },
          k === 0 ? [button(open, c.text(m)), make("small", { class: "soft" }, " " + moduleNote(m))] : c.text(m),
        ),
      ),
    );
  }
  /** Marks the row of the open module. */
  markOpen() {
    for (const row of this.body.children)
      row.classList.toggle("open", open !== null && data.modules[row.dataset.module] === open.module);
  }
  /** The module before or after the open one in the table. */
  neighbour(by) {
    const order = this.order(),
      now = order.findIndex((i) => open && data.modules[i] === open.module);
    return order[(Math.max(0, now) + by + order.length) % order.length];
  }
}
let moduleTable = null;
)js";

}  // namespace hlolint::report
