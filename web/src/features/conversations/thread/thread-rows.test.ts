import { describe, expect, it } from 'vitest';
import { itemExample } from '#contract/conversations/examples';
import type { Item } from '#contract/conversations/schemas';
import { firstUnreadId, toThreadRows } from './thread-rows.ts';

const message = (id: number, at: string, isInbound = true, readAt: string | null = at): Item =>
  ({ ...itemExample, id, createdAt: at, isInbound, readAt }) as Item;
const scheduled = (id: number, sendAt: string, state: 'pending' | 'sent' | 'canceled'): Item => ({
  ...itemExample,
  id,
  kind: 'scheduledmessage',
  isInbound: false,
  createdAt: '2026-11-20T10:00:00.000Z',
  details: {
    content: 'x',
    media: [],
    segments: 1,
    encoding: 'GSM-7',
    sendAt,
    state,
    cancelIfReply: false,
    because: null,
    clientKey: null,
  },
});

describe('thread rows', () => {
  it('are oldest first, with a separator at each new day of the user’s time zone', () => {
    // 3 AM UTC is the previous evening in New York.
    const rows = toThreadRows(
      [
        message(3, '2026-11-21T15:00:00.000Z'),
        message(2, '2026-11-21T03:00:00.000Z'),
        message(1, '2026-11-20T20:00:00.000Z'),
      ],
      'America/New_York',
      null,
    );
    expect(rows.map((r) => [r.item.id, r.startsDay])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });
  it('group bubbles of one sender within five minutes', () => {
    const rows = toThreadRows(
      [
        message(4, '2026-11-21T10:09:00.000Z'),
        message(3, '2026-11-21T10:02:00.000Z', false),
        message(2, '2026-11-21T10:01:00.000Z'),
        message(1, '2026-11-21T10:00:00.000Z'),
      ],
      'UTC',
      null,
    );
    expect(rows.map((r) => [r.firstOfGroup, r.lastOfGroup])).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });
  it('put scheduled messages last, soonest first, and leave out sent ones', () => {
    const rows = toThreadRows(
      [
        scheduled(9, '2026-11-23T09:00:00.000Z', 'pending'),
        scheduled(8, '2026-11-22T09:00:00.000Z', 'pending'),
        scheduled(7, '2026-11-20T12:00:00.000Z', 'sent'),
        message(1, '2026-11-21T10:00:00.000Z'),
      ],
      'UTC',
      null,
    );
    expect(rows.map((r) => r.item.id)).toEqual([1, 8, 9]);
  });
  it('mark the first unread item', () => {
    const items = [
      message(3, '2026-11-21T10:02:00.000Z', true, null),
      message(2, '2026-11-21T10:01:00.000Z', true, null),
      message(1, '2026-11-21T10:00:00.000Z'),
    ];
    expect(firstUnreadId(items)).toBe(2);
    expect(toThreadRows(items, 'UTC', 2).map((r) => r.startsUnread)).toEqual([false, true, false]);
    expect(firstUnreadId([message(1, '2026-11-21T10:00:00.000Z')])).toBeNull();
  });
});
