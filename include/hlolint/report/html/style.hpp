// The style of the page of html.hpp: light, dark and on paper.
#pragma once

#include <string_view>

namespace hlolint::report {

/// CSS. The canvases read their colours from the same variables.
inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark;
  --back: #ffffff; --panel: #f5f6f8; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --grid: #e4e8ec;
    --link: #0757b8;
  --error: #b3261e; --warning: #8a5300; --note: #3a5a80; --overlap: #d3122e; --area: #7fa8d8; --area-edge: #1f5fa8;
  --peak: #b3261e; --mark: #000000; --empty: #eef1f4; --work: #8fb4e0; --transfer: #a9d3a9; --wait: #f08a80;
    --share: #d8e6f7; }
@media (prefers-color-scheme: dark) { :root:not(.paper):not([data-theme="light"]) {
  --back: #14171b; --panel: #1d2228; --text: #e6e9ed; --soft: #a3acb7; --line: #3b434d; --grid: #2a3038;
    --link: #79b8ff;
  --error: #ff8a80; --warning: #f0b354; --note: #9dc1ee; --overlap: #ff4d63; --area: #2f5f96; --area-edge: #8fc1ff;
  --peak: #ff8a80; --mark: #ffffff; --empty: #20262d; --work: #6f9fd8; --transfer: #8fc08f; --wait: #ff7a70;
    --share: #2c4666; } }
:root[data-theme="dark"]:not(.paper) { color-scheme: dark;
  --back: #14171b; --panel: #1d2228; --text: #e6e9ed; --soft: #a3acb7; --line: #3b434d; --grid: #2a3038;
    --link: #79b8ff;
  --error: #ff8a80; --warning: #f0b354; --note: #9dc1ee; --overlap: #ff4d63; --area: #2f5f96; --area-edge: #8fc1ff;
  --peak: #ff8a80; --mark: #ffffff; --empty: #20262d; --work: #6f9fd8; --transfer: #8fc08f; --wait: #ff7a70;
    --share: #2c4666; }
:root[data-theme="light"] { color-scheme: light; }
.paper { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1700px; padding: .6rem 1.5rem 3rem; background: var(--back); color: var(--text);
  font: 15px/1.45 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.3rem; margin: 0 .8rem 0 0; } h2 { font-size: 1.15rem; margin: .9rem 0 .3rem; }
h3 { font-size: 1rem; margin: .9rem 0 .2rem; }
a { color: var(--link); }
code, .code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em;
  overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem .8rem;
  border-bottom: 1px solid var(--line); padding-bottom: .35rem; }
header nav { margin-left: auto; display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; }
#theme { padding: 0 .5rem; font-size: .85rem; }
.soft { color: var(--soft); } .hidden { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.level { display: inline-block; min-width: 4.6em; padding: 0 .5em; border: 1px solid currentColor; border-radius: 1em;
  text-align: center; font-size: .85rem; font-weight: 600; }
.error { color: var(--error); } .warning { color: var(--warning); } .note { color: var(--note); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; vertical-align: middle;
  border-bottom: 1px solid var(--grid); }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
.controls { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; margin: .3rem 0; }
.controls > [role="group"]:last-child { margin-left: auto; } .controls h3 { margin: 0; }
#filter-levels { display: inline-flex; flex-wrap: wrap; gap: .4rem .8rem; }
.controls label { display: inline-flex; gap: .35rem; align-items: center; max-width: 100%; }
.controls label > * { min-width: 0; }
input, select, button { font: inherit; line-height: 1.3; color: inherit; background: var(--back);
  border: 1px solid var(--line); border-radius: 5px; padding: .2rem .5rem; max-width: 100%; }
input[type=search] { width: 13rem; } button { cursor: pointer; background: var(--panel); }
button:hover { border-color: var(--soft); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.6rem, 1fr)); gap: .6rem;
  margin: .4rem 0 .3rem; }
.tile { display: flex; flex-direction: column; align-items: flex-start; text-align: left; gap: .05rem;
  background: var(--panel); border: 1px solid var(--line); border-top: 3px solid var(--area); border-radius: 6px;
  padding: .35rem .7rem .45rem; min-width: 0; }
.tile:only-child { max-width: 18rem; } .tile .title { color: var(--soft); font-size: .85rem; }
.tile strong { font-size: 1.35rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tile .small { color: var(--soft); font-size: .82rem; line-height: 1.3; overflow-wrap: anywhere; width: 100%; }
.tile.bad, .tile.warning { border-top-color: var(--warning); } .tile.error { border-top-color: var(--error); }
.tile.bad strong, .tile.warning strong { color: var(--warning); } .tile.error strong { color: var(--error); }
.gauge { display: block; height: .4rem; border-radius: 1rem; background: var(--grid); margin: .15rem 0 .2rem;
  overflow: hidden; }
.gauge > i { display: block; height: 100%; background: var(--area-edge); }
.gauge.over > i { background: var(--error); }
.terms { font-size: .88rem; margin: .1rem 0 .4rem; }
.note-box { border-left: 4px solid var(--warning); background: var(--panel); padding: .3rem .7rem; margin: .4rem 0; }
.incident { border-left: 5px solid; padding: .1rem 0 .3rem .9rem; margin: .6rem 0 1.2rem; }
.incident > * { color: var(--text); } .incident > .soft { color: var(--soft); } .incident p { margin: .3rem 0; }
.incident .bar { min-width: 7rem; } .incident table { margin: .5rem 0; } .incident td > .soft { font-size: .85em; }
.turn { float: right; font-size: .9rem; font-weight: 400; } .turn button { margin-left: .4rem; padding: 0 .6rem; }
.modules { max-height: 17rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
.modules th { position: sticky; top: 0; background: var(--back); z-index: 1; padding: 0; }
.modules td { padding: .1rem .6rem; white-space: nowrap; }
.modules td:first-child { white-space: normal; width: 40%; }
.modules button { border: 0; background: none; padding: .2rem .6rem; text-align: inherit; font-weight: inherit; }
.modules td button { padding: 0; color: var(--link); } .modules tr { cursor: pointer; }
.modules tbody tr:hover, .modules tr.open { background: var(--panel); }
.modules tr.open td:first-child { box-shadow: inset 4px 0 var(--link); }
th[aria-sort] button::after { content: " ▲"; } th[aria-sort="descending"] button::after { content: " ▼"; }
.group { margin: .9rem 0; }
.group h3 { display: flex; flex-wrap: wrap; gap: .1rem .5rem; align-items: baseline; margin: 0 0 .3rem; }
.group ol { list-style: none; margin: 0; padding: 0; }
.finding { border: 1px solid var(--line); border-left: 5px solid; border-radius: 5px; margin: .3rem 0;
  padding: .3rem .8rem; scroll-margin-top: 3rem; }
.finding.error { border-left-color: var(--error); } .finding.warning { border-left-color: var(--warning); }
.finding.note { border-left-color: var(--note); }
.finding > * { color: var(--text); } .finding .head { display: flex; gap: .2rem .8rem; align-items: baseline; }
.finding .size { font-weight: 600; min-width: 5.6rem; text-align: right; font-variant-numeric: tabular-nums; }
.finding .size:empty { display: none; }
.finding.dismissed { opacity: .65; } .finding.chosen { background: var(--panel); outline: 2px solid var(--link); }
.finding p { margin: .15rem 0; overflow-wrap: anywhere; } #list .soft { color: var(--soft); font-size: .92rem; }
.finding .head button { margin-left: auto; padding: 0 .6rem; }
summary h2 { display: inline-block; margin: .8rem 0; }
.rule { border-top: 1px solid var(--grid); } .rule:target { background: var(--panel); }
.rule dt { color: var(--soft); font-weight: 600; } .rule dd { margin: 0 0 .4rem 1rem; }
pre { background: var(--panel); padding: .5rem; overflow-x: auto; margin: .2rem 0; font-size: .85rem; }
#inputs td:first-child, #inputs td:nth-child(3) { min-width: 10em; } #exposed .code { white-space: nowrap; }
#exposed button { padding: 0 .4rem; text-align: left; } #origins td:first-child { min-width: 7rem; }
#origins td:nth-child(3) { width: 55%; } #origins .code { white-space: nowrap; }
#inputs td:nth-child(3) .code { overflow-wrap: break-word; }
#allocation { width: 14rem; } #value { width: 9rem; } .pictures p { margin: .3rem 0; }
.pictures { display: grid; grid-template-columns: minmax(0, 1fr) clamp(15rem, 26%, 24rem); gap: 1.2rem; }
.pictures > aside { position: sticky; top: .8rem; align-self: start; max-height: calc(100vh - 1.6rem); overflow: auto;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; }
aside h3 { margin: .8rem 0 .3rem; overflow-wrap: anywhere; } aside h3:first-child { margin-top: 0; }
aside dl { margin: 0; } aside dt { color: var(--soft); font-size: .85rem; margin-top: .35rem; }
aside dd { margin: 0; overflow-wrap: anywhere; }
aside ol, .found { list-style: none; margin: .2rem 0; padding: 0; }
.found button, aside li button { width: 100%; text-align: left; margin: .1rem 0; overflow-wrap: anywhere; }
@media (max-width: 780px) { .pictures { grid-template-columns: minmax(0, 1fr); }
.pictures > aside { position: static; max-height: none; } }
.values button { position: relative; display: block; overflow: hidden; background: var(--back); }
.values button > i { position: absolute; left: 0; top: 0; bottom: 0; background: var(--share); }
.values button > :not(i) { position: relative; }
.values b { display: inline-block; min-width: 5.6rem; margin-right: .3rem; font-variant-numeric: tabular-nums; }
.values small { display: block; color: var(--soft); overflow-wrap: anywhere; }
.plot { position: relative; border: 1px solid var(--line); border-radius: 4px; background: var(--back); }
.plot canvas { display: block; width: 100%; touch-action: pan-y; cursor: crosshair; }
.plot canvas.dragged { cursor: grabbing; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .85rem; color: var(--soft); margin: .25rem 0; }
.legend i { display: inline-block; width: .95em; height: .95em; margin-right: .35em; vertical-align: -.12em;
  border: 1px solid var(--line); }
.where { margin: .3rem 0; } .body { overflow-x: auto; font-size: .8rem; margin: .2rem 0; }
.around small { display: block; color: var(--soft); overflow-wrap: anywhere; }
td small { display: block; overflow-wrap: anywhere; } #work td:first-child { min-width: 7rem; }
#tip { position: fixed; z-index: 9; pointer-events: none; max-width: 34rem; background: var(--back);
  color: var(--text); border: 1px solid var(--soft); border-radius: 5px; padding: .35rem .6rem; font-size: .88rem;
  box-shadow: 0 3px 12px #0005; overflow-wrap: anywhere; white-space: pre-line; }
.bar { position: relative; } .bar > span { position: relative; }
.bar > i { position: absolute; left: 0; top: 0; bottom: 0; background: var(--area); opacity: .45; border-radius: 3px;
  }
@media print {
  html { font-size: 11px; } body { max-width: none; padding: 0; font-size: 1rem; } h2, h3 { break-after: avoid; }
  .plot canvas { height: auto !important; }
  #inputs td { min-width: 0 !important; } .level { font-size: inherit; }
  .controls, header nav, .finding .head button, .found, .turn, .more, #keys { display: none !important; }
  .modules { max-height: none; }
  .pictures { display: block; } .pictures > aside { position: static; max-height: none; }
  .plot, .finding { break-inside: avoid; }
}
)css";

}  // namespace hlolint::report
