import type { TxCtx } from '../../platform/context.ts';
import { noteActivity } from './store.ts';
import { countTexts, type Texted } from './timeline/store.ts';

/** Calls and conversations tell of traffic in their own transaction, so that the lists are never behind. */
export const numberCalled = (ctx: Pick<TxCtx, 'tx' | 'companyId'>, numberId: number, at: Date) =>
  noteActivity(ctx.tx, ctx.companyId, numberId, { callAt: at });
/** `unread`: how many more unread messages the number has; `texts`: how many came or went, for its timeline. */
export const numberTexted = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  at: Date,
  unread = 0,
  texts = 1,
): Promise<void> => numbersTexted(ctx, [{ numberId, unread, texts }], at);
/** The same for many numbers, each named once, in one statement. */
export const numbersTexted = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  traffic: readonly Texted[],
  at: Date,
): Promise<void> => countTexts(ctx.tx, ctx.companyId, traffic, at);
export const unreadChanged = (
  ctx: Pick<TxCtx, 'tx' | 'companyId'>,
  numberId: number,
  unread: number,
) => noteActivity(ctx.tx, ctx.companyId, numberId, { unread });
