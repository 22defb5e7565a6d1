// The script for addresses of what is shown, for the theme and for keys that hold on the whole page.
#pragma once

#include <string_view>

namespace hlolint::report {

/// JavaScript; after html_modules.
inline constexpr std::string_view html_address = R"js(
/** `#module=jit_step&value=fusion.3{0}`: the module by name, or by its number if several have that name. */
function moduleKey(number) {
  const { name } = data.modules[number];
  return name && data.modules.filter((m) => m.name === name).length === 1 ? name : String(number);
}
function moduleOfKey(key) {
  const named = data.modules.findIndex((m) => m.name === key);
  return named >= 0 ? named : Number.isInteger(Number(key)) && data.modules[Number(key)] ? Number(key) : -1;
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
function goTo(place) {
  const { module, value, position, transfer, instruction } = place;
  if (data.modules[module].packed !== undefined) return withData(data.modules[module], () => goTo(place));
  if (!open || open.module !== data.modules[module]) openModule(module);
  const index = indexOf(open.module),
    { values } = open.module;
  if (value !== undefined) {
    const v = (index.value.get(value.replace(/\{[\d,]*\}$/, "")) || []).find(
      (v) => texts[values.instruction[v]] + texts[values.index[v]] === value,
    );
    if (v !== undefined) open.chooseValue(v, true);
  } else if (position !== undefined) open.choosePosition(Number(position));
  else if (transfer !== undefined && index.transfer.has(transfer)) open.chooseTransfer(index.transfer.get(transfer));
  else if (instruction !== undefined) open.chooseInstruction(instruction, [], true);
  else writeAddress(module);
}
/** Whether the address names something that is there. */
function readAddress() {
  if (!location.hash.includes("=")) return false;
  const words = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const module =
    words.module === undefined ? (open ? data.modules.indexOf(open.module) : 0) : moduleOfKey(words.module);
  if (module < 0 || !data.modules[module]) return false;
  restoring = true;
  goTo({ ...words, module });
  restoring = false;
  at("module").scrollIntoView();
  return true;
}

const themes = ["auto", "light", "dark"];
/** The theme of the system, or the one that was chosen, which the browser keeps. */
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  at("theme").textContent = { auto: "◐ auto", light: "☀ light", dark: "☾ dark" }[theme];
  at("theme").setAttribute("aria-label", "Theme: " + theme);
  redraw();
}
function startTheme() {
  const keep = (f) => {
    try {
      return f();
    } catch {
      return null; // storage may be switched off
    }
  };
  let theme = keep(() => localStorage.getItem("hlolint-theme")) || "auto";
  if (!themes.includes(theme)) theme = "auto";
  setTheme(theme);
  at("theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(theme);
    keep(() => localStorage.setItem("hlolint-theme", theme));
  });
}

function startKeys() {
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, select, textarea")) return;
    const search = document.getElementById("value");
    if (e.key === "/" && search) search.focus();
    else if (e.key === "]" && moduleTable) goTo({ module: moduleTable.neighbour(1) });
    else if (e.key === "[" && moduleTable) goTo({ module: moduleTable.neighbour(-1) });
    else if (e.key === "f") at("filter-text").focus();
    else if (e.key === "Escape" && open) open.chooseNothing();
    else return;
    e.preventDefault();
  });
}
)js";

}  // namespace hlolint::report
