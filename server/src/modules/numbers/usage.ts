import type { TxCtx } from '../../platform/context.ts';
import { recordActivity } from './store.ts';
import { recordTexts, type TextUsage } from './timeline/store.ts';

/** Calls and conversations tell of traffic in their own transaction, so that the lists are never behind. */
export const recordCallActivity = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  at: Date,
) => recordActivity(ctx.tx, ctx.companyId, numberId, { callAt: at });
/** `unread`: how many more unread messages the number has; `texts`: how many came or went, for its timeline. */
export const recordTextActivity = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  at: Date,
  unread = 0,
  texts = 1,
): Promise<void> => recordTextActivities(ctx, [{ numberId, unread, texts }], at);
/** The same for many numbers, each named once, in one statement. */
export const recordTextActivities = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  traffic: readonly TextUsage[],
  at: Date,
): Promise<void> => recordTexts(ctx.tx, ctx.companyId, traffic, at);
export const changeUnread = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  unread: number,
) => recordActivity(ctx.tx, ctx.companyId, numberId, { unread });
