import type { RawBuilder } from 'kysely';
import type { Answer } from '#contract';
import type { getWaiting } from '#contract/analytics/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { conversationFilterOf } from './list-conversations.ts';
import { presentInboxItems } from './present.ts';
import { conversationCount } from './store-lists.ts';
import { itemsByIds } from './store-item-lists.ts';
import {
  countFromOldest,
  missedCondition,
  oldestOfKinds,
  oldestUnread,
  unheardCondition,
  type WaitingItem,
} from './store-waiting.ts';

/** The limit up to which lists count (`store-lists.ts`). */
const maxCounted = 1000;

/**
 * What waits for an answer now, on the user's visible numbers. Each figure counts exactly the rows
 * of one list (docs/decisions/0087): the inbox's Unread, the calls to return, the voicemails not
 * played. A figure is null where the role can't open its list.
 */
export async function waiting(ctx: TxCtx): Promise<Answer<typeof getWaiting>['data']> {
  const seesInbox = ctx.may('inbox.view') !== 'none';
  const seesCalls = ctx.may('calls.view') !== 'none';
  const scope = {
    companyId: ctx.companyId,
    // Nothing is searched for.
    hidden: null,
    sight: ctx.numbers,
    tz: 'UTC',
    now: ctx.now,
  };
  const unread = seesInbox
    ? await conversationCount(
        ctx.tx,
        conversationFilterOf(ctx, { isArchived: false, isUnread: true }),
        maxCounted,
      )
    : 0;
  const optOuts = seesInbox
    ? await conversationCount(
        ctx.tx,
        conversationFilterOf(ctx, { possibleOptOut: true }),
        maxCounted,
      )
    : 0;
  const counted = async (where: RawBuilder<unknown>) => {
    if (!seesCalls) return null;
    const { oldest, ...count } = await countFromOldest(ctx.tx, where, maxCounted);
    waits.push(oldest);
    return count;
  };
  const waits: (WaitingItem | null)[] = [];
  const missed = await counted(missedCondition(scope));
  const voicemails = await counted(unheardCondition(scope));
  if (seesInbox && unread <= maxCounted) waits.push(await oldestUnread(ctx.tx, scope));
  else if (seesInbox) waits.push(...(await oldestOfKinds(ctx.tx, scope)));
  const longest = waits
    .flatMap((item) => item ?? [])
    .sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || a.id - b.id)[0];
  const [shown] = longest
    ? await presentInboxItems(ctx, await itemsByIds(ctx.tx, ctx.companyId, [longest.id]))
    : [];
  return {
    unread: seesInbox
      ? { total: Math.min(unread, maxCounted), total_is_capped: unread > maxCounted }
      : null,
    missed,
    voicemails,
    opt_outs: optOuts
      ? { total: Math.min(optOuts, maxCounted), total_is_capped: optOuts > maxCounted }
      : null,
    longest_wait: shown ?? null,
  };
}
