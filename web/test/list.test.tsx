import { cleanup } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { conversations, presets } from '#contract';
import { DataList, type Column, type Sort } from '#ui';
import Activity from '../src/features/conversations/screens/Activity.tsx';
import {
  mockReply,
  exampleAnswer,
  pageOf,
  testLocation,
  requestsTo,
  withRoute,
  screen,
  renderScreen,
  waitFor,
  within,
} from './screen.tsx';

interface Row {
  id: number;
  name: string;
  city: string;
}
const rows: Row[] = ['Ada', 'Ben', 'Cleo', 'Dana', 'Eve'].map((name, i) => ({
  id: i + 1,
  name,
  city: i % 2 ? 'Boston' : 'Salem',
}));
const columns: Column<Row>[] = [
  { key: 'name', title: 'Name', sortable: true, cell: (row) => row.name },
  { key: 'city', title: 'City', sortable: true, cell: (row) => row.city },
  { key: 'id', title: 'Number', hidden: true, cell: (row) => row.id },
];
const list = {
  label: 'People',
  rows,
  rowKey: (row: Row) => row.id,
  rowLabel: (row: Row) => row.name,
  columns,
  empty: 'Nobody',
};

/** A list with selection and sort order stored by its screen. */
function Chosen({ onSort }: { onSort?: (sort: Sort) => void }) {
  const [selected, setSelected] = useState<Set<string | number>>(new Set());
  const [sort, setSort] = useState<Sort>({ field: 'name', dir: 'asc' });
  return (
    <>
      <output data-testid="chosen">{[...selected].join(',')}</output>
      <DataList
        {...list}
        href={(row) => `/people/${row.id}`}
        selected={selected}
        onSelect={setSelected}
        sort={sort}
        onSort={(next) => {
          setSort(next);
          onSort?.(next);
        }}
      />
    </>
  );
}
const focused = () => document.activeElement?.getAttribute('aria-label');

test('j, k, Home and End move through a list, and Enter opens the focused row', async () => {
  const { user } = renderScreen(<Chosen />);
  await screen.findByRole('row', { name: 'Ada' });
  for (const [key, name] of [
    ['j', 'Ada'],
    ['j', 'Ben'],
    ['k', 'Ada'],
    ['{End}', 'Eve'],
    ['{Home}', 'Ada'],
    ['{ArrowDown}', 'Ben'],
  ] as const) {
    await user.keyboard(key);
    await waitFor(() => expect(focused()).toBe(name));
  }
  await user.keyboard('{Enter}');
  expect(testLocation.href).toBe('/people/2');
});

test('x selects the focused row; the header’s checkbox selects all of the page or none', async () => {
  const { user } = renderScreen(<Chosen />);
  await screen.findByRole('row', { name: 'Ada' });
  const chosen = () => screen.getByTestId('chosen').textContent;
  await user.keyboard('j');
  await waitFor(() => expect(focused()).toBe('Ada'));
  await user.keyboard('jx');
  await waitFor(() => expect(chosen()).toMatch(/^[12]$/));
  const all = screen.getByRole('checkbox', { name: 'Select all on this page' });
  await user.click(all);
  await waitFor(() => expect(chosen()!.split(',')).toHaveLength(5));
  await user.click(all);
  await waitFor(() => expect(chosen()).toBe(''));
});

test('a header sorts by its column, a second press reverses it, and screen readers get the order', async () => {
  const onSort = vi.fn<(sort: Sort) => void>();
  const { user } = renderScreen(<Chosen onSort={onSort} />);
  await user.click(await screen.findByRole('button', { name: 'City' }));
  await user.click(screen.getByRole('button', { name: 'City' }));
  expect(onSort.mock.calls.map(([sort]) => sort)).toEqual([
    { field: 'city', dir: 'asc' },
    { field: 'city', dir: 'desc' },
  ]);
  expect(screen.getByRole('columnheader', { name: 'City' }).getAttribute('aria-sort')).toBe(
    'descending',
  );
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('none');
});

test('columns are chosen and moved by keyboard, and remembered on this device', async () => {
  mockReply(presets.listColumnPresets, pageOf([]));
  const shown = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
  const { user } = renderScreen(<DataList {...list} columnPresets="contacts" />);
  expect(await screen.findAllByRole('columnheader')).toHaveLength(2);
  await user.click(await screen.findByRole('button', { name: 'Choose columns' }));
  const chooser = await screen.findByRole('dialog', { name: 'Columns' });
  await user.click(within(chooser).getByRole('checkbox', { name: 'Number' }));
  await waitFor(() => expect(shown()).toEqual(['Name', 'City', 'Number']));
  within(chooser)
    .getByRole('button', { name: /^Move Number/ })
    .focus();
  await user.keyboard('{ArrowUp}');
  await waitFor(() => expect(shown()).toEqual(['Name', 'Number', 'City']));
  // The first column stays where it is.
  expect(within(chooser).getByRole('checkbox', { name: 'Name' }).hasAttribute('disabled')).toBe(
    true,
  );
  expect(JSON.stringify({ ...localStorage })).toContain('city');
});

test('a preset saves the current columns under a name', async () => {
  mockReply(presets.listColumnPresets, pageOf([]));
  const { user } = renderScreen(<DataList {...list} columnPresets="contacts" />);
  await user.click(await screen.findByRole('button', { name: 'Choose columns' }));
  const chooser = await screen.findByRole('dialog', { name: 'Columns' });
  await user.click(within(chooser).getByRole('checkbox', { name: 'City' }));
  await user.click(within(chooser).getByRole('button', { name: 'Save as preset' }));
  await user.type(await screen.findByRole('textbox', { name: 'Preset name' }), 'Names only');
  await user.click(screen.getByRole('button', { name: 'Save preset' }));
  await waitFor(() => expect(requestsTo(presets.createColumnPreset)).toHaveLength(1));
  const { body } = requestsTo(presets.createColumnPreset)[0]!;
  expect([body.name, body.entity]).toEqual(['Names only', 'contacts']);
  expect(
    body.columns.filter((c: { hidden: boolean }) => !c.hidden).map((c: { key: string }) => c.key),
  ).toEqual(['name']);
});

/** A list whose total is capped. */
const pagedList = (page: number, total: number, shown: number, total_is_capped: boolean) => {
  const onPage = vi.fn<(page: number) => void>();
  const some = rows.slice(0, shown);
  renderScreen(
    <DataList
      {...list}
      rows={some}
      paging={{ page, perPage: 5, meta: { total, total_is_capped }, onPage }}
    />,
  );
  return onPage;
};
const pagingText = () =>
  screen.getByRole('navigation', { name: 'Pages' }).querySelector('.tabular')!.textContent;
const next = () => screen.getByRole('button', { name: 'Next page' });

test('a capped total is shown as 1,000+, and Next works beyond the last counted page', async () => {
  pagedList(1, 1000, 5, true);
  expect(pagingText()).toBe('1–5 of 1,000+');
  cleanup();
  const onPage = pagedList(200, 1000, 5, true);
  expect(pagingText()).toBe('996–1,000 of 1,000+');
  next().click();
  expect(onPage).toHaveBeenCalledWith(201);
  cleanup();
  // A mock server whose total is capped at its limit on every page.
  pagedList(201, 1000, 5, true);
  expect(pagingText()).toBe('1,001–1,005 of 1,005+');
  expect(next().hasAttribute('disabled')).toBe(false);
  cleanup();
  pagedList(202, 1000, 2, true);
  expect(pagingText()).toBe('1,006–1,007 of 1,007');
  expect(next().hasAttribute('disabled')).toBe(true);
  cleanup();
  pagedList(2, 7, 2, false);
  expect(pagingText()).toBe('6–7 of 7');
  expect(next().hasAttribute('disabled')).toBe(true);
});

test('an empty page after the last one links to the first', async () => {
  const onPage = pagedList(3, 7, 0, false);
  (await screen.findByRole('button', { name: 'First page' })).click();
  expect(onPage).toHaveBeenCalledWith(1);
});

test('Activity shows a capped total as 1,000+', async () => {
  const [example] = exampleAnswer(conversations.listActivity).data;
  const ten = Array.from({ length: 10 }, (_, i) => ({ ...example!, id: i + 1 }));
  mockReply(presets.listColumnPresets, pageOf([]));
  mockReply(conversations.listActivity, () => {
    const page = pageOf(ten, 1000, 10);
    return { ...page, meta: { ...page.meta, next_cursor: 'x', total_is_capped: true } };
  });
  renderScreen(withRoute('/activity/$kind', Activity, '/activity/calls'), {
    address: '/activity/calls',
  });
  await waitFor(() => expect(pagingText()).toBe('1–10 of 1,000+'));
  expect(document.title).toContain('Calls – Activity');
});

test('the page size is chosen in the list, requested from the server and remembered', async () => {
  const [example] = exampleAnswer(conversations.listActivity).data;
  mockReply(presets.listColumnPresets, pageOf([]));
  mockReply(conversations.listActivity, ({ body }) => {
    const rows = Array.from({ length: body.perPage }, (_, i) => ({ ...example!, id: i + 1 }));
    const page = pageOf(rows, 90, body.perPage);
    return { ...page, meta: { ...page.meta, next_cursor: null, total_is_capped: false } };
  });
  const open = () =>
    renderScreen(withRoute('/activity/$kind', Activity, '/activity/calls'), {
      address: '/activity/calls?page=3',
    });
  const { user } = open();
  await waitFor(() => expect(pagingText()).toBe('21–30 of 90'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '25');
  await waitFor(() => expect(pagingText()).toBe('1–25 of 90'));
  expect(testLocation.href).toBe('/activity/calls');
  cleanup();
  open();
  await waitFor(() => expect(pagingText()).toBe('51–75 of 90'));
});
