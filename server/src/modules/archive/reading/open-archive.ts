import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { FORMAT, MANIFEST, manifestSchema, type Manifest } from '../manifest.ts';
import { COPY_AGAIN, refuse } from './refusal.ts';

/** How large an archive may be when unpacked. Its numbers are checked before anything is read. */
interface ArchiveLimits {
  entries: number;
  unpackedBytes: number;
  manifestBytes: number;
  /** Of one row. */
  lineBytes: number;
  /** Deflate reaches about 1032; rows of one repeated value come close to 200. */
  ratio: number;
}
const archiveLimits: ArchiveLimits = {
  entries: 5_000_000,
  unpackedBytes: 2 ** 40,
  manifestBytes: 1024 ** 3,
  lineBytes: 64 * 1024 ** 2,
  ratio: 400,
};

export interface OpenArchive {
  manifest: Manifest;
  /** An entry's bytes. After the last one it refuses unless length and hash are the manifest's. */
  read(path: string): AsyncGenerator<Buffer>;
  close(): void;
}

/**
 * Opens an archive and checks its table of contents: sizes, names, and that the manifest names
 * exactly the entries that are there. Nothing is unpacked but the manifest.
 * @throws ArchiveRefusal
 */
export async function openArchive(path: string, limits = archiveLimits): Promise<OpenArchive> {
  const zip = await openPromise(path, {
    ...{ lazyEntries: true, validateEntrySizes: true, strictFileNames: true, autoClose: false },
  }).catch((error: NodeJS.ErrnoException) =>
    refuse(
      error.code === 'ENOENT' || error.code === 'EACCES'
        ? `The file ${path} can’t be read. Check its name and that you may read it.`
        : `This is no archive, or its end is missing. ${COPY_AGAIN}`,
    ),
  );
  try {
    const entries = await readDirectory(zip, limits);
    const manifest = await readManifest(zip, entries, limits);
    const named = Object.keys(manifest.entries);
    const unknown = [...entries.keys()].find(
      (name) => name !== MANIFEST && !manifest.entries[name],
    );
    if (unknown)
      refuse(`The archive has an entry that its manifest doesn’t name: ${unknown}. ${COPY_AGAIN}`);
    const missing = named.find((name) => !entries.has(name));
    if (missing) refuse(`The archive lacks ${missing}. ${COPY_AGAIN}`);
    return {
      manifest,
      read: (name) => {
        const entry = entries.get(name);
        const expected = manifest.entries[name];
        return entry && expected
          ? readEntry(zip, entry, expected)
          : refuse(`The archive lacks ${name}. ${COPY_AGAIN}`);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readDirectory(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entries)
    refuse(
      `The archive has more than ${limits.entries} entries, so it was not written by this product.`,
    );
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: bytes, compressedSize } = entry;
      if (entry.isEncrypted()) refuse('The archive is encrypted. Import it as it was downloaded.');
      if (entries.has(name)) refuse(`The archive has ${name} twice. ${COPY_AGAIN}`);
      unpacked += bytes;
      const isBomb = bytes > 1024 ** 2 && bytes / Math.max(1, compressedSize) > limits.ratio;
      if (isBomb || unpacked > limits.unpackedBytes)
        refuse(
          `The archive is far larger when unpacked than a company’s data (${name}), so it is not imported.`,
        );
      entries.set(name, entry);
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'ArchiveRefusal') throw error;
    refuse(`The archive’s table of contents is damaged. ${COPY_AGAIN}`);
  }
  return entries;
}

async function readManifest(
  zip: ZipFile,
  entries: Map<string, Entry>,
  limits: ArchiveLimits,
): Promise<Manifest> {
  const entry = entries.get(MANIFEST);
  if (!entry)
    return refuse('This ZIP file has no manifest.json, so it is no archive of a company.');
  if (entry.uncompressedSize > limits.manifestBytes)
    refuse('The archive’s manifest is too large to be read.');
  let json: unknown;
  try {
    json = JSON.parse((await buffer(await zip.openReadStreamPromise(entry))).toString('utf8'));
  } catch {
    refuse(`The archive’s manifest is damaged. ${COPY_AGAIN}`);
  }
  const { format } = (json ?? {}) as { format?: unknown };
  if (format !== FORMAT)
    refuse(
      `The archive has the format ${String(format).slice(0, 40)}, this version reads ${FORMAT}. Update where the company is and create the archive again.`,
    );
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.');
  return refuse(`The archive’s manifest is not as it was written (${where}). ${COPY_AGAIN}`);
}

async function* readEntry(
  zip: ZipFile,
  entry: Entry,
  expected: { bytes: number; sha256: string },
): AsyncGenerator<Buffer> {
  const damaged = `${entry.fileName} is not as it was written: its length or hash differs. ${COPY_AGAIN}`;
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  } catch {
    refuse(damaged);
  }
  if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256) refuse(damaged);
}

/** The lines of a table, some at a time. */
export async function* linesOf(
  path: string,
  chunks: AsyncIterable<Buffer>,
  most = archiveLimits.lineBytes,
): AsyncGenerator<string[]> {
  let rest: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10);
    if (end >= 0) {
      const text = Buffer.concat([...rest, chunk.subarray(0, end)]).toString('utf8');
      rest = [];
      held = 0;
      yield text.split('\n');
    }
    const more = chunk.subarray(end + 1);
    held += more.length;
    if (held > most) refuse(`${path} has a row that is too large to be read. ${COPY_AGAIN}`);
    if (more.length) rest.push(more);
  }
  if (held) refuse(`${path} ends in the middle of a row. ${COPY_AGAIN}`);
}
