// Starts `hlolint lsp`, and shows the documents that have no file of their own: `hlolint:` addresses.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("hlolint");
}

/** Opens what the server makes of an address, as HLO. */
async function openAddress(address: vscode.Uri): Promise<void> {
  const opened = await vscode.workspace.openTextDocument(address);
  const isRule = address.path.startsWith("/rule/");
  const shown = isRule ? opened : await vscode.languages.setTextDocumentLanguage(opened, "hlo");
  await vscode.window.showTextDocument(shown, { preview: true });
}

function fileOf(chosen: vscode.Uri | undefined): vscode.Uri | undefined {
  return chosen ?? vscode.window.activeTextEditor?.document.uri;
}

async function openComputation(chosen: vscode.Uri | undefined): Promise<void> {
  const file = fileOf(chosen);
  const name = file && (await vscode.window.showInputBox({ prompt: "Name of the computation, without %" }));
  if (file && name) await openAddress(file.with({ scheme: "hlolint", query: `computation=${name}` }));
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: settings().get<string>("path", "hlolint"), args: ["lsp", "--stdio"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "hlo" },
      { scheme: "untitled", language: "hlo" },
      { scheme: "hlolint", language: "hlo" },
      { pattern: "**/.hlolint.toml" },
    ],
    initializationOptions: { arguments: settings().get<string[]>("arguments", []), virtualDocuments: true },
    synchronize: { configurationSection: "hlolint" },
  };
  client = new LanguageClient("hlolint", "hlolint", server, options);
  await client.start();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const texts: vscode.TextDocumentContentProvider = {
    async provideTextDocumentContent(address, cancelled) {
      if (!client) throw new Error("the server does not run");
      const request = { uri: address.toString() };
      return (await client.sendRequest<{ text: string }>("hlolint/textDocumentContent", request, cancelled)).text;
    },
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider("hlolint", texts),
    vscode.commands.registerCommand("hlolint.openAsText", async (chosen?: vscode.Uri) => {
      const file = fileOf(chosen);
      if (file) await openAddress(file.with({ scheme: "hlolint" }));
    }),
    vscode.commands.registerCommand("hlolint.openComputation", openComputation),
    vscode.commands.registerCommand("hlolint.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
