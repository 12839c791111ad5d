import { quoteCsv, safeCell } from '#contract/csv';

/** Writes rows as a file, one page at a time: never more than one page is held in memory. */

/** A time is written in the requested zone. */
export type Cell = string | number | boolean | null | Date;
/** `key` names it in JSON, `title` heads it in a table. */
export interface ExportColumn<R> {
  key: string;
  title: string;
  cell: (row: R) => Cell;
}
export const exportFormats = ['csv', 'jsonl', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** A document is no format of rows: its module writes it. */
export type FileFormat = ExportFormat | 'pdf';
/** `zip`: the parts of a long export. */
export const contentTypeOf: Record<FileFormat | 'zip', string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

const QUARTER_HOUR = 900_000;
/**
 * A zone's offset from UTC at an instant, in milliseconds. Offsets change only on a quarter of an
 * hour, so each quarter is looked up in Intl once.
 */
function utcOffsets(tz: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_HOUR);
    let offset = known.get(quarter);
    if (offset === undefined) {
      const parts = format.formatToParts(quarter * QUARTER_HOUR);
      const part = (name: Intl.DateTimeFormatPartTypes) =>
        Number(parts.find(({ type }) => type === name)?.value);
      const day = [part('year'), part('month') - 1, part('day')] as const;
      const time = [part('hour'), part('minute'), part('second')] as const;
      offset = Date.UTC(...day, ...time) - quarter * QUARTER_HOUR;
      if (known.size > 50_000) known.clear();
      known.set(quarter, offset);
    }
    return offset;
  };
}
const twoDigits = (n: number) => String(n).padStart(2, '0');
/** Local time in a zone: `2026-11-21 09:15:00` in a table, ISO 8601 with its offset in JSON. */
export function wallClock(tz: string) {
  const offsetAt = utcOffsets(tz);
  const local = (at: Date) => new Date(at.getTime() + offsetAt(at.getTime()));
  const plain = (at: Date) => local(at).toISOString().slice(0, 19).replace('T', ' ');
  const iso = (at: Date) => {
    const minutes = Math.round(offsetAt(at.getTime()) / 60_000);
    return `${local(at).toISOString().slice(0, 19)}${minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`}`;
  };
  return { local, plain, iso };
}

type Pages<R> = AsyncIterable<readonly R[]>;

async function* writeCsv<R>(
  pages: Pages<R>,
  columns: readonly ExportColumn<R>[],
  tz: string,
): AsyncGenerator<Buffer> {
  const { plain } = wallClock(tz);
  // Only text can be a formula; numbers are ours. The byte-order mark makes spreadsheets read
  // UTF-8.
  const text = (cell: Cell) =>
    cell === null
      ? ''
      : typeof cell === 'string'
        ? quoteCsv(safeCell(cell))
        : cell instanceof Date
          ? plain(cell)
          : typeof cell === 'boolean'
            ? cell
              ? 'yes'
              : 'no'
            : String(cell);
  yield Buffer.from(`\uFEFF${columns.map((c) => quoteCsv(safeCell(c.title))).join(',')}\r\n`);
  for await (const page of pages) {
    let lines = '';
    for (const row of page) {
      lines += `${columns.map((column) => text(column.cell(row))).join(',')}\r\n`;
    }
    yield Buffer.from(lines);
  }
}

async function* writeJsonl<R>(
  pages: Pages<R>,
  columns: readonly ExportColumn<R>[],
  tz: string,
): AsyncGenerator<Buffer> {
  const { iso } = wallClock(tz);
  for await (const page of pages) {
    yield Buffer.from(
      page
        .map(
          (row) =>
            `${JSON.stringify(
              Object.fromEntries(
                columns.map((c) => {
                  const cell = c.cell(row);
                  return [c.key, cell instanceof Date ? iso(cell) : cell];
                }),
              ),
            )}\n`,
        )
        .join(''),
    );
  }
}

// Characters that XML cannot hold, and text beyond the size of a workbook cell.
const plainText = (text: string) =>
  // oxlint-disable-next-line no-control-regex -- these are the ones meant
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '').slice(0, 32_767);
/**
 * Text in a workbook is never evaluated as a formula, so it is stored unchanged; times are stored
 * as dates in local time.
 */
async function* writeXlsx<R>(
  pages: Pages<R>,
  columns: readonly ExportColumn<R>[],
  tz: string,
): AsyncGenerator<Buffer> {
  const { local } = wallClock(tz);
  const dates = new Set<number>();
  const sample: { first: readonly R[] | null } = { first: null };
  const iterator = pages[Symbol.asyncIterator]();
  const firstPage = await iterator.next();
  if (!firstPage.done) sample.first = firstPage.value;
  for (const row of sample.first ?? [])
    columns.forEach((c, i) => {
      if (!dates.has(i) && c.cell(row) instanceof Date) dates.add(i);
    });
  async function* rows() {
    for (let page = firstPage; !page.done; page = await iterator.next()) {
      for (const row of page.value)
        yield columns.map((c) => {
          const cell = c.cell(row);
          return cell instanceof Date
            ? local(cell)
            : typeof cell === 'string'
              ? plainText(cell)
              : cell;
        });
    }
  }
  const { writeXlsxStream } = await import('hucre/xlsx'); // Loaded with the first workbook.
  const heads = columns.map((c, i) => ({
    header: plainText(c.title),
    width: dates.has(i) ? 20 : 18,
    ...(dates.has(i) ? { numFmt: 'yyyy-mm-dd hh:mm:ss' } : {}),
  }));
  for await (const chunk of writeXlsxStream(rows(), {
    name: 'Export',
    columns: heads,
    freezePane: { rows: 1 },
  }) as unknown as AsyncIterable<Uint8Array>)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

const writers = { csv: writeCsv, jsonl: writeJsonl, xlsx: writeXlsx };
/** The file in pieces as pages arrive. `tz`: IANA zone for its dates. */
export const writeRows = <R>(
  format: ExportFormat,
  pages: Pages<R>,
  columns: readonly ExportColumn<R>[],
  tz: string,
): AsyncGenerator<Buffer> => writers[format](pages, columns, tz);
