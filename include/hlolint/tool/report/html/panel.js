/* The script for the panel beside the pictures, about the chosen part or the peak. */
const pair = (title, text) => text && [make("dt", title), make("dd", text)];

/** The panel of a module. A choice stays until the next one; Escape or the first button lead back to the peak. */
class Panel {
  constructor(shared) {
    Object.assign(this, { shared, module: shared.module, index: indexOf(shared.module) });
    this.element = make("aside", { "aria-label": "Selection", "aria-live": "polite" });
  }
  write(...content) {
    fill(this.element, content);
    this.element.scrollTop = 0;
  }
  /** Writes about what was chosen. */
  writeChosen(title, ...content) {
    const back = this.module.memory && button(() => this.shared.chooseNothing(), "← At the peak");
    this.write(back, make("h3", { id: "chosen" }, title), content);
  }

  /** Lists what takes the need at the peak, the largest first. */
  peak() {
    const { memory } = this.module;
    if (!memory)
      return this.write(
        make("p.soft", "Point at a picture to see what is there; click, or use the keys, to choose it."),
      );
    const { resident } = memory,
      rows = Math.min(resident.bytes.length, 24);
    const left = resident.bytes.length - rows + resident.more,
      more = sumOf(resident.bytes.slice(rows)) + resident.more_bytes;
    this.write(
      make("h3", { id: "at-peak" }, memory.peak === undefined ? "In memory" : "In memory at the peak"),
      make(
        "p.soft",
        memory.peak === undefined
          ? "Live ranges are not known, so allocations are listed as a whole."
          : ["Position ", code(this.shared.nameAt(memory.peak)), `, ${bytesText(memory.in_use)} in use`],
      ),
      listOf(
        "ol.values",
        Array.from({ length: rows }, (_, i) => this.residentItem(i)),
      ),
      left > 0 && make("p.soft", `and ${counted(left, "other")}, ${bytesText(more)}`),
    );
  }
  residentItem(i) {
    const { memory, allocations } = this.module,
      { resident } = memory;
    const v = resident.value[i],
      a = resident.allocation[i],
      kind = texts[allocations.kind[a]],
      isValue = v !== null;
    return this.item(
      resident.bytes[i],
      memory.need.total,
      bytesText(resident.bytes[i]),
      isValue ? valueName(this.module, v) : "(not in use then)",
      isValue ? joined([kind, this.origin(v)]) : `allocation ${allocations.number[a]}, ${kind}`,
      () => (isValue ? this.shared.chooseValue(v, true) : this.shared.chooseAllocation(a)),
    );
  }
  origin(v, most = 80) {
    const { values } = this.module;
    return shortSource(sourceText(values, v)) || shortText(texts[values.op_name[v]], most);
  }
  /** A row: a bar for its share of the whole, size and name, and where it comes from. */
  item(part, whole, size, name, origin, click) {
    const share = Math.min(100, (100 * part) / (whole || 1));
    return button(
      click,
      make("i", { style: `width:${share}%` }),
      make("b", size),
      code(name),
      origin && make("small", origin),
    );
  }
  values(title, list, most) {
    if (!list.length) return [];
    const { size } = this.module.values,
      whole = greatest(list.map((v) => size[v]));
    const item = (v) =>
      this.item(size[v], whole, bytesText(size[v]), valueName(this.module, v), this.origin(v), () =>
        this.shared.chooseValue(v, true),
      );
    return [make("h3", title), listOf("ol.values", list.slice(0, most).map(item)), others(list.length - most)];
  }
  findings(numbers = []) {
    if (!numbers.length) return [];
    const label = ({ rule, message }) => rule + ": " + shortText(message, 140);
    const items = numbers.slice(0, 20).map((n) => button(() => bringFinding(n), label(data.findings[n])));
    return [make("h3", counted(numbers.length, "finding")), listOf("ol", items)];
  }

  value(v) {
    const { values, allocations } = this.module,
      nameAt = (p) => this.shared.nameAt(p),
      a = this.index.of[v];
    const space = spaceName(this.module, allocations.color[a]),
      place = [allocations.number[a], values.offset[v], values.size[v]].join();
    const same = this.index.place.get(place).filter((other) => other !== v),
      start = values.start[v];
    this.writeChosen(
      code(valueName(this.module, v)),
      make(
        "dl",
        pair("Shape", code(texts[values.shape[v]])),
        pair("Bytes", exactBytes(values.size[v])),
        pair("Padding", values.padding[v] > 0 && exactBytes(values.padding[v])),
        pair("Source", code(sourceText(values, v))),
        pair("Operation", code(texts[values.op_name[v]])),
        pair("Live", start === null ? "not known" : nameAt(start) + " to " + nameAt(values.end[v])),
        pair("Place", `offset ${whole(values.offset[v])} of allocation ${allocations.number[a]} in ${space}`),
      ),
      this.findings(findingsAbout(this.module).values.get(v)),
      this.values(counted(same.length, "other value") + " in the same bytes", same, 8),
      this.around(texts[values.instruction[v]]),
    );
    announce("Chosen: " + joined(valueLines(this.module, v)));
  }
  /** The values that live at a position of the schedule, in the memory space that is shown. */
  position(p) {
    const { values, allocations } = this.module,
      { memory } = this.shared,
      color = memory?.space.color;
    const isLive = (v) =>
      values.start[v] !== null &&
      values.start[v] <= p &&
      p <= values.end[v] &&
      (color === undefined || allocations.color[this.index.of[v]] === color);
    const live = [...values.size.keys()].filter(isLive);
    live.sort((a, b) => values.size[b] - values.size[a] || a - b);
    const title = counted(live.length, "live value"),
      place = this.shared.nameAt(p);
    this.writeChosen(
      ["Position ", code(place)],
      memory && make("p", exactBytes(memory.bytesAt(p)) + " in use"),
      this.values(title, live, 24),
    );
    announce(`Position ${place}, ${title}`);
  }
  transfer(t) {
    const { transfers } = this.module,
      nameAt = (p) => this.shared.nameAt(p),
      name = texts[transfers.instruction[t]];
    const times = this.module.timeline?.transfers.find((one) => texts[one.instruction] === name);
    this.writeChosen(
      code(name),
      make(
        "dl",
        pair("Kind", texts[transfers.kind[t]]),
        pair("Bytes", transfers.bytes[t] !== null && exactBytes(transfers.bytes[t])),
        times && [pair("Time", transferTimes(times)), pair("Waits for", code(times.blocker))],
        pair("Start", nameAt(transfers.start[t])),
        pair("Done", texts[transfers.done[t]] && nameAt(transfers.end[t])),
        pair("Window", windowText(this.module, t)),
        pair("Source", code(sourceText(transfers, t))),
        pair("Operation", code(texts[transfers.op_name[t]])),
      ),
      this.findings(findingsAbout(this.module).transfers.get(t)),
      this.around(name),
    );
    announce("Chosen: " + joined(transferLines(this.module, t)));
  }
  /** An instruction in the program: its place, cost, body, operands and users. */
  around(name) {
    const { program, timeline } = this.module,
      i = this.index.row.get(name);
    if (!program || i === undefined) return [];
    const { first, users } = this.neighbours();
    const reads = program.operands.slice(first[i], first[i] + program.reads[i]);
    const work = timeline?.work,
      row = work ? work.rows.instruction.findIndex((n) => texts[n] === name) : -1;
    const nameOf = (r) => texts[program.instruction[r]],
      line = (r) => texts[program.opcode[r]] + " " + texts[program.shape[r]];
    const list = (title, repeated) => {
      const rows = [...new Set(repeated)];
      const item = (r) =>
        button(() => this.shared.chooseInstruction(nameOf(r)), code(nameOf(r)), make("small", line(r)));
      return (
        rows.length > 0 && [
          make("h3", title),
          listOf("ol.around", rows.slice(0, 12).map(item)),
          others(rows.length - 12),
        ]
      );
    };
    const computation = texts[program.computations[program.computation[i]]],
      calls = program.calls[i];
    const body = [...program.computation.keys()].filter((r) => calls !== null && program.computation[r] === calls);
    const lines = body.slice(0, 60).map((r) => nameOf(r) + " = " + line(r));
    return [
      make(
        "dl.around",
        row >= 0 && workLines(work, row).map(([title, text]) => pair(title, text)),
        pair("Result", code(line(i))),
        pair("Stands in", code(`${computation}, line ${program.line[i]}`)),
      ),
      body.length > 0 && [make("h3", "Fuses"), make("pre.body", lines.join("\n")), others(body.length - 60)],
      list("Reads", reads),
      list("Read by", users.get(i)),
    ];
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
    const { ms, instruction, category, source } = this.module.timeline.work.rows,
      whole = greatest(numbers.map((r) => ms[r]));
    const item = (r) => {
      const origin = joined([texts[category[r]], shortSource(texts[source[r]])]);
      return this.item(ms[r], whole, msText(ms[r]), texts[instruction[r]], origin, () =>
        this.shared.chooseInstruction(texts[instruction[r]]),
      );
    };
    this.writeChosen(code(name), listOf("ol.values", numbers.slice(0, 24).map(item)), others(numbers.length - 24));
    announce(`Chosen: ${name}, ${counted(numbers.length, "instruction")}`);
  }
  /** An instruction that is neither value nor transfer; `lines`: what the picture knows about it. */
  instruction(name, lines) {
    const defined = this.index.value.get(name) || [],
      position = this.index.position.get(name);
    this.writeChosen(
      code(name),
      make(
        "dl",
        lines.map(([title, text]) => pair(title, text)),
        position !== undefined &&
          pair(
            "Position",
            button(() => this.shared.choosePosition(position), String(position)),
          ),
      ),
      this.findings(findingsAbout(this.module).instructions.get(name)),
      this.values(counted(defined.length, "value"), defined, 12),
      this.around(name),
    );
    announce(`Chosen: ${name}, ${joined(lines.map((line) => line.join(" ")))}`);
  }
}
function transferTimes(t) {
  const exposed = t.exposed_us > 0 ? timeText(t.exposed_us) + " of it exposed" : "hidden";
  return `${counted(t.runs, "run")} of ${timeText(t.us)}, ${exposed}; ${msText(t.total_ms)} in a step`;
}
const spaceName = (module, color) => module.spaces.find((s) => s.color === color)?.name || "memory space " + color;
