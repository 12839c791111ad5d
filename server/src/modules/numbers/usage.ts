import type { TxCtx } from '../../platform/context.ts';
import { recordActivity } from './store.ts';
import { recordTexts, type TextUsage } from './timeline/store.ts';

/**
 * Calls and conversations report traffic in their own transaction, so that lists are never behind.
 */
export const recordCallActivity = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  at: Date,
) => recordActivity(ctx.tx, ctx.companyId, numberId, { callAt: at });
/**
 * `unread`: change of the number's unread count; `texts`: how many were sent or received, for its
 * timeline.
 */
export const recordTextActivity = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  at: Date,
  unread = 0,
  texts = 1,
): Promise<void> => recordTextActivities(ctx, [{ numberId, unread, texts }], at);
/** The same for many numbers in one statement; list each number once. */
export const recordTextActivities = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  traffic: readonly TextUsage[],
  at: Date,
): Promise<void> => recordTexts(ctx.tx, ctx.companyId, traffic, at);
/** Adds `unread` to the unread count, which never gets negative. */
export const changeUnread = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  unread: number,
) => recordActivity(ctx.tx, ctx.companyId, numberId, { unread });
