import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** A version of the script as pages load it. Its bytes never change. */
export interface Release {
  version: string;
  /** The day it was released. */
  at: string;
  notes: string;
  /** For the attribute `integrity`. */
  integrity: string;
  etag: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
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
    const plain = readFileSync(new URL(`${version}.js`, folder));
    const hash = createHash('sha384').update(plain).digest('base64');
    return {
      version,
      at,
      notes,
      integrity: `sha384-${hash}`,
      etag: `"${version}-${hash.slice(0, 12).replace(/[+/]/g, '')}"`,
      plain,
      br: brotliCompressSync(plain),
      gzip: gzipSync(plain, { level: 9 }),
    };
  });
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
