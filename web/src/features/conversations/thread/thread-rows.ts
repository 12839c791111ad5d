import { calendarDay } from '#ui';
import type { Item, ItemOf } from '../cache-updates.ts';

/** One row of the thread, with the separators above it. */
export interface ThreadRow {
  key: string;
  item: Item;
  /** The first item of a day. */
  startsDay: boolean;
  /** The first item that was unread when the thread was opened. */
  startsUnread: boolean;
  /** Whether it is the first or last of a group of bubbles by one sender. */
  firstOfGroup: boolean;
  lastOfGroup: boolean;
}

const groupGapMs = 5 * 60_000;
const isScheduledPending = (i: Item): i is ItemOf<'scheduledmessage'> =>
  i.kind === 'scheduledmessage' && i.details.state === 'pending';
/** A sent scheduled message is shown as the message it became. */
const isShownAsMessage = (i: Item): boolean =>
  i.kind === 'scheduledmessage' && i.details.state === 'sent';

/** A call's card says where the call came from. */
const isShownByCall = (i: Item): boolean => i.kind === 'trackingmatch' && i.details.callId !== null;

/**
 * Converts items (newest first, as the server returns them) to rows (oldest first, pending
 * scheduled messages last).
 */
export function toThreadRows(
  newestFirst: readonly Item[],
  zone: string,
  firstUnread: number | null,
): ThreadRow[] {
  const shown = newestFirst.filter((i) => !isShownAsMessage(i) && !isShownByCall(i));
  const past = shown.filter((i) => !isScheduledPending(i)).reverse();
  const ahead = shown
    .filter(isScheduledPending)
    .sort((a, b) => a.details.sendAt.localeCompare(b.details.sendAt));
  const items: Item[] = [...past, ...ahead];
  return items.map((item, i) => {
    const before = items[i - 1],
      after = items[i + 1];
    const startsDay =
      !isScheduledPending(item) &&
      (!before || calendarDay(before.createdAt, zone) !== calendarDay(item.createdAt, zone));
    const startsUnread = item.id === firstUnread;
    return {
      key: keyOf(item),
      item,
      startsDay,
      startsUnread,
      firstOfGroup: startsDay || startsUnread || !before || !isSameGroup(before, item),
      lastOfGroup:
        !after ||
        !isSameGroup(item, after) ||
        after.id === firstUnread ||
        calendarDay(after.createdAt, zone) !== calendarDay(item.createdAt, zone),
    };
  });
}
/** The client key keeps a bubble in place when the server's item replaces the outgoing one. */
const keyOf = (item: Item): string =>
  item.kind === 'message' && item.details.clientKey ? `c${item.details.clientKey}` : `i${item.id}`;

const isSameGroup = (a: Item, b: Item): boolean =>
  a.kind === 'message' &&
  b.kind === 'message' &&
  a.isInbound === b.isInbound &&
  a.actor?.userId === b.actor?.userId &&
  Date.parse(b.createdAt) - Date.parse(a.createdAt) < groupGapMs;

/** Id of the oldest unread item among those loaded; null when all are read. */
export function firstUnreadId(newestFirst: readonly Item[]): number | null {
  return (
    newestFirst.findLast((i) => i.isInbound && i.readAt === null && i.kind !== 'note')?.id ?? null
  );
}
