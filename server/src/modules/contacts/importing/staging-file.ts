import type { Ctx } from '../../../platform/context.ts';
import type { FileRow } from './file-errors.ts';

/** Rows of one transaction. Steps always begin at a multiple of it, so a step's number says which rows it holds. */
export const stepRows = 2_500;

/** The file of rows: one JSON list a line, `[row, cell, cell, …]`, what is wrong with a row as `{ fault }` at its end. Reading can go on from the byte where a line begins. */
export const stagingLine = ({ row, cells, problem: fault }: FileRow): string =>
  `${JSON.stringify([row, ...cells, ...(fault ? [{ fault }] : [])])}\n`;

export interface StagedRow extends FileRow {
  /** Where the next line begins. */ nextByte: number;
}
/** Rows from a byte on, `most` a time. */
export async function* readStagedRows(
  ctx: Pick<Ctx, 'files'>,
  file: { key: string; bytes: number },
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
      const [row, ...cells] = JSON.parse(bytes.toString('utf8', at, end)) as [number, ...string[]];
      const last: unknown = cells.at(-1);
      const fault =
        typeof last === 'object' ? (cells.pop(), (last as { fault: string }).fault) : undefined;
      next += end + 1 - at;
      at = end + 1;
      rows.push({ row, cells, problem: fault, nextByte: next });
      if (rows.length === batchSize) {
        yield rows;
        rows = [];
      }
    }
    rest = bytes.subarray(at);
  }
  if (rows.length) yield rows;
}
