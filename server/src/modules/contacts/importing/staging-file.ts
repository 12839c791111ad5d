import type { Ctx } from '../../../platform/context.ts';
import type { FileRow } from './file-errors.ts';

/**
 * Rows per transaction. Steps begin at multiples of it, so the step's number tells which rows it
 * has.
 */
export const stepRows = 2_500;

/** The stored file of rows: where it is, and how long. */
export interface StagedFile {
  key: string;
  bytes: number;
}
/**
 * A line of the staging file: the JSON list `[row, cell, cell, …]`, with `{ fault }` at its end when
 * something is wrong with the row. Reading can start at any line's first byte.
 */
export const stagingLine = ({ row, cells, problem }: FileRow): string =>
  `${JSON.stringify([row, ...cells, ...(problem ? [{ fault: problem }] : [])])}\n`;

export interface StagedRow extends FileRow {
  /** Where the next line begins. */
  nextByte: number;
}
type StagedCell = string | { fault: string };
/** Reads rows from a byte on, in batches. */
export async function* readStagedRows(
  ctx: Pick<Ctx, 'files'>,
  file: StagedFile,
  from: number,
  batchSize: number,
): AsyncGenerator<StagedRow[]> {
  if (from >= file.bytes) return;
  let rest: Buffer = Buffer.alloc(0);
  let next = from;
  let rows: StagedRow[] = [];
  for await (const chunk of await ctx.files.blobs.stream(file.key, {
    start: from,
    end: file.bytes - 1,
  })) {
    const bytes = rest.length ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    let at = 0;
    for (let end = bytes.indexOf(10, at); end !== -1; end = bytes.indexOf(10, at)) {
      const line = JSON.parse(bytes.toString('utf8', at, end)) as [number, ...StagedCell[]];
      const [row, ...staged] = line;
      next += end + 1 - at;
      at = end + 1;
      rows.push({ row, ...cellsOf(staged), nextByte: next });
      if (rows.length === batchSize) {
        yield rows;
        rows = [];
      }
    }
    rest = bytes.subarray(at);
  }
  if (rows.length) yield rows;
}

/** A line of a staging file, without its end. */
export function stagedRowOf(line: string): FileRow {
  const [row, ...staged] = JSON.parse(line) as [number, ...StagedCell[]];
  return { row, ...cellsOf(staged) };
}

function cellsOf(staged: StagedCell[]): Pick<FileRow, 'cells' | 'problem'> {
  const last = staged.at(-1);
  const problem = typeof last === 'object' ? last.fault : undefined;
  return { cells: staged.filter((cell) => typeof cell === 'string'), problem };
}
