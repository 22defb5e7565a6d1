// Runs the command once, in a worker of its own, which is ended afterwards: {module, files, words} in; {read} while files
// are read, and {status, output, errors, report} in the end.
const place = "/dumps",
  report = "/report";

async function run({ module, files, words }) {
  const lines = { out: [], err: [] },
    total = files.reduce((sum, file) => sum + file.blob.size, 0);
  const command = await hlolint({
    print: (line) => lines.out.push(line),
    printErr: (line) => lines.err.push(line),
    stdin: () => null,
    quit: (_, thrown) => {
      throw thrown;
    },
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
      return {};
    },
  });
  const { FS, WORKERFS } = command;
  let read = 0,
    shown = 0;
  const readPiece = WORKERFS.stream_ops.read;
  WORKERFS.stream_ops.read = function (stream, buffer, offset, length, position) {
    const now = performance.now();
    if (now - shown > 100) {
      postMessage({ read: Math.min(read, total), total, name: stream.node.name });
      shown = now;
    }
    const got = readPiece.call(this, stream, buffer, offset, length, position);
    read += got;
    return got;
  };
  FS.mkdir(place);
  FS.mount(WORKERFS, { blobs: files.map((file) => ({ name: file.path, data: file.blob })) }, place);
  FS.chdir(place);
  let status = 2;
  try {
    status = command.callMain(words) ?? 0;
  } catch (error) {
    if (error?.name === "ExitStatus") status = error.status;
    else lines.err.push(`the command ended early: ${error?.message ?? error}`);
  }
  const written = FS.analyzePath(report).exists ? new Blob([FS.readFile(report)]) : null;
  postMessage({ status, output: lines.out.join("\n"), errors: lines.err.join("\n"), report: written });
}

onmessage = ({ data }) =>
  run(data).catch((error) =>
    postMessage({ status: 2, output: "", errors: `the command could not run: ${error?.message ?? error}`, report: null }),
  );
