#!/usr/bin/env python3
"""soak.py COMMAND FOLDER [MINUTES] [SEED]: `hlolint lsp` under random edits of the dumps in a folder.

For so many minutes (30) an editor opens and closes dumps, edits them anywhere, and asks about random places. At ten
points all open documents are compared with a server that was started just then: every answer has to be the same. Then
all documents are closed, and the memory of the server is noted: it must not grow from the first points to the last.
"""
import json
import pathlib
import random
import subprocess
import sys
import time

POINTS, MOST_OPEN, LARGEST = 10, 4, 1_000_000
CAPABILITIES = {
    "textDocument": {"diagnostic": {}, "hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
}


class Server:
    """A server, and a client that waits for each answer."""

    def __init__(self, command):
        self.process = subprocess.Popen([command, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES})
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            sys.exit(f"the server has ended: {self.process.wait()}")
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        while True:
            message = self.receive()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif message.get("id") == self.asked and "method" not in message:
                return message.get("result", message.get("error"))

    def memory(self):
        """Resident bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def stop(self):
        self.request("shutdown", None)
        self.tell("exit", None)
        if status := self.process.wait():
            sys.exit(f"the server ended with status {status}")


class Document:
    def __init__(self, path):
        self.uri = path.resolve().as_uri()
        self.text = path.read_bytes().decode(errors="replace")
        self.version = 1

    def place(self, at):
        begin = self.text.rfind("\n", 0, at) + 1
        return {"line": self.text.count("\n", 0, at), "character": len(self.text[begin:at].encode("utf-16-le")) // 2}

    def open(self, server):
        server.tell("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "hlo", "version": self.version, "text": self.text}})

    def close(self, server):
        server.tell("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def edit(self, server, dice):
        size = len(self.text)
        begin = dice.randrange(size + 1)
        kind = dice.randrange(6)
        end = min(size, begin + dice.choice([0, 1, 3, 20]))
        if kind == 0:  # a line goes
            begin = self.text.rfind("\n", 0, begin) + 1
            end = min(size, self.text.find("\n", begin) + 1 or size)
            fresh = ""
        elif kind == 1:  # a part of the text stands there twice
            end = begin
            other = dice.randrange(size + 1)
            fresh = self.text[other : other + dice.choice([5, 100, 2000])]
        elif kind == 2:
            fresh = dice.choice(["%", "(", ")", "{", "}", "\n", '"', "/*", "\U0001F600", "é", "0", "f32[8]{0}"])
        elif kind == 3:
            fresh = ""
        else:  # what one types
            end = begin
            fresh = dice.choice([" ", "x", "\n  %new = f32[8] add(%a, %b)", ", metadata={op_name=\"a\"}"])
        self.version += 1
        server.tell("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"range": {"start": self.place(begin), "end": self.place(end)}, "text": fresh}]})
        self.text = self.text[:begin] + fresh + self.text[end:]

    def questions(self, dice):
        document = {"textDocument": {"uri": self.uri}}
        lines = self.text.count("\n") + 1
        first = dice.randrange(lines)
        part = {**document, "range": {"start": {"line": first, "character": 0}, "end": {"line": first + 40, "character": 0}}}
        out = [("textDocument/diagnostic", document), ("textDocument/inlayHint", part), ("textDocument/semanticTokens/range", part),
               ("textDocument/foldingRange", document), ("textDocument/codeAction", {**part, "context": {"diagnostics": []}})]
        for name in ("hover", "definition", "references", "documentHighlight", "completion", "prepareCallHierarchy", "prepareRename"):
            for _ in range(3):
                out.append((f"textDocument/{name}", {**document, "position": self.place(dice.randrange(len(self.text) + 1)),
                                                      "context": {"includeDeclaration": True}}))
        return out


def compare(server, documents, command, dice):
    """Every answer is that of a server that has just been started."""
    fresh = Server(command)
    for one in documents:
        one.open(fresh)
    count = 0
    for one in documents:
        for method, params in [*one.questions(dice), ("textDocument/documentSymbol", {"textDocument": {"uri": one.uri}})]:
            known, new = server.request(method, params), fresh.request(method, params)
            count += 1
            if known != new:
                sys.exit(f"{one.uri} {method} {json.dumps(params)}:\n{json.dumps(known)[:3000]}\nbut of a fresh server\n{json.dumps(new)[:3000]}")
    fresh.stop()
    return count


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    minutes = float(sys.argv[3]) if len(sys.argv) > 3 else 30
    dice = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    files = sorted(one for one in folder.rglob("*") if one.suffix in (".txt", ".hlo") and 0 < one.stat().st_size <= LARGEST)
    if not files:
        sys.exit(f"no dumps in {folder}")
    server, documents, memory = Server(command), {}, []
    edits = answers = 0
    begin = time.monotonic()
    while len(memory) < POINTS:
        if len(documents) < MOST_OPEN and (not documents or dice.random() < 0.1):
            one = Document(dice.choice(files))
            if one.uri not in documents:
                one.open(server)
                documents[one.uri] = one
        one = documents[dice.choice(sorted(documents))]
        for _ in range(dice.randrange(1, 6)):
            one.edit(server, dice)
            edits += 1
        for method, params in dice.sample(one.questions(dice), 3):
            server.request(method, params)
            answers += 1
        if dice.random() < 0.05:
            documents.pop(one.uri).close(server)
        if time.monotonic() - begin < minutes * 60 * (len(memory) + 1) / POINTS or not documents:
            continue
        compared = compare(server, list(documents.values()), command, dice)
        for one in documents.values():
            one.close(server)
        documents.clear()
        server.request("workspace/symbol", {"query": ""})
        memory.append(server.memory())
        print(f"{(time.monotonic() - begin) / 60:.1f} min: {edits} edits, {answers} answers, {compared} compared, {memory[-1] / 2**20:.1f} MiB", flush=True)
    server.stop()
    early, late = max(memory[:3]), min(memory[-3:])
    if late > early * 1.1 + (8 << 20):
        sys.exit(f"the memory grows: {early} bytes, then {late}")


main()
