import { describe, expect, test } from 'vitest';
import { textDecoder } from '../../decode-text.ts';
import { InvalidFile } from '../file-errors.ts';
import { detectFormat, rowsOf } from '../read-file.ts';
import { detectEncoding } from './detect-encoding.ts';
import { headerRowOf } from './find-headers.ts';

/** Habits of spreadsheets, databases and old computers. */
async function read(text: string | Buffer): Promise<string[][]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const rows: string[][] = [];
  for await (const { cells } of rowsOf(bytes, await detectFormat(bytes))) rows.push(cells);
  return rows.slice(headerRowOf(rows));
}
const table = [
  ['name', 'number'],
  ['Smith, Bo', '2015557722'],
];

describe('these are the same table', () => {
  test.each([
    ['quotes after spaces', 'name, "number"\n  "Smith, Bo"   ,  "2015557722"\n'],
    ['quotes after spaces in every line', ' "name" , "number" \n "Smith, Bo" , "2015557722" \n'],
    ['quotes after spaces, semicolons', 'name;  "number"\n  "Smith, Bo";  "2015557722"\n'],
    ['text by a formula', 'name,number\n"=""Smith, Bo""",="2015557722"\n'],
    ['all cells by formulas', '="name",="number"\n"=""Smith, Bo""","=""2015557722"""\n'],
    ['a title above', 'Customer list\nname,number\n"Smith, Bo",2015557722\n'],
    [
      'titles and a date above',
      'Works Inc\n"As of Nov 26, 2026"\n\nname,number\n"Smith, Bo",2015557722\n',
    ],
    ['a title above semicolons', 'Kunden\n\nname;number\nSmith, Bo;2015557722\n'],
    ['pipes', 'name|number\nSmith, Bo|2015557722\n'],
    ['pipes under a title', 'My list\nname|number\nSmith, Bo|2015557722\n'],
    ['quoted pipes', '"name"|"number"\n"Smith, Bo"|"2015557722"\n'],
    ['sep= and pipes', 'sep=|\nname|number\nSmith, Bo|2015557722\n'],
  ])('%s', async (_, text) => {
    expect(await read(text)).toEqual(table);
  });
});

test('spaces and quotes within a cell stay', async () => {
  const text = 'name,  "number",note\nBo,1,"he said,  ""hi"" to me"\nCy,2,6" pipe\n';
  expect(await read(text)).toEqual([
    ['name', 'number', 'note'],
    ['Bo', '1', 'he said,  "hi" to me'],
    ['Cy', '2', '6" pipe'],
  ]);
});

test.each(['Bo\u0000,1', 'Bo,1\u0000', 'Bo,1\nCy,2\u0000\u0000', '\u0000Bo,1'])(
  'a NUL character has its own sentence: %j',
  async (rows) => {
    const row = rows.startsWith('Bo,1\n') ? 3 : 2;
    await expect(read(`name,number\n${rows}\n`)).rejects.toThrow(
      new InvalidFile(
        `Row ${row} has a NUL character, so the file may be damaged. Remove it, or export the file again.`,
      ),
    );
  },
);

/** Bytes of a text in an encoding of one byte per character. */
function encode(text: string, encoding: string): Buffer {
  const decode = textDecoder(encoding);
  const byteOf = new Map(
    Array.from({ length: 256 }, (_, byte) => [decode(Uint8Array.of(byte), true), byte]),
  );
  return Buffer.from([...text].map((character) => byteOf.get(character)!));
}
/** The same in one of two bytes. */
function encodeWide(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const pairs = new Map<string, number[]>();
  for (let lead = 0x81; lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if ([...character].length === 1 && !pairs.has(character)) pairs.set(character, [lead, trail]);
    }
  return Buffer.from(
    [...text].flatMap((character) => pairs.get(character) ?? [character.charCodeAt(0)]),
  );
}
describe('letters are recognized', () => {
  test.each([
    ['windows-1251', 'Иван Петров'],
    ['windows-1251', 'ООО «Ромашка»'],
    ['windows-1251', 'Оксана Їжакевич'],
    ['koi8-r', 'Иван Петров'],
    ['macintosh', 'José Müller'],
    ['macintosh', 'María García'],
    ['macintosh', 'Émile Zola'],
    ['macintosh', 'Jürgen Groß'],
    ['windows-1252', 'José Müller'],
    ['windows-1252', 'O’Brien “Bob” Göransson'],
    ['windows-1252', 'It’s “fine” – really…'],
    ['windows-1252', 'España ¿qué?'],
    ['windows-1250', 'Łukasz Wójcik'],
  ])('%s: %s', async (encoding, name) => {
    const bytes = encode(`name,number\n${name},2015557722\n`, encoding);
    expect(detectEncoding(bytes)).toBe(encoding);
    expect((await read(bytes))[1]![0]).toBe(name);
  });
  test.each([
    ['shift_jis', '山田太郎'],
    ['shift_jis', 'スズキ イチロー'],
    ['euc-jp', '佐藤はなこ'],
    ['gb18030', '王小明'],
    ['euc-kr', '김철수'],
  ])('%s: %s', async (encoding, name) => {
    const bytes = encodeWide(`name,number\n${name},2015557722\n${name},2015557723\n`, encoding);
    expect(detectEncoding(bytes)).toBe(encoding);
    expect((await read(bytes))[1]![0]).toBe(name);
  });
});
