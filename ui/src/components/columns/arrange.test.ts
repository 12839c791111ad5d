import { expect, test } from 'vitest';
import { sameLayout, arrangeColumns } from './arrange.ts';

const columns = [
  { key: 'number', title: 'Number', width: '1fr' },
  { key: 'label', title: 'Label' },
  { key: 'texts', title: 'Texts', hidden: true },
  { key: 'menu', title: '' },
];
const keys = (list: { key: string; placed: { hidden: boolean } }[]) =>
  list.filter((c) => !c.placed.hidden).map((c) => c.key);

test('without a layout the list’s order stays, and hidden columns are hidden', () => {
  expect(keys(arrangeColumns(columns, null))).toEqual(['number', 'label', 'menu']);
});
test('a layout orders, shows and hides columns; the first column and the menu stay in place', () => {
  const list = arrangeColumns(columns, [
    { key: 'texts', width: 90, hidden: false },
    { key: 'label', width: null, hidden: true },
    { key: 'number', width: 200, hidden: true },
    { key: 'menu', width: null, hidden: true },
  ]);
  expect(keys(list)).toEqual(['number', 'texts', 'menu']);
  expect(list.map((c) => c.width)).toEqual(['200px', '90px', undefined, undefined]);
});
test('a column missing from the layout comes last; a column the list no longer has is dropped', () => {
  const layout = [
    { key: 'gone', width: null, hidden: false },
    { key: 'label', width: null, hidden: false },
  ];
  expect(
    keys(
      arrangeColumns(
        [...columns.slice(0, 3), { key: 'eav:stage', title: 'Stage' }, columns[3]!],
        layout,
      ),
    ),
  ).toEqual(['number', 'label', 'eav:stage', 'menu']);
});
test('layouts are equal when they look the same', () => {
  const layout = arrangeColumns(columns, null).map((c) => c.placed);
  expect(
    sameLayout(
      layout,
      layout.map((p) => ({ ...p, pinned: true, order: 3 })),
    ),
  ).toBe(true);
  expect(sameLayout(layout, [...layout].reverse())).toBe(false);
});
