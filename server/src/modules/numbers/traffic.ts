import type { TxCtx } from '../../platform/context.ts';
import { noteActivity } from './store.ts';

/** Calls and conversations tell of traffic in their own transaction, so that the lists are never behind. */
export const numberCalled = (ctx: Pick<TxCtx, 'tx' | 'companyId'>, numberId: number, at: Date) => noteActivity(ctx.tx, ctx.companyId, numberId, { callAt: at });
/** `unread`: how many more (or fewer) unread messages the number has. */
export const numberTexted = (ctx: Pick<TxCtx, 'tx' | 'companyId'>, numberId: number, at: Date, unread = 0) => noteActivity(ctx.tx, ctx.companyId, numberId, { messageAt: at, unread });
export const unreadChanged = (ctx: Pick<TxCtx, 'tx' | 'companyId'>, numberId: number, unread: number) => noteActivity(ctx.tx, ctx.companyId, numberId, { unread });
