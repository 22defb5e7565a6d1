/* The script about memory that ran out according to a job's log: what did not fit, by how much, and the largest
   values. */
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

function oomTiles(module) {
  const worst = worstIncident(module);
  if (!worst) return [];
  const failed = worst.outcome === "failed",
    id = "out-of-memory-" + module.out_of_memory.indexOf(worst);
  const times = module.out_of_memory.filter((o) => o.outcome === worst.outcome).length,
    all = module.out_of_memory.flatMap((o) => o.values),
    largest = all.reduce((a, b) => (a && a.size >= b.size ? a : b), null);
  const source = largest && shortSource(placeOf(largest.file, largest.line));
  return [
    tile(
      "missing",
      failed ? "Out of memory" : "Too little memory expected",
      missingText(worst),
      joined(
        [
          worst.capacity && joined([bytesText(worst.capacity), worst.space, "are there"], " "),
          times > 1 && counted(times, "time") + " in this log",
        ],
        "; ",
      ),
      () => centre(at(id)),
      failed ? "error" : "warning",
    ),
    largest &&
      tile("largest-value", "Largest value", bytesText(largest.size), [
        source && source + ", ",
        code(shortText(largest.op_name || largest.label || largest.shape || "", 60)),
      ]),
    largest?.padding && paddingTile("largest-padding", "Padding of it", largest.padding, largest.size, "largest value"),
  ];
}

/** One time that memory ran out. */
function incidentElement(o, i) {
  const id = "out-of-memory-" + i,
    sourceOf = (v) => placeOf(v.file, v.line);
  const values = o.values.map((v) => [
    bar(v.size, o.values[0].size, bytesText(v.size)),
    sizeOrBlank(v.padding),
    v.kind,
    [
      v.file && make("div.code", { title: sourceOf(v) }, shortSource(sourceOf(v))),
      make("div.code.soft", v.op_name || v.label),
    ],
    code(v.shape),
  ]);
  const parts = o.parts.map((p) => [
    p.name,
    p.size === undefined ? "unknown" : bytesText(p.size),
    sizeOrBlank(p.unpadded),
    sizeOrBlank(p.in_pieces),
  ]);
  return make(
    "article.incident." + (o.outcome === "failed" ? "error" : "note"),
    { id },
    make("h3", capital(o.message) + "."),
    o.allocating_for && make("p.soft", "For ", code(o.allocating_for)),
    o.expected !== undefined && make("p.soft", `The compiler expected to need ${bytesText(o.expected)}.`),
    o.advice && make("p", make("b", "Advice: "), o.advice),
    values.length > 0 && folded(id + "-values", ["Size", "#Padding", "Kind", "Comes from", "Shape"], values),
    parts.length > 0 && folded(id + "-parts", ["Memory holds", "#Size", "#Unpadded", "#In pieces"], parts),
  );
}
const outOfMemoryPart = (module) => module.out_of_memory.map(incidentElement);
