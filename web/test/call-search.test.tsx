import { cleanup } from '@testing-library/react';
import { expect, test } from 'vitest';
import { search } from '#contract';
import CallSearch from '../src/features/calls/screens/CallSearch.tsx';
import { exampleAnswer, mockReply, pageOf, renderScreen, screen } from './screen.tsx';

test('a search that looked through the newest calls only says back to when', async () => {
  const { data } = exampleAnswer(search.searchCalls);
  const page = pageOf(data, 1000);
  const meta = { ...page.meta, total_is_capped: true };
  mockReply(search.searchCalls, { ...page, meta });
  renderScreen(<CallSearch />);
  await screen.findByRole('combobox', { name: 'Rows per page' });
  expect(screen.queryByText(/Searched back to/)).toBeNull();
  cleanup();
  mockReply(search.searchCalls, {
    ...page,
    meta: { ...meta, searched_since: '2026-03-04T12:00:00.000Z' },
  });
  renderScreen(<CallSearch />);
  expect((await screen.findByText(/Searched back to Mar 4/)).textContent).toContain(
    'Add a word to look further.',
  );
});
