import type { TxCtx } from '../../platform/context.ts';
import { noteActivity } from './store.ts';
import { countMessage } from './timeline/store.ts';

/** Calls and conversations tell of traffic in their own transaction, so that the lists are never behind. */
export const numberCalled = (ctx: Pick<TxCtx, 'tx' | 'companyId'>, numberId: number, at: Date) => noteActivity(ctx.tx, ctx.companyId, numberId, { callAt: at });
/** `unread`: how many more (or fewer) unread messages the number has; `texts`: how many came or went, for its timeline. */
export async function numberTexted(ctx: Pick<TxCtx, 'tx' | 'companyId'>, numberId: number, at: Date, unread = 0, texts = 1): Promise<void> {
  await countMessage(ctx.tx, ctx.companyId, numberId, at, texts);
  await noteActivity(ctx.tx, ctx.companyId, numberId, { messageAt: at, unread });
}
export const unreadChanged = (ctx: Pick<TxCtx, 'tx' | 'companyId'>, numberId: number, unread: number) => noteActivity(ctx.tx, ctx.companyId, numberId, { unread });
