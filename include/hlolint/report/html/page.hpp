// The page around the data of data.hpp.
#pragma once

#include <hlolint/report/html/cost_table.hpp>
#include <hlolint/report/html/findings.hpp>
#include <hlolint/report/html/heap_map.hpp>
#include <hlolint/report/html/links.hpp>
#include <hlolint/report/html/module.hpp>
#include <hlolint/report/html/modules.hpp>
#include <hlolint/report/html/out_of_memory.hpp>
#include <hlolint/report/html/panel.hpp>
#include <hlolint/report/html/plots.hpp>
#include <hlolint/report/html/script.hpp>
#include <hlolint/report/html/style.hpp>
#include <hlolint/report/html/tables.hpp>
#include <hlolint/report/html/tiles.hpp>
#include <hlolint/report/html/timeline.hpp>
#include <hlolint/report/html/transfers.hpp>

#include <array>
#include <string_view>

namespace hlolint::report {

/// The page before the data. The policy forbids every request.
inline constexpr std::array<std::string_view, 3> html_page_head{
    R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>hlolint report</title>
<style>)html",
    html_style, R"html(</style>
</head>
<body>
<header>
<h1>hlolint</h1><span id="version" class="soft"></span><span id="counts"></span>
<nav aria-label="Parts of this page"><a href="#module">Memory</a>
<a href="#timeline" id="to-time">Time</a>
<a href="#findings">Findings</a><a href="#run">Files</a><a href="#rules">Rules</a>
<button id="theme" type="button"></button></nav>
</header>
<noscript><p>This page draws its data with JavaScript, which is switched off.</p></noscript>
<main>
<section id="modules" aria-labelledby="modules-title"></section>
<section id="module" aria-labelledby="module-title"></section>
<section id="findings" aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
<div class="controls" role="group" aria-label="Filter of findings">
<label>Text <input type="search" id="filter-text" placeholder="in message, names, file"></label>
<label>Rule <select id="filter-rule"><option value="">all</option></select></label>
<span id="filter-levels"></span><span id="shown" class="soft" role="status"></span></div>
<div id="list"></div><div id="skipped"></div></section>
<section id="run" aria-labelledby="run-title">
<details><summary><h2 id="run-title">Input</h2></summary>
<div id="input-list"></div><p id="ignored" class="soft"></p></details></section>
<section id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules of these findings</h2></section>
<p class="soft" id="keys">Keys: / finds a value, f filters findings, [ and ] go through the modules, Escape goes back
to the peak; in a picture arrows move, + and - zoom, 0 shows all, N and P go through what it shows.
The address in the browser leads back to what is chosen.</p>
</main>
<div id="tip" class="hidden" role="tooltip"></div>
<div id="announced" class="unseen" role="status"></div>
<script type="application/json" id="data">)html"};

/// The page after the data.
inline constexpr std::array<std::string_view, 16> html_page_tail{
    "</script>\n<script>\n\"use strict\";\n(() => {", html_script, html_findings, html_plots, html_heap_map,
    html_transfers, html_timeline, html_links, html_panel, html_tiles, html_tables, html_work,
    html_out_of_memory, html_modules, html_module, "})();\n</script>\n</body>\n</html>\n"};

}  // namespace hlolint::report
