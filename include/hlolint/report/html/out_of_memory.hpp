// The script about memory that ran out according to a job's log: what did not fit, by how much, and the largest values.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_tables.
inline constexpr std::string_view html_out_of_memory = R"js(
const isLog = (module) => module.out_of_memory.length > 0 && !module.memory;
/** The incident with most missing memory, preferably among those that stopped the job. */
function worstIncident(module) {
  const rank = (o) => (o.outcome === "failed" ? 2 ** 60 : 0) + (o.missing ?? 0);
  return module.out_of_memory.reduce((worst, o) => (worst && rank(worst) >= rank(o) ? worst : o), null);
}
/** How much is missing; else the size in the log; else when it happened. */
function missingText(o) {
  if (o.missing !== undefined) return bytesText(o.missing) + " too much";
  if (o.wanted !== undefined) return bytesText(o.wanted) + " in one piece";
  if (o.needed !== undefined) return bytesText(o.needed) + " needed";
  return o.phase === "run" ? "when it ran" : "when it was " + (o.phase === "load" ? "loaded" : "compiled");
}
const sizeOrBlank = (bytes) => (bytes === undefined ? "" : bytesText(bytes));
const oomPlace = (v) => (v.file ? v.file + (v.line ? ":" + v.line : "") : "");

function oomTiles(module) {
  const worst = worstIncident(module);
  if (!worst) return [];
  const times = module.out_of_memory.filter((o) => o.outcome === worst.outcome).length,
    largest = module.out_of_memory.flatMap((o) => o.values).reduce((a, b) => (a && a.size >= b.size ? a : b), null);
  const show = (id) => () => at(id).scrollIntoView({ block: "center" });
  return [
    tile(
      "missing",
      worst.outcome === "failed" ? "Out of memory" : "Too little memory expected",
      missingText(worst),
      [
        worst.capacity ? bytesText(worst.capacity) + (worst.space ? " " + worst.space : "") + " are there" : null,
        times > 1 ? counted(times, "time") + " in this log" : null,
      ]
        .filter(Boolean)
        .join("; "),
      show("out-of-memory-" + module.out_of_memory.indexOf(worst)),
      worst.outcome === "failed" ? "error" : "warning",
    ),
    largest
      ? tile("largest-value", "Largest value", bytesText(largest.size), [
          oomPlace(largest) ? shortSource(oomPlace(largest)) + ", " : "",
          code(shortText(largest.op_name || largest.label || largest.shape || "", 60)),
        ])
      : null,
    largest && largest.padding
      ? tile(
          "largest-padding",
          "Padding of it",
          bytesText(largest.padding),
          percentText(largest.padding, largest.size) + " of the largest value",
          null,
          largest.padding >= 0.2 * largest.size ? "bad" : "",
        )
      : null,
  ].filter(Boolean);
}

/** One time that memory ran out. */
function incidentElement(o, i) {
  const bytes = o.values.map((v) => v.size);
  const values = o.values.map((v) => [
    bar(v.size, bytes[0], bytesText(v.size)),
    sizeOrBlank(v.padding),
    v.kind || "",
    [
      oomPlace(v) ? make("div", { class: "code", title: oomPlace(v) }, shortSource(oomPlace(v))) : null,
      make("div", { class: "code soft" }, v.op_name || v.label || ""),
    ],
    code(v.shape || ""),
  ]);
  const parts = o.parts.map((p) => [
    p.name,
    p.size === undefined ? "unknown" : bytesText(p.size),
    sizeOrBlank(p.unpadded),
    sizeOrBlank(p.in_pieces),
  ]);
  const id = "out-of-memory-" + i;
  return make(
    "article",
    { class: "incident " + (o.outcome === "failed" ? "error" : "note"), id },
    make("h3", {}, capital(o.message) + "."),
    o.allocating_for ? make("p", { class: "soft" }, "For ", code(o.allocating_for)) : null,
    o.expected === undefined
      ? null
      : make("p", { class: "soft" }, "The compiler expected to need " + bytesText(o.expected) + "."),
    o.advice ? make("p", {}, make("b", {}, "Advice: "), o.advice) : null,
    values.length
      ? folded(values, 12, (some) =>
          table(id + "-values", ["Size", "#Padding", "Kind", "Comes from", "Shape"], some),
        )
      : null,
    parts.length
      ? folded(parts, 12, (some) => table(id + "-parts", ["Memory holds", "#Size", "#Unpadded", "#In pieces"], some))
      : null,
  );
}
const outOfMemoryPart = (module) => module.out_of_memory.map(incidentElement);
)js";

}  // namespace hlolint::report
