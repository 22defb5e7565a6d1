// What the tests that need packages of npm share.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** Ends the test as skipped. */
export function skip(why) {
  console.log("skipped: " + why);
  process.exit(77);
}

/** Installs packages (name@version, all pinned) in a folder, once; returns its node_modules. Skips the test if they cannot
    be had. */
export function install(folder, packages) {
  const modules = join(folder, "node_modules");
  const is_there = (one) => existsSync(join(modules, one.slice(0, one.lastIndexOf("@"))));
  if (!packages.every(is_there)) {
    mkdirSync(folder, { recursive: true });
    const words = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    const done = spawnSync("npm", [...words, "--fetch-retries=1", "--fetch-timeout=60000", ...packages], { encoding: "utf8" });
    if (done.error) skip("there is no npm (Debian: apt-get install npm)");
    if (done.status !== 0 || !packages.every(is_there))
      skip(`npm cannot install ${packages.join(" ")}: ${done.stderr.trim().split("\n")[0]}`);
  }
  return modules;
}
