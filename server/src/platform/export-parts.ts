import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The most rows of one file (A22): what a sheet of a spreadsheet holds. */
export const PART_ROWS = 1_000_000;

type Pages<R> = AsyncIterable<readonly R[]>;

/**
 * The same rows in groups of at most `most`, each to be read to its end before the next. At least
 * one, which may be empty.
 */
export async function* inParts<R>(pages: Pages<R>, most: number): AsyncGenerator<Pages<R>> {
  const reader = pages[Symbol.asyncIterator]();
  let left: readonly R[] = [];
  const hasMore = async (): Promise<boolean> => {
    while (left.length === 0) {
      const next = await reader.next();
      if (next.done) return false;
      left = next.value;
    }
    return true;
  };
  async function* part(): AsyncGenerator<readonly R[]> {
    for (let room = most; room > 0 && (await hasMore());) {
      const page = left.slice(0, room);
      left = left.slice(page.length);
      room -= page.length;
      yield page;
    }
  }
  do yield part();
  while (await hasMore());
}

/**
 * An archive of files that are made one after the other, none of which is held: `calls 1.csv`,
 * `calls 2.csv` …
 */
export async function* zipParts<R>(
  parts: AsyncIterable<Pages<R>>,
  write: (part: Pages<R>) => AsyncIterable<Buffer>,
  file: { name: string; extension: string; compress: boolean; at: Date },
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const add = async () => {
    let n = 0;
    for await (const part of parts) {
      const one = Readable.from(write(part), { objectMode: false });
      const { compress, at: mtime } = file;
      zip.addReadStream(one, `${file.name} ${++n}.${file.extension}`, { compress, mtime });
      await finished(one);
    }
    zip.end();
  };
  const added = add().catch((error: unknown) => void output.destroy(error as Error));
  for await (const chunk of output) yield chunk as Buffer;
  await added;
}
