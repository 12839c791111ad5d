import type { Answer, notifications as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { unreadByNumber } from '../conversations/index.ts';
import { blocksOf } from './store.ts';

/** The events that each count belongs to: muting one in the app sets the count to 0. */
const eventsOfCount = {
  messages: ['message'],
  calls: ['missed', 'call'],
  voicemails: ['voicemail'],
  faxes: ['fax'],
} as const;
type Kind = keyof typeof eventsOfCount;
const kinds = Object.keys(eventsOfCount) as Kind[];

/** Unread items by number and in total, without what the user has muted in the app. */
export async function getNotificationCounts(
  ctx: TxCtx,
): Promise<Answer<typeof contract.getNotificationCounts>> {
  const muted = new Set(
    (await blocksOf(ctx.tx, ctx.companyId, ctx.actor.userId))
      .filter((b) => b.channel === 'app')
      .map((b) => `${b.number_id}:${b.event}`),
  );
  const isMuted = (numberId: number, kind: Kind) =>
    muted.has(`${numberId}:*`) ||
    eventsOfCount[kind].some((event) => muted.has(`${numberId}:${event}`));
  const byNumber: contract.NotificationCounts['byNumber'] = {};
  const unread = { messages: 0, calls: 0, voicemails: 0, faxes: 0 };
  for (const row of await unreadByNumber(ctx.tx, ctx.companyId, ctx.numbers)) {
    const counts = Object.fromEntries(
      kinds.map((kind) => [kind, isMuted(row.number_id, kind) ? 0 : row[kind]]),
    ) as Record<Kind, number>;
    const total = kinds.reduce((sum, kind) => sum + counts[kind], 0);
    if (!total) continue;
    byNumber[String(row.number_id)] = { total, ...counts };
    for (const kind of kinds) unread[kind] += counts[kind];
  }
  return { data: { total: kinds.reduce((sum, kind) => sum + unread[kind], 0), unread, byNumber } };
}
/** The same by number only. */
export const getNotificationCountsByNumber = async (
  ctx: TxCtx,
): Promise<Answer<typeof contract.getNotificationCountsByNumber>> => ({
  data: (await getNotificationCounts(ctx)).data.byNumber,
});
