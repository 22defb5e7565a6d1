// The script that puts the pictures of a module together, links them with findings, and starts the page.
#pragma once

#include <string_view>

namespace hlolint {

/// JavaScript; after all others.
inline constexpr std::string_view html_module = R"js(
const pair = (title, text) => (text === "" || text === null ? [] : [make("dt", {}, title), make("dd", {}, text)]);
const code = (text) => (text ? make("span", { class: "code" }, text) : "");
const findingButtons = (numbers) =>
  !numbers || !numbers.length
    ? []
    : [
        make("h3", {}, counted(numbers.length, "finding")),
        make(
          "ol",
          {},
          numbers
            .slice(0, 20)
            .map((n) =>
              make(
                "li",
                {},
                make(
                  "button",
                  { type: "button", click: () => bringFinding(n) },
                  data.findings[n].rule + ": " + shortText(data.findings[n].message, 140),
                ),
              ),
            ),
        ),
      ];

function openModule(number) {
  const module = data.modules[number],
    { values, allocations, spaces, transfers } = module;
  plots.length = 0;
  const index = indexOf(module);
  const aside = make(
    "aside",
    { "aria-label": "What is chosen", "aria-live": "polite" },
    make("p", { class: "soft" }, "Point at a picture to see what is there; click, or use the keys, to choose it."),
  );
  const left = make("div", {});
  const shared = (open = {
    module,
    cursor: null,
    x: new Range(0, Math.max(1, module.last + 1), 1),
    nameAt: (p) => p.toLocaleString("en") + (module.sequence[p] === undefined ? " (end)" : ": " + texts[module.sequence[p]]),
    chooseValue(v, reveal, marked) {
      if (!shared.heap) return;
      shared.heap.selected = v === null ? undefined : v;
      shared.heap.marked = new Set(marked || []);
      if (v === null) return (aside.replaceChildren(), redraw());
      if (shared.heap.allocation !== index.of[v]) shared.chooseAllocation(index.of[v]);
      if (reveal) shared.heap.reveal(v);
      const a = index.of[v],
        same = index.place.get([allocations.number[a], values.offset[v], values.size[v]].join()).filter((other) => other !== v);
      aside.replaceChildren(
        make("h3", { id: "chosen" }, code(texts[values.instruction[v]] + texts[values.index[v]])),
        make(
          "dl",
          {},
          pair("Shape", code(texts[values.shape[v]])),
          pair("Bytes", exactBytes(values.size[v])),
          values.padding[v] > 0 ? pair("Padding", exactBytes(values.padding[v])) : [],
          pair(
            "Place",
            "offset " +
              values.offset[v].toLocaleString("en") +
              " of allocation " +
              allocations.number[a] +
              ", memory space " +
              allocations.color[a],
          ),
          values.start[v] === null
            ? pair("Live", "not known")
            : pair("Live", shared.nameAt(values.start[v]) + " to " + shared.nameAt(values.end[v])),
          pair("Operation", code(texts[values.op_name[v]])),
          pair("Source", code(sourceText(values, v))),
        ),
        ...findingButtons(findingsAbout(module).values.get(v)),
        ...valueList(counted(same.length, "other value") + " in the same bytes", same, 8),
      );
      say("Chosen: " + valueLines(module, v).filter(Boolean).join(", "));
      redraw();
    },
    choosePosition(p) {
      if (p < 0 || p > module.last) return;
      const live = [];
      const color = shared.memory ? shared.memory.space.color : undefined;
      for (let v = 0; v < values.size.length; ++v)
        if (
          values.start[v] !== null &&
          values.start[v] <= p &&
          p <= values.end[v] &&
          (color === undefined || allocations.color[index.of[v]] === color)
        )
          live.push(v);
      live.sort((a, b) => values.size[b] - values.size[a] || a - b);
      aside.replaceChildren(
        make("h3", {}, "Position ", code(shared.nameAt(p))),
        shared.memory ? make("p", {}, exactBytes(shared.memory.bytesAt(p)) + " in use") : "",
        ...valueList(counted(live.length, "live value"), live, 20),
      );
      say("Position " + shared.nameAt(p) + ", " + counted(live.length, "live value"));
    },
    chooseTransfer(t) {
      if (!shared.transfers) return;
      shared.transfers.selected = t;
      if (t === null) return redraw();
      shared.transfers.x.reveal(transfers.start[t], transfers.end[t] + 1);
      aside.replaceChildren(
        make("h3", {}, code(texts[transfers.instruction[t]])),
        make(
          "dl",
          {},
          pair("Kind", texts[transfers.kind[t]]),
          transfers.bytes[t] === null ? [] : pair("Bytes", exactBytes(transfers.bytes[t])),
          pair("Start", shared.nameAt(transfers.start[t])),
          texts[transfers.done[t]] ? pair("Done", shared.nameAt(transfers.end[t])) : [],
          pair("Window", windowText(module, t)),
          pair("Operation", code(texts[transfers.op_name[t]])),
          pair("Source", code(sourceText(transfers, t))),
        ),
        ...findingButtons(findingsAbout(module).transfers.get(t)),
      );
      say("Chosen: " + transferLines(module, t).filter(Boolean).join(", "));
      redraw();
    },
    chooseAllocation(a) {
      shared.heap.show(a);
      picker.value = a;
      const most = allocations.bound[a];
      at("axis").textContent =
        "Offset over schedule position in allocation " +
        allocationText(a) +
        (most === null ? "." : "; at most " + bytesText(most) + " in use at one position.") +
        (shared.heap.timed
          ? ""
          : " Live ranges are not known: each value stands in a column of its own, in the order of the dump.");
      const box = (c, text) => make("span", {}, make("i", { style: "background:" + c }), text);
      legend.replaceChildren(
        ...shared.heap.legend.map((l) => box(rgb(l.colour), l.name + " (" + l.count.toLocaleString("en") + ")")),
        ...(shared.heap.hasPadding
          ? [box("repeating-linear-gradient(135deg, #0009 0 2px, #0000 2px 6px), " + rgb(hues[0]), "padding")]
          : []),
        ...(shared.heap.overlaps.length ? [box("var(--overlap)", counted(shared.heap.overlaps.length, "overlap"))] : []),
      );
    },
  });
  const valueList = (title, list, most) =>
    !list.length
      ? []
      : [
          make("h3", {}, title),
          make(
            "ol",
            {},
            list
              .slice(0, most)
              .map((v) =>
                make(
                  "li",
                  {},
                  make(
                    "button",
                    { type: "button", click: () => shared.chooseValue(v, true) },
                    bytesText(values.size[v]) + "  " + texts[values.instruction[v]] + texts[values.index[v]],
                  ),
                ),
              ),
          ),
        ];
  const allocationText = (a) =>
    allocations.number[a] +
    ": " +
    texts[allocations.kind[a]] +
    ", " +
    bytesText(allocations.size[a]) +
    ", " +
    counted(allocations.count[a], "value") +
    ", space " +
    allocations.color[a];
  const picker = make(
    "select",
    { id: "allocation", "aria-label": "Allocation", change: () => shared.chooseAllocation(Number(picker.value)) },
    allocations.number.map((n, a) => make("option", { value: a }, allocationText(a))),
  );
  const legend = make("div", { class: "legend" });

  const section = [
    make(
      "h2",
      { id: "module-title" },
      "Module ",
      code(module.name),
      module.target === "unknown" ? "" : make("span", { class: "soft" }, " for " + module.target),
    ),
  ];
  if (data.modules.length > 1)
    section.push(
      make(
        "div",
        { class: "controls" },
        make(
          "label",
          {},
          "Module ",
          make(
            "select",
            { id: "modules", change: (e) => openModule(Number(e.target.value)) },
            data.modules.map((m, i) => make("option", { value: i, selected: i === number }, m.name || m.files[0] || String(i))),
          ),
        ),
      ),
    );
  if (module.missing) section.push(make("p", { class: "soft" }, module.missing));
  at("module").replaceChildren(...section);

  if (spaces.some((s) => s.positions.length)) {
    shared.memory = new MemoryPlot(shared, "Bytes in use over schedule position");
    const words = make("p", { class: "soft" });
    const spaceName = (s) => (s.color === undefined ? "all memory spaces" : "memory space " + s.color);
    const show = (s) => {
      shared.memory.show(s);
      const p = s.positions[shared.memory.peak];
      words.textContent =
        s.bytes.length === 0
          ? ""
          : "Peak " +
            exactBytes(s.bytes[shared.memory.peak]) +
            " at position " +
            shared.nameAt(p) +
            (s.allocated === undefined ? "" : "; " + bytesText(s.allocated) + " in " + counted(s.allocations, "allocation"));
    };
    const choice = make(
      "select",
      { id: "space", change: (e) => show(spaces[Number(e.target.value)]) },
      spaces.map((s, i) => make("option", { value: i }, spaceName(s) + (s.positions.length ? "" : " (never in use)"))),
    );
    left.append(
      make("h3", {}, "Memory over the schedule"),
      make("div", { class: "controls" }, make("label", {}, "Of ", choice), shared.memory.buttons("memory")),
      words,
      shared.memory.element,
    );
    show(spaces[0]);
  }
  if (values.size.length) {
    shared.heap = new HeapMap(shared, module);
    const results = make("ol", { class: "found", "aria-label": "Values found" });
    const search = make("input", {
      type: "search",
      id: "value",
      placeholder: "name of a value",
      input: () => {
        const word = search.value.trim().toLowerCase();
        const found = [];
        for (let v = 0; word && v < values.size.length && found.length < 12; ++v)
          if ((texts[values.instruction[v]] + texts[values.index[v]]).toLowerCase().includes(word)) found.push(v);
        results.replaceChildren(
          ...found.map((v) =>
            make(
              "li",
              {},
              make(
                "button",
                {
                  type: "button",
                  click: () => {
                    results.replaceChildren();
                    shared.chooseValue(v, true);
                  },
                },
                texts[values.instruction[v]] +
                  texts[values.index[v]] +
                  "  " +
                  bytesText(values.size[v]) +
                  ", allocation " +
                  allocations.number[index.of[v]],
              ),
            ),
          ),
        );
      },
    });
    left.append(
      make("h3", {}, "Values in an allocation"),
      make(
        "div",
        { class: "controls" },
        make("label", {}, "Allocation ", picker),
        make("label", {}, "Find ", search),
        shared.heap.buttons("values"),
      ),
      results,
      make("p", { id: "axis", class: "soft" }),
      shared.heap.element,
      legend,
    );
  }
  left.append(make("h3", { id: "transfers" }, "Collectives and other transfers"));
  if (transfers.start.length) {
    const plot = (shared.transfers = new TransferPlot(shared, module));
    const exposed = transfers.exposed.filter(Boolean).length;
    left.append(
      make(
        "div",
        { class: "controls" },
        make("label", {}, make("input", { type: "checkbox", change: (e) => plot.show(e.target.checked) }), "collectives only"),
        plot.buttons("transfers"),
        module.scheduled
          ? null
          : make("span", { class: "soft" }, "The module is not scheduled: positions are the order of its text."),
      ),
      plot.element,
      make(
        "div",
        { class: "legend" },
        plot.classes.legend.map((l) =>
          make("span", {}, make("i", { style: "background:" + rgb(l.colour) }), l.name + " (" + l.count + ")"),
        ),
        exposed ? make("span", {}, make("i", { style: "border: 2.5px solid var(--overlap)" }), exposed + " exposed") : null,
      ),
    );
  } else left.append(make("p", { class: "soft" }, module.unplaced ? "" : "There are none."));
  if (module.unplaced)
    left.append(
      make(
        "p",
        { class: "soft" },
        counted(module.unplaced, "transfer") + " not shown: the schedule of the buffer dump does not have their instructions.",
      ),
    );
  if (allocations.number.length) left.append(allocationTable(module, shared));
  at("module").append(make("div", { class: "pictures" }, left, aside));
  if (shared.heap) shared.chooseAllocation(0);
  redraw();
}

startFindings();
if (data.modules.length)
  openModule(
    Math.max(
      0,
      data.modules.findIndex((m) => m.values.size.length || m.transfers.start.length),
    ),
  );
new ResizeObserver(redraw).observe(document.body);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("beforeprint", () => {
  document.documentElement.classList.add("paper");
  writeMore(2000);
  for (const plot of plots) plot.paint();
});
addEventListener("afterprint", () => {
  document.documentElement.classList.remove("paper");
  redraw();
});
)js";

}  // namespace hlolint
