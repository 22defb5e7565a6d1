// Runs the command once; the worker is terminated afterwards. Receives {module, files, words}. Sends
// {read, total, name} while files are read, {step, done, of} from the progress bar of the command, and
// {status, output, errors, report} at the end.
const place = "/dumps",
  report = "/report";

/** What UTF-8 bytes stand for. */
const textOf = (bytes) => new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte & 255));

async function run({ module, files, words }) {
  const lines = [],
    bytes = [],
    total = files.reduce((sum, file) => sum + file.blob.size, 0);
  // Takes `\rchecking [##...] 3/8` out of the error messages, up to the code that erases the end of the line.
  function noteProgress() {
    if (bytes[bytes.length - 2] !== 0x5b || bytes[bytes.length - 3] !== 0x1b) return;
    const from = bytes.lastIndexOf(0x0d);
    if (from < 0) return;
    const [, step, done, of] = /(\w+) \[[#.]*\] (\d+)\/(\d+)/.exec(textOf(bytes.splice(from))) ?? [];
    if (step) postMessage({ step, done: Number(done), of: Number(of) });
  }
  const command = await hlolint({
    print: (line) => lines.push(line),
    stderr(byte) {
      if (byte === null) return;
      bytes.push(byte);
      if (byte === 0x4b) noteProgress();
    },
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
  FS.streams[2].tty = true; // without a terminal the command shows no progress
  FS.mkdir(place);
  FS.mount(WORKERFS, { blobs: files.map((file) => ({ name: file.path, data: file.blob })) }, place);
  FS.chdir(place);
  let status = 2,
    failure = "";
  try {
    status = command.callMain(words) ?? 0;
  } catch (error) {
    if (error?.name === "ExitStatus") status = error.status;
    else failure = `the command ended early: ${error?.message ?? error}`;
  }
  const written = FS.analyzePath(report).exists ? new Blob([FS.readFile(report)]) : null;
  postMessage({ status, output: lines.join("\n"), errors: textOf(bytes).trimEnd() + failure, report: written });
}

onmessage = ({ data }) =>
  run(data).catch((error) =>
    postMessage({ status: 2, output: "", errors: `the command could not run: ${error?.message ?? error}`, report: null }),
  );
