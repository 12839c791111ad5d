import { expect, test } from 'vitest';
import { inParts, zipParts } from './export-parts.ts';

async function* pagesOf(...pages: number[][]) {
  for (const page of pages) yield await Promise.resolve(page);
}
const read = async (parts: AsyncIterable<AsyncIterable<readonly number[]>>) => {
  const all: number[][] = [];
  for await (const part of parts) {
    const rows: number[] = [];
    for await (const page of part) rows.push(...page);
    all.push(rows);
  }
  return all;
};

test.each([
  [
    'pages that end with a part',
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    2,
  ],
  [
    'pages that a part ends in',
    [
      [1, 2, 3, 4, 5],
      [6, 7],
    ],
    [[1, 2, 3], [4, 5, 6], [7]],
    3,
  ],
  [
    'as many rows as parts hold',
    [[1, 2, 3, 4]],
    [
      [1, 2],
      [3, 4],
    ],
    2,
  ],
  ['empty pages', [[], [1], [], [2], []], [[1, 2]], 2],
  ['no row', [], [[]], 2],
])('every row is in one part, in its order: %s', async (_, pages, parts, most) => {
  expect(await read(inParts(pagesOf(...pages), most))).toEqual(parts);
});

test.each([1, 2, 3])('a page that can’t be read fails the archive, in part %s', async (part) => {
  async function* pages() {
    yield [1, 2, 3, 4].slice(0, 2 * part - 1);
    throw await Promise.resolve(new Error('The database is gone'));
  }
  const write = async function* (rows: AsyncIterable<readonly number[]>) {
    for await (const page of rows) yield Buffer.from(page.join());
  };
  const file = { name: 'calls', extension: 'csv', compress: true, at: new Date() };
  const all = async () => {
    for await (const _ of zipParts(inParts(pages(), 2), write, file));
  };
  await expect(all()).rejects.toThrow('The database is gone');
});
