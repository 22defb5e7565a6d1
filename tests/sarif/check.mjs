// node check.mjs COMMAND SOURCE FOLDER: the SARIF of the command over tests/data and, if HLOLINT_CORPUS is set, its seeds
// in Microsoft's validator, with the rules of SARIF and those of GitHub: no error and no warning. Spoilt files must be
// refused. The validator is installed in FOLDER, once. Exit status 77 (skipped) if it cannot be had.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { install, skip } from "../npm.mjs";

const version = "5.7.0";
const [command, source, folder] = process.argv.slice(2).map((word) => resolve(word));

/** The path of the validator, which is a program that needs nothing else. */
function validator_path() {
  if (process.platform !== "linux" && process.platform !== "darwin") skip("Sarif.Multitool is not tried on " + process.platform);
  const name = "@microsoft/sarif-multitool-" + process.platform,
    program = join(install(join(folder, version), [`${name}@${version}`]), name, "Sarif.Multitool");
  chmodSync(program, 0o755); // a script of the package would do that
  return program;
}

const validator = validator_path();
const scratch = mkdtempSync(join(tmpdir(), "hlolint-sarif-"));

/** What the validator finds in runs, as [number of the run, level, rule, message]. It takes a second for each file, so
    they are put into one. */
function validate(runs) {
  const input = join(scratch, "runs.sarif"),
    output = join(scratch, "validation");
  writeFileSync(input, JSON.stringify({ ...log, runs }, null, 1));
  const words = ["--log", "ForceOverwrite", "--level", "Error;Warning", "--rule-kind", "Sarif;Ghas"];
  const done = spawnSync(validator, ["validate", input, "-o", output, ...words], {
    encoding: "utf8",
    env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" },
    maxBuffer: 2 ** 28,
  });
  if (done.error) skip("Sarif.Multitool does not run here: " + done.error.message);
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert(done.stdout.includes("1 files scanned"), done.stdout);
  const [run] = JSON.parse(readFileSync(output, "utf8").replace(/^\uFEFF/, "")).runs;
  const [invocation] = run.invocations;
  for (const list of [invocation.toolExecutionNotifications, invocation.toolConfigurationNotifications])
    for (const { level, message } of list ?? []) assert(level !== "error", message.text);
  return run.results.map(({ level, ruleId, message }) => {
    const text = message.text ?? message.arguments.join(" ");
    return [Number(text.match(/runs\[(\d+)\]/)?.[1]), level ?? "warning", ruleId, text];
  });
}

/** The run of a report. */
function lint(...words) {
  const done = spawnSync(command, ["--isolated", "--format", "sarif", ...words], { cwd: source, encoding: "utf8", maxBuffer: 2 ** 28 });
  assert(done.status !== null && done.status <= 2 && done.stdout, `hlolint ${words.join(" ")}: ${done.stderr}`);
  const { runs, ...rest } = JSON.parse(done.stdout);
  assert.equal(runs.length, 1);
  log ??= rest;
  assert.deepEqual(rest, log);
  return runs[0];
}

let log, // what stands around the runs
  spoilt_count = 0;
try {
  const runs = ["sample", "ok", "language"].map((name) => lint("--select", "ALL", "tests/data/" + name));
  const empty = lint("tests/data/ok");
  assert.deepEqual(empty.results, [], "tests/data/ok has findings");
  const baseline = join(scratch, "baseline.json"),
    known = lint("--baseline", baseline, "--update-baseline", "tests/data/sample");
  assert(known.results.length > 0 && known.results.every((result) => result.suppressions.length > 0), "not in the baseline");
  runs.push(empty, known, lint("missing.txt"));
  if (process.env.HLOLINT_CORPUS) {
    const seeds = join(process.env.HLOLINT_CORPUS, "seeds");
    for (const name of readdirSync(seeds).sort()) runs.push(lint("--select", "ALL", join(seeds, name)));
    runs.push(lint("--select", "ALL", seeds));
  }
  const found = validate(runs);
  assert.deepEqual(found, [], "the validator complains:\n" + found.map((line) => line.join(" ")).join("\n"));

  // What the schema of SARIF refuses keeps the validator from looking further.
  const against_schema = {
    "a message is missing": (run) => delete run.results[0].message,
    "the name of the tool is missing": (run) => delete run.tool.driver.name,
    "a member is unknown": (run) => (run.results[0].not_a_member = 1),
  };
  const against_rules = {
    "a place is missing": (run) => delete run.results[0].locations,
    "a line is missing": (run) => delete run.results[0].locations[0].physicalLocation.region.startLine,
    "a rule is unknown": (run) => (run.results[0].ruleIndex = 5000),
    "an address is invalid": (run) => (run.results[0].locations[0].physicalLocation.artifactLocation.uri = "no address %zz"),
  };
  for (const changes of [against_schema, against_rules]) {
    const spoilt = Object.values(changes).map((change) => {
      const run = structuredClone(runs[0]);
      change(run);
      return run;
    });
    const refused = new Set(validate(spoilt).map(([run]) => run));
    Object.keys(changes).forEach((what, i) => assert(refused.has(i), `it passes that ${what}`));
    spoilt_count += spoilt.length;
  }
  console.log(`${runs.length} reports without an error or a warning; ${spoilt_count} spoilt ones are refused`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
