/* Functions that the scripts of the page share: data, texts of numbers, elements, colors. Texts of the data only
   ever become text nodes. */
const data = JSON.parse(document.getElementById("data").textContent);
let texts = data.texts; // of the module that is shown, if its data were packed
/** The list of texts that a module's numbers refer to. */
const textsOf = (module) => module.texts || data.texts;
/** Unpacks the data of a module if necessary, then calls `use`. */
function withData(module, use) {
  if (!module || module.packed === undefined) return use();
  const bytes = Uint8Array.from(atob(data.packed[module.packed]), (c) => c.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  text.then((json) => {
    Object.assign(module, JSON.parse(json));
    delete module.packed;
    use();
  });
}
const at = (id) => document.getElementById(id);

/** Replaces the children of an element by texts and elements, also in lists; what is empty is left out. */
function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return element;
}
/** `make("p.soft", {id}, ...)`: an element with classes, attributes (functions become listeners) and children. */
function make(name, ...children) {
  const [tag, ...classes] = name.split(".").filter(Boolean);
  const element = document.createElement(tag);
  if (classes.length) element.classList.add(...classes);
  const attributes = children[0]?.constructor === Object ? children.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  return fill(element, children);
}
const code = (text) => text && make("span.code", text);
const button = (click, ...content) => make("button", { type: "button", click }, content);
const searchField = (id, placeholder, input) => make("input", { type: "search", id, placeholder, input });
/** A box to tick; `change` gets whether it is ticked. */
const tickBox = (text, attributes, change) =>
  make("label", make("input", { type: "checkbox", ...attributes, change: (e) => change(e.target.checked) }), text);
/** A choice between names; `show` gets the number of the chosen one. */
const choiceOf = (attributes, names, show) =>
  make(
    "select",
    { ...attributes, change: (e) => show(Number(e.target.value)) },
    names.map((name, i) => make("option", { value: i }, name)),
  );
/** A list with one entry for each item. */
const listOf = (name, items) =>
  make(
    name,
    items.map((item) => make("li", item)),
  );
/** The end of a list that leaves out `n` entries. */
const others = (n) => n > 0 && make("p.soft", "and " + counted(n, "other"));
const centre = (element) => element.scrollIntoView({ block: "center" });

/** As the text reports write sizes: 3758096384 -> 3.50GiB, 1536 -> 1.5KiB. */
function bytesText(bytes) {
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  if (bytes < 0) return "-" + bytesText(-bytes);
  if (bytes < 1024) return Math.round(bytes) + "B";
  let n = Math.floor(bytes),
    unit = 0;
  for (; n >= 1024 * 1024; ++unit) n = Math.floor(n / 1024);
  const digits = unit === 0 ? 10 : 100;
  let scaled = Math.floor((n * digits) / 1024);
  const rest = (n * digits) % 1024;
  if (rest > 512 || (rest === 512 && scaled % 2 === 1)) ++scaled;
  return (scaled / digits).toFixed(unit === 0 ? 1 : 2) + units[unit];
}
/** A whole number: 1,234. */
const whole = (n) => n.toLocaleString("en");
/** A number with three digits: 237, 8.93, 0.0719. */
const rounded = (n) => (n === 0 ? "0" : n >= 1000 ? whole(Math.round(n)) : String(Number(n.toPrecision(3))));
/** As the text reports write durations: 12.0 us below a millisecond, else 8.90 ms. */
function timeText(us) {
  if (us < 5e-4) return "0 us";
  const [n, unit] = us < 1000 ? [us, " us"] : [us / 1000, " ms"];
  const digits = n.toPrecision(3);
  return (Number(digits) < 100 ? digits : Number(digits)) + unit;
}
const msText = (ms) => timeText(1000 * ms);
/** The time of a step; `at_least` of a lower bound. */
const stepText = ({ step_ms, at_least }) => (at_least ? "≥ " : "") + msText(step_ms);
/** A share in percent with one digit: 12.5 %. */
const percentText = (part, whole) =>
  !(whole > 0) ? "" : part > 0 && part < 0.001 * whole ? "< 0.1 %" : Number(((100 * part) / whole).toFixed(1)) + " %";
const exactBytes = (bytes) => bytesText(bytes) + (bytes < 1024 ? "" : ` (${whole(bytes)} bytes)`);
const counted = (n, one) => `${whole(n)} ${one}${n === 1 ? "" : "s"}`;
const joined = (parts, between = ", ") => parts.filter(Boolean).join(between);
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

const clamped = (n, low, high) => Math.max(low, Math.min(high, n));
const sumOf = (numbers) => numbers.reduce((sum, n) => sum + n, 0);
const greatest = (numbers) => numbers.reduce((most, n) => Math.max(most, n), 0);
/** Adds an item to the list of a key. */
const push = (map, key, item) => (map.has(key) ? map.get(key).push(item) : map.set(key, [item]));
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
/** What a search for words looks at. */
const searchable = (parts) => parts.join("\n").toLowerCase();
/** Announces an event to readers who cannot see it. */
const announce = (text) => {
  at("announced").textContent = text;
};

/** The first index in [0, count) for which `ok` is true; it must be true for all later ones. */
function firstIndex(count, ok) {
  let low = 0,
    high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ok(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Colours that differ for all, also for people who see no red and green; red is for what is wrong. The last one is
// for all that has no colour of its own.
const hues = "79a5d6 f2a64c 7ac4ba be97c6 8abe70 e6cb68 bc9a82 9696e2 e298b0 b8cea0 a4acb6"
  .split(" ")
  .map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));
const css = (name) =>
  getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
const rgb = (c) => "rgb(" + c.join(",") + ")";
const shaded = (c, factor) => c.map((n) => clamped(Math.round(n * factor), 0, 255));

/** The part of an instruction's name before its number, mostly the opcode. */
const stemOf = (name) => name.replace(/(\.?\d+|\.clone|\.remat|\.sunk)+$/, "") || name;

/** Gives each of the heaviest names a colour; all others share the last. `weight(i)`: of names[i]. */
function colourClasses(names, weight) {
  const known = new Map();
  names.forEach((name, i) => {
    const one = known.get(name) || { name, count: 0, weight: 0 };
    ++one.count;
    one.weight = Math.max(one.weight, weight ? weight(i) : one.count);
    known.set(name, one);
  });
  const order = [...known.values()].sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  const last = hues.length - 1,
    rest = order.slice(last);
  const classes = new Map(order.map(({ name }, i) => [name, Math.min(i, last)]));
  const legend = order.slice(0, last).map((one, i) => ({ ...one, colour: hues[i] }));
  if (rest.length)
    legend.push({
      name: counted(rest.length, "smaller one"),
      count: sumOf(rest.map((o) => o.count)),
      colour: hues[last],
    });
  return { of: (name) => classes.get(name), legend };
}

/** A coloured box with its meaning. */
const legendBox = (background, text, title) =>
  make("span", { title }, make("i", { style: "background:" + background }), text);
const legendOf = (classes) => classes.legend.map((l) => legendBox(rgb(l.colour), l.name + " (" + l.count + ")"));

const tip = at("tip");
function showTip(event, lines) {
  tip.textContent = joined(lines, "\n");
  tip.classList.remove("hidden");
  const box = tip.getBoundingClientRect();
  const place = (pointer, size, room) => Math.max(4, pointer + 16 + size > room ? pointer - size - 12 : pointer + 16);
  tip.style.left = place(event.clientX, box.width, innerWidth) + "px";
  tip.style.top = place(event.clientY, box.height, innerHeight) + "px";
}
const hideTip = () => tip.classList.add("hidden");

/** The end of a long name, since that is where names differ. */
const endOf = (text, most) => (text.length > most ? "…" + text.slice(-most) : text);
const shortText = (text, most) => (text.length > most ? text.slice(0, most) + "…" : text);
/** `dir/train.py:12`: the last two parts of a path. */
const shortSource = (text) => text.split("/").slice(-2).join("/");
const placeOf = (path, line) => (path || "") + (path && line > 0 ? ":" + line : "");
/** `/home/user/train.py:12`, or an empty text. */
const sourceText = (columns, i) => placeOf(texts[columns.file[i]], columns.line[i]);
const valueName = ({ values }, v) => texts[values.instruction[v]] + texts[values.index[v]];
