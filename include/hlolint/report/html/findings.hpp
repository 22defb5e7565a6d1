// The script for what was read, the findings and their rules.
#pragma once

#include <string_view>

namespace hlolint {

/// JavaScript; after html_script. `pictures` comes later (html_module).
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
    make("span", { class: "soft" }, data.findings.filter((f) => f.dismissed).length.toLocaleString("en") + " dismissed"),
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
        ["Computations", "Instructions", "Allocations", "Values"].map((t) => make("th", { scope: "col", class: "number" }, t)),
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
          make("td", { class: "code name" }, (i.module || "") + (i.modules > 1 ? " and " + (i.modules - 1) + " more" : "")),
          make("td", {}, i.target === "unknown" ? "" : i.target),
          make("td", {}, i.status),
          [i.computations, i.instructions, i.allocations, i.values].map(number),
        ),
      ),
    ),
  );
  if (data.inputs.length > 12) {
    const table = at("inputs"),
      folded = make("details", {}, make("summary", {}, counted(data.inputs.length, "file")));
    table.replaceWith(folded);
    folded.append(table);
  }
  if (data.ignored > 0)
    at("ignored").textContent = counted(data.ignored, "file") + " of the folders left out: no dumps, or of earlier stages.";
}

/** All that a filter text is looked for in. */
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

/** One finding as an item of the list. */
function findingItem(f, number) {
  const rule = ruleOf.get(f.rule);
  const advice = f.advice || (rule && rule.advice);
  const dismissed = f.dismissed ? " dismissed" : "";
  const item = make(
    "li",
    { class: f.level + dismissed, id: "finding-" + number, tabindex: "-1" },
    make(
      "div",
      { class: "head" },
      make("span", { class: "level" }, f.level),
      ruleLink(f.rule),
      rule ? make("span", {}, rule.name) : null,
      f.dismissed ? make("span", {}, f.dismissed) : null,
      canShow(f)
        ? make(
            "button",
            {
              "aria-label": "Show " + f.rule + " in the pictures",
              click: (e) => {
                e.stopPropagation();
                showFinding(number);
              },
            },
            "Show",
          )
        : null,
    ),
    make("p", { class: "message" }, f.message),
    make(
      "p",
      { class: "soft" },
      make("span", { class: "code" }, placeText(f)),
      f.instruction
        ? [" in ", make("span", { class: "code" }, [f.computation, f.instruction].filter(Boolean).join(" / "))]
        : null,
      f.bytes !== undefined ? " · " + bytesText(f.bytes) : null,
    ),
    f.file || f.op_name
      ? make(
          "p",
          { class: "soft" },
          "program: ",
          make(
            "span",
            { class: "code" },
            [f.file && f.file + (f.line_of_file ? ":" + f.line_of_file : ""), f.op_name].filter(Boolean).join("  "),
          ),
        )
      : null,
    f.related.length || advice
      ? make(
          "details",
          {},
          make("summary", { class: "soft" }, "Advice and places"),
          advice ? make("p", {}, advice) : null,
          f.related.map((r) =>
            make(
              "p",
              { class: "soft" },
              r.message + ": ",
              make("span", { class: "code" }, [r.instruction, placeText(r)].filter(Boolean).join(" at ")),
            ),
          ),
        )
      : null,
  );
  item.addEventListener("click", (e) => {
    if (canShow(f) && !e.target.closest("a, button, summary, details") && !String(getSelection())) showFinding(number);
  });
  return item;
}

const batch = 100;
let matching = [],
  written = 0;
function writeMore(count) {
  const next = matching.slice(written, written + count);
  at("list").append(...next.map((n) => findingItem(data.findings[n], n)));
  written += next.length;
  at("more").classList.toggle("hidden", written >= matching.length);
  at("more").textContent = "Show more (" + (matching.length - written).toLocaleString("en") + " left)";
}
function writeFindings() {
  const words = at("filter-text").value.toLowerCase().split(/\s+/).filter(Boolean);
  const rule = at("filter-rule").value;
  const on = new Set([...document.querySelectorAll("#filter-levels input:checked")].map((box) => box.value));
  matching = [];
  data.findings.forEach((f, n) => {
    if (on.has(f.level) && (!rule || f.rule === rule) && words.every((w) => searched(f).includes(w))) matching.push(n);
  });
  matching.sort((a, b) => levels.indexOf(data.findings[a].level) - levels.indexOf(data.findings[b].level) || a - b);
  at("list").replaceChildren();
  written = 0;
  writeMore(batch);
  const all = data.findings.length;
  at("shown").textContent =
    all === 0
      ? "There are no findings."
      : matching.length === all
        ? counted(all, "finding")
        : matching.length.toLocaleString("en") + " of " + counted(all, "finding");
}
/** Makes a finding visible in the list, whatever the filters say. */
function bringFinding(number) {
  if (!matching.includes(number)) {
    at("filter-text").value = at("filter-rule").value = "";
    for (const box of document.querySelectorAll("#filter-levels input")) box.checked = true;
    writeFindings();
  }
  writeMore(Math.max(0, matching.indexOf(number) + 1 - written));
  markFinding(number);
  at("finding-" + number).scrollIntoView({ block: "center" });
  at("finding-" + number).focus({ preventScroll: true });
}
function markFinding(number) {
  for (const item of document.querySelectorAll("#list > .chosen")) item.classList.remove("chosen");
  if (number !== null && at("finding-" + number)) at("finding-" + number).classList.add("chosen");
}

function writeRules() {
  const part = (title, text, pre) => (!text ? [] : [make("dt", {}, title), make("dd", {}, pre ? make("pre", {}, text) : text)]);
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
      make("summary", { class: "soft" }, counted(data.skipped.length, "check") + " not run, because something is missing"),
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
      .map(([id, n]) => make("option", { value: id }, id + " " + (ruleOf.has(id) ? ruleOf.get(id).name : "") + " (" + n + ")")),
  );
  at("filter-levels").append(
    ...levels.map((level) =>
      make("label", {}, make("input", { type: "checkbox", value: level, checked: true, change: writeFindings }), level + "s "),
    ),
  );
  at("filter-text").addEventListener("input", writeFindings);
  at("filter-rule").addEventListener("change", writeFindings);
  at("more").addEventListener("click", () => writeMore(batch));
  writeFindings();
  writeSkipped();
  writeRules();
}
)js";

}  // namespace hlolint
