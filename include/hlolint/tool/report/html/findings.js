/* The script about files, findings and their rules. The functions that show a finding in the pictures come later
   (links.js). */
const levels = ["error", "warning", "note"];
at("version").textContent = data.version;
document.title = data.tool + " report" + (data.modules.length === 1 ? ": " + data.modules[0].name : "");

for (const level of levels) {
  const count = data.findings.filter((f) => f.level === level && !f.dismissed).length;
  if (count > 0 || level !== "note")
    at("counts").append(make("span.level." + (count ? level : "soft"), counted(count, level)), " ");
}
const dismissed = data.findings.filter((f) => f.dismissed).length;
if (dismissed) at("counts").append(make("span.soft", whole(dismissed) + " dismissed"));

function writeInputs() {
  const columns = ["computations", "instructions", "allocations", "values"];
  const rows = data.inputs.map((i) => [
    code(i.path),
    i.kind,
    code((i.module || "") + (i.modules > 1 ? ` and ${i.modules - 1} more` : "")),
    i.target === "unknown" ? "" : i.target,
    i.status,
    ...columns.map((column) => whole(i[column] ?? "")),
  ]);
  const headings = ["File", "Kind", "Module", "Target", "Read", columns.map((column) => "#" + capital(column))];
  fill(at("input-list"), table("inputs", headings.flat(), rows));
  at("run-title").textContent = "Input: " + counted(data.inputs.length, "file");
  if (data.ignored > 0)
    at("ignored").textContent =
      counted(data.ignored, "file") + " of the folders left out: no dumps, or of earlier stages.";
}

/** The text of a finding that filters search. */
const searched = (f) =>
  (f.searched ??= searchable(
    [f.rule, f.message, f.module, f.computation, f.instruction, f.path, f.file, f.op_name].concat(
      f.related.map((r) => r.instruction),
    ),
  ));

const ruleOf = new Map(data.rules.map((r) => [r.id, r]));
const ruleLink = (id) => make("a.code", { href: "#rule-" + id }, id);

/** How much a finding matters; nothing else decides the order. */
const impactOf = (f) => f.impact ?? f.bytes ?? 0;

/** The cost of a finding in a step, with its unit; else its bytes. */
const costText = (f) => f.cost || (f.bytes !== undefined ? bytesText(f.bytes) : "");

/** One finding as an item of its group. */
function findingItem(f, number) {
  const advice = f.advice || ruleOf.get(f.rule)?.advice;
  const show = (e) => {
    e.stopPropagation();
    showFinding(number);
  };
  const click = (e) => {
    if (canShow(f) && !e.target.closest("a, button, summary, details") && !String(getSelection())) show(e);
  };
  return make(
    "li.finding." + f.level + (f.dismissed ? ".dismissed" : ""),
    { id: "finding-" + number, tabindex: "-1", click },
    make(
      "div.head",
      make("span.size", costText(f)),
      make("p.message", f.message),
      canShow(f) &&
        make("button", { type: "button", "aria-label": `Show ${f.rule} in the pictures`, click: show }, "Show"),
    ),
    make("p.soft", findingPlace(f)),
    f.dismissed && make("p.soft", f.dismissed),
    (f.related.length || advice) && findingDetails(f, advice),
  );
}
/** The place of a finding: line of the program, module, instruction, line of the dump. */
function findingPlace(f) {
  const parts = [
    joined([shortSource(placeOf(f.file, f.line_of_file)), endOf(f.op_name || "", 60)], "  "),
    data.modules.length > 1 && f.module,
    f.instruction,
    placeOf(f.path, f.line).split("/").at(-1),
  ];
  return parts.filter(Boolean).map((text, i) => [i ? " · " : "", code(text)]);
}
const findingDetails = (f, advice) =>
  make(
    "details",
    make("summary.soft", "Advice and places"),
    advice && make("p", advice),
    [f.file, f.op_name, joined([f.computation, f.instruction], " / "), placeOf(f.path, f.line)]
      .filter(Boolean)
      .map((text) => make("p.soft.code", text)),
    f.related.map((r) =>
      make("p.soft", r.message + ": ", code(joined([r.instruction, placeOf(r.path, r.line)], " at "))),
    ),
  );

const firstOfGroup = 5;
let groups = []; // of the findings that the filters leave, by rule and level
function groupFindings(numbers) {
  const known = new Map();
  for (const n of numbers) push(known, data.findings[n].level + data.findings[n].rule, n);
  groups = [...known.values()].map((numbers) => {
    numbers.sort((a, b) => impactOf(data.findings[b]) - impactOf(data.findings[a]) || a - b);
    const { rule, level } = data.findings[numbers[0]];
    return { rule, level, numbers, most: Math.max(0, impactOf(data.findings[numbers[0]])) };
  });
  groups.sort(
    (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level) || b.most - a.most || (a.rule < b.rule ? -1 : 1),
  );
}
function groupElement(group) {
  const { level, rule, numbers, most } = group;
  group.list = make("ol");
  group.written = 0;
  group.more = make("button.more", { type: "button", click: () => writeMore(group, 100) });
  writeMore(group, firstOfGroup);
  const size = counted(numbers.length, "finding") + (most > 0 ? ", up to " + costText(data.findings[numbers[0]]) : "");
  return make(
    "section.group." + level,
    { "data-rule": rule },
    make(
      "h3",
      make("span.level." + level, level),
      " ",
      ruleLink(rule),
      ` ${nameOfRule(rule)} `,
      make("span.soft", size),
    ),
    group.list,
    group.more,
  );
}
const nameOfRule = (id) => ruleOf.get(id)?.name ?? "";
function writeMore(group, count) {
  const next = group.numbers.slice(group.written, group.written + count);
  group.list.append(...next.map((n) => findingItem(data.findings[n], n)));
  group.written += next.length;
  const left = group.numbers.length - group.written;
  group.more.classList.toggle("hidden", left === 0);
  group.more.textContent = `Show more (${whole(left)} left)`;
}
function showAllFindings() {
  let room = 2000;
  for (const group of groups) {
    writeMore(group, Math.min(room, group.numbers.length));
    room -= group.written;
    if (room <= 0) break;
  }
}
function writeFindings() {
  const words = wordsOf(at("filter-text").value);
  const rule = at("filter-rule").value;
  const on = new Set([...document.querySelectorAll("#filter-levels input:checked")].map((box) => box.value));
  const fits = (f) => on.has(f.level) && (!rule || f.rule === rule) && words.every((w) => searched(f).includes(w));
  const matching = [...data.findings.keys()].filter((n) => fits(data.findings[n]));
  groupFindings(matching);
  fill(at("list"), groups.map(groupElement));
  const all = data.findings.length,
    some = matching.length === all ? "" : whole(matching.length) + " of ";
  at("shown").textContent = all === 0 ? "There are no findings." : some + counted(all, "finding");
}
/** Makes a finding visible in the list, whatever the filters are. */
function bringFinding(number) {
  const holds = (g) => g.numbers.includes(number);
  if (!groups.some(holds)) {
    at("filter-text").value = at("filter-rule").value = "";
    for (const box of document.querySelectorAll("#filter-levels input")) box.checked = true;
    writeFindings();
  }
  const group = groups.find(holds);
  writeMore(group, Math.max(0, group.numbers.indexOf(number) + 1 - group.written));
  markFinding(number);
  centre(at("finding-" + number));
  at("finding-" + number).focus({ preventScroll: true });
}
function markFinding(number) {
  for (const item of document.querySelectorAll("#list .chosen")) item.classList.remove("chosen");
  at("finding-" + number)?.classList.add("chosen");
}

function writeRules() {
  const ruleElement = (r) =>
    make(
      "article.rule",
      { id: "rule-" + r.id },
      make("h3", `${r.id} ${r.name} `, make("span.level." + r.level, r.level)),
      make(
        "dl",
        pair("What it reports", r.what),
        pair("Why this is bad", r.why),
        pair("What to do", r.advice),
        pair("Example", r.example && make("pre", r.example)),
        pair("Reads", r.reads),
        pair("Where this comes from", r.source),
      ),
    );
  at("rules").append(...data.rules.map(ruleElement));
  at("rules").classList.toggle("hidden", data.rules.length === 0);
}
function writeSkipped() {
  const rules = new Map();
  for (const s of data.skipped) push(rules, s.reason, s.rule);
  const items = [...rules].map(([reason, of]) => [reason + ": ", code(joined([...new Set(of)]))]);
  const title = counted(data.skipped.length, "check") + " not run, because something is missing";
  if (items.length) fill(at("skipped"), make("details", make("summary.soft", title), listOf("ul", items)));
}

function startFindings() {
  writeInputs();
  const of = new Map();
  for (const f of data.findings) push(of, f.rule, f);
  for (const [id, all] of [...of].sort())
    at("filter-rule").append(make("option", { value: id }, `${id} ${nameOfRule(id)} (${all.length})`));
  at("filter-levels").append(
    ...levels.map((level) => tickBox(level + "s ", { value: level, checked: true }, writeFindings)),
  );
  at("filter-text").addEventListener("input", writeFindings);
  at("filter-rule").addEventListener("change", writeFindings);
  writeFindings();
  writeSkipped();
  writeRules();
}
