// Functions that the scripts of the page share: data, texts of numbers, elements, colours.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript. Texts of the data only ever become text nodes.
inline constexpr std::string_view html_script = R"js(
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

/** An element with attributes (functions become listeners) and children (texts or elements; null is left out). */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

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
/** A number with three digits: 237, 8.93, 0.0719. */
const rounded = (n) =>
  n === 0 ? "0" : n >= 1000 ? Math.round(n).toLocaleString("en") : String(Number(n.toPrecision(3)));
const timeText = (us) => (us >= 1000 ? rounded(us / 1000) + " ms" : rounded(us) + " us");
/** A share in percent with one digit: 12.5 %. */
const percentText = (part, whole) =>
  !(whole > 0) ? "" : part > 0 && part < 0.001 * whole ? "< 0.1 %" : Number(((100 * part) / whole).toFixed(1)) + " %";
const exactBytes = (bytes) => bytesText(bytes) + (bytes < 1024 ? "" : " (" + bytes.toLocaleString("en") + " bytes)");
const counted = (n, one, many) => n.toLocaleString("en") + " " + (n === 1 ? one : many || one + "s");

/** Adds an item to the list of a key. */
const push = (map, key, item) => (map.has(key) ? map.get(key).push(item) : map.set(key, [item]));
/** A list with one entry for each item. */
const listOf = (attributes, items) =>
  make(
    "ol",
    attributes,
    items.map((item) => make("li", {}, item)),
  );
/** The end of a list that leaves out `n` entries. */
const others = (n) => (n > 0 ? make("p", { class: "soft" }, "and " + counted(n, "other")) : "");
/** A choice between names; `show` gets the number of the chosen one. */
const choiceOf = (id, names, show) =>
  make(
    "select",
    { id, change: (e) => show(Number(e.target.value)) },
    names.map((name, i) => make("option", { value: i }, name)),
  );
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
const hues = [
  [121, 165, 214],
  [242, 166, 76],
  [122, 196, 186],
  [190, 151, 198],
  [138, 190, 112],
  [230, 203, 104],
  [188, 154, 130],
  [150, 150, 226],
  [226, 152, 176],
  [184, 206, 160],
  [164, 172, 182],
];
const css = (name) =>
  getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
const rgb = (c) => "rgb(" + c.join(",") + ")";
const shaded = (c, factor) => c.map((n) => Math.max(0, Math.min(255, Math.round(n * factor))));

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
    coloured = order.slice(0, last),
    rest = order.slice(last);
  const classes = new Map(order.map(({ name }, i) => [name, Math.min(i, last)]));
  const legend = coloured.map((one, i) => ({ ...one, colour: hues[i] }));
  if (rest.length)
    legend.push({
      name: counted(rest.length, "smaller one"),
      count: rest.reduce((n, o) => n + o.count, 0),
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
  tip.textContent = lines.filter(Boolean).join("\n");
  tip.classList.remove("hidden");
  const box = tip.getBoundingClientRect();
  const x = event.clientX + 16 + box.width > innerWidth ? event.clientX - box.width - 12 : event.clientX + 16;
  const y = event.clientY + 16 + box.height > innerHeight ? event.clientY - box.height - 12 : event.clientY + 16;
  tip.style.left = Math.max(4, x) + "px";
  tip.style.top = Math.max(4, y) + "px";
}
const hideTip = () => tip.classList.add("hidden");

/** The end of a long name, since that is where names differ. */
const endOf = (text, most) => (text.length > most ? "…" + text.slice(-most) : text);
/** `dir/train.py:12`: the last two parts of a path. */
const shortSource = (text) => text.split("/").slice(-2).join("/");
/** `/home/user/train.py:12`, or an empty text. */
const sourceText = (columns, i) =>
  !texts[columns.file[i]] ? "" : texts[columns.file[i]] + (columns.line[i] > 0 ? ":" + columns.line[i] : "");
)js";

}  // namespace hlolint::report
