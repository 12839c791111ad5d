import { deflateRawSync } from 'node:zlib';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { InvalidFile, TooManyRows } from './file-errors.ts';
import { detectFormat, rowsOf } from './read-file.ts';

/**
 * Ordinary and hostile files. Each is read in full or rejected with a sentence, quickly, and never
 * crashes the server.
 */
async function read(bytes: Buffer | string): Promise<string[][]> {
  const given = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const rows: string[][] = [];
  for await (const { cells } of rowsOf(given, await detectFormat(given))) rows.push(cells);
  return rows;
}
const refused = async (bytes: Buffer | string): Promise<string> =>
  read(bytes).then(
    (rows) => `read ${rows.length} rows`,
    (e: unknown) => {
      if (e instanceof InvalidFile) return e.message;
      throw e;
    },
  );
const table = [
  ['name', 'number'],
  ['Łukasz "Luc" Ünal', '+12125550147'],
  ['Bo, the second', '+12125550148'],
];
const sheet = async (rows: unknown[][]) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'One', rows: rows as never }] }));

/** A ZIP with these parts; `says`: a false size in the directory. */
function zip(parts: { name: string; data: Buffer; says?: number; encrypted?: boolean }[]): Buffer {
  const [locals, central]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, data, says, encrypted } of parts) {
    const packed = deflateRawSync(data, { level: 9 });
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(encrypted ? 1 : 0, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(says ?? data.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([
      Buffer.from('PK\u0003\u0004', 'latin1'),
      head,
      Buffer.from(name),
      packed,
    ]);
    const entry = Buffer.concat([
      Buffer.from('PK\u0001\u0002', 'latin1'),
      Buffer.from([20, 0]),
      head,
      Buffer.alloc(14),
      Buffer.from(name),
    ]);
    entry.writeUInt32LE(offset, 42);
    locals.push(local);
    central.push(entry);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

describe('text files', () => {
  const csv = 'name,number\n"Łukasz ""Luc"" Ünal",+12125550147\n"Bo, the second",+12125550148\n';
  const shapes: Record<string, Buffer> = {
    plain: Buffer.from(csv),
    'with a byte-order mark': Buffer.from(`\uFEFF${csv}`),
    'Windows line ends': Buffer.from(csv.replaceAll('\n', '\r\n')),
    'old Macintosh line ends': Buffer.from(csv.replaceAll('\n', '\r')),
    'line ends of both kinds': Buffer.from(csv.replace('\n', '\r\n')),
    'no line end at the end': Buffer.from(csv.trimEnd()),
    'empty lines between': Buffer.from(csv.replaceAll('\n', '\n\n,\n')),
    semicolons: Buffer.from(
      'name;number\n"Łukasz ""Luc"" Ünal";+12125550147\nBo, the second;+12125550148\n',
    ),
    tabs: Buffer.from(
      'name\tnumber\n"Łukasz ""Luc"" Ünal"\t+12125550147\nBo, the second\t+12125550148\n',
    ),
    'sep= first': Buffer.from(`sep=,\r\n${csv}`),
    'UTF-16 little end': Buffer.from(`\uFEFF${csv}`, 'utf16le'),
    'UTF-16 without a mark': Buffer.from(csv, 'utf16le'),
    'UTF-16 big end': Buffer.from(`\uFEFF${csv}`, 'utf16le').swap16(),
    'more cells than headers': Buffer.from(
      'name,number\n"Łukasz ""Luc"" Ünal",+12125550147,extra,cells\n"Bo, the second",+12125550148\n',
    ),
    'blanks around': Buffer.from(
      'name , number\n "Łukasz ""Luc"" Ünal" ,+12125550147 \n"Bo, the second",  +12125550148\n'
        .replace(' "Ł', '"Ł')
        .replace('l" ,', 'l",'),
    ),
  };
  test.each(Object.entries(shapes))('%s', async (_, bytes) => {
    expect((await read(bytes)).map((cells) => cells.slice(0, 2))).toEqual(table);
  });

  test('are read as Windows-1252 when they are not UTF-8', async () => {
    expect(await read(Buffer.from('name,number\nJosé Müller,+12125550147\n', 'latin1'))).toEqual([
      ['name', 'number'],
      ['José Müller', '+12125550147'],
    ]);
  });
  test('rows keep their position in the file; line breaks within cells don’t count', async () => {
    const bytes = Buffer.from('name,number,notes\n\nBo,1,"two\nlines"\n\nAda,2,x\n');
    const rows: [number, string][] = [];
    for await (const { row, cells } of rowsOf(bytes, 'csv')) rows.push([row, cells[0]!]);
    expect(rows).toEqual([
      [1, 'name'],
      [3, 'Bo'],
      [5, 'Ada'],
    ]);
  });
  test('chunks can end anywhere: a long file is read like a short one', async () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, i) => `"Person ${i} — ""ü""",+1212${2_000_000 + i},"a\r\nb"`,
    );
    const rows = await read(`name,number,notes\r\n${lines.join('\r\n')}`);
    expect([rows.length, rows[1], rows.at(-1)]).toEqual([
      30_001,
      ['Person 0 — "ü"', '+12122000000', 'a\nb'],
      ['Person 29999 — "ü"', '+12122029999', 'a\nb'],
    ]);
  });
  test.each([
    ['to the end of the file', 'name,number\nAda,1\n"Bo,2\nCy,3\nDi,4\n'],
    ['until the next one', 'name,number\nAda,1\n"Bo,2\n"Cy",3\nDi,4\n'],
  ])('a quote that stays open %s affects only its line, whose row reports it', async (_, text) => {
    const rows: [number, string[], string | undefined][] = [];
    for await (const { row, cells, problem: fault } of rowsOf(Buffer.from(text), 'csv'))
      rows.push([row, cells, fault]);
    expect(rows).toEqual([
      [1, ['name', 'number'], undefined],
      [2, ['Ada', '1'], undefined],
      [3, ['Bo', '2'], expect.stringContaining('never closed')],
      [4, ['Cy', '3'], undefined],
      [5, ['Di', '4'], undefined],
    ]);
  });
  test('quotes within a one-line cell are kept; too many unclosed ones are rejected with their row', async () => {
    expect((await read('name,number\n"Bo "The Man" Lee",2\n'))[1]).toEqual([
      'Bo "The Man" Lee',
      '2',
    ]);
    expect(await refused(`name,number\n${'"Bo,2\n'.repeat(500)}`)).toMatch(
      /^Row \d+ and 100 rows before it have a quote/,
    );
  });
  test('cells guarded against formulas are restored', async () => {
    expect((await read(`a,b,c,d\n'=1+1,''=x,'+12125550147,it's\n`))[1]).toEqual([
      '=1+1',
      "'=x",
      '+12125550147',
      "it's",
    ]);
  });
  test('huge cells are cut; zero characters and broken surrogates are removed', async () => {
    expect((await read(`name,notes\nBo,${'x'.repeat(3_000_000)}\n`))[1]![1]!.length).toBe(20_000);
    expect(
      (
        await read(
          await sheet([
            ['name', 'notes'],
            ['Bo', 'x'.repeat(30_000)],
          ]),
        )
      )[1]![1]!.length,
    ).toBe(20_000);
  });
});

describe('files that can’t be imported are rejected with a sentence', () => {
  const odd: Record<string, [Buffer | string, RegExp]> = {
    nothing: ['', /empty/],
    'a PDF named contacts.csv': ['%PDF-1.7\n%âãÏÓ', /PDF/],
    'a picture': [Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), /picture/],
    'an old Excel file': [
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      /old or password-protected/,
    ],
    'a compressed file': [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /compressed/],
    'bytes of all kinds': [
      Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + (i >> 3)) % 256)),
      /isn’t a text file/,
    ],
    'a quote that is never closed': [
      `name,number\n"Bo,1\n${'x,y\n'.repeat(2_000_000)}`,
      /Row 2 doesn’t end/,
    ],
    'a ZIP of something else': [
      zip([{ name: 'readme.txt', data: Buffer.from('hello') }]),
      /not a workbook/,
    ],
    'half a workbook': [
      zip([{ name: 'xl/workbook.xml', data: Buffer.from('<workbook/>') }]),
      /can’t be read/,
    ],
    'a workbook cut in two': [
      zip([{ name: 'xl/workbook.xml', data: Buffer.alloc(5000, 'x') }]).subarray(0, 40),
      /damaged/,
    ],
    'a bomb: one part of a gigabyte': [
      zip([
        { name: 'xl/workbook.xml', data: Buffer.alloc(10) },
        { name: 'xl/worksheets/sheet1.xml', data: Buffer.alloc(30_000_000), says: 1_073_741_824 },
      ]),
      /far too large for a list/,
    ],
    'a bomb: shared texts': [
      zip([
        { name: 'xl/workbook.xml', data: Buffer.alloc(10) },
        { name: 'xl/sharedStrings.xml', data: Buffer.alloc(90_000_000) },
      ]),
      /far too large for a list/,
    ],
    'a bomb that says it is nothing': [
      zip([
        { name: 'xl/workbook.xml', data: Buffer.alloc(10) },
        { name: 'xl/worksheets/sheet1.xml', data: Buffer.alloc(50_000_000), says: 0 },
      ]),
      /far too large for a list|damaged/,
    ],
    'a bomb of many parts': [
      zip(
        Array.from({ length: 2_500 }, (_, i) => ({ name: `xl/p${i}.xml`, data: Buffer.from('x') })),
      ),
      /too many parts/,
    ],
    'a bomb within honest bounds, of blanks': [
      zip([
        { name: 'xl/workbook.xml', data: Buffer.alloc(10) },
        { name: 'xl/worksheets/sheet1.xml', data: Buffer.alloc(60_000_000, 32) },
      ]),
      /far too large for a list/,
    ],
    'a part with a way out of its folder': [
      zip([
        { name: '../../etc/passwd', data: Buffer.from('x') },
        { name: 'xl/workbook.xml', data: Buffer.from('x') },
      ]),
      /damaged/,
    ],
    'password-protected': [
      zip([{ name: 'xl/workbook.xml', data: Buffer.from('x'), encrypted: true }]),
      /password/,
    ],
    'more than 20 MB': [Buffer.alloc(20 * 1024 * 1024 + 1, 'a'), /larger than 20 MB/],
  };
  test.each(Object.entries(odd))('%s', async (_, [bytes, sentence]) => {
    expect(await refused(bytes)).toMatch(sentence);
  });

  test('a ZIP bomb is rejected by its directory, before anything is unpacked', async () => {
    const bomb = odd['a bomb: shared texts']![0] as Buffer;
    const before = process.memoryUsage().arrayBuffers;
    await refused(bomb);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
  test('a part is not unpacked beyond its declared size', async () => {
    expect(
      await refused(
        zip([
          { name: 'xl/workbook.xml', data: Buffer.alloc(80_000_000, 'x'), says: 1000 },
          { name: '[Content_Types].xml', data: Buffer.from('<Types/>') },
        ]),
      ),
    ).not.toMatch(/^read/);
  });
  test('more than 100,000 rows', async () => {
    await expect(read(`name,number\n${'a,1\n'.repeat(100_001)}`)).rejects.toBeInstanceOf(
      TooManyRows,
    );
    expect((await read(`name,number\n${'a,1\n'.repeat(100_000)}`)).length).toBe(100_001);
  });
});

test('the first sheet of a workbook: numbers without loss, formulas as their text, dates as days', async () => {
  const bytes = Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'People',
          rows: [
            ['name', 'number', 'since', 'active', 'score'],
            ['Łukasz', 12125550147, new Date('2026-01-05T00:00:00Z'), true, 1.5],
            ['Bo', '+12125550148', null, false, null],
          ],
          cells: new Map([['2,0', { value: 'Bo Reed', formula: 'A1&" Reed"' }]]),
        },
        { name: 'Other', rows: [['not', 'this']] },
      ],
    }),
  );
  expect((await read(bytes)).slice(0, 2)).toEqual([
    ['name', 'number', 'since', 'active', 'score'],
    ['Łukasz', '12125550147', '2026-01-05', 'true', '1.5'],
  ]);
});
