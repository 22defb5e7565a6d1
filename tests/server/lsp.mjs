// node lsp.mjs COMMAND SOURCE FOLDER: `hlolint lsp` through the protocol client of VS Code (vscode-languageserver-protocol):
// lifecycle, all features on the sample dump, changes, errors, cancellation, tokens and hints. Exit status 77 (skipped) if
// the client cannot be had.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../npm.mjs";

const [command, source, folder] = process.argv.slice(2).map((word) => resolve(word));
const modules = install(folder, ["vscode-languageserver-protocol@3.17.5"]);
const lsp = createRequire(join(modules, "none.js"))("vscode-languageserver-protocol/node");

const rich = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true, showDocument: { support: true } },
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create"] }, didChangeWatchedFiles: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
  textDocument: { hover: { contentFormat: ["markdown", "plaintext"] }, documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: { relatedInformation: true }, codeAction: { resolveSupport: { properties: ["edit"] } } },
};

async function start(capabilities, workspace) {
  const server = spawn(command, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(server, "exit");
  const client = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
  const seen = { registered: [], shown: [], edits: [], progress: [], diagnostics: new Map() };
  client.onRequest(lsp.RegistrationRequest.type, (params) => void seen.registered.push(...params.registrations));
  client.onRequest(lsp.ShowDocumentRequest.type, (params) => (seen.shown.push(params), { success: true }));
  client.onRequest(lsp.ApplyWorkspaceEditRequest.type, (params) => (seen.edits.push(params), { applied: true }));
  client.onRequest(lsp.DiagnosticRefreshRequest.type, () => undefined);
  client.onRequest(lsp.InlayHintRefreshRequest.type, () => undefined);
  client.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => seen.diagnostics.set(params.uri, params));
  client.listen();
  const initialized = await client.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: null, capabilities, workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: "w" }],
    initializationOptions: { arguments: ["--device=tpu-v5e"], virtualDocuments: true },
  });
  await client.sendNotification(lsp.InitializedNotification.type, {});
  const open = async (path, text = readFileSync(path, "utf8"), version = 1) => {
    const uri = pathToFileURL(path).href;
    await client.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "hlo", version, text } });
    return { uri, text };
  };
  const stop = async () => {
    await client.sendRequest(lsp.ShutdownRequest.type);
    await client.sendNotification(lsp.ExitNotification.type);
    assert.deepEqual(await exited, [0, null]);
  };
  return { client, capabilities: initialized.capabilities, seen, open, stop };
}

/** The position of a word after another text, and a few characters on. */
function place({ uri, text }, before, word, more = 1) {
  const at = text.indexOf(word, text.indexOf(before)) + more;
  assert.ok(at >= more, word);
  const lines = text.slice(0, at).split("\n");
  return { textDocument: { uri }, position: { line: lines.length - 1, character: lines.at(-1).length } };
}
const line_of = (document, range) => document.text.split("\n")[range.start.line];
async function until(happened, what) {
  for (let i = 0; i < 600 && !happened(); ++i) await new Promise((wake) => setTimeout(wake, 50));
  assert.ok(happened(), what);
}

const scratch = mkdtempSync(join(tmpdir(), "hlolint-lsp-"));
try {
  cpSync(join(source, "tests/data/sample"), scratch, { recursive: true });
  const name = (part) => join(scratch, readdirSync(scratch).find((one) => one.endsWith(part)));
  const hlo_path = name("after_codegen.txt"), buffers_path = name("buffer-assignment.txt");

  // --- Diagnostics that the server sends, and everything that reads ---
  const { client, capabilities, seen, open, stop } = await start(rich, scratch);
  assert.equal(capabilities.positionEncoding, "utf-16");
  assert.equal(capabilities.diagnosticProvider, undefined);
  await until(() => seen.registered.some((one) => one.method === "workspace/didChangeWatchedFiles"), "files are watched");
  const hlo = await open(hlo_path), buffers = await open(buffers_path);
  await until(() => seen.diagnostics.has(hlo.uri) && seen.diagnostics.has(buffers.uri), "diagnostics");
  const of_buffers = seen.diagnostics.get(buffers.uri).diagnostics;
  assert.ok(of_buffers.some((d) => d.code === "MEM001" && d.severity === 1 && d.relatedInformation.length > 0));
  assert.ok(of_buffers.some((d) => d.code === "PAD001" && d.severity === 2 && /tile \(8,128\)/.test(d.message)));

  const hovers = [["%fusion.1 =", "fusion.1"], ["ENTRY", "all-gather-start.2 ="], ["%fusion.1 =", "bf16["], ["%fusion.1 =", "calls"], ["%fusion.1 =", "fusion("]];
  for (const [before, word] of hovers) {
    const shown = await client.sendRequest(lsp.HoverRequest.type, place(hlo, before, word));
    assert.ok(shown?.contents.value.length > 5, `${before} ${word}`);
    if (process.env.HLOLINT_SHOW_HOVERS) console.log(`--- ${word}\n${shown.contents.value}\n`);
  }
  assert.ok((await client.sendRequest(lsp.HoverRequest.type, place(buffers, "value: <79", "fusion.1"))).contents.value.includes("fusion.1"));

  const used = place(hlo, "all-gather-done(", "all-gather-start.2");
  const [defined] = await client.sendRequest(lsp.DefinitionRequest.type, used);
  assert.match(line_of(hlo, defined.range), /all-gather-start\.2 =/);
  const [in_hlo] = await client.sendRequest(lsp.DefinitionRequest.type, place(buffers, "value: <79", "fusion.1"));
  assert.equal(in_hlo.uri, hlo.uri);
  const uses = await client.sendRequest(lsp.ReferencesRequest.type, { ...used, context: { includeDeclaration: false } });
  assert.ok(uses.length >= 1 && uses.every((use) => line_of(hlo, use.range).includes("all-gather-start.2")));
  const [item] = await client.sendRequest(lsp.CallHierarchyPrepareRequest.type, place(hlo, "calls=", "%", 2));
  assert.ok((await client.sendRequest(lsp.CallHierarchyIncomingCallsRequest.type, { item })).length === 1);
  assert.ok(Array.isArray(await client.sendRequest(lsp.CallHierarchyOutgoingCallsRequest.type, { item })));

  const textDocument = { uri: hlo.uri };
  const [module] = await client.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
  assert.ok(module.children.some((c) => c.children?.length > 5 && / ms| us/.test(c.detail)));
  assert.ok((await client.sendRequest(lsp.FoldingRangeRequest.type, { textDocument })).length > 1);
  assert.ok(Array.isArray(await client.sendRequest(lsp.DocumentLinkRequest.type, { textDocument })));
  const range = { start: { line: 0, character: 0 }, end: { line: hlo.text.split("\n").length, character: 0 } };
  const hints = await client.sendRequest(lsp.InlayHintRequest.type, { textDocument, range });
  assert.ok(hints.some((hint) => /MiB.*in use/.test(hint.label)));
  const full = await client.sendRequest(lsp.SemanticTokensRequest.type, { textDocument });
  const part = await client.sendRequest(lsp.SemanticTokensRangeRequest.type, { textDocument, range });
  assert.deepEqual(full.data, part.data);
  const legend = capabilities.semanticTokensProvider.legend;
  for (let i = 0, line = 0, character = 0; i < full.data.length; i += 5) {
    const [lines, columns, length, type] = full.data.slice(i, i + 4);
    (line += lines), (character = lines ? columns : character + columns);
    const word = hlo.text.split("\n", line + 1)[line].slice(character, character + length);
    assert.equal(word.length, length);
    if (legend.tokenTypes[type] === "keyword") assert.match(word, /^[a-z][a-z0-9-]*$/);
    if (i > 5 * 3000) break;
  }

  // --- What can be done about findings ---
  const finding = of_buffers.find((d) => d.code === "PAD001");
  const actions = await client.sendRequest(lsp.CodeActionRequest.type, { textDocument: { uri: buffers.uri }, range: finding.range, context: { diagnostics: [finding] } });
  const suppress = actions.find((a) => a.title.startsWith("Suppress PAD001"));
  assert.ok(suppress.edit.documentChanges.some((one) => one.kind === "create"));
  const explain = actions.find((a) => a.title === "Explain PAD001");
  assert.match(await client.sendRequest(lsp.ExecuteCommandRequest.type, explain.command), /tile-padding/);
  await until(() => seen.shown.some((one) => one.uri === "hlolint:/rule/PAD001"), "the rule is shown");
  const go = actions.find((a) => a.title.startsWith("Go to: "));
  await client.sendRequest(lsp.ExecuteCommandRequest.type, go.command);
  await until(() => seen.shown.some((one) => one.selection), "the place is shown");
  await assert.rejects(client.sendRequest(lsp.ExecuteCommandRequest.type, { command: "rm" }), { code: -32602 });
  // A suppression that was written down holds once the file is saved.
  const written = suppress.edit.documentChanges.find((one) => one.edits).edits[0].newText;
  writeFileSync(join(scratch, ".hlolint.toml"), written.replace('reason = ""', 'reason = "known"'));
  seen.diagnostics.delete(buffers.uri);
  await client.sendNotification(lsp.DidChangeWatchedFilesNotification.type, { changes: [{ uri: pathToFileURL(join(scratch, ".hlolint.toml")).href, type: 1 }] });
  await until(() => seen.diagnostics.has(buffers.uri), "checked again");
  assert.ok(!seen.diagnostics.get(buffers.uri).diagnostics.some((d) => d.code === "PAD001" && d.message === finding.message));

  // --- Changes: a broken line keeps the rest working ---
  const root = hlo.text.split("\n").findIndex((line) => line.includes("ROOT"));
  await client.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri: hlo.uri, version: 2 },
    contentChanges: [{ range: { start: { line: root, character: 0 }, end: { line: root, character: 0 } }, text: "  %broken = f32[ what(\n" }],
  });
  seen.diagnostics.delete(hlo.uri);
  await until(() => seen.diagnostics.get(hlo.uri)?.diagnostics.some((d) => d.code === "SYN001"), "the error is found");
  assert.equal(seen.diagnostics.get(hlo.uri).version, 2);
  assert.ok(await client.sendRequest(lsp.HoverRequest.type, place(hlo, "%fusion.1 =", "fusion.1")));

  // --- Errors and cancellation ---
  await assert.rejects(client.sendRequest("no/such", {}), { code: -32601 });
  await assert.rejects(client.sendRequest(lsp.HoverRequest.type, { textDocument: { uri: "file:///none" }, position: { line: 0, character: 0 } }), { code: -32602 });
  await assert.rejects(client.sendRequest(lsp.HoverRequest.type, { textDocument, position: { line: -1, character: 0 } }), { code: -32602 });
  const cancelled = [];
  for (let i = 0; i < 50; ++i) {
    const stopper = new lsp.CancellationTokenSource();
    cancelled.push(client.sendRequest(lsp.InlayHintRequest.type, { textDocument, range }, stopper.token).then(() => "answered", (e) => e.code));
    stopper.cancel();
  }
  const outcomes = await Promise.all(cancelled);
  assert.ok(outcomes.includes(-32800) && outcomes.every((one) => one === "answered" || one === -32800), String(outcomes));
  const token = "t1";
  client.onProgress(lsp.WorkDoneProgress.type, token, (value) => seen.progress.push(value.kind));
  await client.sendRequest(lsp.InlayHintRequest.type, { textDocument, range, workDoneToken: token });
  assert.deepEqual(seen.progress, ["begin", "end"]);
  assert.match((await client.sendRequest("hlolint/textDocumentContent", { uri: "hlolint:/rule/PAD001" })).text, /tile-padding/);
  await client.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument });
  await stop();

  // --- Diagnostics that the editor asks for ---
  const pulls = structuredClone(rich);
  pulls.textDocument.diagnostic = { dynamicRegistration: false };
  const other = await start(pulls, scratch);
  assert.equal(other.capabilities.diagnosticProvider.interFileDependencies, true);
  const document = await other.open(hlo_path);
  const report = await other.client.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument: { uri: document.uri } });
  assert.equal(report.kind, "full");
  const same = await other.client.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument: { uri: document.uri }, previousResultId: report.resultId });
  assert.equal(same.kind, "unchanged");
  assert.equal(other.seen.diagnostics.size, 0);

  // --- Writing ---
  const text = "HloModule m\n\nENTRY %e {\n  %first = f32[8] parameter(0)\n  ROOT %r = f32[8] add(%first, %first)\n}\n";
  const written_here = await other.open(join(scratch, "new.hlo"), text);
  const completed = await other.client.sendRequest(lsp.CompletionRequest.type, place(written_here, "add(", "%first", 3));
  assert.deepEqual(completed.items.map((one) => one.label), ["first"]);
  const renamed = await other.client.sendRequest(lsp.RenameRequest.type, { ...place(written_here, "%first", "first"), newName: "input" });
  assert.equal(renamed.documentChanges[0].edits.length, 3);
  const [short] = await other.client.sendRequest(lsp.CodeActionRequest.type, {
    textDocument: { uri: written_here.uri }, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, context: { diagnostics: [], only: ["refactor"] } });
  assert.match((await other.client.sendRequest(lsp.CodeActionResolveRequest.type, short)).edit.documentChanges[0].edits[0].newText, /first = f32\[8\] parameter/);
  await other.stop();
} finally {
  rmSync(scratch, { recursive: true });
}
console.log("the protocol client of VS Code goes through all features");
process.exit(0);
