import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { conversations, team } from '#contract';
import { itemExample } from '#contract/conversations/examples';
import { optimisticUpdate } from '#ui';
import {
  updateConversation,
  updateConversationList,
  updateThreadItems,
} from '../src/features/conversations/cache-updates.ts';
import { ConversationRow } from '../src/features/conversations/list/ConversationRow.tsx';
import { ThreadItem } from '../src/features/conversations/thread/ThreadItem.tsx';
import Inbox from '../src/features/conversations/screens/Inbox.tsx';
import {
  exampleAnswer,
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

test('a text that comes in draws its line and its row of the list, and none of the others', async () => {
  const { data: one } = exampleAnswer(conversations.getConversation);
  const row = (id: number, at: string) => ({ ...one, id, lastActivityAt: at, numUnreadItems: 0 });
  const open = row(one.id, '2026-11-20T10:00:00.000Z');
  const others = [1, 2, 3].map((n) => row(one.id + n, `2026-11-21T10:0${4 - n}:00.000Z`));
  const item = (id: number, at: string) => ({
    ...itemExample,
    ...{ id, conversationId: open.id, createdAt: at, isInbound: true, readAt: at },
  });
  const lines = Array.from({ length: 20 }, (_, n) => item(900 - n, '2026-11-20T10:00:00.000Z'));
  const { cache } = inbox(`/inbox/${open.id}`);
  mockReply(conversations.listConversations, () => {
    const page = pageOf([...others, open]);
    return { ...page, meta: { ...page.meta, next_cursor: null } };
  });
  mockReply(conversations.getConversation, { data: open });
  mockReply(conversations.listConversationItems, () => {
    const page = pageOf(lines);
    return { ...page, meta: { ...page.meta, next_cursor: null } };
  });
  const drawn = [ThreadItem, ConversationRow].map((part) =>
    vi.spyOn(part as unknown as { type: () => ReactNode }, 'type'),
  );
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(lines.length));
  await waitFor(() => expect(screen.getAllByRole('listitem').length).toBeGreaterThan(3));
  for (const part of drawn) {
    expect(part).toHaveBeenCalled();
    part.mockClear();
  }
  const at = '2026-11-22T10:00:00.000Z';
  const conversation = { ...open, lastActivityAt: at };
  const update = {
    ...{ conversationId: open.id, reason: 'new_item' as const, conversation, item: item(901, at) },
  };
  optimisticUpdate(cache, conversations.listConversationItems, (r, input, page) =>
    updateThreadItems(r, update, input, page),
  );
  optimisticUpdate(cache, conversations.getConversation, (r, input) =>
    updateConversation(r, update, input),
  );
  optimisticUpdate(cache, conversations.listConversations, (r, input, page) =>
    updateConversationList(r, update, input, page),
  );
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(lines.length + 1));
  // The line before it, too: it may no longer be the last of its group.
  expect(drawn[0]!.mock.calls.length).toBeLessThanOrEqual(2);
  expect(drawn[1]!.mock.calls.length).toBeLessThanOrEqual(2);
  vi.restoreAllMocks();
});
