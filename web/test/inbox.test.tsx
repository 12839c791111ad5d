import { expect, test } from 'vitest';
import { conversations, team } from '#contract';
import Inbox from '../src/features/conversations/screens/Inbox.tsx';
import {
  mockReply,
  pageOf,
  testLocation,
  requestsTo,
  withRoute,
  screen,
  renderScreen,
  waitFor,
} from './screen.tsx';

function inbox(address = '/inbox') {
  mockReply(conversations.listConversations, () => {
    const page = pageOf([]);
    return { ...page, meta: { ...page.meta, next_cursor: null } };
  });
  mockReply(team.listInboxViews, {
    data: [],
    meta: { counts: { open: 120, mine: 4, unassigned: 100, unread: 17, snoozed: 0, opt_outs: 0 } },
  });
  return renderScreen(withRoute('/inbox/{-$conversationId}', Inbox, address), { address });
}
const tab = (name: RegExp) => screen.findByRole<HTMLInputElement>('radio', { name });
const asked = () => requestsTo(conversations.listConversations).at(-1)!.query;

test('All, Unread, Mine and Unassigned are tabs; Unread and Mine have counts', async () => {
  const { user } = inbox();
  expect((await tab(/^All/)).checked).toBe(true);
  const group = screen.getByRole('radiogroup', { name: 'Show' });
  await waitFor(() =>
    expect([...group.querySelectorAll('label')].map((label) => label.textContent)).toEqual([
      'All',
      'Unread 17',
      'Mine 4',
      'Unassigned',
    ]),
  );
  await user.click(await tab(/^Unread/));
  await waitFor(() => expect(asked()).toMatchObject({ isUnread: true, isArchived: false }));
  expect(testLocation.href).toContain('view=unread');
  await user.click(await tab(/^Mine/));
  await waitFor(() => expect(asked()).toMatchObject({ assigned: 7 }));
  expect(asked().isUnread).toBeUndefined();
  await user.click(await tab(/^Unassigned/));
  await waitFor(() => expect(asked()).toMatchObject({ assigned: 'none' }));
  await user.click(await tab(/^All/));
  await waitFor(() => expect(testLocation.href).not.toMatch(/assigned|unread/));
});

test('keys 1–4 select a tab, and the snoozed and archived views have the tabs, too', async () => {
  const { user } = inbox('/inbox?view=archived');
  await tab(/^All/);
  await user.keyboard('3');
  await waitFor(() => expect(asked()).toMatchObject({ isArchived: true, assigned: 7 }));
  await user.keyboard('2');
  await waitFor(() => expect(asked()).toMatchObject({ isUnread: true, isArchived: false }));
  await waitFor(async () => expect((await tab(/^Unread/)).checked).toBe(true));
});
