// node mcp.mjs COMMAND SOURCE FOLDER: all tools of `hlolint mcp` through the official clients of both eras of MCP, over
// tests/data and, if HLOLINT_CORPUS is set, its largest seed. The clients check answers against the tools' schemas. Exit
// status 77 (skipped) if they cannot be had.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../npm.mjs";

const [command, source, folder] = process.argv.slice(2).map((word) => resolve(word));
const modules = install(folder, ["@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/client@2.4.0"]);
const load = (path) => import(pathToFileURL(join(modules, path)).href);
const { Client } = await load("@modelcontextprotocol/sdk/dist/esm/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/dist/esm/client/stdio.js");
const { ListRootsRequestSchema } = await load("@modelcontextprotocol/sdk/dist/esm/types.js");

const data = join(source, "tests/data");
const sample = join(data, "sample");
const bytes = (value) => Buffer.byteLength(JSON.stringify(value));

async function connect({ root, roots, cwd }) {
  const transport = new StdioClientTransport({ command, args: ["mcp", "--root", root], cwd, stderr: "inherit" });
  const client = new Client({ name: "proof", version: "1" }, { capabilities: roots ? { roots: { listChanged: true } } : {} });
  if (roots) client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: roots.map((r) => ({ uri: pathToFileURL(r).href })) }));
  await client.connect(transport);
  return client;
}

/** Calls a tool: the answer fits into a context. */
async function call(client, name, args, isError = false) {
  const answer = await client.callTool({ name, arguments: args });
  assert.equal(answer.isError ?? false, isError, `${name}: ${answer.content[0].text}`);
  assert.ok(bytes(answer) <= 8192, `${name}: ${bytes(answer)} bytes`);
  if (!isError) assert.ok(answer.structuredContent && answer.content[0].text.length > 0);
  return answer;
}

/** Goes on with a list until its end; returns how many entries there were. */
async function all_of(client, name, args, list) {
  let entries = 0, cursor = list + "@0";
  for (let pages = 0; cursor; ++pages) {
    assert.ok(pages < 1000);
    const { structuredContent } = await call(client, name, { ...args, cursor });
    entries += structuredContent.entries.length;
    assert.ok(structuredContent.entries.length > 0);
    cursor = structuredContent.omitted?.find((one) => one.list === list)?.cursor;
    if (!cursor) assert.equal(entries, structuredContent.page.of);
  }
  return entries;
}

async function all_tools(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name), ["lint", "memory", "time", "show", "query", "diff", "advise", "explain"]);
  const paths = [sample];
  const lint = await call(client, "lint", { paths });
  assert.equal(lint.structuredContent.diagnostics[0].level, "error");
  const memory = await call(client, "memory", { paths });
  assert.ok(memory.structuredContent.memory[0].need.bytes > 0);
  await call(client, "time", { paths, device: "tpu-v5e", by: "source" });
  const shown = await call(client, "show", { path: sample, name: "fusion.1" });
  assert.equal(shown.structuredContent.show[0].kind, "instruction");
  assert.equal((await call(client, "query", { query: "fusion", paths })).structuredContent.status, 0);
  assert.equal((await call(client, "query", { query: "fft", paths })).structuredContent.status, 1);
  assert.equal((await call(client, "diff", { old: join(data, "ok"), new: sample })).structuredContent.status, 1);
  await call(client, "advise", { paths: [join(data, "late")], max_search: 50 });
  assert.equal((await call(client, "explain", { rule: "PAD001" })).structuredContent.rules[0].name, "tile-padding");
  await call(client, "explain", { rule: "no-such-rule" }, true);
  await call(client, "lint", { paths: ["/etc/hostname"] }, true);
  await assert.rejects(client.callTool({ name: "remove", arguments: {} }), { code: -32602 });
}

let client = await connect({ root: data });
await all_tools(client);
assert.ok((await all_of(client, "query", { query: "any", paths: [sample] }, "/matches")) > 20);

const resources = [];
for (let cursor; ; ) {
  const page = await client.listResources({ cursor });
  resources.push(...page.resources);
  if (!(cursor = page.nextCursor)) break;
}
const texts = readdirSync(sample).filter((name) => name.includes("after_codegen.txt"));
assert.ok(resources.some((one) => one.name === texts[0]));
assert.ok((await client.readResource({ uri: pathToFileURL(join(sample, texts[0])).href })).contents[0].text.startsWith("HloModule"));
await assert.rejects(client.readResource({ uri: "file:///etc/hostname" }));
assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
await assert.rejects(client.getPrompt({ name: "x" }));
await client.ping();

// Progress, and a call that is cancelled: the next one is answered.
const progress = [];
await client.callTool({ name: "lint", arguments: { paths: [data] } }, undefined, { onprogress: (one) => progress.push(one.progress) });
assert.ok(progress.length > 2 && progress.every((p, i) => i === 0 || p > progress[i - 1]));
const stop = new AbortController();
const stopped = client.callTool({ name: "advise", arguments: { paths: [join(data, "late")], max_search: 20000 } }, undefined, { signal: stop.signal });
setImmediate(() => stop.abort("enough"));  // it is sent by then, and takes longer
await assert.rejects(stopped);
await call(client, "explain", { rule: "MEM001" });
await client.close();

// The skill shows answers as they are.
client = await connect({ root: source, cwd: source });
const skill = readFileSync(join(source, "examples/agents/SKILL.md"), "utf8");
const shown = [...skill.matchAll(/```json\n(.*)\n```\n\n```text\n([\s\S]*?)\n```/g)];
assert.ok(shown.length >= 5);
for (const [, question, text] of shown) {
  const answer = await client.callTool(JSON.parse(question));
  assert.ok(!answer.isError, question);
  assert.equal(answer.content[0].text.trimEnd(), text);
}
await client.close();

// The client's folders replace the server's own.
client = await connect({ root: data, roots: [join(data, "ok")] });
await call(client, "lint", { paths: [join(data, "ok")] });
await call(client, "lint", { paths: [sample] }, true);
await client.close();

if (process.env.HLOLINT_CORPUS) {
  const seeds = join(resolve(process.env.HLOLINT_CORPUS), "seeds");
  const seed = join(seeds, readdirSync(seeds).find((name) => name.startsWith("004")));
  client = await connect({ root: seeds });
  const asked = [["lint", { paths: [seed] }], ["memory", { paths: [seed] }], ["time", { paths: [seed], device: "h100-sxm" }],
    ["show", { path: seed, name: "loop_convert_fusion.17" }], ["query", { query: "fusion where bytes > 1GiB", paths: [seed] }]];
  for (const [name, args] of asked) {
    await call(client, name, args);
    const begin = performance.now();
    await call(client, name, args);
    console.log(`${name} on the largest seed, warm: ${(performance.now() - begin).toFixed(0)} ms`);
  }
  await client.close();
}

// The revision without a handshake.
const { Client: ModernClient } = await load("@modelcontextprotocol/client/dist/index.mjs");
const { StdioClientTransport: ModernTransport } = await load("@modelcontextprotocol/client/dist/stdio.mjs");
client = new ModernClient({ name: "proof", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
await client.connect(new ModernTransport({ command, args: ["mcp", "--root", data], stderr: "inherit" }));
await all_tools(client);
assert.ok((await client.listResources()).resources.length > 1);
await client.close();
console.log("all tools, resources, progress, cancellation and folders work through the official client");
