import { useEffect, useMemo, useState } from 'react';
import { conversations } from '#contract';
import { useApiInfiniteQuery, userZone, useUser } from '#ui';
import type { Conversation, Item } from '../cache-updates.ts';
import { draftKey } from '../composer/drafts.ts';
import { appendOutgoing, clientKeysOf, useOutgoing } from '#ui/messaging/sender.ts';
import { sender } from '../composer/sending.ts';
import { firstUnreadId, toThreadRows } from './thread-rows.ts';

/**
 * The items of a conversation as rows, with the messages that are being sent.
 * @returns `startAt`: the key of the first row that was unread when the thread opened, or null
 */
export function useThreadRows(conversation: Conversation) {
  const { id, number } = conversation;
  const user = useUser();
  const zone = userZone();
  const list = useApiInfiniteQuery(
    conversations.listConversationItems,
    { params: { id }, query: { perPage: 50 } },
    { staleTime: 600_000, silent: true },
  );
  const everybodys = useOutgoing(sender);
  // Another user who signs in on this device sees only their own.
  const outgoing = useMemo(
    () => everybodys.filter((m) => m.place === draftKey(id)),
    // oxlint-disable-next-line exhaustive-deps -- the key of a draft names the user
    [everybodys, id, user],
  );
  const items = list.rows as Item[];
  // Set when the thread opens, so that marking it read doesn't remove the marker.
  const [marker, setMarker] = useState<number | null | undefined>(undefined);
  if (marker === undefined && items.length > 0) setMarker(firstUnreadId(items));
  useEffect(() => sender.known(clientKeysOf(items)), [items]);
  const rows = useMemo(() => {
    const actor = user ? { userId: user.id, name: user.name } : null;
    const oldestFirst = appendOutgoing(items.toReversed(), outgoing, id, number, actor);
    return toThreadRows(oldestFirst.toReversed(), zone, marker ?? null);
  }, [items, outgoing, id, number, user, zone, marker]);
  const startAt = marker ? (rows.find((r) => r.startsUnread)?.key ?? null) : null;
  return { list, items, rows, startAt, numSending: outgoing.length };
}
export type ThreadRows = ReturnType<typeof useThreadRows>;
