/* The script for the table of modules. */
/** The modules of each name. */
const namesakes = new Map();
for (const m of data.modules) push(namesakes, m.name, m);
/** What tells a module from others of its name: `2 of 3, 2 equal: f32[8,128]: m.txt`; empty if there is only one. */
function moduleNote(module) {
  const all = namesakes.get(module.name);
  if (all.length < 2) return "";
  const key = (m) => [m.entry, m.memory?.need.total, m.timeline?.step_ms].join();
  const equal = all.filter((m) => key(m) === key(module)).length;
  const place = `${all.indexOf(module) + 1} of ${all.length}${equal > 1 ? `, ${equal} equal` : ""}`;
  return joined([place, module.entry, (module.files[0] ?? "").split("/").pop()], ": ");
}

const bytesColumn = (title, bytes, note = () => "") => ({
  title,
  value: (m) => bytes(m) ?? -1,
  text: (m) => (bytes(m) === undefined ? "" : bytesText(bytes(m)) + note(m)),
});
/** The columns of the table. Numbers sort with the largest first, names from A to Z. */
const moduleColumns = [
  {
    title: "Module",
    value: (m) => m.name || m.files[0] || "",
    text: (m) => code(m.name || m.files[0] || "without a name"),
  },
  bytesColumn("#Too much", (m) => worstIncident(m)?.missing),
  { title: "Target", value: (m) => m.target, text: (m) => (m.target === "unknown" ? "" : m.target) },
  bytesColumn(
    "#Need",
    (m) => m.memory?.need.total,
    (m) => (m.estimated ? " ~" : ""),
  ),
  bytesColumn("#In use", (m) => (m.memory?.peak === undefined ? undefined : m.memory.in_use)),
  bytesColumn("#Temporaries", (m) => m.memory?.need.temporaries),
  bytesColumn("#Padding", (m) => m.memory?.padding || undefined),
  {
    title: "#Step",
    value: (m) => m.timeline?.step_ms ?? -1,
    text: (m) => (m.timeline ? stepText(m.timeline) : ""),
  },
  {
    title: "#Exposed",
    value: (m) => m.timeline?.exposed_ms ?? m.exposed * 1e-9,
    text: ({ timeline, exposed }) =>
      timeline ? (timeline.exposed_ms ? msText(timeline.exposed_ms) : "") : exposed ? String(exposed) : "",
  },
  { title: "#Findings", value: (m) => m.findings, text: (m) => (m.findings ? whole(m.findings) : "") },
];

/** The table: modules whose names contain all words of the search, in the order of a column. */
class ModuleTable {
  constructor() {
    for (const m of data.modules) m.findings = 0;
    for (const f of data.findings) if (!f.dismissed && data.modules[f.picture]) ++data.modules[f.picture].findings;
    this.most = 100;
    this.columns = moduleColumns.filter((c, i) => i === 0 || data.modules.some((m) => c.text(m) !== ""));
    this.down = true;
    this.column = Math.max(
      0,
      this.columns.findIndex((c) => c.title === "#Need"),
    );
    this.heads = this.columns.map((c, i) =>
      this.cell(
        "th",
        i,
        { scope: "col" },
        button(() => this.sortBy(i), c.title.replace("#", "")),
      ),
    );
    this.body = make("tbody");
    this.search = searchField("module-text", "name or file", () => this.write());
    this.count = make("span.soft", { role: "status" });
    this.more = button(() => {
      this.most *= 10;
      this.write();
    }, "Show more");
    fill(
      at("modules"),
      make("h2", { id: "modules-title" }, counted(data.modules.length, "module")),
      make("div.controls", make("label", "Find ", this.search), this.count),
      make(
        "div.scroll.modules",
        make("table", { id: "module-table" }, make("thead", make("tr", this.heads)), this.body),
        this.more,
      ),
    );
    this.write();
  }
  cell(tag, column, ...content) {
    return make(tag + (this.columns[column].title.startsWith("#") ? ".number" : ""), ...content);
  }
  /** Numbers of the modules, in order. */
  order() {
    const { value, title } = this.columns[this.column],
      sign = this.down === title.startsWith("#") ? 1 : -1;
    const words = wordsOf(this.search.value);
    const found = [...data.modules.keys()].filter((i) => {
      const text = searchable([data.modules[i].name, ...data.modules[i].files]);
      return words.every((w) => text.includes(w));
    });
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
    fill(
      this.body,
      order.slice(0, this.most).map((i) => this.row(i)),
    );
    const all = data.modules.length;
    this.count.textContent = order.length === all ? "" : whole(order.length) + " of " + whole(all);
    this.more.classList.toggle("hidden", order.length <= this.most);
    this.markOpen();
  }
  row(i) {
    const m = data.modules[i],
      open = () => goTo({ module: i });
    const click = (e) => e.target.closest("button") || open();
    const title = (c) => [button(open, c.text(m)), make("small.soft", " " + moduleNote(m))];
    return make(
      "tr",
      { "data-module": i, title: m.files[0], click },
      this.columns.map((c, k) => this.cell("td", k, k === 0 ? title(c) : c.text(m))),
    );
  }
  /** Marks the row of the open module. */
  markOpen() {
    for (const row of this.body.children)
      row.classList.toggle("open", open !== null && data.modules[row.dataset.module] === open.module);
  }
  /** Opens the module before or after the open one in the table. */
  step(by) {
    const order = this.order(),
      now = order.findIndex((i) => open && data.modules[i] === open.module);
    goTo({ module: order[(Math.max(0, now) + by + order.length) % order.length] });
  }
}
let moduleTable = null;
