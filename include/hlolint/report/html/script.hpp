// What the scripts of the page share: the data, words for numbers, elements, colours.
#pragma once

#include <string_view>

namespace hlolint {

/// JavaScript. Texts of the data only ever become text nodes.
inline constexpr std::string_view html_script = R"js(
const data = JSON.parse(document.getElementById("data").textContent);
const texts = data.texts;
const at = (id) => document.getElementById(id);

/** An element with attributes (functions become listeners) and children (texts or elements; null is left out). */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** 3758096384 -> 3.50 GiB */
function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let unit = 0,
    n = bytes;
  while (Math.abs(n) >= 1024 && unit + 1 < units.length) ((n /= 1024), ++unit);
  return (unit === 0 ? String(n) : n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0)) + " " + units[unit];
}
const exactBytes = (bytes) => bytesText(bytes) + (bytes < 1024 ? "" : " (" + bytes.toLocaleString("en") + " bytes)");
const counted = (n, one, many) => n.toLocaleString("en") + " " + (n === 1 ? one : many || one + "s");

/** Tells what happened to those who cannot see it. */
const say = (text) => {
  at("said").textContent = text;
};

/** The first index in [0, count) for which `ok` holds; it must then hold for all behind it. */
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

// Colours that can be told apart, also by people who see no red and green; red is for what is wrong.
const hues = [
  [121, 165, 214],
  [242, 166, 76],
  [122, 196, 186],
  [138, 190, 112],
  [230, 203, 104],
  [190, 151, 198],
  [188, 154, 130],
  [164, 172, 182],
];
const css = (name) =>
  getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
const rgb = (c) => "rgb(" + c.join(",") + ")";
const shaded = (c, factor) => c.map((n) => Math.max(0, Math.min(255, Math.round(n * factor))));

/** The part of an instruction's name before its number, which mostly is the opcode. */
const stemOf = (name) => name.replace(/[.\d]+$/, "") || name;

/** Gives the most frequent names a colour each; all others share the last. */
function colourClasses(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) || 0) + 1);
  const order = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const most = order.length <= hues.length ? hues.length : hues.length - 1;
  const classes = new Map(order.map(([name], i) => [name, Math.min(i, most, hues.length - 1)]));
  const legend = order.slice(0, most).map(([name, count], i) => ({ name, count, colour: hues[i] }));
  if (order.length > most)
    legend.push({ name: "others", count: order.slice(most).reduce((n, o) => n + o[1], 0), colour: hues[hues.length - 1] });
  return { of: (name) => classes.get(name), legend };
}

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

/** `train.py:12`, or nothing. */
const sourceText = (columns, i) =>
  !texts[columns.file[i]] ? "" : texts[columns.file[i]] + (columns.line[i] > 0 ? ":" + columns.line[i] : "");
)js";

}  // namespace hlolint
