import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { safeCell } from '#contract/csv';
import {
  wallClock,
  writeRows,
  type Cell,
  type ExportColumn,
  type ExportFormat,
} from './export-formats.ts';

interface Row {
  a: Cell;
  b: Cell;
}
const columns: ExportColumn<Row>[] = [
  { key: 'a', title: 'First', cell: (r) => r.a },
  { key: 'b', title: 'Second, “quoted”', cell: (r) => r.b },
];
async function made(format: ExportFormat, pages: Row[][], tz = 'UTC'): Promise<Buffer> {
  async function* given() {
    yield* pages;
  }
  const pieces: Buffer[] = [];
  for await (const piece of writeRows(format, given(), columns, tz)) pieces.push(piece);
  return Buffer.concat(pieces);
}
const text = fc.string({
  unit: fc.constantFrom(...'=+-@\t\r\n",;\' \u00e9\u{1F600}ab10＝＋'),
  maxLength: 12,
});
const row = fc.record({ a: text, b: text });
const phone = fc
  .tuple(fc.constantFrom('+1', '+44', '+4930'), fc.integer({ min: 1_000_000, max: 99_999_999 }))
  .map(([cc, n]) => `${cc}${n}`);

test('two independent readers get the CSV back unchanged, with formulas behind an apostrophe', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const file = (
        await made(
          'csv',
          [rows.slice(0, 3), rows.slice(3)].filter((page) => page.length),
        )
      ).toString();
      const expected = [
        ['First', 'Second, “quoted”'],
        ...rows.map((r) => [safeCell(r.a as string), safeCell(r.b as string)]),
      ];
      expect(
        parse(file, { bom: true, record_delimiter: '\r\n', relax_column_count: false }),
      ).toEqual(expected);
      expect(
        Papa.parse(file.slice(1), {
          newline: '\r\n',
          skipEmptyLines: false,
          delimiter: ',',
        }).data.slice(0, -1),
      ).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
test('no CSV cell begins like a formula, except a phone number of digits and spaces, which is unchanged', () => {
  fc.assert(
    fc.property(text, (cell) => {
      expect(safeCell(cell)).not.toMatch(
        /^[=+\-@\t\r\n＝＋－＠](?!\d[\d ]{3,24}(?: \| \+[\d ]+)*$)/,
      );
    }),
  );
  fc.assert(
    fc.property(phone, (number) => {
      expect(safeCell(number)).toBe(number);
    }),
  );
  expect(['=1+1', '+1 415 555 0101', '+', '-2', '@x', '\t=1', '\r', '+1+1'].map(safeCell)).toEqual([
    "'=1+1",
    '+1 415 555 0101',
    "'+",
    "'-2",
    "'@x",
    "'\t=1",
    "'\r",
    "'+1+1",
  ]);
});
test('JSON lines hold every value, one object a line', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const lines = (await made('jsonl', [rows])).toString().trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as Row)).toEqual(rows);
    }),
    { numRuns: 100 },
  );
});
test('a workbook stores text as text, numbers as numbers, and times in local time', async () => {
  const file = await made(
    'xlsx',
    [
      [
        { a: '=1+1', b: new Date('2026-07-01T12:30:05Z') },
        { a: 'bell\u0007', b: null },
      ],
      [{ a: 42, b: new Date('2026-01-01T12:30:05Z') }],
    ],
    'America/New_York',
  );
  const { sheets } = await readXlsx(file);
  expect(sheets[0]!.rows).toEqual([
    ['First', 'Second, “quoted”'],
    ['=1+1', new Date('2026-07-01T08:30:05Z')],
    ['bell', null],
    [42, new Date('2026-01-01T07:30:05Z')],
  ]);
});
test('an empty export is only a header, or empty', async () => {
  expect((await made('csv', [])).toString()).toBe('\uFEFFFirst,"Second, “quoted”"\r\n');
  expect((await made('jsonl', [])).length).toBe(0);
  expect((await readXlsx(await made('xlsx', []))).sheets[0]!.rows).toEqual([
    ['First', 'Second, “quoted”'],
  ]);
});
test('local times match Intl through every clock change', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
      fc.constantFrom(
        'America/New_York',
        'Europe/Berlin',
        'Australia/Lord_Howe',
        'Asia/Kathmandu',
        'UTC',
      ),
      (at, tz) => {
        const by = new Intl.DateTimeFormat('sv-SE', {
          timeZone: tz,
          dateStyle: 'short',
          timeStyle: 'medium',
        });
        expect(wallClock(tz).plain(at)).toBe(by.format(at));
        expect(Date.parse(wallClock(tz).iso(at))).toBe(Math.floor(at.getTime() / 1000) * 1000);
      },
    ),
    { numRuns: 300 },
  );
});
