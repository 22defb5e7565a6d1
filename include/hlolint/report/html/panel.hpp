// The script for the panel beside the pictures, about the chosen part or the peak.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_links.
inline constexpr std::string_view html_panel = R"js(
const pair = (title, text) => (text === "" || text === null ? [] : [make("dt", {}, title), make("dd", {}, text)]);
const code = (text) => (text ? make("span", { class: "code" }, text) : "");
const button = (click, ...content) => make("button", { type: "button", click }, ...content);

/** The panel of a module. A choice stays until the next one; Escape or the first button lead back to the peak. */
class Panel {
  constructor(shared) {
    Object.assign(this, { shared, module: shared.module, index: indexOf(shared.module) });
    this.element = make("aside", { "aria-label": "Selection", "aria-live": "polite" });
  }
  write(...content) {
    this.element.replaceChildren(...content.flat());
    this.element.scrollTop = 0;
  }
  back() {
    return this.module.memory ? button(() => this.shared.chooseNothing(), "← At the peak") : null;
  }

  /** Lists what takes the need at the peak, the largest first. */
  peak() {
    const { memory } = this.module;
    if (!memory) return this.hint();
    const { resident } = memory,
      rows = Math.min(resident.bytes.length, 24);
    const more = resident.bytes.slice(rows).reduce((sum, b) => sum + b, 0) + resident.more_bytes;
    this.write(
      make("h3", { id: "at-peak" }, memory.peak === undefined ? "In memory" : "In memory at the peak"),
      make(
        "p",
        { class: "soft" },
        memory.peak === undefined
          ? "Live ranges are not known, so allocations are listed as a whole."
          : ["Position ", code(this.shared.nameAt(memory.peak)), ", " + bytesText(memory.in_use) + " in use"],
      ),
      make(
        "ol",
        { class: "values" },
        Array.from({ length: rows }, (_, i) => this.residentItem(i)),
      ),
      rows < resident.bytes.length + resident.more
        ? make(
            "p",
            { class: "soft" },
            "and " + counted(resident.bytes.length - rows + resident.more, "other") + ", " + bytesText(more),
          )
        : [],
    );
  }
  residentItem(i) {
    const { memory, allocations } = this.module,
      { resident } = memory;
    const v = resident.value[i],
      a = resident.allocation[i],
      kind = texts[allocations.kind[a]];
    return this.item(
      resident.bytes[i],
      memory.need.total,
      bytesText(resident.bytes[i]),
      v === null ? "(not in use then)" : this.name(v),
      v === null
        ? "allocation " + allocations.number[a] + ", " + kind
        : [kind, this.origin(v)].filter(Boolean).join(", "),
      v === null ? () => this.shared.chooseAllocation(a) : () => this.shared.chooseValue(v, true),
    );
  }
  hint() {
    this.write(
      make("p", { class: "soft" }, "Point at a picture to see what is there; click, or use the keys, to choose it."),
    );
  }
  name(v) {
    const { values } = this.module;
    return texts[values.instruction[v]] + texts[values.index[v]];
  }
  origin(v) {
    const { values } = this.module;
    return shortSource(sourceText(values, v)) || shortText(texts[values.op_name[v]], 80);
  }
  /** A row: a bar for its share of the whole, size and name, and where it comes from. */
  item(part, whole, size, name, origin, click) {
    return make(
      "li",
      {},
      button(
        click,
        make("i", { style: "width:" + Math.min(100, (100 * part) / (whole || 1)) + "%" }),
        make("b", {}, size),
        make("span", { class: "code" }, name),
        origin ? make("small", {}, origin) : null,
      ),
    );
  }
  values(title, list, most) {
    if (!list.length) return [];
    const { values } = this.module,
      whole = list.reduce((sum, v) => Math.max(sum, values.size[v]), 0);
    return [
      make("h3", {}, title),
      make(
        "ol",
        { class: "values" },
        list
          .slice(0, most)
          .map((v) =>
            this.item(values.size[v], whole, bytesText(values.size[v]), this.name(v), this.origin(v), () =>
              this.shared.chooseValue(v, true),
            ),
          ),
      ),
      others(list.length - most),
    ];
  }
  findings(numbers) {
    if (!numbers || !numbers.length) return [];
    const label = (f) => f.rule + ": " + shortText(f.message, 140);
    return [
      make("h3", {}, counted(numbers.length, "finding")),
      listOf(
        {},
        numbers.slice(0, 20).map((n) => button(() => bringFinding(n), label(data.findings[n]))),
      ),
    ];
  }

  value(v) {
    const { values, allocations } = this.module,
      a = this.index.of[v];
    const place = [allocations.number[a], values.offset[v], values.size[v]].join();
    const same = this.index.place.get(place).filter((other) => other !== v);
    this.write(
      this.back() || [],
      make("h3", { id: "chosen" }, code(this.name(v))),
      make(
        "dl",
        {},
        pair("Shape", code(texts[values.shape[v]])),
        pair("Bytes", exactBytes(values.size[v])),
        values.padding[v] > 0 ? pair("Padding", exactBytes(values.padding[v])) : [],
        pair("Source", code(sourceText(values, v))),
        pair("Operation", code(texts[values.op_name[v]])),
        pair(
          "Live",
          values.start[v] === null
            ? "not known"
            : this.shared.nameAt(values.start[v]) + " to " + this.shared.nameAt(values.end[v]),
        ),
        pair(
          "Place",
          "offset " +
            values.offset[v].toLocaleString("en") +
            " of allocation " +
            allocations.number[a] +
            " in " +
            spaceName(this.module, allocations.color[a]),
        ),
      ),
      ...this.findings(findingsAbout(this.module).values.get(v)),
      ...this.values(counted(same.length, "other value") + " in the same bytes", same, 8),
    );
    this.element.append(...this.around(texts[values.instruction[v]]));
    announce("Chosen: " + valueLines(this.module, v).filter(Boolean).join(", "));
  }
  /** The values that live at a position of the schedule, in the memory space that is shown. */
  position(p) {
    const { values, allocations } = this.module;
    const { memory } = this.shared,
      color = memory ? memory.space.color : undefined;
    const live = [];
    for (let v = 0; v < values.size.length; ++v)
      if (values.start[v] !== null && values.start[v] <= p && p <= values.end[v])
        if (color === undefined || allocations.color[this.index.of[v]] === color) live.push(v);
    live.sort((a, b) => values.size[b] - values.size[a] || a - b);
    this.write(
      this.back() || [],
      make("h3", { id: "chosen" }, "Position ", code(this.shared.nameAt(p))),
      memory ? make("p", {}, exactBytes(memory.bytesAt(p)) + " in use") : "",
      ...this.values(counted(live.length, "live value"), live, 24),
    );
    announce("Position " + this.shared.nameAt(p) + ", " + counted(live.length, "live value"));
  }
  transfer(t) {
    const { transfers } = this.module;
    this.write(
      this.back() || [],
      make("h3", { id: "chosen" }, code(texts[transfers.instruction[t]])),
      make(
        "dl",
        {},
        pair("Kind", texts[transfers.kind[t]]),
        transfers.bytes[t] === null ? [] : pair("Bytes", exactBytes(transfers.bytes[t])),
        ...this.times(texts[transfers.instruction[t]]),
        pair("Start", this.shared.nameAt(transfers.start[t])),
        texts[transfers.done[t]] ? pair("Done", this.shared.nameAt(transfers.end[t])) : [],
        pair("Window", windowText(this.module, t)),
        pair("Source", code(sourceText(transfers, t))),
        pair("Operation", code(texts[transfers.op_name[t]])),
      ),
      ...this.findings(findingsAbout(this.module).transfers.get(t)),
    );
    this.element.append(...this.around(texts[transfers.instruction[t]]));
    announce("Chosen: " + transferLines(this.module, t).filter(Boolean).join(", "));
  }
  /** An instruction in the program: its place, cost, body, operands and users. */
  around(name) {
    const { program, timeline } = this.module,
      i = this.index.row.get(name);
    if (!program || i === undefined) return [];
    const { first, users } = this.neighbours();
    const reads = Array.from({ length: program.reads[i] }, (_, k) => program.operands[first[i] + k]);
    const work = timeline && timeline.work,
      row = work ? work.rows.instruction.findIndex((n) => texts[n] === name) : -1;
    const line = (r) => texts[program.opcode[r]] + " " + texts[program.shape[r]];
    const list = (title, rows) =>
      rows.length === 0
        ? []
        : [
            make("h3", {}, title),
            listOf(
              { class: "around" },
              rows
                .slice(0, 12)
                .map((r) =>
                  button(
                    () => this.shared.chooseInstruction(texts[program.instruction[r]], [], true),
                    code(texts[program.instruction[r]]),
                    make("small", {}, line(r)),
                  ),
                ),
            ),
            others(rows.length - 12),
          ];
    const body = program.calls[i] === null ? [] : this.bodyOf(program.calls[i]);
    return [
      make(
        "dl",
        { class: "around" },
        row >= 0 ? workLines(work, row).map(([title, text]) => pair(title, text)) : [],
        pair("Result", code(line(i))),
        pair("Stands in", code(texts[program.computations[program.computation[i]]] + ", line " + program.line[i])),
      ),
      ...(body.length
        ? [
            make("h3", {}, "Fuses"),
            make(
              "pre",
              { class: "body" },
              body
                .slice(0, 60)
                .map((r) => texts[program.instruction[r]] + " = " + line(r))
                .join("\n"),
            ),
            others(body.length - 60),
          ]
        : []),
      ...list("Reads", [...new Set(reads)]),
      ...list("Read by", [...new Set(users.get(i) || [])]),
    ];
  }
  bodyOf(computation) {
    const { program } = this.module,
      rows = [];
    program.computation.forEach((c, r) => {
      if (c === computation) rows.push(r);
    });
    return rows;
  }
  /** Where the operands of each instruction begin in the list, and the users of each instruction. */
  neighbours() {
    if (this.index.neighbours) return this.index.neighbours;
    const { program } = this.module,
      first = [],
      users = new Map();
    let next = 0;
    program.reads.forEach((count, i) => {
      first.push(next);
      for (const end = next + count; next < end; ++next) push(users, program.operands[next], i);
    });
    return (this.index.neighbours = { first, users });
  }
  /** Lists the instructions of a group, the costliest first. */
  group(name, numbers) {
    const { work } = this.module.timeline,
      { rows } = work,
      whole = numbers.reduce((most, r) => Math.max(most, rows.ms[r]), 0);
    this.write(
      this.back() || [],
      make("h3", { id: "chosen" }, code(name)),
      make(
        "ol",
        { class: "values" },
        numbers.slice(0, 24).map((r) =>
          this.item(
            rows.ms[r],
            whole,
            rounded(rows.ms[r]) + " ms",
            texts[rows.instruction[r]],
            [texts[rows.category[r]], shortSource(texts[rows.source[r]])].filter(Boolean).join(", "),
            () => this.shared.chooseInstruction(texts[rows.instruction[r]], [], true),
          ),
        ),
      ),
      others(numbers.length - 24),
    );
    announce("Chosen: " + name + ", " + counted(numbers.length, "instruction"));
  }
  /** The estimated times of a transfer. */
  times(name) {
    const all = this.module.timeline ? this.module.timeline.transfers : [];
    const found = all.find((one) => texts[one.instruction] === name);
    return found ? [pair("Time", transferTimes(found)), pair("Waits for", code(found.blocker || ""))] : [];
  }
  /** An instruction that is neither value nor transfer; `lines`: what the picture knows about it. */
  instruction(name, lines) {
    const defined = this.index.value.get(name) || [],
      position = this.index.position.get(name);
    this.write(
      this.back() || [],
      make("h3", { id: "chosen" }, code(name)),
      make(
        "dl",
        {},
        lines.map(([title, text]) => pair(title, text)).flat(),
        position === undefined
          ? []
          : pair(
              "Position",
              button(() => this.shared.choosePosition(position), String(position)),
            ),
      ),
      ...this.findings(findingsAbout(this.module).instructions.get(name)),
      ...this.values(counted(defined.length, "value"), defined, 12),
    );
    this.element.append(...this.around(name));
    announce("Chosen: " + name + ", " + lines.map((line) => line.join(" ")).join(", "));
  }
}
const transferTimes = (t) =>
  counted(t.runs, "run") +
  " of " +
  timeText(t.us) +
  ", " +
  (t.exposed_us > 0 ? timeText(t.exposed_us) + " of it exposed" : "hidden") +
  "; " +
  rounded(t.total_ms) +
  " ms in a step";
const spaceName = (module, color) =>
  (module.spaces.find((s) => s.color === color) || {}).name || "memory space " + color;
)js";

}  // namespace hlolint::report
