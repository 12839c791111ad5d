import type { TxCtx } from '../../../platform/context.ts';
import { setConversation } from './store.ts';

/** Links the call to its conversation; called by conversations when they add the call. */
export const linkConversation = (ctx: TxCtx, callId: number, conversationId: number) =>
  setConversation(ctx.tx, ctx.companyId, callId, conversationId);
