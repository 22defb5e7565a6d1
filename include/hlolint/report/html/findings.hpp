// The script about files, findings and their rules.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_script. The functions that show a finding in the pictures come later (html_links).
inline constexpr std::string_view html_findings = R"js(
const levels = ["error", "warning", "note"];
at("version").textContent = data.version;
document.title = data.tool + " report" + (data.modules.length === 1 ? ": " + data.modules[0].name : "");

for (const level of levels) {
  const count = data.findings.filter((f) => f.level === level && !f.dismissed).length;
  if (count > 0 || level !== "note")
    at("counts").append(make("span", { class: "level " + (count ? level : "soft") }, counted(count, level)), " ");
}
if (data.findings.some((f) => f.dismissed))
  at("counts").append(
    make(
      "span",
      { class: "soft" },
      data.findings.filter((f) => f.dismissed).length.toLocaleString("en") + " dismissed",
    ),
  );

function writeInputs() {
  const number = (n) => make("td", { class: "number" }, n === undefined ? "" : n.toLocaleString("en"));
  at("inputs").append(
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        ["File", "Kind", "Module", "Target", "Read"].map((t) => make("th", { scope: "col" }, t)),
        ["Computations", "Instructions", "Allocations", "Values"].map((t) =>
          make("th", { scope: "col", class: "number" }, t),
        ),
      ),
    ),
    make(
      "tbody",
      {},
      data.inputs.map((i) =>
        make(
          "tr",
          {},
          make("td", { class: "code" }, i.path),
          make("td", {}, i.kind),
          make(
            "td",
            { class: "code name" },
            (i.module || "") + (i.modules > 1 ? " and " + (i.modules - 1) + " more" : ""),
          ),
          make("td", {}, i.target === "unknown" ? "" : i.target),
          make("td", {}, i.status),
          [i.computations, i.instructions, i.allocations, i.values].map(number),
        ),
      ),
    ),
  );
  at("run-title").textContent = "Input: " + counted(data.inputs.length, "file");
  if (data.ignored > 0)
    at("ignored").textContent =
      counted(data.ignored, "file") + " of the folders left out: no dumps, or of earlier stages.";
}

/** The text of a finding that filters search. */
const searched = (f) =>
  f.searched ||
  (f.searched = [
    f.rule,
    f.message,
    f.module,
    f.computation,
    f.instruction,
    f.path,
    f.file,
    f.op_name,
    ...f.related.map((r) => r.instruction),
  ]
    .join("\n")
    .toLowerCase());

const ruleOf = new Map(data.rules.map((r) => [r.id, r]));
const placeText = (p) => (p.path || "") + (p.line ? ":" + p.line : "");
const ruleLink = (id) => make("a", { href: "#rule-" + id, class: "code" }, id);

/** How much a finding matters; nothing else decides the order. */
const impactOf = (f) => f.impact ?? f.bytes ?? 0;

/** The cost of a finding in a step, with its unit; else its bytes. */
const costText = (f) => f.cost || (f.bytes !== undefined ? bytesText(f.bytes) : "");

/** One finding as an item of its group. */
function findingItem(f, number) {
  const rule = ruleOf.get(f.rule);
  const advice = f.advice || (rule && rule.advice);
  const item = make(
    "li",
    { class: "finding " + f.level + (f.dismissed ? " dismissed" : ""), id: "finding-" + number, tabindex: "-1" },
    make(
      "div",
      { class: "head" },
      make("span", { class: "size" }, costText(f)),
      make("p", { class: "message" }, f.message),
      canShow(f) ? showButton(f, number) : null,
    ),
    make("p", { class: "soft" }, findingPlace(f)),
    f.dismissed ? make("p", { class: "soft" }, f.dismissed) : null,
    f.related.length || advice ? findingDetails(f, advice) : null,
  );
  item.addEventListener("click", (e) => {
    if (canShow(f) && !e.target.closest("a, button, summary, details") && !String(getSelection()))
      showFinding(number);
  });
  return item;
}
const showButton = (f, number) =>
  make(
    "button",
    {
      type: "button",
      "aria-label": "Show " + f.rule + " in the pictures",
      click: (e) => {
        e.stopPropagation();
        showFinding(number);
      },
    },
    "Show",
  );
/** The place of a finding: line of the program, module, instruction, line of the dump. */
function findingPlace(f) {
  const source = f.file && f.file + (f.line_of_file ? ":" + f.line_of_file : "");
  const parts = [
    source || f.op_name ? [source && shortSource(source), endOf(f.op_name || "", 60)].filter(Boolean).join("  ") : "",
    data.modules.length > 1 ? f.module : "",
    f.instruction,
    placeText(f).split("/").slice(-1)[0],
  ].filter(Boolean);
  return parts.flatMap((text, i) => [i ? " · " : "", make("span", { class: "code" }, text)]);
}
const findingDetails = (f, advice) =>
  make(
    "details",
    {},
    make("summary", { class: "soft" }, "Advice and places"),
    advice ? make("p", {}, advice) : null,
    [f.file, f.op_name, [f.computation, f.instruction].filter(Boolean).join(" / "), placeText(f)]
      .filter(Boolean)
      .map((text) => make("p", { class: "soft code" }, text)),
    f.related.map((r) =>
      make(
        "p",
        { class: "soft" },
        r.message + ": ",
        make("span", { class: "code" }, [r.instruction, placeText(r)].filter(Boolean).join(" at ")),
      ),
    ),
  );

const firstOfGroup = 5;
let groups = []; // of the findings that the filters leave, by rule and level
function groupFindings(numbers) {
  const known = new Map();
  for (const n of numbers) {
    const f = data.findings[n],
      key = f.level + f.rule;
    if (!known.has(key)) known.set(key, { rule: f.rule, level: f.level, numbers: [], most: 0 });
    const group = known.get(key);
    group.numbers.push(n);
    group.most = Math.max(group.most, impactOf(f));
  }
  groups = [...known.values()];
  for (const group of groups)
    group.numbers.sort((a, b) => impactOf(data.findings[b]) - impactOf(data.findings[a]) || a - b);
  groups.sort(
    (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level) || b.most - a.most || (a.rule < b.rule ? -1 : 1),
  );
}
function groupElement(group) {
  const rule = ruleOf.get(group.rule);
  group.list = make("ol", {});
  group.written = 0;
  group.more = make("button", { type: "button", class: "more", click: () => writeMore(group, 100) });
  const element = make(
    "section",
    { class: "group " + group.level, "data-rule": group.rule },
    make(
      "h3",
      {},
      make("span", { class: "level " + group.level }, group.level),
      " ",
      ruleLink(group.rule),
      " " + (rule ? rule.name : "") + " ",
      make(
        "span",
        { class: "soft" },
        counted(group.numbers.length, "finding") +
          (group.most > 0 ? ", up to " + costText(data.findings[group.numbers[0]]) : ""),
      ),
    ),
    group.list,
    group.more,
  );
  writeMore(group, firstOfGroup);
  return element;
}
function writeMore(group, count) {
  const next = group.numbers.slice(group.written, group.written + count);
  group.list.append(...next.map((n) => findingItem(data.findings[n], n)));
  group.written += next.length;
  const left = group.numbers.length - group.written;
  group.more.classList.toggle("hidden", left === 0);
  group.more.textContent = "Show more (" + left.toLocaleString("en") + " left)";
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
  const words = at("filter-text").value.toLowerCase().split(/\s+/).filter(Boolean);
  const rule = at("filter-rule").value;
  const on = new Set([...document.querySelectorAll("#filter-levels input:checked")].map((box) => box.value));
  const matching = [];
  data.findings.forEach((f, n) => {
    if (on.has(f.level) && (!rule || f.rule === rule) && words.every((w) => searched(f).includes(w)))
      matching.push(n);
  });
  groupFindings(matching);
  at("list").replaceChildren(...groups.map(groupElement));
  const all = data.findings.length;
  at("shown").textContent =
    all === 0
      ? "There are no findings."
      : matching.length === all
        ? counted(all, "finding")
        : matching.length.toLocaleString("en") + " of " + counted(all, "finding");
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
  at("finding-" + number).scrollIntoView({ block: "center" });
  at("finding-" + number).focus({ preventScroll: true });
}
function markFinding(number) {
  for (const item of document.querySelectorAll("#list .chosen")) item.classList.remove("chosen");
  if (number !== null && at("finding-" + number)) at("finding-" + number).classList.add("chosen");
}

function writeRules() {
  const part = (title, text, pre) =>
    !text ? [] : [make("dt", {}, title), make("dd", {}, pre ? make("pre", {}, text) : text)];
  at("rules").append(
    ...data.rules.map((r) =>
      make(
        "article",
        { class: "rule", id: "rule-" + r.id },
        make("h3", {}, r.id + " " + r.name + " ", make("span", { class: "level " + r.level }, r.level)),
        make(
          "dl",
          {},
          part("What it reports", r.what),
          part("Why this is bad", r.why),
          part("What to do", r.advice),
          part("Example", r.example, true),
          part("Reads", r.reads),
          part("Where this comes from", r.source),
        ),
      ),
    ),
  );
  at("rules").classList.toggle("hidden", data.rules.length === 0);
}
function writeSkipped() {
  if (data.skipped.length === 0) return;
  const reasons = new Map();
  for (const s of data.skipped) {
    if (!reasons.has(s.reason)) reasons.set(s.reason, new Set());
    reasons.get(s.reason).add(s.rule);
  }
  at("skipped").append(
    make(
      "details",
      {},
      make(
        "summary",
        { class: "soft" },
        counted(data.skipped.length, "check") + " not run, because something is missing",
      ),
      make(
        "ul",
        {},
        [...reasons].map(([reason, rules]) =>
          make("li", {}, reason + ": ", make("span", { class: "code" }, [...rules].join(", "))),
        ),
      ),
    ),
  );
}

function startFindings() {
  writeInputs();
  const of = new Map();
  for (const f of data.findings) of.set(f.rule, (of.get(f.rule) || 0) + 1);
  at("filter-rule").append(
    ...[...of]
      .sort()
      .map(([id, n]) =>
        make("option", { value: id }, id + " " + (ruleOf.has(id) ? ruleOf.get(id).name : "") + " (" + n + ")"),
      ),
  );
  at("filter-levels").append(
    ...levels.map((level) =>
      make(
        "label",
        {},
        make("input", { type: "checkbox", value: level, checked: true, change: writeFindings }),
        level + "s ",
      ),
    ),
  );
  at("filter-text").addEventListener("input", writeFindings);
  at("filter-rule").addEventListener("change", writeFindings);
  writeFindings();
  writeSkipped();
  writeRules();
}
)js";

}  // namespace hlolint::report
