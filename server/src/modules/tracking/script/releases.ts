import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A file as pages load it. Its bytes never change. */
export interface ServedFile {
  etag: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/** A version of the script. */
interface Release extends ServedFile {
  version: string;
  /** The day it was released. */
  at: string;
  notes: string;
  /** For the attribute `integrity`. */
  integrity: string;
  /** What the script loads on pages that need more; null: this version has none. */
  extras: ServedFile | null;
}

const folder = new URL('../../../../../snippet/releases/', import.meta.url);

let known: readonly Release[] | null = null;

/** All versions, the newest first. Read once. */
export function releases(): readonly Release[] {
  known ??= readReleases();
  return known;
}

function readReleases(): Release[] {
  const list = JSON.parse(readFileSync(new URL('releases.json', folder), 'utf8')) as Pick<
    Release,
    'version' | 'at' | 'notes'
  >[];
  return list.map(({ version, at, notes }) => {
    const { hash, ...file } = servedFile(version, new URL(`${version}.js`, folder));
    const extras = new URL(`${version}-extras.js`, folder);
    return {
      ...{ version, at, notes, integrity: `sha384-${hash}`, ...file },
      extras: existsSync(extras) ? servedFile(version, extras) : null,
    };
  });
}

function servedFile(version: string, place: URL): ServedFile & { hash: string } {
  const plain = readFileSync(place);
  const hash = createHash('sha384').update(plain).digest('base64');
  return {
    hash,
    etag: `"${version}-${hash.slice(0, 12).replace(/[+/]/g, '')}"`,
    plain,
    br: brotliCompressSync(plain),
    gzip: gzipSync(plain, { level: 9 }),
  };
}

/** The newest version. Throws when there is none. */
export function currentRelease(): Release {
  const [newest] = releases();
  if (!newest) throw new Error('snippet/releases has no version');
  return newest;
}

/** The version of an address: `1` is the newest of its major version. Null: there is none. */
export const releaseOf = (wanted: string): Release | null =>
  releases().find(({ version }) => version === wanted || version.split('.')[0] === wanted) ?? null;
