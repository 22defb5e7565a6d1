// The script that finds the subjects of findings in the pictures, and the findings about a subject.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_findings and the plots.
inline constexpr std::string_view html_links = R"js(
/** Maps from names and places of a module to its parts; made on first use. */
function indexOf(module) {
  if (module.index) return module.index;
  const { values, allocations, transfers } = module,
    texts = textsOf(module);
  const index = {
    place: new Map(),
    value: new Map(),
    transfer: new Map(),
    position: new Map(),
    timed: new Set(), // instructions that the timeline has
    allocation: new Map(),
    row: new Map(), // of the program
    of: new Int32Array(values.size.length),
  };
  allocations.number.forEach((number, a) => {
    index.allocation.set(number, a);
    for (let v = allocations.first[a]; v < allocations.first[a] + allocations.count[a]; ++v) {
      index.of[v] = a;
      push(index.place, [number, values.offset[v], values.size[v]].join(), v);
      push(index.value, texts[values.instruction[v]], v);
    }
  });
  if (module.timeline) for (const name of module.timeline.blocks.instruction) index.timed.add(texts[name]);
  for (let t = transfers.start.length; t-- > 0;)
    for (const name of [transfers.instruction[t], transfers.done[t]]) index.transfer.set(texts[name], t);
  index.transfer.delete("");
  if (module.program)
    module.program.instruction.forEach((name, i) => {
      if (!index.row.has(texts[name])) index.row.set(texts[name], i);
    });
  module.sequence.forEach((name, p) => index.position.set(texts[name], p));
  return (module.index = index);
}

/** The values at the buffer place of a finding, narrowed by its start and instruction. */
function valuesOf(index, buffer, instruction, values) {
  let found = (buffer && index.place.get(buffer.slice(0, 3).join())) || [];
  const narrow = (test) => {
    const less = found.filter(test);
    if (less.length) found = less;
  };
  if (buffer && buffer[3] !== null) narrow((v) => values.start[v] === buffer[3]);
  if (instruction) narrow((v) => index.value.get(instruction)?.includes(v));
  return found;
}
/** The part of a picture that shows a finding, or null. */
function targetOf(f) {
  const module = data.modules[f.picture];
  if (!module) return null;
  if (f.target !== undefined) return f.target;
  const index = indexOf(module),
    name = f.instruction;
  const all = [{ buffer: f.buffer, instruction: name }, ...f.related]
    .filter((p) => p.buffer)
    .flatMap((p) => valuesOf(index, p.buffer, p.instruction, module.values));
  const transfer = index.transfer.get(name),
    position = index.position.get(name);
  if (all.length) f.target = { values: [...new Set(all)] };
  else if (f.buffer && index.allocation.has(f.buffer[0]))
    f.target = { allocation: index.allocation.get(f.buffer[0]) };
  else if (transfer !== undefined) f.target = { transfer };
  else if (index.value.has(name)) f.target = { values: [index.value.get(name)[0]] };
  else if (index.timed.has(name)) f.target = { instruction: name };
  else f.target = position !== undefined && module.values.size.length ? { position } : null;
  return f.target;
}
/** Whether a finding can be shown; assumed for modules that are not unpacked yet. */
const canShow = (f) => data.modules[f.picture]?.packed !== undefined || targetOf(f) !== null;

/** Lists the findings about each value and transfer of the module. */
function findingsAbout(module) {
  if (module.about) return module.about;
  module.about = { values: new Map(), transfers: new Map(), instructions: new Map() };
  data.findings.forEach((f, n) => {
    if (data.modules[f.picture] !== module || module.packed !== undefined) return;
    if (f.instruction) push(module.about.instructions, f.instruction, n);
    if (!targetOf(f)) return;
    for (const v of f.target.values || []) push(module.about.values, v, n);
    if (f.target.transfer !== undefined) push(module.about.transfers, f.target.transfer, n);
  });
  return module.about;
}

let open = null; // the module that is shown
function showFinding(number) {
  const f = data.findings[number];
  if (data.modules[f.picture].packed !== undefined)
    return withData(data.modules[f.picture], () => showFinding(number));
  const target = targetOf(f);
  if (target === null) return goTo({ module: f.picture });
  if (!open || open.module !== data.modules[f.picture]) openModule(f.picture);
  markFinding(number);
  const { timeline, transfers, heap, memory } = open;
  const element =
    target.transfer !== undefined
      ? timeline || transfers
      : target.instruction !== undefined
        ? timeline
        : target.values || target.allocation !== undefined
          ? heap
          : memory;
  if (target.values) open.chooseValue(target.values[0], true, target.values);
  else if (target.transfer !== undefined) open.chooseTransfer(target.transfer);
  else if (target.instruction !== undefined) open.chooseInstruction(target.instruction, [], true);
  else if (target.allocation !== undefined) open.chooseAllocation(target.allocation);
  else open.choosePosition(target.position);
  if (element) element.element.scrollIntoView({ block: "center" });
}
)js";

}  // namespace hlolint::report
