// How the page of html.hpp looks, in light, in dark and on paper.
#pragma once

#include <string_view>

namespace hlolint {

/// CSS. The canvases read their colours from the same variables.
inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark;
  --back: #ffffff; --panel: #f5f6f8; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --grid: #e4e8ec; --link: #0757b8;
  --error: #b3261e; --warning: #8a5300; --note: #3a5a80; --overlap: #d3122e; --area: #7fa8d8; --area-edge: #1f5fa8;
  --peak: #b3261e; --mark: #000000; --empty: #eef1f4; }
@media (prefers-color-scheme: dark) { :root:not(.paper) {
  --back: #14171b; --panel: #1d2228; --text: #e6e9ed; --soft: #a3acb7; --line: #3b434d; --grid: #2a3038; --link: #79b8ff;
  --error: #ff8a80; --warning: #f0b354; --note: #9dc1ee; --overlap: #ff4d63; --area: #2f5f96; --area-edge: #8fc1ff;
  --peak: #ff8a80; --mark: #ffffff; --empty: #20262d; } }
.paper { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1700px; padding: 1rem 1.5rem 3rem; background: var(--back); color: var(--text);
  font: 15px/1.45 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.45rem; margin: 0 .8rem 0 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
a { color: var(--link); } code, .code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem .8rem; border-bottom: 1px solid var(--line); padding-bottom: .6rem; }
header nav { margin-left: auto; } header nav a { margin-left: 1rem; }
.soft { color: var(--soft); } .hidden { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.level { display: inline-block; min-width: 4.6em; padding: 0 .5em; border: 1px solid currentColor; border-radius: 1em; text-align: center; font-size: .85rem; font-weight: 600; }
.error { color: var(--error); } .warning { color: var(--warning); } .note { color: var(--note); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .8rem .25rem 0; vertical-align: middle; border-bottom: 1px solid var(--grid); }
th { color: var(--soft); font-weight: 600; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
.controls { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; margin: .4rem 0; }
#filter-levels { display: inline-flex; flex-wrap: wrap; gap: .4rem .8rem; }
.controls label { display: inline-flex; gap: .35rem; align-items: center; max-width: 100%; } .controls label > * { min-width: 0; }
input, select, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 5px; padding: .2rem .5rem; max-width: 100%; }
input[type=search] { width: 15rem; } button { cursor: pointer; background: var(--panel); } button:hover { border-color: var(--soft); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
#list { list-style: none; margin: 0; padding: 0; }
#list > li { border: 1px solid var(--line); border-left: 5px solid; border-radius: 5px; margin: .45rem 0; padding: .4rem .8rem; }
#list > li.error { border-left-color: var(--error); } #list > li.warning { border-left-color: var(--warning); } #list > li.note { border-left-color: var(--note); }
#list > li > * { color: var(--text); } #list > li .head { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; }
#list > li.error .level { color: var(--error); } #list > li.warning .level { color: var(--warning); } #list > li.note .level { color: var(--note); }
#list > li.dismissed { opacity: .65; } #list > li.chosen { background: var(--panel); outline: 2px solid var(--link); }
#list p { margin: .2rem 0; overflow-wrap: anywhere; } #list .soft { color: var(--soft); font-size: .92rem; }
#list .head button { margin-left: auto; padding: 0 .6rem; }
.rule { border-top: 1px solid var(--grid); } .rule:target { background: var(--panel); } .rule dt { color: var(--soft); font-weight: 600; } .rule dd { margin: 0 0 .4rem 1rem; }
pre { background: var(--panel); padding: .5rem; overflow-x: auto; margin: .2rem 0; font-size: .85rem; }
td.code { min-width: 10em; } td.name { overflow-wrap: break-word; }
.pictures { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1.2rem; }
.pictures > aside { position: sticky; top: .8rem; align-self: start; max-height: calc(100vh - 1.6rem); overflow: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; }
aside h3 { margin: .8rem 0 .3rem; overflow-wrap: anywhere; } aside h3:first-child { margin-top: 0; } aside dl { margin: 0; } aside dt { color: var(--soft); font-size: .85rem; margin-top: .35rem; } aside dd { margin: 0; overflow-wrap: anywhere; }
aside ol, .found { list-style: none; margin: .2rem 0; padding: 0; } .found button, aside li button { width: 100%; text-align: left; margin: .1rem 0; overflow-wrap: anywhere; }
@media (max-width: 1000px) { .pictures { grid-template-columns: minmax(0, 1fr); } .pictures > aside { position: static; max-height: none; } }
.plot { position: relative; border: 1px solid var(--line); border-radius: 4px; background: var(--back); }
.plot canvas { display: block; width: 100%; touch-action: pan-y; cursor: crosshair; } .plot canvas.dragged { cursor: grabbing; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .85rem; color: var(--soft); margin: .25rem 0; }
.legend i { display: inline-block; width: .95em; height: .95em; margin-right: .35em; vertical-align: -.12em; border: 1px solid var(--line); }
#tip { position: fixed; z-index: 9; pointer-events: none; max-width: 34rem; background: var(--back); color: var(--text); border: 1px solid var(--soft); border-radius: 5px; padding: .35rem .6rem; font-size: .88rem; box-shadow: 0 3px 12px #0005; overflow-wrap: anywhere; white-space: pre-line; }
.bar { position: relative; } .bar > span { position: relative; } .bar > i { position: absolute; left: 0; top: 0; bottom: 0; background: var(--area); opacity: .45; border-radius: 3px; }
@media print {
  html { font-size: 11px; } body { max-width: none; padding: 0; font-size: 1rem; } h2, h3 { break-after: avoid; } .plot canvas { height: auto !important; }
  td.code { min-width: 0; } .level { font-size: inherit; }
  .controls, header nav, #list .head button, .found { display: none !important; }
  .pictures { display: block; } .pictures > aside { position: static; max-height: none; } .plot, #list > li { break-inside: avoid; }
}
)css";

}  // namespace hlolint
