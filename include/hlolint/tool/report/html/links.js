/* The script that leads from findings and addresses to the parts of pictures, and back. */
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
  const rows = module.program?.instruction ?? [];
  for (let i = rows.length; i-- > 0;) index.row.set(texts[rows[i]], i);
  module.sequence.forEach((name, p) => index.position.set(texts[name], p));
  return (module.index = index);
}

/** The values at the buffer place of a finding, narrowed by its start and instruction. */
function valuesOf(index, buffer, instruction, values) {
  let found = index.place.get(buffer.slice(0, 3).join()) || [];
  const narrow = (test) => {
    const less = found.filter(test);
    if (less.length) found = less;
  };
  if (buffer[3] !== null) narrow((v) => values.start[v] === buffer[3]);
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
  const all = [f, ...f.related]
    .filter((p) => p.buffer)
    .flatMap((p) => valuesOf(index, p.buffer, p.instruction, module.values));
  const allocation = f.buffer && index.allocation.get(f.buffer[0]),
    transfer = index.transfer.get(name),
    position = index.position.get(name);
  if (all.length) f.target = { values: [...new Set(all)] };
  else if (allocation !== undefined) f.target = { allocation };
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
    const { values = [], transfer } = targetOf(f) ?? {};
    for (const v of values) push(module.about.values, v, n);
    if (transfer !== undefined) push(module.about.transfers, transfer, n);
  });
  return module.about;
}

let open = null; // the module that is shown
/** Opens a module if it is not open, unpacked if necessary; then calls `use`. */
function withModule(number, use) {
  withData(data.modules[number], () => {
    if (open?.module !== data.modules[number]) openModule(number);
    use();
  });
}
function showFinding(number) {
  const f = data.findings[number];
  withModule(f.picture, () => {
    const target = targetOf(f);
    if (target === null) return writeAddress(f.picture);
    markFinding(number);
    const plot = open.choose(target);
    if (plot) centre(plot.element);
  });
}

/** `#module=jit_step&value=fusion.3{0}`: the module by name, or by its number if several have that name. */
function moduleKey(number) {
  const { name } = data.modules[number];
  return name && namesakes.get(name).length === 1 ? name : String(number);
}
function moduleOfKey(key) {
  const named = data.modules.findIndex((m) => m.name === key);
  return named >= 0 ? named : data.modules[key] ? Number(key) : -1;
}
let restoring = false;
/** Puts what is shown into the address; `other` is a pair such as value and its name. */
function writeAddress(number, ...other) {
  if (restoring) return;
  const words = new URLSearchParams(data.modules.length > 1 || other.length ? { module: moduleKey(number) } : {});
  if (other.length) words.set(...other);
  try {
    history.replaceState(null, "", words.size ? "#" + words : location.pathname + location.search);
  } catch {
    // A page in a frame may not be allowed to.
  }
}
/** Shows what an address names. */
function goTo({ module, value, position, transfer, instruction }) {
  withModule(module, () => {
    const index = indexOf(open.module);
    if (value !== undefined) {
      const named = index.value.get(value.replace(/\{[\d,]*\}$/, "")) || [];
      const v = named.find((v) => valueName(open.module, v) === value);
      if (v !== undefined) open.chooseValue(v, true);
    } else if (position !== undefined) open.choosePosition(Number(position));
    else if (index.transfer.has(transfer)) open.chooseTransfer(index.transfer.get(transfer));
    else if (instruction !== undefined) open.chooseInstruction(instruction);
    else writeAddress(module);
  });
}
/** Whether the address names something that is there. */
function readAddress() {
  if (!location.hash.includes("=")) return false;
  const words = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const shown = open ? data.modules.indexOf(open.module) : 0;
  const module = words.module === undefined ? shown : moduleOfKey(words.module);
  if (!data.modules[module]) return false;
  restoring = true;
  goTo({ ...words, module });
  restoring = false;
  at("module").scrollIntoView();
  return true;
}
