// Unpacks .gz, and .zip without encryption, to blobs, which need not be in memory.

/** A problem to be shown beside the name of the file. */
export class NotUnpacked extends Error {}

async function inflated(blob, format, name) {
  try {
    return await new Response(blob.stream().pipeThrough(new DecompressionStream(format))).blob();
  } catch {
    throw new NotUnpacked(`${name}: the compressed data is damaged`);
  }
}

/** The files of a zip file, as {path, blob}. */
async function unzipped(file, name) {
  const view = async (from, size) => new DataView(await file.slice(from, from + size).arrayBuffer());
  const tail = Math.min(file.size, 65557), // the record at the end, and the longest comment after it
    end = await view(file.size - tail, tail);
  let at = tail - 22;
  while (at >= 0 && end.getUint32(at, true) !== 0x06054b50) --at;
  if (at < 0) throw new NotUnpacked(`${name}: this is no zip file, or it is cut off`);
  let count = end.getUint16(at + 10, true),
    size = end.getUint32(at + 12, true),
    from = end.getUint32(at + 16, true);
  if (count === 0xffff || from === 0xffffffff) {
    if (at < 20 || end.getUint32(at - 20, true) !== 0x07064b50)
      throw new NotUnpacked(`${name}: the list of files in this zip file is damaged`);
    const large = await view(Number(end.getBigUint64(at - 12, true)), 56);
    [count, size, from] = [32, 40, 48].map((place) => Number(large.getBigUint64(place, true)));
  }
  const list = await view(from, size),
    text = new TextDecoder(),
    out = [];
  try {
    for (let entry = 0, p = 0; entry < count; ++entry) {
      if (list.getUint32(p, true) !== 0x02014b50) throw new RangeError();
      const flags = list.getUint16(p + 8, true),
        method = list.getUint16(p + 10, true),
        [nameSize, moreSize, commentSize] = [28, 30, 32].map((place) => list.getUint16(p + place, true)),
        path = text.decode(new Uint8Array(list.buffer, p + 46, nameSize));
      let packed = list.getUint32(p + 20, true),
        whole = list.getUint32(p + 24, true),
        start = list.getUint32(p + 42, true);
      for (let q = p + 46 + nameSize; q + 4 <= p + 46 + nameSize + moreSize; q += 4 + list.getUint16(q + 2, true)) {
        if (list.getUint16(q, true) !== 1) continue;
        let place = q + 4; // of a large file: holds only the fields that do not fit above
        const next = () => Number(list.getBigUint64((place += 8) - 8, true));
        if (whole === 0xffffffff) whole = next();
        if (packed === 0xffffffff) packed = next();
        if (start === 0xffffffff) start = next();
      }
      p += 46 + nameSize + moreSize + commentSize;
      if (path.endsWith("/")) continue;
      if (flags & 1) throw new NotUnpacked(`${name}: ${path} is encrypted`);
      if (method !== 0 && method !== 8) throw new NotUnpacked(`${name}: ${path} is compressed in a way that is not read`);
      const head = await view(start, 30),
        begin = start + 30 + head.getUint16(26, true) + head.getUint16(28, true),
        data = file.slice(begin, begin + packed),
        blob = method ? await inflated(data, "deflate-raw", `${name}: ${path}`) : data;
      if (blob.size !== whole) throw new NotUnpacked(`${name}: ${path} is damaged`);
      out.push({ path, blob });
    }
  } catch (error) {
    throw error instanceof RangeError ? new NotUnpacked(`${name}: the list of files in this zip file is damaged`) : error;
  }
  return out;
}

/** A file as the command is to see it: one or many {path, blob}. Names lose `.gz`; a zip file becomes a folder. */
export async function unpacked(path, blob, progress) {
  const head = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  if (head[0] === 0x1f && head[1] === 0x8b) {
    progress(`Unpacking ${path}`);
    return [{ path: path.replace(/\.gz$/i, ""), blob: await inflated(blob, "gzip", path) }];
  }
  if (head[0] === 0x50 && head[1] === 0x4b && /\.zip$/i.test(path)) {
    progress(`Unpacking ${path}`);
    const folder = path.replace(/\.zip$/i, "");
    const files = await unzipped(blob, path),
      out = [];
    for (const inner of files) {
      const parts = inner.path.split(/[\\/]/).filter((part) => part && part !== "." && part !== "..");
      const safe = [folder, ...parts].join("/");
      if (safe.startsWith(folder + "/__MACOSX/")) continue;
      // Compressed once more, but no zip file: dumps are often kept that way.
      out.push(...(/\.gz$/i.test(safe) ? await unpacked(safe, inner.blob, progress) : [{ path: safe, blob: inner.blob }]));
    }
    return out;
  }
  return [{ path, blob }];
}
