import { dayOf } from '#ui';
import type { Item, ItemOf } from './fold.ts';

/** One line of the thread, with what stands above it. */
export interface ThreadRow {
  key: string;
  item: Item;
  /** A new day begins here. */
  newDay: boolean;
  /** Everything from here on was unread when the thread was opened. */
  newHere: boolean;
  /** First and last of a group of bubbles by the same hand. */
  first: boolean;
  last: boolean;
}

const groupMs = 5 * 60_000;
const isPending = (i: Item): i is ItemOf<'scheduledmessage'> =>
  i.kind === 'scheduledmessage' && i.details.state === 'pending';
/** A scheduled message that went out is told by the message itself. */
const isTold = (i: Item): boolean => i.kind === 'scheduledmessage' && i.details.state === 'sent';

/** Items newest first (as the server pages them) → rows oldest first; what waits for its time stands at the end. */
export function rowsOf(
  newestFirst: readonly Item[],
  zone: string,
  firstUnread: number | null,
): ThreadRow[] {
  const shown = newestFirst.filter((i) => !isTold(i));
  const past = shown.filter((i) => !isPending(i)).reverse();
  const ahead = shown
    .filter(isPending)
    .sort((a, b) => a.details.sendAt.localeCompare(b.details.sendAt));
  const items: Item[] = [...past, ...ahead];
  return items.map((item, i) => {
    const before = items[i - 1],
      after = items[i + 1];
    const newDay =
      !isPending(item) &&
      (!before || dayOf(before.createdAt, zone) !== dayOf(item.createdAt, zone));
    const newHere = item.id === firstUnread;
    return {
      key: keyOf(item),
      item,
      newDay,
      newHere,
      first: newDay || newHere || !before || !together(before, item),
      last:
        !after ||
        !together(item, after) ||
        after.id === firstUnread ||
        dayOf(after.createdAt, zone) !== dayOf(item.createdAt, zone),
    };
  });
}
/** The sender's own mark keeps a bubble in its place when the server's item takes over from the one on its way. */
const keyOf = (item: Item): string =>
  item.kind === 'message' && item.details.clientKey ? `c${item.details.clientKey}` : `i${item.id}`;

const together = (a: Item, b: Item): boolean =>
  a.kind === 'message' &&
  b.kind === 'message' &&
  a.isInbound === b.isInbound &&
  a.actor?.userId === b.actor?.userId &&
  Date.parse(b.createdAt) - Date.parse(a.createdAt) < groupMs;

/** The oldest item that waits unread, among those loaded; null when all is read. */
export function firstUnreadOf(newestFirst: readonly Item[]): number | null {
  return (
    newestFirst.findLast((i) => i.isInbound && i.readAt === null && i.kind !== 'note')?.id ?? null
  );
}
